//! The text report over the shared samples.

use super::*;
use crate::report::model::{CellReport, CellStatus, Verdict};
use crate::report::outcome::Policy;
use crate::report::redact::ShowSecrets;
use crate::report::sample;
use unicode_width::UnicodeWidthStr;

fn text(report: &Report, style: &Style) -> String {
    let mut out = Vec::new();
    write(report, style, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn conclude(cells: Vec<CellReport>) -> Report {
    let mut facts = sample::empty();
    facts.cells = cells;
    Report::conclude(facts, &Policy::default())
}

#[test]
fn every_sample() {
    for (name, report) in sample::all() {
        insta::assert_snapshot!(name, text(&report, &Style::plain()));
    }
}

#[test]
fn the_rich_sample_in_full_narrow_and_in_ascii() {
    let verbose = Style {
        verbose: true,
        ..Style::plain()
    };
    insta::assert_snapshot!("rich-verbose", text(&sample::rich(), &verbose));
    let narrow = Style {
        width: 60,
        unicode: false,
        ..Style::plain()
    };
    let narrow = text(&sample::rich(), &narrow);
    assert!(narrow.is_ascii(), "{narrow}");
    insta::assert_snapshot!("rich-narrow", narrow);
}

#[test]
fn lines_keep_to_the_width_where_they_can_be_broken() {
    for (name, report) in sample::all() {
        for width in [60, 80, 100, 160] {
            let style = Style {
                width,
                ..Style::plain()
            };
            for line in text(&report, &style).lines() {
                // Paths, places and names stay whole, and there they are long and have spaces.
                let whole = line.trim_start().trim_start_matches(['~', '+', '-']).trim_start();
                let breaks = name != "hostile" && whole.trim_end().contains(' ');
                assert!(line.width() <= width || !breaks, "{name} at {width}: {line}");
                assert!(!line.contains(char::is_control), "{name}: {line}");
            }
        }
    }
}

#[test]
fn few_of_the_values_behind_a_field_are_named() {
    let mut facts = sample::rich().facts;
    let changes = facts
        .cells
        .iter_mut()
        .flat_map(|cell| &mut cell.documents)
        .flat_map(|document| &mut document.changes);
    for origins in changes.filter_map(|change| change.provenance.baseline.as_mut()) {
        let one = origins.values[0].clone();
        origins.values = vec![one; 5];
        for (line, origin) in (101..).zip(&mut origins.values) {
            origin.place.line = line;
        }
    }
    let report = Report::conclude(facts, &Policy::default());
    let short = text(&report, &Style::plain());
    assert!(short.contains(":103:1; 2 values more;"), "{short}");
    let verbose = Style {
        verbose: true,
        ..Style::plain()
    };
    let full = text(&report, &verbose);
    assert!(full.contains(":105:1") && !full.contains("values more"), "{full}");
}

#[test]
fn a_remedy_that_has_the_nearest_name_makes_no_question_of_it() {
    let mut report = sample::rich();
    assert!(text(&report, &Style::plain()).contains("help: did you mean auth.password?"));
    let findings = &mut report.facts.findings;
    let unread = findings.iter_mut().find(|finding| finding.suggestion.is_some());
    let mask = sample::mask(false);
    unread.unwrap().remedy = Some(mask.text("write `auth.password`, or take the key out"));
    let told = text(&report, &Style::plain());
    assert!(told.contains("help: write `auth.password`"), "{told}");
    assert!(!told.contains("did you mean"), "{told}");
}

#[test]
fn colour_changes_nothing_but_the_colour() {
    let color = Style {
        color: true,
        ..Style::plain()
    };
    let colored = text(&sample::rich(), &color);
    assert!(colored.contains("\x1b["));
    let mut stripped = String::new();
    let mut rest = colored.as_str();
    while let Some(start) = rest.find('\x1b') {
        stripped.push_str(&rest[..start]);
        rest = rest[start..].split_once('m').unwrap().1;
    }
    stripped.push_str(rest);
    let trimmed = |text: &str| {
        text.lines()
            .map(|line| line.trim_end().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        trimmed(&stripped),
        trimmed(&text(&sample::rich(), &Style::plain()))
    );
}

#[test]
fn a_terminal_that_asked_sees_the_secrets() {
    let style = Style {
        show_secrets: ShowSecrets::on_terminal(true, true),
        ..Style::plain()
    };
    let shown = text(&sample::rich_with_raw_values(), &style);
    for canary in [
        "CANARY-old-1",
        "CANARY-env-2",
        "CANARY-url",
        "Q0FOQVJZ",
        "CANARY-odd",
    ] {
        assert!(shown.contains(canary), "{canary}: {shown}");
    }
}

#[test]
fn hundreds_of_equal_releases_take_one_line() {
    let mut cells: Vec<CellReport> = (0..594)
        .map(|index| sample::cell(&format!("release-{index:03}"), "amd", &[Verdict::Identical; 7]))
        .collect();
    cells[300].documents[2].verdict = Verdict::Removed;
    cells[400].status = CellStatus::Undecided;
    let report = conclude(cells);
    let short = text(&report, &Style::plain());
    assert!(short.lines().count() < 30, "{short}");
    assert!(
        short.contains("592 releases more: all 4,144 documents equal"),
        "{short}"
    );
    let verbose = Style {
        verbose: true,
        ..Style::plain()
    };
    assert!(text(&report, &verbose).contains("release-593"));
}

#[test]
fn many_platforms_get_signs_or_rows() {
    let cells = |count: usize| {
        (0..count)
            .map(|index| {
                sample::cell(
                    "chat",
                    &format!("platform-{index}"),
                    &[Verdict::Identical, Verdict::Changed, Verdict::Added],
                )
            })
            .collect()
    };
    let signs = text(&conclude(cells(6)), &Style::plain());
    assert!(signs.contains("1~ 1+ 1=") && signs.contains("= equal"), "{signs}");
    let rows = text(&conclude(cells(20)), &Style::plain());
    assert!(rows.contains("1 changed, 1 added, 1 equal"), "{rows}");
    assert!(rows.lines().all(|line| line.width() <= 100), "{rows}");
}

#[test]
fn much_to_say_of_many_platforms_fits_a_narrow_screen() {
    let verdicts = [
        Verdict::Identical,
        Verdict::Changed,
        Verdict::Added,
        Verdict::Removed,
        Verdict::Renamed,
        Verdict::Moved,
        Verdict::Undecided,
    ];
    let cells = (0..20)
        .map(|index| {
            sample::cell(
                "a-release-of-some-length",
                &format!("platform-{index:02}"),
                &verdicts,
            )
        })
        .collect();
    let style = Style {
        width: 60,
        ..Style::plain()
    };
    let told = text(&conclude(cells), &style);
    let grid: Vec<&str> = told.lines().filter(|line| line.contains("platform-")).collect();
    assert!(grid.len() >= 20, "{told}");
    assert!(told.contains("1? 1~ 1+ 1- 1r 1m 1="), "{told}");
    assert!(told.lines().all(|line| line.width() <= 60), "{told}");
}
