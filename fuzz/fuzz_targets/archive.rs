//! Packaged charts: the input as an archive, and the input as the tar inside one.
#![no_main]

use evenkeel::chart;
use evenkeel::dialect::Dialect;
use evenkeel::source::MemoryTree;
use flate2::Compression;
use flate2::write::GzEncoder;
use libfuzzer_sys::fuzz_target;
use std::io::Write;

fuzz_target!(|data: &[u8]| {
    load(data);
    let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
    if encoder.write_all(data).is_ok()
        && let Ok(packed) = encoder.finish()
    {
        load(&packed);
    }
});

fn load(bytes: &[u8]) {
    let tree = MemoryTree::new("fuzz").file("c.tgz", bytes);
    for dialect in Dialect::ALL {
        let _ = chart::load(&tree, "c.tgz", dialect);
    }
}
