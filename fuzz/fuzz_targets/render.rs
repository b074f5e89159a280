//! A whole small render, traced. The input is a template, a zero byte, values, a zero byte, a file of the chart.
#![no_main]

use evenkeel::dialect::Dialect;
use evenkeel::engine::ambient::Frozen;
use evenkeel::engine::native::Target;
use evenkeel::engine::{NativeEngine, RenderJob};
use evenkeel::source::{MemoryTree, SourceTree};
use evenkeel::template::Limits;
use libfuzzer_sys::fuzz_target;
use std::sync::Arc;

fuzz_target!(|data: &[u8]| {
    let mut parts = data.splitn(3, |byte| *byte == 0);
    let mut part = || parts.next().unwrap_or_default();
    let tree = Arc::new(
        MemoryTree::new("fuzz")
            .file(
                "c/Chart.yaml",
                "apiVersion: v2\nname: c\nversion: 0.1.0\nappVersion: \"1\"\n",
            )
            .file("c/templates/a.yaml", part())
            .file("c/values.yaml", part())
            .file("c/files/f.txt", part())
            .file(
                "c/templates/_h.tpl",
                "{{ define \"h\" }}{{ .Values.a }}{{ tpl \"{{ .b }}\" .Values }}{{ end }}",
            ),
    );
    let engine = NativeEngine::with_limits(Limits {
        fuel: 20_000,
        output: 1 << 20,
        ..Limits::default()
    });
    for (traced, dialect) in [false, true].into_iter().zip(Dialect::ALL) {
        let job = RenderJob {
            tree: Arc::clone(&tree) as Arc<dyn SourceTree>,
            chart: "c".to_owned(),
            release: "r".to_owned(),
            namespace: "n".to_owned(),
            values: Vec::new(),
            set: Vec::new(),
            kube_version: None,
            api_versions: Vec::new(),
            include_crds: true,
            is_upgrade: false,
            no_hooks: false,
            skip_tests: false,
            skip_schema_validation: false,
            dialect,
            traced,
        };
        let _ = engine.attempt(&job, &[], Target::Text, &mut Frozen);
    }
});
