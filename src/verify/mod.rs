//! The main job: see `run`.

pub mod accept;
mod accept_read;
mod acceptance;
mod allow_comment;
mod allows;
mod audit;
mod blame;
mod cache;
mod cell;
pub mod cells;
mod chance;
pub mod cluster_state;
mod examine;
mod findings;
mod hazards;
mod levels;
pub mod pinning;
pub mod progress;
mod provenance;
pub mod render;
mod request;
mod run;
pub mod sides;
mod stability;
mod tell;
mod witness;

pub use audit::audit;
pub use blame::blame;
pub use examine::{Point, State, examine};
pub use request::Request;
pub use run::run;
pub use witness::{Agreement, Difference, witness};
