//! Choosing what renders.

use super::args::{EngineChoice, RunArgs};
use crate::base::Problem;
use crate::engine::{Engine, NativeEngine, WitnessEngine, WitnessOptions};

/// The engine that the flags ask for.
pub(super) fn choose(args: &RunArgs) -> Result<Box<dyn Engine>, Vec<Problem>> {
    match args.engine {
        EngineChoice::Native => Ok(Box::new(NativeEngine::new())),
        EngineChoice::Witness => witness(args),
    }
}

/// Real Helm.
pub(super) fn witness(args: &RunArgs) -> Result<Box<dyn Engine>, Vec<Problem>> {
    let options = WitnessOptions {
        helm_bin: args.helm_bin.clone(),
        search_path: std::env::var_os("PATH"),
        temporary: std::env::temp_dir(),
    };
    let engine = WitnessEngine::new(&options).map_err(|problem| vec![problem])?;
    Ok(Box::new(engine))
}
