//! The help of `evenkeel template`, made from the table of flags.

use super::flags::{Effect, FLAGS};
use std::fmt::Write;

/// The whole text.
pub(super) fn text() -> String {
    let mut out = String::from(
        "Print the manifests of a chart, byte for byte as `helm template` does\n\n\
         Usage: evenkeel template [NAME] CHART [flags]\n\n\
         CHART is a directory or a packaged chart (.tgz). Nothing is fetched and no cluster is asked.\n\n\
         Flags:\n",
    );
    let shown = || FLAGS.iter().filter(|flag| !flag.help.is_empty());
    let left = |flag: &super::flags::Flag| {
        let short = flag
            .short
            .map_or_else(|| "    ".to_owned(), |short| format!("-{short}, "));
        let value = match flag.effect {
            Effect::Switch(_) => "",
            Effect::List(_) => " LIST",
            _ => " VALUE",
        };
        format!("{short}--{}{value}", flag.name)
    };
    let width = shown().map(|flag| left(flag).len()).max().unwrap_or(0);
    for flag in shown() {
        let line = format!("  {:width$}  {}", left(flag), flag.help);
        let _ = if line.len() <= 100 {
            writeln!(out, "{line}")
        } else {
            writeln!(
                out,
                "  {}\n{}",
                left(flag),
                wrapped(&format!("      {}", flag.help))
            )
        };
    }
    let names = |wanted: fn(&Effect) -> bool| {
        let names = FLAGS
            .iter()
            .filter(|flag| flag.help.is_empty() && wanted(&flag.effect));
        names
            .map(|flag| format!("--{}", flag.name))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let idle = names(|effect| matches!(effect, Effect::IdleSwitch | Effect::IdleValue));
    let refused = names(|effect| matches!(effect, Effect::RefusedSwitch(_) | Effect::RefusedValue(_)));
    let _ = writeln!(
        out,
        "\nTaken, without effect where nothing is installed:\n{}",
        wrapped(&idle)
    );
    let _ = writeln!(
        out,
        "\nRefused, for they need the network, a cluster or another program:\n{}",
        wrapped(&refused)
    );
    out
}

/// Words in lines of at most 100 columns, indented.
fn wrapped(words: &str) -> String {
    let mut lines = vec![String::from(" ")];
    for word in words.split(' ') {
        if lines.last().is_some_and(|line| line.len() + word.len() > 98) {
            lines.push(String::from(" "));
        }
        if let Some(line) = lines.last_mut() {
            line.push(' ');
            line.push_str(word);
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flag_is_told_and_no_line_is_long() {
        let text = text();
        for flag in FLAGS {
            assert!(text.contains(&format!("--{}", flag.name)), "{}", flag.name);
        }
        assert!(text.lines().all(|line| line.len() <= 100), "{text}");
    }
}
