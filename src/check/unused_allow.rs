//! `unused-allow`: a comment that silences a check, where that check found nothing.

use super::{Check, Pass};
use crate::base::Level;

/// The check.
pub static CHECK: Check = Check {
    name: "unused-allow",
    level: Level::Warn,
    audit_only: false,
    explain: "A comment in a values file says `# evenkeel: allow CHECK -- reason`, and the check found nothing at the key \
it stands at. Either what it spoke of was mended, or the comment stands at another key than the one that was meant. Left \
there, it would hide the next hazard of that kind.\n\n\
Take the comment away, or put it on the line of the key, or directly above it.",
    pass: Pass::Run,
};
