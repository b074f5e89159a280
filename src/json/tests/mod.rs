//! Measured behaviour of real Helm, and laws, for JSON and for the YAML writer.

mod laws;
mod template;
mod value;
mod vectors;
