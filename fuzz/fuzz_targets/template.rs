//! The template parser, with all functions of the newest Helm.
#![no_main]

use evenkeel::dialect::Dialect;
use evenkeel::funcs;
use evenkeel::template::{FuncTable, SetBuilder};
use libfuzzer_sys::fuzz_target;
use std::sync::{Arc, OnceLock};

fuzz_target!(|data: &[u8]| {
    static FUNCS: OnceLock<Arc<FuncTable>> = OnceLock::new();
    let funcs = FUNCS.get_or_init(|| Arc::new(FuncTable::new(funcs::table(Dialect::NEWEST).iter().copied())));
    let mut builder = SetBuilder::new(Arc::clone(funcs), 1 << 20);
    let _ = builder.add("fuzz", data);
});
