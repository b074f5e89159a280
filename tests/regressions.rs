//! Runs every input under `fuzz/regressions` through its fuzz target: what was found once stays mended.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::path::Path;

#[path = "../fuzz/targets.rs"]
mod targets;

#[test]
fn what_fuzzing_found_stays_mended() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/regressions");
    let mut ran = 0;
    for target in std::fs::read_dir(folder).unwrap() {
        let target = target.unwrap();
        let name = target.file_name().into_string().unwrap();
        let run = targets::target(&name).unwrap_or_else(|| panic!("no target {name}"));
        for input in std::fs::read_dir(target.path()).unwrap() {
            let path = input.unwrap().path();
            let bytes = std::fs::read(&path).unwrap();
            let thread = std::thread::Builder::new()
                .name(path.display().to_string())
                .stack_size(evenkeel::base::par::STACK_BYTES);
            let done = thread.spawn(move || run(&bytes)).unwrap().join();
            assert!(done.is_ok(), "{} fails again", path.display());
            ran += 1;
        }
    }
    assert!(ran > 0);
}
