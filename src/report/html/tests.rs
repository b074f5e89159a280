//! The page as text; `tests/html.rs` looks at it in a browser.

use super::*;
use crate::base::{KeyPath, Level, Place, Side};
use crate::report::finding::{CellRef, Finding, Related};
use crate::report::model::{CellError, CellStatus, Op, Provenance, ValueOrigin, Verdict};
use crate::report::outcome::Policy;
use crate::report::sample;

const HOSTILE: &str = "</script><script>alert(1)</script><!--\"'><img src=x onerror=alert(2)>\u{202e}\u{0}\r";

fn page(report: &Report) -> String {
    let mut out = Vec::new();
    write(report, &Style::plain(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// The data of a page, and its markup without data, style and script.
fn parts(page: &str) -> (serde_json::Value, String) {
    let open = "<script type=\"application/json\" id=\"data\">";
    let (head, rest) = page.split_once(open).unwrap();
    let (data, rest) = rest.split_once("</script>").unwrap();
    let markup = without_assets(&format!("{head}{rest}"));
    (serde_json::from_str(data).unwrap(), markup)
}

/// A run in which every text that is quoted tries to leave its place.
fn hostile() -> Report {
    let mask = &sample::mask(false);
    let mut facts = sample::empty();
    facts.platforms = vec![HOSTILE.into()];
    let mut cell = sample::cell(HOSTILE, HOSTILE, &[Verdict::Identical]);
    for (kind, verdict) in [
        ("ConfigMap", Verdict::Changed),
        (HOSTILE, Verdict::Added),
        ("Service", Verdict::Undecided),
    ] {
        cell.documents.push(sample::document(kind, HOSTILE, verdict));
    }
    let id = cell.documents[1].id.clone();
    let path = KeyPath::root().key("data").key(HOSTILE);
    let value = serde_json::to_string(HOSTILE).unwrap();
    let lines = serde_json::to_string(&format!("a\n{HOSTILE}")).unwrap();
    let mut change = sample::change(mask, &id, Op::Replace, "data.x", &value, &lines);
    change.path = mask.path(&path);
    change.provenance.candidate = Some(Provenance {
        template: Some(Place::new(HOSTILE, 1, 2)),
        values: vec![ValueOrigin {
            path: mask.path(&path),
            place: Place::new(HOSTILE, 3, 4),
            layer: "values-file",
        }],
    });
    let mut other = sample::change(mask, &id, Op::Replace, "data.y", &value, "1");
    other.path = change.path.clone();
    cell.documents[1].changes = vec![change, other];
    cell.documents[3].problem = Some(mask.text(HOSTILE));
    facts.cells.push(cell);
    let mut broken = sample::cell("broken", HOSTILE, &[]);
    broken.status = CellStatus::Undecided;
    broken.errors.candidate = Some(CellError {
        message: mask.text(HOSTILE),
        place: Some(Place::new(HOSTILE, 3, 4)),
        include_trace: vec![mask.text(HOSTILE)],
    });
    facts.cells.push(broken);
    let mut finding = Finding::new(HOSTILE, Level::Deny, Side::Candidate, mask.text(HOSTILE));
    finding.place = Some(Place::new(HOSTILE, 1, 2));
    finding.resource = Some(sample::document(HOSTILE, HOSTILE, Verdict::Added).id);
    finding.field_path = Some(mask.path(&path));
    finding.value_path = finding.field_path.clone();
    finding.lost = vec![mask.text(&format!("lost {HOSTILE}"))];
    finding.suggestion = Some(mask.text(HOSTILE));
    finding.remedy = Some(mask.text(HOSTILE));
    finding.related.push(Related {
        label: mask.text(HOSTILE),
        place: Place::new(HOSTILE, 1, 2),
    });
    finding.cells.push(CellRef {
        release: HOSTILE.into(),
        platform: HOSTILE.into(),
    });
    facts.findings.push(finding);
    facts.notes.push(mask.text(HOSTILE));
    facts.doubts.push(mask.text(HOSTILE));
    facts.baseline.as_mut().unwrap().requested = HOSTILE.into();
    Report::conclude(facts, &Policy::default())
}

#[test]
fn nothing_quoted_becomes_markup() {
    let page = page(&hostile());
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script").count(), 2);
    for hidden in ['\u{202e}', '\u{0}', '\r'] {
        assert!(!page.contains(hidden), "{hidden:?}");
    }
    let (data, markup) = parts(&page);
    assert!(!markup.contains("<img"), "{markup}");
    assert!(!markup.contains("<!--"), "{markup}");
    // Every place that quotes is there: a text that was dropped would pass, too.
    assert!(
        markup
            .matches("&lt;img src=x onerror=alert(2)&gt;⟨U+202E⟩")
            .count()
            > 15
    );
    let shown = HOSTILE
        .replace('\u{202e}', "⟨U+202E⟩")
        .replace('\u{0}', "⟨U+0000⟩");
    let shown = shown.replace('\r', "⟨U+000D⟩");
    assert_eq!(data["releases"][0], shown.as_str());
    assert!(data.to_string().matches("onerror").count() > 10);
}

#[test]
fn two_runs_give_the_same_bytes() {
    for (name, report) in sample::all() {
        assert_eq!(page(&report), page(&report), "{name}");
    }
}

/// Policy aside, the page has no reason to ask the network: no address, no import, no picture; and its script
/// never makes markup of a string.
#[test]
fn the_page_needs_nothing_from_outside() {
    for (name, report) in sample::all() {
        let page = page(&report);
        // An address may be quoted from a chart; the page itself has none.
        let own = [STYLE, &SCRIPT.concat()].concat();
        assert!(!own.contains("http:") && !own.contains("https:"));
        for way in [
            "src=",
            "href=\"http",
            "url(",
            "@import",
            "<link",
            "<iframe",
            "fetch(",
            "import(",
        ] {
            assert!(!page.contains(way), "{way} in {name}");
        }
        for way in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "Function(",
        ] {
            assert!(!page.contains(way), "{way} in {name}");
        }
        assert!(page.contains("default-src 'none'"));
    }
}

#[test]
fn summary_grid_failures_and_findings_are_there_without_a_script() {
    let (_, markup) = parts(&page(&sample::rich()));
    for text in [
        "undecided:",
        "21 changed",
        "baseline origin/main (4f1c9a2be07d)",
        "newly broken: the baseline renders, the candidate fails",
        "replaces the list extraEnv",
        "use the chart&#39;s sso map, or repeat the lower elements",
        "it replaces a list as a whole",
        "did you mean <code>auth.password</code>?",
        "cannot overwrite table",
        "a key twice; the last one wins",
        "spec.replicas: 2 → 3",
    ] {
        assert!(markup.contains(text), "{text}: {markup}");
    }
    let (_, markup) = parts(&page(&sample::equal()));
    assert!(
        markup.contains("equivalent:") && !markup.contains("id=\"findings\""),
        "{markup}"
    );
}

#[test]
fn one_change_on_many_documents_is_one_group_and_what_is_equal_comes_last() {
    let (data, _) = parts(&page(&sample::rich()));
    let groups = data["groups"].as_array().unwrap();
    let labels = groups
        .iter()
        .filter(|group| group["labels"].is_array())
        .collect::<Vec<_>>();
    assert_eq!(labels.len(), 1);
    assert_eq!(labels[0]["places"].as_array().unwrap().len(), 12 * 3);
    assert!(groups.is_sorted_by_key(|group| group["equal"].as_bool().unwrap()));
    assert_eq!(groups[0]["verdict"], "undecided");
    let places: usize = groups
        .iter()
        .map(|group| group["places"].as_array().unwrap().len() / 3)
        .sum();
    assert_eq!(places, sample::rich().outcome.documents.total());
}

/// Long texts go into the page as hunks, short values whole, and the origin with the field.
#[test]
fn fields_carry_what_the_script_shows() {
    let (data, _) = parts(&page(&sample::rich()));
    let text = data.to_string();
    assert!(
        text.contains(r#"["-  workers: 4"#) || text.contains(r#""-  workers: 4""#),
        "{text}"
    );
    assert!(!text.contains(r#""before":{"kind":"a string","line":"server"#));
    let groups = data["groups"].as_array().unwrap();
    let fields = groups
        .iter()
        .flat_map(|group| group["changes"].as_array().into_iter().flatten());
    let removed = fields
        .filter(|change| change["op"] == "remove")
        .collect::<Vec<_>>();
    assert_eq!(removed[0]["baseline"]["values"][0][1], "chat/values.yaml:7:1");
    assert_eq!(
        removed[0]["baseline"]["template"],
        "chat/chart/templates/deployment.yaml:31:12"
    );
    let (quiet, _) = parts(&page(&sample::equal()));
    assert!(!quiet.to_string().contains("changes"));
}
