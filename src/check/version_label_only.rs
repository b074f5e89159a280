//! `version-label-only`: documents that differ in nothing but the version of their chart or application.

use super::{CellView, Check, Hazard, Pass, Sink};
use crate::base::Level;
use crate::compare::Verdict;

/// The check.
pub static CHECK: Check = Check {
    name: "version-label-only",
    level: Level::Info,
    audit_only: false,
    explain: "The version of a chart or of its application stands in labels (helm.sh/chart, app.kubernetes.io/version, \
chart), and a new version changes every document that carries them. In the documents counted here nothing else differs, \
but for checksums that moved with those labels.\n\n\
They are told once for the release, so that the changes that mean something come first. Where such a label is in a pod \
template, the pods restart all the same.\n\n\
To have such documents count as equal, switch the rule on: `evenkeel verify --with-rule version-labels`.",
    pass: Pass::Comparison(run),
};

fn run(view: &CellView<'_>, sink: &mut Sink) {
    let alike = view
        .comparison
        .documents
        .iter()
        .filter(|document| document.version_labels_only && document.verdict == Verdict::Changed);
    let names: Vec<String> = alike.map(|document| document.id.short()).collect();
    let what = match &names[..] {
        [] => return,
        [only] => format!("{only} differs in version labels alone"),
        many => format!("{} documents differ in version labels alone", many.len()),
    };
    sink.tell(Hazard {
        remedy: Some("--with-rule version-labels counts them as equal".to_owned()),
        ..Hazard::new(&CHECK, what)
    });
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Case, compared};
    use super::*;

    fn config(version: &str, data: &str) -> Case {
        Case::chart(
            "",
            &format!(
                "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels: {{app.kubernetes.io/version: \"{version}\"}}\n\
                 data: {{k: {data}}}\n"
            ),
        )
    }

    #[test]
    fn a_version_alone_is_told_and_a_change_beside_it_is_not() {
        let found = compared(&CHECK, config("1.0", "x"), config("1.1", "x"));
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(compared(&CHECK, config("1.0", "x"), config("1.1", "w")), []);
        assert_eq!(compared(&CHECK, config("1.0", "x"), config("1.0", "x")), []);
    }
}
