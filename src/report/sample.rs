//! The reports that every format's tests share.

use super::finding::{CellRef, Finding, Related};
use super::model::*;
use super::outcome::Policy;
use super::redact::{KnownSecrets, Mask, Redactor, ShownText};
use crate::base::{Digest, KeyPath, Level, Place, Side, Sides, Step};
use crate::dialect::Dialect;
use crate::manifest::{DocumentId, Rule, Rules};
use crate::yaml::{Entry, Node, NodeKind, Number};

/// A run without a cell.
pub(super) fn empty() -> Facts {
    Facts {
        baseline: Some(BaselineInfo {
            requested: "origin/main".into(),
            kind: BaselineKind::Git,
            sha: Some("4f1c9a2be07d3f6a58e1b0c7d9246f8a13e5b7c0".into()),
            pin: None,
            by_digest: false,
        }),
        candidate: CandidateInfo {
            kind: CandidateKind::Worktree,
            sha: Some("b83d0e5f1a2c4967d8e0f1a2b3c4d5e6f7089abc".into()),
            dirty: true,
        },
        engine: "native",
        dialects: Sides::new(Dialect::V4_3, Dialect::V4_3),
        rules: Rules::default(),
        platforms: ["nvidia", "amd", "arm64"].map(String::from).to_vec(),
        cells: Vec::new(),
        findings: Vec::new(),
        audited: 0,
        same_input: 0,
        standing: 0,
        silenced: 0,
        notes: Vec::new(),
        doubts: Vec::new(),
    }
}

/// A cell of one ConfigMap per verdict.
pub(super) fn cell(release: &str, platform: &str, verdicts: &[Verdict]) -> CellReport {
    CellReport {
        release: release.into(),
        namespace: "apps".into(),
        platform: platform.into(),
        chart: format!("{release}/chart"),
        status: CellStatus::Ok,
        may_fail: false,
        errors: Sides::default(),
        warnings: Vec::new(),
        rules: Rules::none(),
        unruly: Rules::none(),
        documents: verdicts
            .iter()
            .enumerate()
            .map(|(index, verdict)| document("ConfigMap", &format!("{release}-{index}"), *verdict))
            .collect(),
    }
}

/// A document without changes.
pub(super) fn document(kind: &str, name: &str, verdict: Verdict) -> DocumentReport {
    let digest = Digest::of("sample", name.as_bytes());
    DocumentReport {
        id: DocumentId {
            group: if kind == "Deployment" { "apps" } else { "" }.into(),
            version: "v1".into(),
            kind: kind.into(),
            namespace: Some("apps".into()),
            name: name.into(),
        },
        verdict,
        hook: false,
        rules: Rules::none(),
        effects: Vec::new(),
        from: None,
        digest: Sides::new(
            (verdict != Verdict::Added).then_some(digest),
            (verdict != Verdict::Removed).then_some(digest),
        ),
        changes: Vec::new(),
        version_labels_only: false,
        problem: None,
    }
}

/// JSON as a node.
pub(super) fn node(json: &str) -> Node {
    fn convert(value: &serde_json::Value) -> Node {
        use serde_json::Value;
        Node::new(match value {
            Value::Null => NodeKind::Null,
            Value::Bool(value) => NodeKind::Bool(*value),
            Value::Number(value) => NodeKind::Number(
                value
                    .as_i64()
                    .map_or_else(|| Number::Float(value.as_f64().unwrap()), Number::Int),
            ),
            Value::String(text) => NodeKind::Str(text.as_str().into()),
            Value::Array(items) => NodeKind::List(items.iter().map(convert).collect()),
            Value::Object(entries) => NodeKind::Map(
                entries
                    .iter()
                    .map(|(key, value)| Entry {
                        key: key.as_str().into(),
                        mark: Default::default(),
                        value: convert(value),
                    })
                    .collect(),
            ),
        })
    }
    convert(&serde_json::from_str(json).unwrap())
}

/// The mask of the samples: it knows one secret and its key never changes.
pub(super) fn mask(keep: bool) -> Mask {
    let mut known = KnownSecrets::new();
    known.document(&node(
        r#"{"kind": "Secret", "metadata": {"name": "db"}, "stringData": {"password": "CANARY-old-1", "next": "CANARY-new-2"}}"#,
    ));
    Redactor::with_key([42; 32], keep).mask(known)
}

/// One changed field of a document; `before` and `after` are JSON, empty for none.
pub(super) fn change(
    mask: &Mask,
    id: &DocumentId,
    op: Op,
    path: &str,
    before: &str,
    after: &str,
) -> ChangeReport {
    let path = KeyPath::parse(path).unwrap();
    let shown = |json: &str| (!json.is_empty()).then(|| mask.value(id, None, &path, &node(json)));
    ChangeReport {
        op,
        before: shown(before),
        after: shown(after),
        effect: match &path.0[..] {
            [Step::Key(key), ..] if key == "metadata" => Effect::MetadataOnly,
            _ if path.starts_with(&KeyPath::root().key("spec").key("template")) => Effect::RestartsPods,
            _ => Effect::Spec,
        },
        path: mask.path(&path),
        marks: Vec::new(),
        provenance: Sides::default(),
    }
}

fn with_changes(
    mask: &Mask,
    kind: &str,
    name: &str,
    verdict: Verdict,
    changes: &[(Op, &str, &str, &str)],
) -> DocumentReport {
    let mut document = document(kind, name, verdict);
    for (op, path, before, after) in changes {
        document
            .changes
            .push(change(mask, &document.id, *op, path, before, after));
    }
    document.effects = document.changes.iter().map(|change| change.effect).collect();
    document.effects.sort();
    document.effects.dedup();
    if kind == "Secret" {
        document.digest = Sides::default();
    }
    document
}

/// Every kind of thing a report can say, secrets in every place.
pub(super) fn rich() -> Report {
    Report::conclude(rich_facts(false), &Policy::default())
}

/// The same with raw values kept for a terminal.
pub(super) fn rich_with_raw_values() -> Report {
    Report::conclude(rich_facts(true), &Policy::default())
}

fn rich_facts(keep: bool) -> Facts {
    let mask = &mask(keep);
    let mut facts = empty();
    for platform in ["nvidia", "amd", "arm64"] {
        facts.cells.push(chat(mask, platform));
        facts.cells.push(database(mask, platform));
        facts.cells.push(labels(mask, platform));
        facts
            .cells
            .push(cell("metrics", platform, &[Verdict::Identical; 5]));
    }
    facts.cells.push(gateway(mask));
    let mut grafana = cell("grafana", "arm64", &[]);
    grafana.status = CellStatus::Undecided;
    grafana.errors.candidate = Some(CellError {
        message: mask.text(
            "template: grafana/templates/deployment.yaml:12:8: executing \"grafana/templates/deployment.yaml\" at \
             <include \"grafana.labels\" .>: error calling include: cannot read \"CANARY-old-1\"",
        ),
        place: Some(Place::new("grafana/chart/templates/_helpers.tpl", 31, 5)),
        include_trace: vec![mask.text("grafana.labels"), mask.text("grafana.selector")],
    });
    facts.cells.push(grafana);
    let mut loki = cell("loki", "amd", &[]);
    loki.status = CellStatus::FailsAlike;
    loki.may_fail = true;
    let error = CellError {
        message: mask.text("execution error at (loki/templates/validate.yaml:3:4): set bucketNames"),
        place: Some(Place::new("loki/chart/templates/validate.yaml", 3, 4)),
        include_trace: Vec::new(),
    };
    loki.errors = Sides::new(Some(error.clone()), Some(error));
    facts.cells.push(loki);
    facts.findings = findings(mask);
    facts
        .notes
        .push(mask.text("2 documents have a key twice; the last one wins"));
    facts
}

fn chat(mask: &Mask, platform: &str) -> CellReport {
    let mut cell = cell("chat", platform, &[Verdict::Identical, Verdict::Equivalent]);
    cell.documents[1].rules = Rules::of(&[Rule::Comments, Rule::KeyOrder]);
    cell.warnings.push(Warning {
        side: Side::Candidate,
        message: mask
            .text("warning: cannot overwrite table with non table for chat.token=CANARY-old-1 (map[])"),
    });
    let container = "spec.template.spec.containers[name=chat]";
    let mut deployment = with_changes(
        mask,
        "Deployment",
        "chat",
        Verdict::Changed,
        &[
            (Op::Replace, "spec.replicas", "2", "3"),
            (
                Op::Remove,
                &format!("{container}.env[name=DATABASE_URL]"),
                r#"{"name": "DATABASE_URL", "value": "postgres://chat:CANARY-url@db/chat"}"#,
                "",
            ),
            (
                Op::Replace,
                &format!("{container}.env[name=API_TOKEN].value"),
                "\"CANARY-env-1\"",
                "\"CANARY-env-2\"",
            ),
            (
                Op::Type,
                &format!("{container}.ports[containerPort=80].containerPort"),
                "80",
                "\"80\"",
            ),
            (
                Op::Replace,
                "metadata.annotations[\"checksum/config\"]",
                "\"6c1f0d9f3b0a6f4e9d2c7b8a5e4f3d2c1b0a9f8e7d6c5b4a39281706f5e4d3c2\"",
                "\"0a9f8e7d6c5b4a39281706f5e4d3c26c1f0d9f3b0a6f4e9d2c7b8a5e4f3d2c1b\"",
            ),
            (
                Op::Reorder,
                &format!("{container}.args"),
                r#"["--config", "/etc/chat.yaml", "--listen", ":8080", "--log-level=info"]"#,
                r#"["--listen", ":8080", "--config", "/etc/chat.yaml", "--log-level=info"]"#,
            ),
        ],
    );
    deployment.changes[1].provenance.baseline = Some(Provenance {
        template: Some(Place::new("chat/chart/templates/deployment.yaml", 31, 12)),
        values: vec![ValueOrigin {
            path: mask.path(&KeyPath::root().key("extraEnv")),
            place: Place::new("chat/values.yaml", 7, 1),
            layer: "values-file",
        }],
    });
    cell.documents.push(deployment);
    let mut config = with_changes(
        mask,
        "ConfigMap",
        "chat-config",
        Verdict::Changed,
        &[(
            Op::Replace,
            "data[\"chat.yaml\"]",
            r#""server:\n  port: 8080\n  workers: 4\n  password: CANARY-line-1\nlog:\n  level: info\n  format: json\ncache:\n  size: 64\n""#,
            r#""server:\n  port: 8080\n  workers: 8\n  password: CANARY-line-1\nlog:\n  level: info\n  format: json\ncache:\n  size: 128\n""#,
        )],
    );
    config.effects = vec![Effect::ConfigWithoutRollout];
    config.changes[0].effect = Effect::ConfigWithoutRollout;
    cell.documents.push(config);
    cell
}

fn database(mask: &Mask, platform: &str) -> CellReport {
    let mut cell = cell("db", platform, &[Verdict::Identical]);
    cell.documents.push(with_changes(
        mask,
        "Secret",
        "db",
        Verdict::Changed,
        &[
            (
                Op::Replace,
                "data.password",
                "\"Q0FOQVJZLW9sZC0x\"",
                "\"Q0FOQVJZLW5ldy0y\"",
            ),
            (Op::Add, "data[\"CANARY-old-1\"]", "", "\"Q0FOQVJZ\""),
        ],
    ));
    let mut volatile = document("Secret", "db-random", Verdict::Volatile);
    volatile.digest = Sides::default();
    cell.documents.push(volatile);
    let mut claim = document("PersistentVolumeClaim", "data-db-1", Verdict::Renamed);
    claim.from = Some(From {
        release: "db".into(),
        id: document("PersistentVolumeClaim", "data-db-0", Verdict::Renamed).id,
        percent: 93,
    });
    claim.effects = vec![Effect::DataLoss];
    cell.documents.push(claim);
    cell
}

/// Documents that differ in nothing but version labels.
fn labels(mask: &Mask, platform: &str) -> CellReport {
    let mut cell = cell("traefik", platform, &[Verdict::Identical]);
    for kind in ["Deployment", "Service", "ServiceAccount", "ClusterRole"] {
        let mut document = with_changes(
            mask,
            kind,
            "traefik",
            Verdict::Changed,
            &[(
                Op::Replace,
                "metadata.labels[\"helm.sh/chart\"]",
                "\"traefik-36.1.0\"",
                "\"traefik-36.1.1\"",
            )],
        );
        document.version_labels_only = true;
        cell.documents.push(document);
    }
    cell
}

/// What only one side has, and what cannot be read.
fn gateway(mask: &Mask) -> CellReport {
    let mut cell = cell("gateway", "nvidia", &[Verdict::Added, Verdict::Removed]);
    cell.documents[1].effects = vec![Effect::DataLoss];
    let mut moved = document("ServiceAccount", "shared", Verdict::Moved);
    moved.from = Some(From {
        release: "chat".into(),
        id: moved.id.clone(),
        percent: 100,
    });
    let mut odd = document("ConfigMap", "odd", Verdict::Undecided);
    odd.problem = Some(mask.text("line 4: mapping values are not allowed here, near `password: CANARY-odd`"));
    odd.digest.candidate = None;
    let mut hook = document("Job", "gateway-migrate", Verdict::Added);
    hook.hook = true;
    cell.documents.extend([moved, odd, hook]);
    cell
}

fn findings(mask: &Mask) -> Vec<Finding> {
    let on = |finding: &mut Finding, platforms: &[&str]| {
        for platform in platforms {
            finding.cells.push(CellRef {
                release: "chat".into(),
                platform: (*platform).into(),
            });
        }
    };
    let mut replaced = Finding::new(
        "list-replaced",
        Level::Deny,
        Side::Candidate,
        mask.text("values-sso.yaml replaces the list extraEnv: DATABASE_URL and LOG_LEVEL are gone"),
    );
    on(&mut replaced, &["amd", "arm64", "nvidia"]);
    replaced.value_path = Some(mask.path(&KeyPath::root().key("extraEnv")));
    replaced.lost = vec![mask.text("DATABASE_URL"), mask.text("LOG_LEVEL")];
    replaced.place = Some(Place::new("chat/values-sso.yaml", 1, 1));
    replaced.related.push(Related {
        label: mask.text("the list that is hidden"),
        place: Place::new("chat/values.yaml", 7, 1),
    });
    replaced.remedy = Some(mask.text("use the chart's sso map, or repeat the lower elements"));
    let mut unread = Finding::new(
        "unread-key",
        Level::Warn,
        Side::Candidate,
        mask.text("nothing reads auth.pasword (password: CANARY-old-1)"),
    );
    on(&mut unread, &["amd"]);
    unread.value_path = Some(mask.path(&KeyPath::root().key("auth").key("pasword")));
    unread.suggestion = Some(mask.text("auth.password"));
    unread.place = Some(Place::new("chat/values.yaml", 12, 3));
    let mut reordered = Finding::new(
        "list-reordered",
        Level::Info,
        Side::Candidate,
        mask.text("the arguments of container chat come in another order"),
    );
    on(&mut reordered, &["amd"]);
    reordered.resource = Some(document("Deployment", "chat", Verdict::Changed).id);
    let mut standing = unread.clone();
    standing.level = Level::Info;
    standing.standing = true;
    standing.value_path = Some(mask.path(&KeyPath::root().key("other")));
    vec![reordered, standing, unread, replaced]
}

/// A run in which everything is equal.
pub(super) fn equal() -> Report {
    let mut facts = empty();
    for (platform, count) in [("nvidia", 23), ("amd", 21), ("arm64", 23)] {
        facts
            .cells
            .push(cell("chat", platform, &vec![Verdict::Identical; count - 9]));
        facts.cells.push(cell("db", platform, &[Verdict::Identical; 9]));
    }
    Report::conclude(facts, &Policy::default())
}

/// What a chart could print to break out of a report, in every place that quotes it.
pub(super) const HOSTILE: &str = "a|b`c``@team #12 <!-- --></details><script>alert(1)</script>&amp;]]>\r\n::error::x%0A,\
     file=:1:\u{0}\u{b}\u{1b}[2J\u{202e}\u{fffe}\u{7f} [x](http://evil) www.evil.org :tada: $x$ ```` ~~z~~ \"'\\";

/// A run in which every name and text is hostile.
pub(super) fn hostile() -> Report {
    let mask = &mask(false);
    let mut facts = empty();
    let text = || mask.text(HOSTILE);
    let name = |what: &str| format!("{what} {HOSTILE}");
    let place = || Place::new(name("dir/file"), 3, 7);
    facts.platforms = vec![name("platform"), "amd".to_owned()];
    facts.baseline = facts.baseline.map(|info| BaselineInfo {
        requested: name("rev"),
        ..info
    });
    let mut cell = cell(&name("release"), &name("platform"), &[Verdict::Identical]);
    cell.namespace = name("namespace");
    for (kind, verdict, value) in [
        ("ConfigMap", Verdict::Changed, serde_json::json!(HOSTILE)),
        (
            "Service",
            Verdict::Changed,
            serde_json::json!({HOSTILE: [HOSTILE]}),
        ),
        ("Secret", Verdict::Removed, serde_json::json!(null)),
        (HOSTILE, Verdict::Added, serde_json::json!(null)),
    ] {
        let mut document = document(kind, &name("name"), verdict);
        if verdict == Verdict::Changed {
            let path = KeyPath::root().key("data").key(HOSTILE);
            let written = change(
                mask,
                &document.id,
                Op::Replace,
                "spec.x",
                "\"a\\nb\"",
                &value.to_string(),
            );
            document.changes = vec![ChangeReport {
                path: mask.path(&path),
                ..written
            }];
            document.effects = vec![Effect::Spec];
        }
        cell.documents.push(document);
    }
    cell.documents[2].problem = Some(text());
    cell.documents[2].verdict = Verdict::Undecided;
    let mut broken = super::sample::cell(&name("broken"), "amd", &[]);
    broken.status = CellStatus::Undecided;
    broken.errors.candidate = Some(CellError {
        message: text(),
        place: Some(place()),
        include_trace: vec![text()],
    });
    broken.warnings.push(Warning {
        side: Side::Candidate,
        message: text(),
    });
    facts.cells = vec![cell, broken];
    let mut finding = Finding::new("unread-key", Level::Deny, Side::Candidate, text());
    finding.place = Some(place());
    finding.related.push(Related {
        label: text(),
        place: place(),
    });
    finding.lost = vec![mask.text("lost"), text()];
    finding.suggestion = Some(text());
    finding.remedy = Some(text());
    finding.value_path = Some(mask.path(&KeyPath::root().key(HOSTILE)));
    finding.resource = Some(document(HOSTILE, HOSTILE, Verdict::Changed).id);
    finding.field_path = finding.value_path.clone();
    finding.cells.push(CellRef {
        release: name("release"),
        platform: name("platform"),
    });
    facts.findings.push(finding);
    facts.notes.push(text());
    facts.doubts.push(text());
    Report::conclude(facts, &Policy::default())
}

/// More of everything than any page shows: 100,000 findings, 400 releases, 4,000 documents that each differ in
/// their own way.
pub(super) fn flood() -> Report {
    let mask = &mask(false);
    let mut facts = empty();
    for release in 0..400 {
        let mut cell = cell(&format!("release-{release}"), "amd", &[Verdict::Identical]);
        for index in 0..10 {
            let value = format!("\"{}\"", format!("{release}-{index} ").repeat(40));
            let name = format!("config-{index}");
            cell.documents.push(with_changes(
                mask,
                "ConfigMap",
                &name,
                Verdict::Changed,
                &[(Op::Replace, "data.text", "\"before\"", &value)],
            ));
        }
        facts.cells.push(cell);
    }
    for index in 0..100_000 {
        let level = [Level::Deny, Level::Warn, Level::Info][index % 3];
        let mut finding = Finding::new(
            "unread-key",
            level,
            Side::Candidate,
            mask.text(&format!("nothing reads the key number {index}")),
        );
        finding.place = Some(Place::new(
            format!("release-{}/values.yaml", index % 400),
            index as u32 / 400 + 1,
            1,
        ));
        facts.findings.push(finding);
    }
    Report::conclude(facts, &Policy::default())
}

/// Every sample, by name.
pub(super) fn all() -> Vec<(&'static str, Report)> {
    let mut volatile = empty();
    volatile.cells.push(cell(
        "chat",
        "amd",
        &[
            Verdict::Identical,
            Verdict::Equivalent,
            Verdict::Volatile,
            Verdict::Accepted,
        ],
    ));
    let mut denied = empty();
    denied.cells.push(cell("chat", "amd", &[Verdict::Identical; 3]));
    denied.findings = findings(&mask(false));
    let mut by_digest = empty();
    by_digest.baseline = by_digest.baseline.map(|info| BaselineInfo {
        requested: "v1".into(),
        kind: BaselineKind::Pin,
        pin: Some("v1".into()),
        by_digest: true,
        ..info
    });
    by_digest.cells.push(cell(
        "chat",
        "amd",
        &[Verdict::Equivalent, Verdict::Changed, Verdict::Removed],
    ));
    let mut doubtful = empty();
    doubtful.cells.push(cell("chat", "amd", &[Verdict::Identical]));
    doubtful.doubts.push(ShownText::ours(
        "the pin v1 no longer holds: 1 of 3 documents renders differently",
    ));
    let mut unruly = empty();
    unruly.cells.push(cell("chat", "", &[Verdict::Identical; 3]));
    unruly.cells[0].unruly = Rules::of(&[Rule::DocumentOrder]);
    unruly.platforms = Vec::new();
    let conclude = |facts| Report::conclude(facts, &Policy::default());
    vec![
        ("equal", equal()),
        ("equal-in-form", conclude(volatile)),
        ("denied", conclude(denied)),
        ("rich", rich()),
        ("by-digest", conclude(by_digest)),
        ("doubtful", conclude(doubtful)),
        ("unruly", conclude(unruly)),
        ("nothing", conclude(empty())),
        ("hostile", hostile()),
    ]
}
