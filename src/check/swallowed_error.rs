//! `swallowed-error`: a function failed and the template went on.

use super::{ChartView, Check, Hazard, Pass, Sink};
use crate::base::Level;
use crate::engine::History;
use std::collections::BTreeSet;

/// The check.
pub static CHECK: Check = Check {
    name: "swallowed-error",
    level: Level::Warn,
    audit_only: false,
    explain: "toYaml, fromYaml, fromJson and their kin do not stop a render when they fail. toYaml gives nothing, and \
fromYaml gives a map with the one key Error; the template goes on with that. A document loses a whole section without a \
word.\n\n\
Example: {{ (fromYaml .Values.extra).replicas }} where extra is no YAML.\n\n\
Mend the text that is read. In a chart of your own, use mustToYaml, or look at the key Error.",
    pass: Pass::Trace(run),
};

fn run(_: &ChartView<'_>, history: &History, sink: &mut Sink) {
    let mut told = BTreeSet::new();
    for swallowed in &history.trace.swallowed {
        let (frame, node) = swallowed.site;
        let call = history
            .trace
            .unit(frame)
            .map(|unit| unit.text_of(node))
            .unwrap_or_default();
        if !told.insert(call.clone()) {
            continue;
        }
        let message = format!(
            "{} failed and the template went on: {}",
            swallowed.function, swallowed.message
        );
        let chain = history.chain(frame).into_iter();
        sink.tell(Hazard {
            object: call,
            place: history.place(frame, node),
            related: chain.map(|place| ("called from".to_owned(), place)).collect(),
            remedy: Some("mend the text that is read".to_owned()),
            ..Hazard::new(&CHECK, message)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Case;
    use super::*;

    #[test]
    fn a_failure_that_nobody_sees_is_told() {
        let case = |text: &str| {
            Case::chart("", "a: {{ (fromYaml .Values.text).b | quote }}\n")
                .values("v.yaml", &format!("text: '{text}'\n"))
        };
        let found = case("b: [").hazards(&CHECK);
        let [hazard] = &found[..] else { panic!("{found:?}") };
        assert!(hazard.place.is_some());
        assert_eq!(case("b: c").hazards(&CHECK), []);
    }
}
