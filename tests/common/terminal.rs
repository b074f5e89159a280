//! A pseudo terminal for the binary under test: what it shows there, and what keys do.

#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "a test may fail, and uses a part of it"
)]

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Longer than any test waits.
const PATIENCE: Duration = Duration::from_secs(60);

/// A command on a terminal of its own.
pub struct Terminal {
    child: Child,
    keys: File,
    shown: Receiver<Vec<u8>>,
    seen: Vec<u8>,
}

impl Terminal {
    /// Runs a command on a terminal of so many columns and rows.
    pub fn run(command: &mut Command, columns: u16, rows: u16) -> Terminal {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let size = Winsize {
            ws_row: rows,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
        let slave = File::options().read(true).write(true).open(name).unwrap();
        tcsetwinsize(&slave, size).unwrap();
        let child = command
            .stdin(slave.try_clone().unwrap())
            .stdout(slave.try_clone().unwrap())
            .stderr(slave)
            .spawn()
            .unwrap();
        // The command holds the other end now, and no one else may.
        command
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null());
        let keys = File::from(master);
        let mut screen = keys.try_clone().unwrap();
        let (sender, shown) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            // The end is an error on Linux and nothing read elsewhere.
            while let Ok(count @ 1..) = screen.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Terminal {
            child,
            keys,
            shown,
            seen: Vec::new(),
        }
    }

    /// Waits until a text is shown.
    pub fn expect(&mut self, text: &str) {
        let end = Instant::now() + PATIENCE;
        while !self.seen().contains(text) {
            let left = end.saturating_duration_since(Instant::now());
            match self.shown.recv_timeout(left) {
                Ok(bytes) => self.seen.extend(bytes),
                Err(_) => panic!("{text:?} is not shown: {}", self.seen()),
            }
        }
    }

    /// Types something; what was shown before is forgotten.
    pub fn keys(&mut self, keys: &str) {
        self.seen.clear();
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits for the end: the exit code, and what was shown since the last keys.
    pub fn end(mut self) -> (Option<i32>, String) {
        let end = Instant::now() + PATIENCE;
        while let Ok(bytes) = self
            .shown
            .recv_timeout(end.saturating_duration_since(Instant::now()))
        {
            self.seen.extend(bytes);
        }
        let code = self.child.wait().unwrap().code();
        (code, self.seen())
    }

    /// The process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    fn seen(&self) -> String {
        String::from_utf8_lossy(&self.seen).replace("\r\n", "\n")
    }
}
