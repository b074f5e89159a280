//! The pinned record kept in `baselines/`: what a commit rendered to when it was pinned, as digests.
//!
//! A pin answers three questions. Is the file what `pin` wrote (`store`, by the seal)? Does its commit still
//! render to the same documents (`check::drift`)? And, where the commit is not in the clone, which documents of
//! the candidate differ from it (`check::judge`)? It holds no document, only digests of canonical forms.

pub mod check;
mod read;
pub mod record;
pub mod store;
mod write;

pub use check::{CellDrift, CellJudgement, DocumentDrift, Drift, Judged, drift, judge};
pub use read::read;
pub use record::{Pin, PinnedCell, PinnedDocument, PinnedState};
pub use store::{Existing, Store};
