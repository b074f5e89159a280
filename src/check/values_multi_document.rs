//! `values-multi-document`: a values file of several YAML documents, which the Helms read differently.

use super::{ChartView, Check, Hazard, Pass, Sink};
use crate::base::{Level, Place};
use crate::chart::values;

/// The check.
pub static CHECK: Check = Check {
    name: "values-multi-document",
    level: Level::Warn,
    audit_only: false,
    explain: "A values file holds more than one YAML document. Helm 3 reads the first and silently drops the rest; \
Helm 4 merges all of them, later ones over earlier ones. The same file gives other manifests when Helm is \
upgraded, or when one colleague has the newer one.\n\n\
It happens when files are joined, or when a separator is left at the end with something behind it. Make it one \
document, or a file for each and list them in order.",
    pass: Pass::Layers(run),
};

fn run(view: &ChartView<'_>, sink: &mut Sink) {
    for layer in &view.written().layers {
        let Some(text) = layer.text.as_ref().filter(|_| layer.is_file()) else {
            continue;
        };
        // Nearly all files have one document: looking for a second separator is cheap.
        if memchr::memmem::find(text, b"---").is_none() {
            continue;
        }
        let starts = values::starts(text);
        let [_, second, ..] = starts[..] else { continue };
        let dropped = starts.len() - 1;
        let what = match (view.job.dialect.is_v4(), dropped) {
            (true, _) => format!(
                "Helm 4 merges its {} documents, Helm 3 would read the first alone",
                starts.len()
            ),
            (false, 1) => "Helm 3 reads the first and drops the other, Helm 4 would merge them".to_owned(),
            (false, _) => format!("Helm 3 reads the first and drops {dropped}, Helm 4 would merge all"),
        };
        let object = match layer.is_users() {
            true => "values file".to_owned(),
            false => format!("defaults {}", layer.prefix.join(".")),
        };
        sink.tell(Hazard {
            place: Some(Place::new(layer.file.clone(), second, 1)),
            object,
            remedy: Some("make it one document, or one file for each, listed in order".to_owned()),
            ..Hazard::new(
                &CHECK,
                format!("{} has several YAML documents: {what}", layer.file),
            )
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Case;
    use super::*;
    use crate::dialect::Dialect;

    fn told(values: &str) -> Vec<String> {
        let case = Case::chart("", "a: b\n").values("v.yaml", values);
        let told = |hazard: Hazard| hazard.place.expect("a place").to_string();
        case.hazards(&CHECK).into_iter().map(told).collect()
    }

    #[test]
    fn a_second_document_is_told_where_it_begins() {
        assert_eq!(told("---\na: 1\n---\nb: 2\n"), ["v.yaml:4:1"]);
        let case = Case::chart("", "a: b\n")
            .values("v.yaml", "a: 1\n---\nb: 2\n")
            .dialect(Dialect::V3_19);
        assert!(case.hazards(&CHECK)[0].message.contains("drops the other"));
    }

    #[test]
    fn separators_with_nothing_behind_them_are_fine() {
        for values in [
            "---\na: 1\n",
            "a: 1\n---\n",
            "a: 1\n---\n# c\n",
            "a: |\n  x\n  ---\n  y\n",
        ] {
            assert_eq!(told(values), Vec::<String>::new(), "{values}");
        }
    }
}
