//! What people say about findings and differences: comments in values files, reviewed differences.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;

use serde_json::Value;
use std::path::Path;

const CONFIG: &str = "kubeVersion: v1.36.2\nplatforms: { amd: {}, nvidia: {} }\nreleases:\n- chart: web/chart\n  name: web\n  namespace: apps\n  values: [base.yaml, 'over.yaml?', 'over-{platform}.yaml?']\n";
const WEB: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata:\n  level: {{ .Values.level | quote }}\n  size: {{ .Values.size | quote }}\n  env: {{ toJson .Values.env | quote }}\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: web}\nstringData: {password: {{ .Values.password }}}\n{{- if .Values.extra }}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: extra}\n{{- end }}\n";

struct Repository(tempfile::TempDir);

impl Repository {
    fn new() -> Repository {
        let repository = Repository(tempfile::tempdir().unwrap());
        repository.write("evenkeel.yaml", CONFIG);
        repository.write(
            "web/chart/Chart.yaml",
            "apiVersion: v2\nname: web\nversion: 0.1.0\n",
        );
        repository.write(
            "web/chart/values.yaml",
            "level: info\nsize: 1\nenv: []\npassword: CANARY-one\nextra: false\n",
        );
        repository.write("web/chart/templates/all.yaml", WEB);
        repository.write(
            "base.yaml",
            "env:\n- {name: A, value: a}\n- {name: B, value: b}\n",
        );
        common::git(repository.path(), &["init", "-q"]);
        repository.commit();
        repository
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap()
    }

    fn commit(&self) {
        common::git(self.path(), &["add", "-A"]);
        common::git(self.path(), &["commit", "-q", "-m", "next"]);
    }

    fn run(&self, args: &[&str]) -> (Option<i32>, String) {
        let output = common::evenkeel(self.path()).args(args).output().unwrap();
        (output.status.code(), common::text(&output))
    }

    fn verify(&self, more: &[&str]) -> (Option<i32>, Value) {
        let args = [&["verify", "--against", "HEAD", "--format", "json"], more].concat();
        let output = common::evenkeel(self.path()).args(args).output().unwrap();
        let json = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", common::text(&output)));
        (output.status.code(), json)
    }
}

/// The findings of some checks as `check place`.
fn findings(report: &Value, checks: &[&str]) -> Vec<String> {
    report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|finding| checks.iter().any(|check| finding["check"] == **check))
        .map(|finding| {
            let place = &finding["place"];
            format!("{} {}:{}", finding["check"], place["file"], place["line"]).replace('"', "")
        })
        .collect()
}

const ALLOWS: &[&str] = &["list-replaced", "unused-allow", "malformed-allow"];

#[test]
fn a_comment_at_the_key_silences_its_check() {
    let repository = Repository::new();
    repository.write("over.yaml", "env:\n- {name: B, value: b}\n");
    let (_, report) = repository.verify(&[]);
    assert_eq!(findings(&report, ALLOWS), ["list-replaced over.yaml:1"]);
    let silent =
        "# evenkeel: allow list-replaced -- A is not for this cluster\nenv:\n- {name: B, value: b}\n";
    repository.write("over.yaml", silent);
    let (_, report) = repository.verify(&[]);
    assert_eq!(findings(&report, ALLOWS), [""; 0]);
    assert_eq!(report["summary"]["findings"]["silenced"], 1);
    let (_, text) = repository.run(&["verify", "--against", "HEAD"]);
    assert!(
        text.contains("1 finding silenced by comments in values files or by acceptances"),
        "{text}"
    );
    // Another check at the key, and another key of the check: neither is silenced.
    repository.write("over.yaml", &silent.replace("list-replaced", "unread-key"));
    let (_, report) = repository.verify(&[]);
    assert_eq!(
        findings(&report, ALLOWS),
        ["list-replaced over.yaml:2", "unused-allow over.yaml:1"]
    );
    // Where only some cells were looked at, nobody knows that a comment is of no use.
    let (_, report) = repository.verify(&["--platform", "amd"]);
    assert_eq!(findings(&report, ALLOWS), ["list-replaced over.yaml:2"]);
}

#[test]
fn a_comment_that_silences_nothing_is_told_while_it_is_new() {
    let repository = Repository::new();
    let text = "# evenkeel: allow list-replaced\nlevel: debug\n# evenkeel: allow lists -- x\nsize: 2\n";
    repository.write("over.yaml", text);
    let (code, report) = repository.verify(&[]);
    assert_eq!(code, Some(1));
    assert_eq!(
        findings(&report, ALLOWS),
        ["malformed-allow over.yaml:1", "malformed-allow over.yaml:3"]
    );
    repository.commit();
    let (code, report) = repository.verify(&[]);
    assert_eq!((code, findings(&report, ALLOWS)), (Some(0), Vec::new()));
    let (code, text) = repository.run(&["audit"]);
    assert_eq!(code, Some(1));
    assert!(text.contains("allow list-replaced gives no reason"), "{text}");
}

const FILE: &str = "evenkeel.accept.yaml";
const STALE: &[&str] = &["stale-acceptance", "expired-acceptance"];

fn accept<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["accept", "--against", "HEAD", "--reason", "wanted"], more].concat()
}

fn count(report: &Value, verdict: &str) -> u64 {
    report["summary"]["documents"][verdict].as_u64().unwrap()
}

#[test]
fn what_was_reviewed_is_accepted_until_it_is_another_difference() {
    let repository = Repository::new();
    repository.write(
        "over.yaml",
        "level: debug\nsize: 2\npassword: CANARY-two\nextra: true\n",
    );
    repository.write(FILE, "# ours\n");
    let (code, text) = repository.run(&accept(&["--path", "data.level", "--author", "me"]));
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("web: ConfigMap/web data.level (replace) on amd, nvidia"),
        "{text}"
    );
    assert!(repository.read(FILE).starts_with("# ours\n- release: \"web\"\n"));
    // The rest of the document still differs, and what was accepted is not told again.
    let (code, report) = repository.verify(&[]);
    assert_eq!(
        (code, count(&report, "changed"), count(&report, "accepted")),
        (Some(1), 4, 0)
    );
    assert!(!report.to_string().contains("data.level"));
    let (code, text) = repository.run(&accept(&[]));
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("ConfigMap/extra as a whole (added)"), "{text}");
    assert!(!repository.read(FILE).contains("CANARY"));
    let (code, report) = repository.verify(&[]);
    assert_eq!(
        (code, count(&report, "changed"), count(&report, "accepted")),
        (Some(0), 0, 6)
    );
    let before = repository.read(FILE);
    let (code, text) = repository.run(&accept(&[]));
    assert_eq!((code, repository.read(FILE)), (Some(2), before), "{text}");
    // Another value, also another secret, is another difference.
    repository.write(
        "over.yaml",
        "level: warn\nsize: 2\npassword: CANARY-three\nextra: true\n",
    );
    let (code, report) = repository.verify(&[]);
    assert_eq!(
        (code, count(&report, "changed"), count(&report, "accepted")),
        (Some(1), 4, 2)
    );
    assert_eq!(
        findings(&report, STALE),
        [
            "stale-acceptance evenkeel.accept.yaml:2",
            "stale-acceptance evenkeel.accept.yaml:25"
        ]
    );
}

#[test]
fn what_matches_nothing_any_more_fails_where_all_of_its_scope_was_compared() {
    let repository = Repository::new();
    repository.write("over-amd.yaml", "level: debug\n");
    let (code, text) = repository.run(&accept(&["--expires", "2999-12-31"]));
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(repository.verify(&[]).0, Some(0));
    let (code, report) = repository.verify(&["--platform", "nvidia"]);
    assert_eq!((code, findings(&report, STALE)), (Some(0), Vec::new()));
    repository.commit();
    let (code, report) = repository.verify(&[]);
    assert_eq!(code, Some(1));
    assert_eq!(
        findings(&report, STALE),
        ["stale-acceptance evenkeel.accept.yaml:2"]
    );
    let (code, report) = repository.verify(&["--platform", "nvidia"]);
    assert_eq!((code, findings(&report, STALE)), (Some(0), Vec::new()));
    // One that is over accepts nothing.
    repository.write("over-amd.yaml", "level: warn\n");
    std::fs::remove_file(repository.path().join(FILE)).unwrap();
    assert_eq!(repository.run(&accept(&["--expires", "2020-01-01"])).0, Some(0));
    let (code, report) = repository.verify(&[]);
    assert_eq!((code, count(&report, "changed")), (Some(1), 1));
    assert_eq!(
        findings(&report, STALE),
        ["expired-acceptance evenkeel.accept.yaml:2"]
    );
}

#[test]
fn every_problem_of_the_file_is_told() {
    let repository = Repository::new();
    repository.write(FILE, "- release: web\n  resorce: x\n  path: a\n- 7\n");
    let (code, text) = repository.run(&["verify", "--against", "HEAD"]);
    assert_eq!(code, Some(2));
    for told in [
        "evenkeel.accept.yaml:2:3: unknown key `resorce`",
        "did you mean `resource`?",
        "has no `reason`",
        "evenkeel.accept.yaml:4:3: an entry must be a map",
    ] {
        assert!(text.contains(told), "{told}: {text}");
    }
    let indented = "  - release: web\n    resource: ConfigMap/web\n    path: data.gone\n    reason: x\n";
    repository.write(FILE, indented);
    repository.write("over.yaml", "level: debug\n");
    let (code, text) = repository.run(&accept(&[]));
    assert_eq!(
        (code, repository.read(FILE)),
        (Some(2), indented.to_owned()),
        "{text}"
    );
    repository.write(FILE, "");
    for wrong in [
        ["--expires", "tomorrow"],
        ["--resource", "Secret/*"],
        ["--path", "data.size"],
    ] {
        assert_eq!(repository.run(&accept(&wrong)).0, Some(2), "{wrong:?}");
    }
}
