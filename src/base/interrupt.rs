//! What has to be undone when a signal ends the run: private folders, child processes, half-written files.
//! The only user of ctrlc.
//!
//! On SIGINT, SIGTERM and SIGHUP every registered action runs once, and the process leaves with code 130. A
//! signal that cannot be caught leaves things behind; whoever creates them also sweeps them later.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

type Action = Box<dyn Fn() + Send>;

/// How many wait for a child process that the signals are meant for.
static HELD: AtomicUsize = AtomicUsize::new(0);
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
    handle();
    let mut actions = actions();
    let id = actions.last_key_value().map_or(0, |(id, _)| id + 1);
    actions.insert(id, Box::new(action));
    OnInterrupt(id)
}

/// Keeps signals from ending the run as long as it lives.
pub struct HoldOff(());

impl Drop for HoldOff {
    fn drop(&mut self) {
        HELD.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Lets signals pass without effect until the guard is dropped: while a child process has the terminal, Ctrl-C is
/// meant for it.
pub fn hold_off() -> HoldOff {
    handle();
    HELD.fetch_add(1, Ordering::SeqCst);
    HoldOff(())
}

fn handle() {
    HANDLER.call_once(|| {
        // fails only where another handler was installed; then that one ends the process
        let _ = ctrlc::set_handler(leave);
    });
}

#[expect(clippy::exit, reason = "a signal handler has nobody to return to")]
fn leave() {
    if HELD.load(Ordering::SeqCst) > 0 {
        return;
    }
    for action in actions().values() {
        action();
    }
    std::process::exit(EXIT_CODE);
}

fn actions() -> MutexGuard<'static, BTreeMap<u64, Action>> {
    ACTIONS.lock().unwrap_or_else(PoisonError::into_inner)
}
