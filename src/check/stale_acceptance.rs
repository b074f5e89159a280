//! `stale-acceptance`: a reviewed difference that is no difference any more.

use super::{Check, Pass};
use crate::base::Level;

/// The check.
pub static CHECK: Check = Check {
    name: "stale-acceptance",
    level: Level::Deny,
    audit_only: false,
    explain: "An entry of evenkeel.accept.yaml matches no difference of this run, though all its releases and platforms were \
compared. The change it was reviewed for has reached the baseline, was taken back, or is another one by now.\n\n\
An acceptance that stays after its change would silently let the same change through a second time. Remove the entry; \
if the difference is there with other values, review it and record it with `evenkeel accept`.",
    pass: Pass::Run,
};
