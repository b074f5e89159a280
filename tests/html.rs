//! The HTML report in a browser: headless Chromium, when it is there. The page is made by the real binary from
//! raw manifests, some of them hostile; a script appended to the page stands for the reader.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test may fail, and says so"
)]

mod common;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// What a manifest may try.
const HOSTILE: &str =
    "</script><script>document.title='owned'</script><img src=x onerror=document.title='owned'>\\u202e";

/// Chromium, where a package or a container image puts it.
fn browser() -> Option<PathBuf> {
    let names = [
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
    ];
    let path = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&path)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|file| file.is_file());
    if found.is_none() {
        eprintln!("skipped: no Chromium on the PATH");
    }
    found
}

/// The page's elements after its script ran, and how long the browser took.
fn dom(browser: &Path, page: &Path, hash: &str) -> (String, Duration) {
    let profile = tempfile::tempdir().unwrap();
    let start = Instant::now();
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
        ])
        .args([
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .args([
            "--window-size=1440,900",
            "--virtual-time-budget=4000",
            "--dump-dom",
        ])
        .arg(format!("file://{}{hash}", page.display()))
        .output()
        .unwrap();
    let time = start.elapsed();
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        dom.contains("data-ready="),
        "the script did not end: {}",
        common::text(&output)
    );
    (dom, time)
}

fn config_map(name: &str, text: &str) -> String {
    format!(
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: \"{name}\", namespace: apps}}\ndata: {{text: \"{text}\"}}\n---\n"
    )
}

/// Verifies two sides of raw manifests, release by release, and gives the page.
fn page(folder: &Path, releases: &[(&str, String, String)]) -> PathBuf {
    let mut config = String::from("kubeVersion: v1.36.2\nreleases:\n");
    for (name, before, after) in releases {
        for (side, text) in [("before", before), ("after", after)] {
            let folder = folder.join(side).join(name);
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("all.yaml"), text).unwrap();
        }
        writeln!(
            config,
            "- {{name: {name}, namespace: apps, manifests: {name}/*.yaml}}"
        )
        .unwrap();
    }
    std::fs::write(folder.join("after/evenkeel.yaml"), &config).unwrap();
    common::git(folder, &["init", "-q"]);
    let mut command = common::evenkeel(&folder.join("after"));
    command.args([
        "verify",
        "--against",
        &format!("dir:{}", folder.join("before").display()),
    ]);
    command.args(["--output", "html=../report.html"]);
    let output = command.output().unwrap();
    assert!(folder.join("report.html").is_file(), "{}", common::text(&output));
    folder.join("report.html")
}

/// Three releases: one changed and hostile, one with a document gone, one equal.
fn three(folder: &Path) -> PathBuf {
    let chat = config_map("chat", "a\\nb\\nport: 80\\nd") + &config_map(HOSTILE, "one");
    let chat_now = config_map("chat", "a\\nb\\nport: 8080\\nd") + &config_map(HOSTILE, HOSTILE);
    let db = config_map("db", "x");
    let cache = config_map("cache", "x") + &config_map("cache-2", "y");
    page(
        folder,
        &[
            ("chat", chat, chat_now),
            ("db", db.clone() + &config_map("gone", "z"), db),
            ("cache", cache.clone(), cache),
        ],
    )
}

fn rows(dom: &str) -> usize {
    dom.matches("class=\"row card").count()
}

/// The page with a script at its end, whose last act is to say what it found in `data-said`.
fn with_reader(page: &Path, script: &str) -> PathBuf {
    let text = std::fs::read_to_string(page).unwrap();
    let script = format!(
        "<script>{{ const press = (key) => (document.activeElement || document.body).dispatchEvent(new KeyboardEvent('keydown', \
         {{key, bubbles: true, cancelable: true}}));\nconst said = [];\n{script}\n\
         document.body.dataset.said = said.join(' | '); }}</script></body>"
    );
    let read = page.with_file_name("read.html");
    std::fs::write(&read, text.replace("</body>", &script)).unwrap();
    read
}

fn said(dom: &str) -> String {
    let rest = dom.split_once("data-said=\"").unwrap().1;
    rest.split_once('"').unwrap().0.to_owned()
}

#[test]
fn rows_render_and_nothing_hostile_runs() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = three(folder.path());
    let (dom, _) = dom(&browser, &page, "");
    assert!(!dom.contains("<title>owned"), "{dom}");
    assert!(!dom.contains("<img"), "{dom}");
    assert_eq!(rows(&dom), 4, "{dom}");
    assert!(dom.contains("⟨U+202E⟩"), "{dom}");
    // Few differences are open at once, with the words that differ.
    let marked = "<del class=\"word\">80</del>";
    assert!(
        dom.contains(marked) && dom.contains("<ins class=\"word\">8080</ins>"),
        "{dom}"
    );
    assert!(
        dom.contains("aria-pressed=\"false\""),
        "the grid has no buttons: {dom}"
    );
}

#[test]
fn the_address_filters() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = three(folder.path());
    for (hash, expected, there) in [
        ("#verdict=removed", 1, "ConfigMap apps/gone"),
        ("#release=cache", 1, "2 of 3 documents"),
        ("#q=8080", 1, "ConfigMap apps/chat"),
        ("#q=cache-2", 1, "1 of 3 documents"),
        ("#q=nowhere", 0, "Nothing passes the filters"),
        ("#kind=Service", 4, "ConfigMap apps/gone"),
    ] {
        let (dom, _) = dom(&browser, &page, hash);
        assert_eq!(rows(&dom), expected, "{hash}: {dom}");
        assert!(dom.contains(there), "{hash}: {dom}");
    }
}

#[test]
fn keys_and_clicks_do_what_they_say() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = three(folder.path());
    let script = "
        const rows = () => document.querySelectorAll('#rows .row').length;
        const focused = () => document.activeElement.textContent.includes('gone') ? 'gone' : document.activeElement.className || document.activeElement.id;
        press('j'); said.push(focused());
        const row = document.activeElement.closest('.row');
        document.activeElement.click(); said.push(row.querySelector('.body').hidden);
        press('j'); said.push(document.activeElement.closest('.row') !== row);
        press('k'); said.push(document.activeElement.closest('.row') === row);
        press('/'); said.push(focused());
        press('Escape'); said.push(document.activeElement === document.body);
        document.querySelector('[data-verdict=removed] button').click(); said.push(rows());
        press('Escape'); said.push(rows());
        document.querySelector('td[data-cell] button').click(); said.push(rows(), document.getElementById('status').textContent);
        press('Escape');
        press('?'); said.push(document.getElementById('help').open); document.getElementById('help').close();
        press('t'); const theme = document.documentElement.dataset.theme; press('t');
        said.push(theme !== document.documentElement.dataset.theme);
        press('x'); said.push([...document.querySelectorAll('#rows .body')].every((body) => !body.hidden));
    ";
    let (dom, _) = dom(&browser, &with_reader(&page, script), "");
    assert_eq!(
        said(&dom),
        "gone | true | true | true | search | true | 1 | 4 | 1 | 2 of 6 documents | true | true | true"
    );
}

/// Opening a page of 5,000 documents is a matter of moments. The bound is wide, for a machine may be busy.
#[test]
fn five_thousand_documents_open() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let releases: Vec<(String, String, String)> = (0..100)
        .map(|release| {
            let side = |now: bool| {
                (0..50).fold(String::new(), |mut text, index| {
                    let value = if now && index % 5 == 0 {
                        format!("line {release}\\nnow {index}\\nend")
                    } else {
                        format!("line {release}\\nwas {index}\\nend")
                    };
                    text.push_str(&config_map(&format!("config-{release}-{index}"), &value));
                    text
                })
            };
            (format!("release-{release:03}"), side(false), side(true))
        })
        .collect();
    let releases: Vec<(&str, String, String)> = releases
        .iter()
        .map(|(name, a, b)| (name.as_str(), a.clone(), b.clone()))
        .collect();
    let page = page(folder.path(), &releases);
    let empty = folder.path().join("empty.html");
    std::fs::write(
        &empty,
        "<!DOCTYPE html><html data-ready=\"0\"><title>empty</title>",
    )
    .unwrap();
    let (_, nothing) = dom(&browser, &empty, "");
    let (dom, time) = dom(&browser, &page, "");
    assert!(
        rows(&dom) > 20 && rows(&dom) < 400,
        "rows are made on demand: {}",
        rows(&dom)
    );
    let text = format!("5,000 documents: {time:?}, an empty page: {nothing:?}");
    eprintln!("{text}");
    assert!(time < nothing + Duration::from_secs(20), "{text}");
}
