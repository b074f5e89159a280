//! `malformed-allow`: a comment that is to silence a check, and cannot.

use super::{Check, Pass};
use crate::base::Level;

/// The check.
pub static CHECK: Check = Check {
    name: "malformed-allow",
    level: Level::Deny,
    audit_only: false,
    explain: "A comment in a values file begins with `# evenkeel:` and silences nothing, because it cannot be read: it gives \
no reason, names no check or an unknown one, or stands at no key. Whoever wrote it believes that something is silenced.\n\n\
Write it on the line of a key, or directly above one:\n\n    \
# evenkeel: allow list-replaced -- the overlay restates what it needs\n    extraEnv:\n\n\
It silences the findings of that check whose place is that key or below it. Several checks are parted by commas; the \
reason behind the two dashes is for whoever reads it next, and has to be there.",
    pass: Pass::Run,
};
