//! The bounds that keep untrusted charts from doing harm. Each ends in an error that names the bound, or in nothing
//! to be had; never in a crash.
//!
//! | bound | tested |
//! | --- | --- |
//! | recursion of include, template, tpl; nested texts | here, `template/tests.rs` |
//! | size of the output and of a text | here, `template/tests.rs` |
//! | fuel, also for work on values | here, `value/effort.rs`, `template/tests.rs` |
//! | what one call may make | here, `funcs/tests.rs` |
//! | memory of the values of a render | here |
//! | values that hold themselves, values without depth | here, `funcs/tests.rs`, `value/release.rs` |
//! | archives: entries, one file, all files, what is skipped | here |
//! | archives: paths that leave the chart, links | here, `chart/archive.rs` |
//! | links out of the tree: git, working tree, directory, memory | `source/suite.rs`; here with a chart |
//! | links that multiply a tree | here |
//! | YAML: aliases, nesting | here, `yaml/tests/laws.rs` |
//! | JSON, TOML: nesting | here, `json/tests/laws.rs` |
//! | no network, process, environment, outside file | here |
//! | a panic is `undecided` for its cell alone | `verify/render.rs`, `tests/cli.rs` |

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use evenkeel::base::par::STACK_BYTES;
use evenkeel::chart::{ChartFile, archive};
use evenkeel::dialect::Dialect;
use evenkeel::engine::{Engine, NativeEngine, RenderFailure, RenderJob, ValuesInput};
use evenkeel::source::{DirTree, MemoryTree, SourceTree};
use evenkeel::template::Limits;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use std::sync::Arc;

const CHART: &str = "apiVersion: v2\nname: app\nversion: 0.1.0\n";

/// Runs with the stack that cells have.
fn on_cell_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
        builder.spawn_scoped(scope, work).unwrap().join().unwrap()
    })
}

fn job(tree: impl SourceTree + 'static, values: Vec<ValuesInput>) -> RenderJob {
    RenderJob {
        tree: Arc::new(tree),
        chart: "app".to_owned(),
        release: "r".to_owned(),
        namespace: "n".to_owned(),
        values,
        set: Vec::new(),
        kube_version: None,
        api_versions: Vec::new(),
        include_crds: false,
        is_upgrade: false,
        no_hooks: false,
        skip_tests: false,
        skip_schema_validation: false,
        dialect: Dialect::NEWEST,
        traced: false,
        cluster: None,
    }
}

fn render_tree(tree: impl SourceTree + 'static, values: Vec<ValuesInput>) -> Result<String, RenderFailure> {
    let job = job(tree, values);
    on_cell_stack(move || {
        let rendered = NativeEngine::new().render(&job)?;
        Ok(String::from_utf8_lossy(&rendered.output).into_owned())
    })
}

fn tree(template: &str) -> MemoryTree {
    MemoryTree::new("tree")
        .file("app/Chart.yaml", CHART)
        .file("app/values.yaml", "t: \"{{ tpl .Values.t . }}\"\n")
        .file("app/files/a.txt", "inside")
        .file("outside.txt", "secret")
        .file("app/templates/a.yaml", template)
}

fn render(template: &str) -> Result<String, RenderFailure> {
    render_tree(tree(template), Vec::new())
}

/// Every template fails, with a text that has this part.
fn refused(part: &str, templates: &[&str]) {
    for template in templates {
        let failure = render(template).expect_err(template);
        assert!(failure.message.contains(part), "{template}: {}", failure.message);
    }
}

#[test]
fn templates_within_templates_end() {
    refused(
        "nested too deeply for evenkeel's stack",
        &[
            "{{ define \"a\" }}{{ template \"a\" . }}{{ end }}{{ template \"a\" . }}",
            "{{ tpl .Values.t . }}",
        ],
    );
    refused(
        "rendering template has a nested reference name: a",
        &["{{ define \"a\" }}{{ include \"a\" . }}{{ end }}{{ include \"a\" . }}"],
    );
    let nested = "{{ if 1 }}".repeat(200_000);
    let failure = render(&nested).expect_err("too deep");
    assert!(
        failure.message.contains("nested too deeply"),
        "{}",
        failure.message
    );
}

#[test]
fn output_and_texts_end() {
    refused(
        "the output is larger than evenkeel allows",
        &["{{ $x := repeat 60000000 \"x\" }}{{ range 9 }}{{ $x }}{{ end }}"],
    );
    refused(
        "a text is longer than evenkeel allows",
        &["{{ $x := repeat 60000000 \"x\" }}{{ join \"\" (list $x $x $x $x $x) }}"],
    );
    refused(
        "one call makes or visits more than evenkeel allows",
        &["{{ $x := repeat 60000000 \"x\" }}{{ print $x $x $x $x $x }}"],
    );
}

#[test]
fn work_ends() {
    let doubled = |make: &str, use_it: &str| {
        format!("{{{{ $x := {make} }}}}{{{{ range 60 }}}}{{{{ $x = {use_it} }}}}{{{{ end }}}}")
    };
    let lists = doubled("list 1 2", "list $x $x");
    let maps = doubled("dict \"a\" 1", "dict \"a\" $x \"b\" $x");
    let other = lists.replace("$x", "$y");
    let spends = |template: &str| {
        let limits = Limits {
            fuel: 20_000,
            ..Limits::on_stack_of(STACK_BYTES)
        };
        for traced in [false, true] {
            let mut job = job(tree(template), Vec::new());
            job.traced = traced;
            let failure =
                on_cell_stack(|| NativeEngine::with_limits(limits).render(&job)).expect_err(template);
            assert!(
                failure.message.contains("evenkeel's fuel is spent"),
                "{template}: {}",
                failure.message
            );
            assert!(failure.internal);
        }
    };
    for use_it in [
        "$x",
        "printf \"%v\" $x",
        "toYaml $x",
        "toJson $x",
        "toString $x",
        "join \",\" $x",
    ] {
        spends(&format!("{lists}{{{{ {use_it} }}}}"));
    }
    for use_it in ["deepCopy $x", "toToml $x", "toYamlPretty $x"] {
        spends(&format!("{maps}{{{{ {use_it} }}}}"));
    }
    let merged = maps.replace("$x", "$y");
    spends(&format!("{maps}{merged}{{{{ merge $x $y }}}}"));
    spends(&format!("{lists}{other}{{{{ deepEqual $x $y }}}}"));
    spends(&format!("{lists}{other}{{{{ has $x (list $y) }}}}"));
    // Hashes that are slow on purpose are fuel too.
    spends("{{ derivePassword 1 \"long\" \"p\" \"u\" \"s\" }}");
    spends("{{ range 1000000 }}{{ range 1000000 }}{{ end }}{{ end }}");
}

#[test]
fn one_call_makes_no_more_than_it_may() {
    refused(
        "than one call of",
        &[
            "{{ repeat 1000000000 \"x\" }}",
            "{{ until 1000000000 }}",
            "{{ untilStep 0 9223372036854775807 1 }}",
            "{{ indent 1000000000 \"x\" }}",
            "{{ replace \"\" (repeat 1000000 \"x\") (repeat 1000000 \"y\") }}",
            "{{ randAlphaNum 1000000000 }}",
            "{{ wrapWith 1 (repeat 1000000 \"x\") (repeat 1000000 \"a b\") }}",
            "{{ splitList \"\" (repeat 60000000 \"x\") }}",
            "{{ $x := list 1 2 }}{{ range 40 }}{{ $x = concat $x $x }}{{ end }}",
        ],
    );
    refused(
        "more than evenkeel compiles",
        &["{{ regexMatch (repeat 1000000 \"a|\") \"a\" }}"],
    );
    // Go takes widths and precisions up to a million.
    assert!(render("# {{ printf \"%9999999d\" 1 }}").is_ok());
    for verb in ["f", "e", "g", "x"] {
        let text = render(&format!("# {{{{ printf \"%.999999{verb}\" 1.5 | len }}}}")).unwrap();
        assert!(
            text.contains(if verb == "g" { "# 3" } else { "# 10000" }),
            "{verb}: {text}"
        );
    }
}

#[test]
fn memory_of_values_ends() {
    refused(
        "take more memory than evenkeel allows",
        &[
            "{{ $x := list }}{{ range 40 }}{{ $x = append $x (repeat 60000000 \"x\") }}{{ end }}",
            "{{ $x := list }}{{ range 80 }}{{ $x = append $x (until 1000000) }}{{ end }}",
        ],
    );
}

#[test]
fn values_without_an_end_are_not_written() {
    let cycle = "{{ $x := dict }}{{ $_ := set $x \"a\" $x }}{{ $_ := set $x \"b\" $x }}";
    refused(
        "nested more than 1000 deep",
        &[
            &format!("{cycle}{{{{ $x }}}}"),
            &format!("{cycle}{{{{ printf \"%v\" $x }}}}"),
            &format!("{cycle}{{{{ deepCopy $x }}}}"),
            &format!("{cycle}{{{{ toToml $x }}}}"),
        ],
    );
    // A million levels are built and let go.
    let deep = "{{ $x := dict }}{{ range 1000000 }}{{ $x = dict \"a\" $x }}{{ end }}# {{ len $x }}";
    assert!(render(deep).unwrap().contains("# 1"));
}

#[test]
fn texts_that_are_read_have_bounds() {
    let of = |text: &str, function: &str| render(&format!("# {{{{ {text} | {function} | toJson }}}}"));
    let aliases: String = (0..9).fold(
        "a: &a [x, x, x, x, x, x, x, x, x]\\n".to_owned(),
        |text, level| {
            let (above, below) = (char::from(b'b' + level), char::from(b'a' + level));
            let items = vec![format!("*{below}"); 9].join(", ");
            format!("{text}{above}: &{above} [{items}]\\n")
        },
    );
    let text = of(&format!("\"{aliases}\""), "fromYaml").unwrap();
    assert!(text.contains("document contains excessive aliasing"), "{text}");
    let text = of("repeat 20000 \"[\"", "fromYaml").unwrap();
    assert!(text.contains("exceeded max depth"), "{text}");
    let text = of("repeat 20000 \"{\\\"a\\\":\"", "fromJson").unwrap();
    assert!(text.contains("Error"), "{text}");
    for toml in [
        "print \"a=\" (repeat 1000 \"[\")",
        "print (repeat 1000 \"a.\") \"a=1\"",
    ] {
        let failure = of(toml, "fromToml").expect_err("too deep");
        assert!(
            failure.message.contains("at most 500 nested")
                || failure.message.contains("than evenkeel allows"),
            "{}",
            failure.message
        );
    }
    let values = MemoryTree::new("tree")
        .file("app/Chart.yaml", CHART)
        .file("app/values.yaml", "[".repeat(20_000));
    let failure = render_tree(values, Vec::new()).expect_err("too deep");
    assert!(
        failure.message.contains("exceeded max depth"),
        "{}",
        failure.message
    );
}

#[test]
fn nothing_outside_the_chart_is_reached() {
    for function in ["env", "expandenv"] {
        let failure = render(&format!("{{{{ {function} \"PATH\" }}}}")).expect_err("no such function");
        assert!(
            failure
                .message
                .contains(&format!("function \"{function}\" not defined"))
        );
    }
    for (template, shown) in [
        ("[{{ getHostByName \"localhost\" }}]", "[]"),
        ("[{{ .Files.Get \"files/a.txt\" }}]", "[inside]"),
        (
            "[{{ .Files.Get \"../outside.txt\" }}{{ .Files.Get \"../../etc/passwd\" }}{{ .Files.Get \"/etc/passwd\" }}]",
            "[]",
        ),
        (
            "[{{ range $p, $_ := .Files.Glob \"**\" }}{{ $p }} {{ end }}]",
            "[files/a.txt ]",
        ),
        (
            "[{{ range $p, $_ := .Files.Glob \"../**\" }}{{ $p }} {{ end }}]",
            "[]",
        ),
        ("[{{ (lookup \"v1\" \"Secret\" \"\" \"\") | len }}]", "[0]"),
    ] {
        let text = render(&format!("# {template}")).unwrap();
        assert!(
            text.contains(&format!("# {shown}\n")) || text.ends_with(&format!("# {shown}")),
            "{template}: {text}"
        );
    }
}

/// A gzipped tar file: names, kinds and contents.
fn packed(entries: &[(&str, tar::EntryType, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for (name, kind, content) in entries {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(*kind);
        header.set_size(content.len() as u64);
        header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
        if kind.is_symlink() {
            header.set_link_name("../../../etc/passwd").unwrap();
        }
        header.set_cksum();
        builder.append(&header, *content).unwrap();
    }
    builder.into_inner().unwrap().finish().unwrap()
}

fn load(archive: Vec<u8>) -> Result<Vec<ChartFile>, String> {
    archive::unpack(&archive)
}

#[test]
fn archives_are_bounded() {
    use tar::EntryType::{Directory, Regular, Symlink};
    let meta = ("app/Chart.yaml", Regular, CHART.as_bytes());
    assert!(load(packed(&[meta])).is_ok());
    let large = vec![0; 6 << 20];
    let error = load(packed(&[meta, ("app/a", Regular, &large)])).expect_err("too large");
    assert!(
        error.contains("larger than the maximum file size 5242880"),
        "{error}"
    );
    let much = vec![0; 5 << 20];
    let error = load(packed(&[("app/a", Regular, much.as_slice()); 21])).expect_err("too large");
    assert!(
        error.contains("larger than the maximum size 104857600"),
        "{error}"
    );
    let error = load(packed(&vec![("app/a", Regular, b"".as_slice()); 100_001])).expect_err("too many");
    assert!(error.contains("more than 100000 entries"), "{error}");
    // What is skipped counts as well.
    let huge = vec![0; 64 << 20];
    let error = load(packed(&[("app/d", Directory, huge.as_slice()); 6])).expect_err("too large");
    assert!(error.contains("more than 300 MiB"), "{error}");
    for name in ["app/../../etc/x", "app//etc/x", "app/../x", "app/c:/x"] {
        assert!(load(packed(&[meta, (name, Regular, b"x")])).is_err(), "{name}");
    }
    // A link is no file of the chart: nothing is followed.
    match load(packed(&[meta, ("app/link", Symlink, b"")])) {
        Ok(files) => assert!(
            files
                .iter()
                .all(|file| file.name == "Chart.yaml" || file.data.is_empty())
        ),
        Err(error) => assert!(!error.contains("root:"), "{error}"),
    }
}

#[test]
fn links_stay_within_the_tree_and_do_not_multiply_it() {
    let out = tree("a: 1\n").link("app/files/out", "../../../etc/passwd");
    let failure = render_tree(out, Vec::new()).expect_err("a link out of the tree");
    assert!(failure.message.contains("app/files/out"), "{}", failure.message);
    let mut twice = tree("a: 1\n");
    for level in 0..38 {
        for name in ["a", "b"] {
            let target = format!("../d{}", level + 1);
            twice = twice.link(&format!("app/d{level}/{name}"), &target);
        }
    }
    let failure = render_tree(twice.file("app/d38/f", ""), Vec::new()).expect_err("2^38 paths");
    let bound = "more than 100000 files and directories, links followed";
    assert!(failure.message.contains(bound), "{}", failure.message);
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &[u8]| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::File::create(path).unwrap().write_all(text).unwrap();
    };
    put("app/Chart.yaml", CHART.as_bytes());
    put("app/templates/a.yaml", b"a: 1\n");
    std::os::unix::fs::symlink("/etc/passwd", folder.path().join("app/values.yaml")).unwrap();
    let tree = DirTree::open(folder.path(), "folder").unwrap();
    let failure = render_tree(tree, Vec::new()).expect_err("a link out of the tree");
    assert!(failure.message.contains("app/values.yaml"), "{}", failure.message);
}

/// A large file is read, layered and printed in time that grows with its size alone, far below every bound.
#[test]
fn large_values_and_templates_render() {
    let item = "- name: a-name\n  value: \"some text\"\n  nested: {a: 1, b: [x, y]}\n";
    let line = "{{ with .Values.items }}{{ end }}# {{ .Release.Name | quote }}\n";
    let values = format!("items:\n{}", item.repeat(10_000));
    let template = format!("{}# {{{{ toYaml .Values.items | len }}}}\n", line.repeat(10_000));
    let tree = MemoryTree::new("tree")
        .file("app/Chart.yaml", CHART)
        .file("app/values.yaml", values)
        .file("app/templates/a.yaml", template);
    let begun = std::time::Instant::now();
    let text = render_tree(tree, Vec::new()).unwrap();
    assert_eq!(text.matches("# \"r\"").count(), 10_000);
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
}
