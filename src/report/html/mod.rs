//! One page for a browser: nothing is loaded, nothing is sent. The summary, the grid, what fails and the findings
//! are markup and readable without a script; the differences are data that the script of the page shows on demand.
//!
//! Invariant: whatever is quoted goes through `escape`, and the script makes text of data, never markup.

mod data;
mod escape;
mod findings;
mod grid;
mod head;
mod values;

use super::model::Report;
use super::{Format, Style};
use escape::{Html, InScript};
use std::io::{self, Write};

/// This format's row in the table.
pub static FORMAT: Format = Format {
    name: "html",
    about: "one page for a browser, without network",
    write,
};

/// What the page may do: its own style and its own script.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; \
                      form-action 'none'";

const STYLE: &str = include_str!("page.css");

/// The script, in the order of its parts.
const SCRIPT: [&str; 4] = [
    include_str!("base.js"),
    include_str!("diff.js"),
    include_str!("rows.js"),
    include_str!("page.js"),
];

fn write(report: &Report, _style: &Style, out: &mut dyn Write) -> io::Result<()> {
    let (word, rest) = super::summary::verdict(report);
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"evenkeel {}\">\n\
         <title>{word}: {} - evenkeel</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n",
        env!("CARGO_PKG_VERSION"),
        Html(&rest),
    )?;
    out.write_all(b"<a class=\"skip\" href=\"#main\">Skip to the differences</a>\n")?;
    let data = data::Data::of(report);
    head::write(report, &data, out)?;
    out.write_all(b"<main id=\"main\" tabindex=\"-1\">\n")?;
    grid::write(report, &data, out)?;
    out.write_all(BAR.as_bytes())?;
    findings::failures(report, out)?;
    differences(report, &data, out)?;
    findings::write(report, &data, out)?;
    head::notes(report, out)?;
    out.write_all(b"</main>\n")?;
    out.write_all(FOOT.as_bytes())?;
    out.write_all(b"<script type=\"application/json\" id=\"data\">")?;
    serde_json::to_writer(InScript(out), &data)?;
    out.write_all(b"</script>\n<script>\n\"use strict\";\n")?;
    for part in SCRIPT {
        out.write_all(part.as_bytes())?;
    }
    out.write_all(b"</script>\n</body>\n</html>\n")
}

/// The filters; the script fills them and shows them.
const BAR: &str = r#"<form id="bar" class="bar" role="search" aria-label="Filter the report" hidden>
<input id="search" type="search" placeholder="Search names, fields, values, files" aria-label="Search" autocomplete="off" spellcheck="false" aria-keyshortcuts="/"><kbd class="hint" aria-hidden="true">/</kbd>
<select id="by-release" aria-label="Release"></select>
<select id="by-platform" aria-label="Platform"></select>
<select id="by-kind" aria-label="Kind"></select>
<select id="by-verdict" aria-label="Verdict"></select>
<button id="clear" type="button" disabled>Clear</button>
<p id="status" class="status" role="status"></p>
</form>
"#;

const FOOT: &str = r##"<footer class="foot"><p>Written by evenkeel. Secrets were left out before this page was made; equal digits behind <code>redacted</code> mean equal values.</p></footer>
<dialog id="help" aria-labelledby="help-title"><h2 id="help-title">Keys</h2>
<dl class="keys"><dt><kbd>j</kbd> <kbd>k</kbd></dt><dd>next, previous difference or finding</dd>
<dt><kbd>Enter</kbd></dt><dd>open or close it</dd><dt><kbd>b</kbd></dt><dd>where its fields come from</dd>
<dt><kbd>x</kbd></dt><dd>open or close all that is shown</dd><dt><kbd>/</kbd></dt><dd>search</dd>
<dt><kbd>Escape</kbd></dt><dd>leave the search, then clear the filters</dd><dt><kbd>t</kbd></dt><dd>dark or light</dd>
<dt><kbd>?</kbd></dt><dd>this list</dd></dl>
<h2>Signs</h2><dl class="keys"><dt>~ + −</dt><dd>a field or document changed, was added, was removed</dd>
<dt>↻</dt><dd>restarts pods: the pod template changes</dd><dt>⚠</dt><dd>nothing restarts to read a changed configuration</dd>
<dt>✕</dt><dd>refused by the API server, deleted and recreated, or loses data</dd></dl>
<form method="dialog"><button>Close</button></form></dialog>
"##;

/// The place for the differences, and a plain list of them for who runs no script.
fn differences(report: &Report, data: &data::Data<'_>, out: &mut dyn Write) -> io::Result<()> {
    if report.facts.baseline.is_none() {
        return Ok(());
    }
    out.write_all(
        b"<section id=\"differences\" aria-labelledby=\"differences-title\">\n\
          <h2 id=\"differences-title\">Differences <span class=\"count\" id=\"differences-count\"></span></h2>\n",
    )?;
    head::unruly(report, out)?;
    out.write_all(b"<div id=\"rows\"></div>\n<div id=\"sentinel\"></div>\n<noscript>\n")?;
    data.plain_list(out)?;
    out.write_all(b"</noscript>\n</section>\n")
}

/// The page without its style and its script, which only a browser can judge.
#[cfg(test)]
pub(super) fn without_assets(text: &str) -> String {
    let mut text = text.replace(STYLE, "");
    for part in SCRIPT {
        text = text.replace(part, "");
    }
    text
}

#[cfg(test)]
mod tests;
