//! Two sides -> pairs -> changes.
