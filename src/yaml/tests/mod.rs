//! Positions, corners and laws. The measured vectors run in the tests of `json`, which can also write
//! the results.

mod laws;
mod marks;
mod quirks;
