//! `redundant-override`: a layer says what the layers below it say anyway.

use super::elements::is_same;
use super::live::is_off;
use super::{ChartView, Check, Hazard, Pass, Sink};
use crate::base::Level;

/// The check.
pub static CHECK: Check = Check {
    name: "redundant-override",
    level: Level::Info,
    audit_only: true,
    explain: "A values file or an expression sets a key to the value that it has anyway, from a lower file or from the \
chart. It changes nothing today. It does pin the value: when the chart's next version changes its default, this release \
keeps the old one, and nobody remembers why.\n\n\
Delete the line, or leave it with a comment when the pin is meant. Only an audit tells this.",
    pass: Pass::Layers(run),
};

fn run(view: &ChartView<'_>, sink: &mut Sink) {
    let written = view.written();
    for cover in &view.covers().values {
        let (below, above) = (written.layer(&cover.lower), written.layer(&cover.upper));
        let is_repeated = above.is_users() && is_same(&cover.lower.node, &cover.upper.node);
        if !is_repeated || is_off(view, &cover.path.0) {
            continue;
        }
        let message = format!(
            "{} sets {} to what {} says already",
            above.name(),
            cover.path,
            below.name()
        );
        sink.tell(Hazard {
            value_path: Some(cover.path.clone()),
            place: Some(cover.upper.place.clone()),
            related: vec![("the same value".to_owned(), cover.lower.place.clone())],
            remedy: Some("delete it, or say in a comment why it is pinned".to_owned()),
            ..Hazard::new(&CHECK, message)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Case;
    use super::*;

    #[test]
    fn the_same_value_again_is_told() {
        let case = |values: &str| {
            Case::chart("a: {b: 1}\nl: [x, {y: z}]\n", "a: b\n")
                .values("v.yaml", values)
                .audit()
        };
        let paths = |case: Case| -> Vec<String> {
            let found = case.hazards(&CHECK).into_iter();
            found
                .map(|hazard| hazard.value_path.expect("a path").to_string())
                .collect()
        };
        assert_eq!(paths(case("a:\n  b: 1\nl:\n- x\n- y: z\n")), ["a.b", "l"]);
        assert_eq!(paths(case("{}").set("a.b=1")), ["a.b"]);
        assert_eq!(paths(case("a: {b: '1', c: 1}\nl: [x]\n")), Vec::<String>::new());
    }
}
