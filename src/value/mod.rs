//! Go's data model, with the history of every value.
