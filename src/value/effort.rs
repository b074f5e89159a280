//! How much work is done on values. A value that is shared a few times on every level is small in memory and
//! without end when it is walked, so whoever walks counts here, and stops when told so.
//!
//! Invariant: outside of an execution nothing is refused, for what is read from files is bounded by its size.

use std::cell::Cell;

/// Bytes of text that cost one unit to write.
const BYTES_PER_UNIT: u64 = 4;
/// Texts shorter than this are not counted among what is held.
const COUNTED_FROM: usize = 1024;
/// Bytes that the texts and lists of a thread may hold.
pub const MOST_HELD: u64 = 1 << 30;

thread_local! {
    static HELD: Cell<u64> = const { Cell::new(0) };
    static SPENT: Cell<u64> = const { Cell::new(0) };
    static MOST: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// Counts; false when the walk has to end.
#[inline]
pub fn spend(units: u64) -> bool {
    let spent = SPENT.get().saturating_add(units);
    SPENT.set(spent);
    spent <= MOST.get()
}

/// Counts the writing of a text of so many bytes.
#[inline]
pub fn spend_bytes(bytes: usize) -> bool {
    spend(bytes as u64 / BYTES_PER_UNIT)
}

/// Counts bytes that a value takes as long as it lives.
#[inline]
pub(super) fn hold(bytes: usize) {
    if bytes >= COUNTED_FROM {
        HELD.set(HELD.get().saturating_add(bytes as u64));
    }
}

/// The value is gone.
#[inline]
pub(super) fn let_go(bytes: usize) {
    if bytes >= COUNTED_FROM {
        HELD.set(HELD.get().saturating_sub(bytes as u64));
    }
}

/// True when the values of the thread take more memory than they may.
#[inline]
pub fn holds_too_much() -> bool {
    HELD.get() > MOST_HELD
}

/// Lets the thread spend so much from here on.
#[inline]
pub fn allow(units: u64) {
    MOST.set(SPENT.get().saturating_add(units));
}

/// Lets the thread spend without end.
pub fn allow_all() {
    MOST.set(u64::MAX);
}

/// Ends the walk in which it is called, and every other until the next `allow`. Nothing happens outside of an
/// execution.
pub fn exhaust() {
    if MOST.get() != u64::MAX {
        SPENT.set(MOST.get().saturating_add(1));
    }
}

/// True once more was spent than is allowed.
#[inline]
pub fn is_over() -> bool {
    SPENT.get() > MOST.get()
}

/// What the thread has spent so far.
#[inline]
pub fn spent() -> u64 {
    SPENT.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_allowed_can_be_spent() {
        assert!(spend(1 << 40));
        allow(3);
        assert!(spend(1) && spend_bytes(8));
        assert!(!spend(1) && is_over());
        allow(1);
        assert!(spend(1));
        exhaust();
        assert!(!spend(0));
        allow_all();
        exhaust();
        assert!(spend(1) && !is_over());
    }
}
