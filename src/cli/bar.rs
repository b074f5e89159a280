//! The progress bar on standard error: cells done, cells in all, the time that is left. Only on a terminal that can
//! move its cursor, and only for a run that takes long enough to wonder.

use super::ui;
use crate::base::interrupt::{OnInterrupt, on_interrupt};
use crate::verify::progress::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A run shorter than this shows no bar.
const PATIENCE: Duration = Duration::from_millis(400);

/// How often the time that is left is told anew while no cell is done.
const TICK: Duration = Duration::from_millis(200);

/// A bar on standard error, when that is a terminal.
pub(super) struct Bar {
    wanted: bool,
    shown: OnceLock<Shown>,
}

struct Shown {
    bar: ProgressBar,
    /// Waits for the patience to end; gone when its sender is.
    waiting: Mutex<Option<(Sender<()>, JoinHandle<()>)>>,
    _undo: OnInterrupt,
}

impl Bar {
    /// A bar that shows nothing yet.
    pub(super) fn new(wanted: bool) -> Bar {
        Bar {
            wanted: wanted && io::stderr().is_terminal() && !ui::dumb(),
            shown: OnceLock::new(),
        }
    }
}

impl Progress for Bar {
    fn start(&self, cells: usize) {
        if !self.wanted {
            return;
        }
        let bar = ProgressBar::with_draw_target(Some(cells as u64), ProgressDrawTarget::hidden());
        bar.set_style(style(ui::unicode(true)));
        let (sender, receiver) = mpsc::channel::<()>();
        let waiting = bar.clone();
        let handle = thread::spawn(move || {
            if receiver.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                waiting.set_draw_target(ProgressDrawTarget::stderr());
                waiting.enable_steady_tick(TICK);
            }
        });
        let leaving = bar.clone();
        let shown = Shown {
            bar,
            waiting: Mutex::new(Some((sender, handle))),
            _undo: on_interrupt(move || leaving.finish_and_clear()),
        };
        let _ = self.shown.set(shown);
    }

    fn advance(&self) {
        if let Some(shown) = self.shown.get() {
            shown.bar.inc(1);
        }
    }

    fn finish(&self) {
        let Some(shown) = self.shown.get() else { return };
        let waiting = shown
            .waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some((sender, handle)) = waiting {
            drop(sender);
            // Whoever waits shows the bar or is done; only then is it known what to clear.
            let _ = handle.join();
        }
        shown.bar.finish_and_clear();
    }
}

fn style(unicode: bool) -> ProgressStyle {
    let chars = if unicode { "━╸ " } else { "=> " };
    ProgressStyle::with_template("rendering {bar:30} {pos}/{len} cells{left}")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars(chars)
        .with_key("left", |state: &ProgressState, out: &mut dyn Write| {
            // Nothing is known before the first cell is done.
            let _ = match state.pos() {
                0 => Ok(()),
                _ => write!(out, ", {} left", left(state.eta())),
            };
        })
}

/// `8s`, `2m 05s`, `1h 10m`
fn left(eta: Duration) -> String {
    let seconds = eta.as_secs_f64().ceil() as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds}s"),
        (0, minutes, seconds) => format!("{minutes}m {seconds:02}s"),
        (hours, minutes, _) => format!("{hours}h {minutes:02}m"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_that_is_left() {
        assert_eq!(left(Duration::from_millis(200)), "1s");
        assert_eq!(left(Duration::from_secs(125)), "2m 05s");
        assert_eq!(left(Duration::from_secs(4200)), "1h 10m");
    }

    #[test]
    fn a_short_run_shows_nothing_and_does_not_wait() {
        let started = std::time::Instant::now();
        let bar = Bar {
            wanted: true,
            shown: OnceLock::new(),
        };
        bar.start(2);
        bar.advance();
        bar.finish();
        bar.finish();
        assert!(started.elapsed() < PATIENCE);
        let shown = bar.shown.get().unwrap();
        assert!(shown.bar.is_hidden() && shown.bar.is_finished());
    }
}
