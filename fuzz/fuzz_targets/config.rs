//! `evenkeel.yaml`, and what follows from it in an almost empty tree.
#![no_main]

use evenkeel::base::Side;
use evenkeel::plan::{Plan, parse};
use evenkeel::source::MemoryTree;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let (config, problems) = parse(data, "evenkeel.yaml", "");
    if problems.is_empty() {
        let tree = MemoryTree::new("fuzz")
            .file(
                "app/chart/Chart.yaml",
                "apiVersion: v2\nname: app\nversion: 0.1.0\n",
            )
            .file("app/values.yaml", "a: 1\n")
            .file("raw/a.yaml", "kind: A\n");
        for side in Side::BOTH {
            let _ = Plan::of(&config, side, &tree);
        }
    }
});
