//! `evenkeel template`: a drop-in for `helm template`, without configuration, network or cluster.

mod call;
mod csv;
mod flags;
mod help;
mod kubeconfig;
mod release;
mod written;

pub use call::{Surroundings, Told, call};

use super::args::TemplateArgs;
use super::ui;
use crate::base::Problem;
use crate::base::par::STACK_BYTES;
use crate::engine::NativeEngine;
use crate::source::HostTree;
use std::io::Read;
use std::process::ExitCode;
use std::sync::Arc;

/// Runs the command and prints what it tells; 0 or 1, as Helm.
pub(super) fn run(args: &TemplateArgs) -> Result<ExitCode, Vec<Problem>> {
    let arguments = args.arguments.clone();
    let work = move || call(&arguments, &NativeEngine::new(), surroundings());
    // Templates may nest deeper than the stack of a main thread.
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work);
    let thread = thread.map_err(|error| vec![Problem::new(format!("cannot start a thread: {error}"))])?;
    let told = thread
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    for line in told.stderr.lines() {
        ui::tell(line);
    }
    ui::print(&told.stdout).map_err(|problem| vec![problem])?;
    Ok(ExitCode::from(told.code))
}

fn surroundings() -> Surroundings {
    let variable = |name: &str| std::env::var(name).ok();
    Surroundings {
        tree: Arc::new(HostTree::new("")),
        stdin: Box::new(|| {
            let mut bytes = Vec::new();
            std::io::stdin().read_to_end(&mut bytes).map(|_| bytes)
        }),
        namespace: variable("HELM_NAMESPACE"),
        kubeconfig: variable("KUBECONFIG").filter(|paths| !paths.is_empty()),
        kube_context: variable("HELM_KUBECONTEXT"),
        home: variable("HOME"),
        live: true,
    }
}
