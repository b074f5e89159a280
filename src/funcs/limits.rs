//! How much one call may make. Go would run out of memory first; a template is untrusted input, so the
//! call fails with a text that names the limit.

use crate::template::{Call, CallError};

/// The most bytes one call may make.
const MOST_BYTES: usize = 64 << 20;

/// The most elements one call may make.
const MOST_ITEMS: u64 = 4 << 20;

/// Fails when `count` pieces of `length` bytes are more than a call may make.
pub(super) fn check_bytes(call: &Call<'_>, count: usize, length: usize) -> Result<(), CallError> {
    match count.checked_mul(length) {
        Some(bytes) if bytes <= MOST_BYTES => Ok(()),
        _ => Err(CallError::own(format!(
            "{count} times {length} bytes are more than one call of {} may make here ({MOST_BYTES} bytes)",
            call.name
        ))),
    }
}

/// Fails when a call would make more elements than it may.
pub(super) fn check_items(call: &Call<'_>, count: u64) -> Result<(), CallError> {
    if count <= MOST_ITEMS {
        return Ok(());
    }
    Err(CallError::own(format!(
        "{count} elements are more than one call of {} may make here ({MOST_ITEMS})",
        call.name
    )))
}
