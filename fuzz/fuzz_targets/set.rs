//! `--set` and its kin; the first byte says which.
#![no_main]

use evenkeel::dialect::Dialect;
use evenkeel::engine::{SetFlag, SetKind};
use evenkeel::layers::Layers;
use evenkeel::layers::stack::user_values;
use evenkeel::source::MemoryTree;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((kind, text)) = data.split_first() else {
        return;
    };
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    let kind = SetKind::ALL[usize::from(*kind) % SetKind::ALL.len()];
    let set: Vec<SetFlag> = text
        .split('\u{1}')
        .map(|expression| SetFlag {
            kind,
            expression: expression.to_owned(),
            place: None,
        })
        .collect();
    let tree = MemoryTree::new("fuzz").file("f", "text");
    for dialect in Dialect::ALL {
        let _ = user_values(&tree, &[], &set, dialect, &mut Layers::new(true));
    }
});
