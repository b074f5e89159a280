//! YAML in every way the project reads it: values, manifests, streams; and JSON.
#![no_main]

use evenkeel::chart::values;
use evenkeel::dialect::Dialect;
use evenkeel::json;
use evenkeel::manifest::{Manifest, Rules, canon};
use evenkeel::yaml;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = yaml::parse_first(data);
    let _ = yaml::parse_stream(data);
    let _ = yaml::unmarshal_map(data);
    let _ = yaml::unmarshal_list(data);
    for dialect in Dialect::ALL {
        let _ = values::read(data, dialect);
        let _ = json::read(data, json::Engine::of(dialect));
    }
    let manifest = Manifest::read(data, "fuzz");
    for document in &manifest.documents {
        if document.body().is_ok() {
            let _ = canon::digest(document, Rules::all());
        }
    }
});
