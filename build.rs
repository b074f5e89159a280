//! Names the state of the sources, so that what one evenkeel put into its cache is never taken by another.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

fn main() {
    let mut hasher = DefaultHasher::new();
    for root in ["src", "Cargo.lock"] {
        println!("cargo:rerun-if-changed={root}");
        add(Path::new(root), &mut hasher);
    }
    println!("cargo:rustc-env=EVENKEEL_SOURCES={:016x}", hasher.finish());
}

fn add(path: &Path, hasher: &mut DefaultHasher) {
    if let Ok(entries) = fs::read_dir(path) {
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            add(&path, hasher);
        }
    } else if let Ok(bytes) = fs::read(path) {
        hasher.write(path.to_string_lossy().as_bytes());
        hasher.write_usize(bytes.len());
        hasher.write(&bytes);
    }
}
