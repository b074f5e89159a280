//! Go text/template; has never heard of Helm.

pub mod ambient;
pub mod func;
pub mod trace;

pub use ambient::AmbientSource;
pub use func::{Call, CallError, Effect, Func, Host, Param};
