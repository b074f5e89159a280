//! `unread-key`: a value that somebody supplies and nothing reads.

use super::mentions::{is_in_schema, is_mentioned, is_switch, suggestion};
use super::{ChartView, Check, Hazard, Pass, Sink, live};
use crate::base::{KeyPath, Level, Place, Step};
use crate::engine::History;
use crate::layers::{Layer, LayerKind};
use std::collections::BTreeMap;

pub(super) use super::unread_proof::confirm;

/// The check.
pub static CHECK: Check = Check {
    name: "unread-key",
    level: Level::Warn,
    audit_only: false,
    explain: "A values file, an inline map or a --set gives a key that no template, schema, condition, tag or subchart \
reads. Helm takes it without a word, and it does nothing: the override that somebody relies on is not there.\n\n\
Usual causes: a misspelt name (persistance for persistence), a key that the chart renamed or moved in another version, a key \
at the wrong depth (replicas beside deployment instead of below it), values of another chart.\n\n\
Before it is told, the release is rendered once more without the key, and the output must be the same to the byte. A \
--set is denied, because a command line says what was wanted now; a file is warned of. A key that the chart knows but does \
not read in this render, because a switch is off, is told in an audit only.\n\n\
Take the key out, or write it under the name that the chart reads.",
    pass: Pass::Trace(run),
};

/// What the layers of a user say of one path.
struct Supplied<'h> {
    is_read: bool,
    /// The layers, lowest first, and where.
    by: Vec<(&'h Layer, Place)>,
}

fn run(view: &ChartView<'_>, history: &History, sink: &mut Sink) {
    let supplied = supplied(history);
    let mut told: Option<&KeyPath> = None;
    for (path, found) in &supplied {
        if found.is_read || told.is_some_and(|above| path.starts_with(above)) || is_frame(view, path) {
            continue;
        }
        // Nothing below it was read either, so it is told once.
        told = Some(path);
        if let Some(hazard) = judge(view, history, path, found) {
            sink.tell(hazard);
        }
    }
}

/// The paths that a user supplies, with those above a read one read as well.
fn supplied(history: &History) -> BTreeMap<KeyPath, Supplied<'_>> {
    let mut all: BTreeMap<KeyPath, Supplied<'_>> = BTreeMap::new();
    let is_users = |number: &u32| {
        let origin = &history.marks.origins[*number as usize];
        let layer = history.layers.get(origin.layer as usize);
        layer.is_some_and(|layer| layer.kind != LayerKind::ChartDefault)
    };
    let read = |number: u32| history.trace.read.get(number as usize).copied() == Some(true);
    let count = u32::try_from(history.marks.origins.len()).unwrap_or(u32::MAX);
    let users: Vec<u32> = (0..count).filter(is_users).collect();
    if users.iter().all(|&number| read(number)) {
        return all;
    }
    for number in users {
        let Some(origin) = history.origin(number) else {
            continue;
        };
        if origin.path.0.is_empty() {
            continue;
        }
        let found = all.entry(origin.path).or_insert(Supplied {
            is_read: false,
            by: Vec::new(),
        });
        found.is_read |= read(number);
        found.by.push((origin.layer, origin.place));
    }
    let read: Vec<KeyPath> = all
        .iter()
        .filter(|(_, found)| found.is_read)
        .map(|(path, _)| path.clone())
        .collect();
    for mut path in read {
        while path.0.pop().is_some() {
            match all.get_mut(&path) {
                Some(above) if !above.is_read => above.is_read = true,
                _ => {}
            }
        }
    }
    all
}

fn judge(view: &ChartView<'_>, history: &History, path: &KeyPath, found: &Supplied<'_>) -> Option<Hazard> {
    let value = view.final_values()?.at(&path.0)?;
    if value.is_nil() || is_switch(view, path) || is_in_schema(view, path) {
        return None;
    }
    let (layer, place) = found.by.last()?;
    let off = if live::is_off(view, &path.0) {
        Some("its subchart is switched off")
    } else if is_default(view, path) || is_mentioned(view, path) {
        Some("the chart knows it, but what reads it is switched off")
    } else {
        None
    };
    if off.is_some() && !view.is_audit {
        return None;
    }
    let is_set = matches!(layer.kind, LayerKind::Set(_));
    let source = match &layer.expression {
        Some(expression) => {
            let key = expression.split_once('=').map_or(&**expression, |(key, _)| key);
            format!("the expression {key}")
        }
        None => layer.file.to_string(),
    };
    let others = found.by[..found.by.len() - 1].iter();
    let related = others.map(|(layer, place)| (format!("{} gives it too", layer.file), place.clone()));
    let suggestion = if off.is_some() {
        None
    } else {
        suggestion(view, history, path)
    };
    let message = match (off, &suggestion) {
        (Some(why), _) => format!("`{path}` of {source} is not read in this render: {why}"),
        (None, Some(name)) => {
            format!("`{path}` of {source} is read by nothing; the nearest known name is `{name}`")
        }
        (None, None) => format!("`{path}` of {source} is read by nothing"),
    };
    Some(Hazard {
        level: match (off, is_set) {
            (Some(_), _) => Level::Info,
            (None, true) => Level::Deny,
            (None, false) => Level::Warn,
        },
        value_path: Some(path.clone()),
        object: off.map_or_else(String::new, |_| "switched off".to_owned()),
        place: Some(view.user_place(path).unwrap_or_else(|| place.clone())),
        related: related.collect(),
        remedy: Some(match (off, &suggestion) {
            (Some(_), _) => "nothing, where the switch is meant to be off".to_owned(),
            (None, Some(name)) => format!("write `{name}`, or take the key out"),
            (None, None) => "take the key out, or write it where the chart reads it".to_owned(),
        }),
        suggestion,
        ..Hazard::new(&CHECK, message)
    })
}

/// True for what Helm itself reads: the values of a chart, and its `global` and `tags`. Only what they hold counts.
fn is_frame(view: &ChartView<'_>, path: &KeyPath) -> bool {
    let is_it = |chart: &[String]| {
        let keys = chart.iter().zip(&path.0);
        let is_below = keys
            .into_iter()
            .all(|(key, step)| matches!(step, Step::Key(found) if found == key));
        let rest = path.0.get(chart.len()..);
        is_below
            && match rest {
                Some([]) => true,
                Some([Step::Key(key)]) => matches!(key.as_str(), "global" | "tags"),
                _ => false,
            }
    };
    live::charts(view).iter().any(|live| is_it(&live.path))
}

/// True when the chart's own values hold the key.
fn is_default(view: &ChartView<'_>, path: &KeyPath) -> bool {
    let written = view.written();
    let settings = written.settings(&path.0);
    settings.iter().any(|setting| !written.layer(setting).is_users())
}

#[cfg(test)]
mod tests {
    use super::super::testing::Case;
    use super::*;

    fn told(case: Case) -> Vec<String> {
        let found = case.hazards(&CHECK);
        let path = |hazard: &Hazard| hazard.value_path.as_ref().map(ToString::to_string);
        found.iter().filter_map(path).collect()
    }

    fn reads(template: &str, values: &str) -> Vec<String> {
        told(Case::chart("", template).values("v.yaml", values))
    }

    #[test]
    fn a_misspelt_key_is_told_with_its_name() {
        let case = Case::chart("persistence: {size: 1}\n", "a: {{ .Values.persistence.size }}\n");
        let found = case.values("v.yaml", "persistance:\n  size: 2\n").hazards(&CHECK);
        let [hazard] = &found[..] else { panic!("{found:?}") };
        assert_eq!(hazard.suggestion.as_deref(), Some("persistence"));
        assert_eq!(hazard.level, Level::Warn);
        let place = hazard
            .place
            .as_ref()
            .map(|place| (place.file.to_string(), place.line));
        assert_eq!(place, Some(("v.yaml".to_owned(), 1)));
    }

    #[test]
    fn an_expression_is_denied() {
        let case = Case::chart("image: {tag: x}\n", "a: {{ .Values.image.tag }}\n");
        let found = case.set("image.tga=y").hazards(&CHECK);
        let [hazard] = &found[..] else { panic!("{found:?}") };
        assert_eq!(hazard.level, Level::Deny);
        assert_eq!(hazard.suggestion.as_deref(), Some("tag"));
    }

    #[test]
    fn depth_and_lists_are_looked_into() {
        let template = "{{ range .Values.env }}{{ .name }}: {{ .value }}\n{{ end }}";
        let values = "env:\n- {name: A, value: b}\n- {name: B, valeu: c}\n";
        assert_eq!(reads(template, values), ["env[1].valeu"]);
        assert_eq!(reads("a: {{ .Values.a.b }}\n", "a: {b: 1, c: {d: 2}}\n"), ["a.c"]);
    }

    #[test]
    fn what_is_read_as_a_whole_is_read() {
        let values = "x: {a: {b: [1, {c: d}]}}\n";
        for template in [
            "{{ toYaml .Values.x }}",
            "a: {{ toJson .Values.x }}",
            "a: {{ .Values.x }}",
            "a: {{ .Values | toJson | quote }}",
            "a: {{ deepCopy .Values.x | toJson }}",
            "{{ merge (dict) .Values.x | toYaml }}",
            "{{ mergeOverwrite (dict \"z\" 1) .Values.x | toYaml }}",
            "{{ pick .Values.x \"a\" | toYaml }}",
            "{{ omit .Values.x \"z\" | toYaml }}",
            "{{ tpl (toYaml .Values.x) . }}",
            "{{ range $k, $v := .Values.x }}{{ $k }}: {{ toYaml $v | nindent 2 }}{{ end }}",
            "{{ with .Values.x }}{{ toYaml . }}{{ end }}",
            "{{ index .Values \"x\" | toYaml }}",
            "{{ get .Values \"x\" | toYaml }}",
            "{{ dig \"x\" \"a\" (dict) .Values.AsMap | toYaml }}",
            "a: {{ values .Values.x | toJson }}",
        ] {
            assert_eq!(reads(template, values), [""; 0], "{template}");
        }
    }

    #[test]
    fn single_reads_are_reads() {
        let values = "x: {a: b}\n";
        for template in [
            "a: {{ index .Values \"x\" \"a\" }}",
            "a: {{ get .Values.x \"a\" }}",
            "a: {{ dig \"a\" \"z\" .Values.x }}",
            "a: {{ hasKey .Values.x \"a\" }}",
            "a: {{ if .Values.x.a }}b{{ end }}",
            "a: {{ default \"z\" .Values.x.a }}",
            "a: {{ tpl \"{{ .Values.x.a }}\" . }}",
            "a: {{ (merge (dict) .Values.x).a }}",
            "a: {{ (deepCopy .Values.x).a }}",
            "a: {{ (pick .Values.x \"a\").a }}",
            "a: {{ coalesce .Values.x.z .Values.x.a }}",
            "a: {{ eq .Values.x.a \"b\" }}",
            "a: {{ pluck \"a\" .Values.x | first }}",
        ] {
            assert_eq!(reads(template, values), [""; 0], "{template}");
        }
    }

    #[test]
    fn what_is_switched_off_is_told_in_an_audit_alone() {
        let case = || {
            Case::chart(
                "on: false\n",
                "a: b\n{{ if .Values.on }}c: {{ .Values.size }}{{ end }}\n",
            )
            .values("v.yaml", "size: 3\n")
        };
        assert_eq!(case().hazards(&CHECK), []);
        let found = case().audit().hazards(&CHECK);
        let [hazard] = &found[..] else { panic!("{found:?}") };
        assert_eq!((hazard.level, &*hazard.object), (Level::Info, "switched off"));
    }

    fn parent() -> Case {
        let metadata = "apiVersion: v2\nname: app\nversion: 0.1.0\ndependencies:\n- name: sub\n  version: 0.1.0\n  \
            alias: db\n  condition: db.enabled\n  tags: [data]\n";
        Case::chart("", "a: b\n")
            .file("app/Chart.yaml", metadata)
            .file(
                "app/charts/sub/Chart.yaml",
                "apiVersion: v2\nname: sub\nversion: 0.1.0\n",
            )
            .file("app/charts/sub/values.yaml", "size: 1\n")
            .file(
                "app/charts/sub/templates/a.yaml",
                "c: {{ .Values.size }}{{ .Values.global.zone }}\n",
            )
    }

    #[test]
    fn subcharts_conditions_tags_and_globals_read() {
        let values = "tags: {data: true}\nglobal: {zone: a}\ndb: {enabled: true, size: 4}\n";
        assert_eq!(told(parent().values("v.yaml", values)), [""; 0]);
        let values = "tags: {date: true}\nglobal: {zome: a}\ndb: {sise: 4}\nsub: {size: 3}\n";
        assert_eq!(
            told(parent().values("v.yaml", values)),
            ["db.sise", "global.zome", "sub", "tags.date"]
        );
        assert_eq!(
            told(parent().values("v.yaml", "db: {enabled: false, size: 5}\n")),
            [""; 0]
        );
    }

    #[test]
    fn a_schema_reads_what_it_names() {
        let schema = r##"{"properties": {"a": {"$ref": "#/definitions/a"}}, "definitions": {"a": {"properties": {"b": {}}}}}"##;
        let case = Case::chart("", "a: b\n").file("app/values.schema.json", schema);
        assert_eq!(told(case.values("v.yaml", "a: {b: 1}\nz: 1\n")), ["z"]);
    }

    #[test]
    fn only_a_key_whose_absence_changes_nothing_is_confirmed() {
        let case = |template: &str| Case::chart("", template).values("v.yaml", "a: {b: 1, c: 2}\n");
        let unread = Hazard {
            value_path: Some(KeyPath::root().key("a").key("c")),
            ..Hazard::new(&CHECK, "")
        };
        let confirms = |case: Case| case.view(|view| confirm(view, &unread));
        assert!(confirms(case("a: {{ .Values.a.b }}\n")));
        assert!(!confirms(case("a: {{ len .Values.a }}\n")));
        let set = Case::chart("", "a: {{ .Values.a.b }}\n").set("a.b=1,a.c=2");
        assert!(confirms(set));
        let set = Case::chart("", "a: {{ .Values.a.b }}{{ len .Values.a }}\n").set("a.b=1,a.c=2");
        assert!(!confirms(set));
    }
}
