//! Measured behaviour of real Helm, and laws.

mod laws;
mod marks;
mod quirks;
mod vectors;
