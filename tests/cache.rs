//! The cache of cells: a run that uses it says byte for byte what one without it says, whatever is in it.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;

use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const CONFIG: &str = "kubeVersion: v1.36.2\nchecks: {unread-key: warn}\nreleases:\n- charts: '{m}/chart'\n  name: '{m}'\n  namespace: apps\n  values: ['{m}/values.yaml?']\n";

/// What a chart can be made of: plain, with a secret, with hazards that stand, with chance, with a CRD, with references
/// to another release, failing.
const TEMPLATES: [&str; 7] = [
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}}\ndata: {level: {{ .Values.level | quote }}}\n",
    "apiVersion: v1\nkind: Secret\nmetadata: {name: {{ .Release.Name }}}\nstringData: {password: r1, level: {{ .Values.level | quote }}}\n",
    "apiVersion: v1\nkind: Service\nmetadata: {name: {{ .Release.Name }}}\nspec: {ports: [{port: {{ .Values.port | default 80 }}}]}\n---\napiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: old}\n",
    "apiVersion: v1\nkind: Secret\nmetadata: {name: {{ .Release.Name }}}\nstringData: {a: {{ randAlphaNum 8 | quote }}}\n",
    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: as.example.com}\nspec: {group: example.com, scope: Cluster, names: {kind: A, plural: as}, versions: [{name: v1, served: true, storage: true}]}\n---\napiVersion: example.com/v1\nkind: A\nmetadata: {name: {{ .Release.Name }}}\n",
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: {{ .Release.Name }}}\nspec:\n  template:\n    spec:\n      volumes: [{name: v, secret: {secretName: r1}}]\n      containers:\n      - name: a\n        envFrom: [{configMapRef: {name: r0}}, {secretRef: {name: r1}}]\n        env: [{name: level, value: {{ .Values.level | quote }}}]\n",
    "{{ if .Values.broken }}{{ fail \"broken\" }}{{ end }}\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}}\n",
];

/// A repository with a release for each kind of chart, and a cache beside it.
struct Fixture {
    folder: tempfile::TempDir,
}

impl Fixture {
    fn new(kinds: &[usize], allow: bool) -> Fixture {
        let fixture = Fixture {
            folder: tempfile::tempdir().unwrap(),
        };
        for (at, kind) in kinds.iter().enumerate() {
            let chart = format!("r{at}/chart");
            fixture.write(
                &format!("{chart}/Chart.yaml"),
                "apiVersion: v2\nname: app\nversion: 0.1.0\n",
            );
            fixture.write(&format!("{chart}/templates/all.yaml"), TEMPLATES[*kind]);
            fixture.write(&format!("{chart}/values.yaml"), "level: info\n");
            let comment = match allow {
                true => "# evenkeel: allow unread-key -- known\n",
                false => "",
            };
            fixture.write(
                &format!("r{at}/values.yaml"),
                &format!("level: debug\n{comment}nobody: reads\n"),
            );
        }
        fixture.write("evenkeel.yaml", CONFIG);
        common::git(&fixture.repository(), &["init", "-q"]);
        fixture.commit();
        fixture
    }

    fn repository(&self) -> PathBuf {
        self.folder.path().join("repository")
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.repository().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn commit(&self) {
        common::git(&self.repository(), &["add", "-A"]);
        common::git(&self.repository(), &["commit", "-q", "-m", "state"]);
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = common::evenkeel(&self.repository());
        command
            .args(["verify", "--against", "HEAD", "--verbose"])
            .args(args);
        command.env("EVENKEEL_CACHE_DIR", self.cache());
        command
    }

    /// Both reports in one run: exit code, text, JSON.
    fn run(&self, args: &[&str]) -> (Option<i32>, String, String) {
        let json = self.folder.path().join("report.json");
        let output = format!("json={}", json.display());
        let ran = self
            .command(&[args, &["--output", &output]].concat())
            .output()
            .unwrap();
        let report = fs::read_to_string(&json).unwrap_or_else(|_| panic!("{}", common::text(&ran)));
        (
            ran.status.code(),
            numbered(&common::text(&ran)),
            numbered(&report),
        )
    }

    fn entries(&self) -> Vec<PathBuf> {
        fn below(folder: &Path, found: &mut Vec<PathBuf>) {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                match entry.path().is_dir() {
                    true => below(&entry.path(), found),
                    false => found.push(entry.path()),
                }
            }
        }
        let mut found = Vec::new();
        below(&self.cache(), &mut found);
        found.sort();
        found
    }
}

/// The text with the digests of redacted values, which no two runs share, by their number.
fn numbered(text: &str) -> String {
    let mut known: Vec<&str> = Vec::new();
    let mut parts = text.split("redacted");
    let mut out = parts.next().unwrap().to_owned();
    for part in parts {
        let start = part.find(|c: char| c.is_ascii_hexdigit()).unwrap_or(part.len());
        let digest = part.get(start..start + 8).unwrap_or_default();
        out.push_str("redacted");
        if start > 4 || !digest.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            out.push_str(part);
            continue;
        }
        let at = known.iter().position(|seen| *seen == digest).unwrap_or_else(|| {
            known.push(digest);
            known.len() - 1
        });
        out.push_str(&format!("{}#{at}{}", &part[..start], &part[start + 8..]));
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(12) })]

    #[test]
    fn cached_equals_uncached(
        kinds in proptest::collection::vec(0..TEMPLATES.len(), 1..6),
        allow in any::<bool>(),
        edited in 0..6_usize,
        edit in prop_oneof![
            Just(("values.yaml", "level: other\nport: 81\n")),
            Just(("values.yaml", "# first\nlevel: debug\nnobody: reads\n")),
            Just(("values.yaml", "level: debug\nbroken: true\n")),
            Just(("chart/templates/all.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: b}\n")),
            Just(("chart/templates/more.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: r1}\n")),
        ],
    ) {
        let fixture = Fixture::new(&kinds, allow);
        let same = |args: &[&str]| {
            let uncached = fixture.run(&[args, &["--no-cache"]].concat());
            prop_assert_eq!(&fixture.run(args), &uncached);
            prop_assert_eq!(&fixture.run(args), &uncached);
            Ok(())
        };
        same(&[])?;
        fixture.write(&format!("r{}/{}", edited % kinds.len(), edit.0), edit.1);
        same(&[])?;
        same(&["--release", "r0"])?;
        fixture.commit();
        same(&["--kube-version", "v1.30.0"])?;
    }
}

/// One entry each for what is the same, none for what is not quiet or what is edited; no value of a secret.
#[test]
fn what_is_kept_is_quiet_and_holds_no_secret() {
    let fixture = Fixture::new(&[0, 1, 3, 5], false);
    fixture.write("r0/values.yaml", "level: CANARY-one\n");
    fixture.write("r1/values.yaml", "level: CANARY-two\nnobody: CANARY-three\n");
    fixture.commit();
    fixture.run(&["--no-cache"]);
    assert_eq!(fixture.entries(), Vec::<PathBuf>::new());
    let (_, text, report) = fixture.run(&[]);
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["summary"]["cells"]["sameInput"], 4, "{text}");
    assert!(
        text.contains("4 of 4 cells have the same input on both sides"),
        "{text}"
    );
    // Chance writes its own in the third: there is something to tell.
    assert_eq!(fixture.entries().len(), 3);
    for entry in fixture.entries() {
        let bytes = fs::read(&entry).unwrap();
        assert!(
            !String::from_utf8_lossy(&bytes).contains("CANARY"),
            "{}",
            entry.display()
        );
    }
}

/// The cache is believed: with an entry in the place of another the report would differ, were the key not in its checksum.
#[test]
fn a_broken_cache_is_repaired_and_never_believed() {
    let fixture = Fixture::new(&[0, 1, 2, 5], false);
    let uncached = fixture.run(&["--no-cache"]);
    assert_eq!(fixture.run(&[]), uncached);
    let whole: Vec<Vec<u8>> = fixture
        .entries()
        .iter()
        .map(|path| fs::read(path).unwrap())
        .collect();
    assert_eq!(whole.len(), 4);
    type Break = fn(&[Vec<u8>], usize) -> Vec<u8>;
    let breaks: [Break; 6] = [
        |_, _| Vec::new(),
        |whole, at| whole[at][..10].to_vec(),
        |whole, at| whole[at][..whole[at].len() - 1].to_vec(),
        |whole, at| {
            let mut bytes = whole[at].clone();
            bytes[0] ^= 1;
            bytes
        },
        |whole, at| {
            let mut bytes = whole[at].clone();
            let last = bytes.len() - 1;
            bytes[last] ^= 1;
            bytes
        },
        |whole, at| whole[(at + 1) % whole.len()].clone(),
    ];
    for (number, spoil) in breaks.into_iter().enumerate() {
        for (at, path) in fixture.entries().iter().enumerate() {
            fs::write(path, spoil(&whole, at)).unwrap();
        }
        assert_eq!(fixture.run(&[]), uncached, "break {number}");
        let repaired: Vec<Vec<u8>> = fixture
            .entries()
            .iter()
            .map(|path| fs::read(path).unwrap())
            .collect();
        assert_eq!(repaired, whole, "break {number}");
    }
}

#[test]
fn runs_at_once_and_killed_runs_do_no_harm() {
    let fixture = Fixture::new(&[0, 1, 2, 4, 5, 0, 1, 2], false);
    let uncached = fixture.run(&["--no-cache"]);
    for delay in [3, 6, 10, 20, 40] {
        let mut child = fixture
            .command(&[])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let plain = fixture.command(&["--no-cache"]).output().unwrap();
    let children: Vec<_> = (0..4)
        .map(|_| fixture.command(&[]).stdout(Stdio::piped()).spawn().unwrap())
        .collect();
    for child in children {
        assert_eq!(child.wait_with_output().unwrap().stdout, plain.stdout);
    }
    assert_eq!(fixture.run(&[]), uncached);
    assert!(fixture.entries().len() >= 8);
}

#[test]
fn nothing_is_written_into_the_repository_and_no_folder_is_no_failure() {
    let fixture = Fixture::new(&[0], false);
    let plain = fixture.command(&["--no-cache"]).output().unwrap();
    let inside = fixture.repository().join("cache");
    let file = fixture.folder.path().join("file");
    fs::write(&file, "").unwrap();
    for folder in [
        &inside,
        &file,
        &PathBuf::from("cache"),
        &PathBuf::from("/proc/nowhere"),
    ] {
        let run = fixture
            .command(&[])
            .env("EVENKEEL_CACHE_DIR", folder)
            .output()
            .unwrap();
        assert_eq!((&run.stdout, &run.stderr), (&plain.stdout, &plain.stderr));
    }
    let home = fixture
        .command(&[])
        .env_remove("EVENKEEL_CACHE_DIR")
        .env("HOME", fixture.folder.path())
        .output()
        .unwrap();
    assert_eq!(home.stdout, plain.stdout);
    assert!(!inside.exists() && fixture.folder.path().join(".cache/evenkeel/cells").exists());
    let nobody = fixture
        .command(&[])
        .env_remove("EVENKEEL_CACHE_DIR")
        .env_remove("HOME")
        .output()
        .unwrap();
    assert_eq!(nobody.stdout, plain.stdout);
}
