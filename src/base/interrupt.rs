//! What has to be undone when a signal ends the run: private folders, child processes, half-written files.
//! The only user of ctrlc.
//!
//! On SIGINT, SIGTERM and SIGHUP every registered action runs once, and the process leaves with code 130. A
//! signal that cannot be caught leaves things behind; whoever creates them also sweeps them later.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

type Action = Box<dyn Fn() + Send>;

static ACTIONS: Mutex<BTreeMap<u64, Action>> = Mutex::new(BTreeMap::new());
static HANDLER: Once = Once::new();

/// The code a shell gives for an end by Ctrl-C.
const EXIT_CODE: i32 = 130;

/// Keeps an action registered as long as it lives.
pub struct OnInterrupt(u64);

impl Drop for OnInterrupt {
    fn drop(&mut self) {
        actions().remove(&self.0);
    }
}

/// Registers what to do when a signal ends the run, until the guard is dropped. Actions run in the order in
/// which they were registered; one must not wait for a lock that is held during long work.
pub fn on_interrupt(action: impl Fn() + Send + 'static) -> OnInterrupt {
    HANDLER.call_once(|| {
        // fails only where another handler was installed; then that one ends the process
        let _ = ctrlc::set_handler(leave);
    });
    let mut actions = actions();
    let id = actions.last_key_value().map_or(0, |(id, _)| id + 1);
    actions.insert(id, Box::new(action));
    OnInterrupt(id)
}

#[expect(clippy::exit, reason = "a signal handler has nobody to return to")]
fn leave() {
    for action in actions().values() {
        action();
    }
    std::process::exit(EXIT_CODE);
}

fn actions() -> MutexGuard<'static, BTreeMap<u64, Action>> {
    ACTIONS.lock().unwrap_or_else(PoisonError::into_inner)
}
