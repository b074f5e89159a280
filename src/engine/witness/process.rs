//! Running helm: nothing of the user's environment reaches it, and none outlives the run. The only user of
//! `Command` for helm.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A render that takes longer than this hangs.
const TIME_LIMIT: Duration = Duration::from_secs(300);
/// More output than this is a mistake of the chart.
const OUTPUT_LIMIT: u64 = 1 << 30;
/// Where no proxy listens, so that a call that tries to reach the network fails at once.
const NOWHERE: &str = "http://127.0.0.1:9";

/// One call of helm.
pub(super) struct Call<'c> {
    pub(super) program: &'c Path,
    pub(super) arguments: &'c [OsString],
    /// Where it runs.
    pub(super) folder: &'c Path,
    /// Where it finds its settings: nothing.
    pub(super) home: &'c Path,
}

/// What a call gave.
pub(super) struct Output {
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
    /// The exit code; `None` when a signal ended it.
    pub(super) code: Option<i32>,
}

/// The helm processes of this run.
pub(super) struct Processes {
    state: Mutex<State>,
    /// A program in the place of helm may need others.
    search_path: Option<OsString>,
}

#[derive(Default)]
struct State {
    stopped: bool,
    next: u64,
    running: BTreeMap<u64, Arc<Mutex<Child>>>,
}

impl Processes {
    pub(super) fn new(search_path: Option<OsString>) -> Processes {
        Processes {
            state: Mutex::default(),
            search_path,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends all processes and lets no other begin, because this process is about to end.
    pub(super) fn stop(&self) {
        let mut state = self.state();
        state.stopped = true;
        for child in state.running.values() {
            kill(child);
        }
    }

    /// Never returns once the run was stopped: nothing may be concluded from what fails while everything is
    /// being taken down.
    pub(super) fn hold_if_stopped(&self) {
        while self.state().stopped {
            std::thread::park();
        }
    }

    /// Runs one call to its end.
    pub(super) fn run(&self, call: &Call<'_>) -> Result<Output, String> {
        let (id, child) = self.start(call)?;
        let result = collect(&child);
        self.state().running.remove(&id);
        result
    }

    fn start(&self, call: &Call<'_>) -> Result<(u64, Arc<Mutex<Child>>), String> {
        let mut command = Command::new(call.program);
        command
            .args(call.arguments)
            .current_dir(call.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .env_clear()
            .envs(self.search_path.iter().map(|path| ("PATH", path)))
            .envs(environment(call.home));
        let mut state = self.state();
        if state.stopped {
            return Err("the run was interrupted".to_string());
        }
        let child = command
            .spawn()
            .map_err(|error| format!("{} cannot be run: {error}", call.program.display()))?;
        let child = Arc::new(Mutex::new(child));
        let id = state.next;
        state.next += 1;
        state.running.insert(id, child.clone());
        Ok((id, child))
    }
}

/// All of helm's environment but the search path. Helm's own folders are empty ones, times are told in UTC, and the collector of
/// Go's runtime runs less often than it would, which changes nothing but the time a render takes.
fn environment(home: &Path) -> Vec<(&'static str, OsString)> {
    let place = |name: &str| home.join(name).into_os_string();
    let mut environment = vec![
        ("HOME", place("")),
        ("TMPDIR", place("")),
        ("HELM_CACHE_HOME", place("cache")),
        ("HELM_CONFIG_HOME", place("config")),
        ("HELM_DATA_HOME", place("data")),
        ("HELM_PLUGINS", place("plugins")),
        ("HELM_REGISTRY_CONFIG", place("registry.json")),
        ("HELM_REPOSITORY_CONFIG", place("repositories.yaml")),
        ("HELM_REPOSITORY_CACHE", place("repository")),
        ("XDG_CACHE_HOME", place("cache")),
        ("XDG_CONFIG_HOME", place("config")),
        ("XDG_DATA_HOME", place("data")),
        ("KUBECONFIG", place("kubeconfig")),
        ("TZ", "UTC".into()),
        ("GOGC", "400".into()),
    ];
    let proxies = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"];
    environment.extend(proxies.map(|name| (name, NOWHERE.into())));
    environment
}

fn kill(child: &Mutex<Child>) {
    let mut child = child.lock().unwrap_or_else(PoisonError::into_inner);
    // fails only for a process that has ended
    let _ = child.kill();
}

/// Reads both streams to their ends, then the exit code.
fn collect(child: &Mutex<Child>) -> Result<Output, String> {
    let (stdout, stderr) = {
        let mut child = child.lock().unwrap_or_else(PoisonError::into_inner);
        (child.stdout.take(), child.stderr.take())
    };
    let deadline = Instant::now() + TIME_LIMIT;
    let (sender, receiver) = channel();
    let streams: [Option<Box<dyn Read + Send>>; 2] = [
        stdout.map(|stream| Box::new(stream) as Box<dyn Read + Send>),
        stderr.map(|stream| Box::new(stream) as Box<dyn Read + Send>),
    ];
    std::thread::scope(|scope| {
        for (which, stream) in streams.into_iter().enumerate() {
            let sender = sender.clone();
            scope.spawn(move || {
                let mut bytes = Vec::new();
                let result = stream.map_or(Ok(0), |stream| {
                    stream.take(OUTPUT_LIMIT + 1).read_to_end(&mut bytes)
                });
                // the receiver is gone only when the other stream has failed
                let _ = sender.send((which, result.map(|_| bytes)));
            });
        }
        let mut collected = [Vec::new(), Vec::new()];
        for _ in 0..2 {
            let left = deadline.saturating_duration_since(Instant::now());
            let failure = match receiver.recv_timeout(left) {
                Ok((_, Ok(bytes))) if bytes.len() as u64 > OUTPUT_LIMIT => {
                    format!("helm wrote more than {} MiB", OUTPUT_LIMIT >> 20)
                }
                Ok((which, Ok(bytes))) => {
                    collected[which] = bytes;
                    continue;
                }
                Ok((_, Err(error))) => format!("the output of helm cannot be read: {error}"),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    format!("helm did not end within {} seconds", TIME_LIMIT.as_secs())
                }
            };
            kill(child);
            let _ = wait(child);
            return Err(failure);
        }
        let status = wait(child).map_err(|error| format!("helm cannot be waited for: {error}"))?;
        let [stdout, stderr] = collected;
        Ok(Output {
            stdout,
            stderr,
            code: status.code(),
        })
    })
}

/// Waits for a process whose streams are closed: it ends at once, or was killed.
fn wait(child: &Mutex<Child>) -> std::io::Result<std::process::ExitStatus> {
    child.lock().unwrap_or_else(PoisonError::into_inner).wait()
}
