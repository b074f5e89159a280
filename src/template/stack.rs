//! How much of the thread's stack is used: recursion ends with an error, never with an overflow.

/// Remembers where the stack stood when the work began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stack {
    start: usize,
    limit: usize,
}

impl Stack {
    /// Starts to count; at most `limit` bytes may be used from here on.
    pub fn here(limit: usize) -> Stack {
        Stack {
            start: address(),
            limit,
        }
    }

    /// True once more than the limit is in use.
    pub fn is_spent(&self) -> bool {
        self.start.abs_diff(address()) > self.limit
    }
}

/// The address of something on the top of the stack.
#[inline(always)]
fn address() -> usize {
    let marker = 0u8;
    std::ptr::from_ref(std::hint::black_box(&marker)).addr()
}
