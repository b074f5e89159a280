//! `expired-acceptance`: a reviewed difference whose time is over.

use super::{Check, Pass};
use crate::base::Level;

/// The check.
pub static CHECK: Check = Check {
    name: "expired-acceptance",
    level: Level::Deny,
    audit_only: false,
    explain: "An entry of evenkeel.accept.yaml has an `expires` date that has passed. It no longer accepts anything: the \
difference it was for is told as changed again.\n\n\
Look at the difference once more. Then give the entry a later date, or remove it.",
    pass: Pass::Run,
};
