//! What helm tells on standard error: warnings, or why it failed and where.

use super::names::Names;
use crate::base::Place;

const ERROR: &str = "Error: ";
const HINT: &str = "Use --debug flag to render out invalid YAML";

/// The lines of a successful call, without what differs from one run to the next.
pub(super) fn warnings(stderr: &str) -> Vec<String> {
    stderr
        .lines()
        .map(|line| without_time(line).trim_end().to_string())
        .filter(|line| !line.is_empty())
        .collect()
}

/// Takes away the time (and process id) that Go's `log` and Kubernetes' `klog` begin a line with.
fn without_time(line: &str) -> &str {
    // `d` stands for a digit
    let begins = |line: &str, shape: &str| {
        line.len() >= shape.len()
            && line.bytes().zip(shape.bytes()).all(|(byte, shape)| match shape {
                b'd' => byte.is_ascii_digit(),
                _ => byte == shape,
            })
    };
    const GO: &str = "dddd/dd/dd dd:dd:dd ";
    if begins(line, GO) {
        return &line[GO.len()..];
    }
    const KLOG: &str = "dddd dd:dd:dd.dddddd";
    if line.starts_with(['I', 'W', 'E', 'F']) && begins(&line[1..], KLOG) {
        let rest = line[1 + KLOG.len()..].trim_start();
        return rest.split_once(' ').map_or(rest, |(_process, rest)| rest);
    }
    line
}

/// Helm's own message of a failed call: what follows `Error: `, without the hint at a flag.
pub(super) fn message(stderr: &str) -> String {
    let start = if stderr.starts_with(ERROR) {
        Some(ERROR.len())
    } else {
        stderr.find(&format!("\n{ERROR}")).map(|at| at + 1 + ERROR.len())
    };
    let message = stderr[start.unwrap_or(0)..].trim_end();
    message
        .strip_suffix(HINT)
        .unwrap_or(message)
        .trim_end()
        .to_string()
}

/// A position in a template and what was being evaluated there.
#[derive(Debug, PartialEq, Eq)]
struct Position<'m> {
    name: &'m str,
    line: u32,
    column: Option<u32>,
    expression: &'m str,
}

/// Where a message points to, and the includes that led there, outermost first.
pub(super) fn place(
    message: &str,
    names: &Names<'_>,
    values: &[(String, Place)],
) -> (Option<Place>, Vec<String>) {
    let chain = chain(message);
    let places: Vec<Option<Place>> = chain
        .iter()
        .map(|position| names.template(position.name, position.line, position.column))
        .collect();
    if let Some(last) = places.iter().rposition(Option::is_some) {
        let trace = chain[..last].iter().zip(&places).map(|(position, place)| {
            let place = place
                .as_ref()
                .map_or_else(|| position.name.to_string(), Place::to_string);
            format!("{place}: {}", position.expression)
        });
        return (places[last].clone(), trace.collect());
    }
    (single(message, names, values), Vec::new())
}

/// The positions of an error that text/template passed up, in Helm 3's layout and in Helm 4's
/// (`pkg/engine/engine.go`, `reformatExecErrorMsg`).
fn chain(message: &str) -> Vec<Position<'_>> {
    const EXECUTING: &str = "executing \"";
    message
        .match_indices(EXECUTING)
        .filter_map(|(at, _)| {
            let before = &message[..at];
            let position = match before.strip_suffix(": ") {
                Some(before) => &before[before.rfind("template: ")? + "template: ".len()..],
                None => {
                    let before = before.strip_suffix("\n  ")?;
                    &before[before.rfind('\n').map_or(0, |end| end + 1)..]
                }
            };
            let (name, line, column) = numbers(position)?;
            let after = &message[at..];
            let expression = &after[after.find("\" at <")? + "\" at <".len()..];
            let end = [">: ", ">:\n"]
                .iter()
                .filter_map(|end| expression.find(end))
                .min()?;
            Some(Position {
                name,
                line,
                column: Some(column),
                expression: &expression[..end],
            })
        })
        .collect()
}

/// Cuts `name:line:column`.
fn numbers(text: &str) -> Option<(&str, u32, u32)> {
    let mut parts = text.rsplitn(3, ':');
    let column = parts.next()?.parse().ok()?;
    let line = parts.next()?.parse().ok()?;
    Some((parts.next()?, line, column))
}

/// The one place that other messages name.
fn single(message: &str, names: &Names<'_>, values: &[(String, Place)]) -> Option<Place> {
    let in_brackets = |start: &str| {
        message
            .strip_prefix(start)?
            .split_once("): ")
            .map(|(inside, _)| inside)
    };
    if let Some(position) = in_brackets("execution error at (") {
        let (name, line, column) = numbers(position)?;
        return names.template(name, line, Some(column));
    }
    if let Some(position) = in_brackets("parse error at (") {
        let (name, line) = position.rsplit_once(':')?;
        return names.template(name, line.parse().ok()?, None);
    }
    if let Some((name, _)) = message
        .strip_prefix("YAML parse error on ")
        .and_then(|rest| rest.split_once(": "))
    {
        // the line it tells is one of the rendered text
        return names.template(name, 0, None);
    }
    let line = yaml_line(message);
    if let Some((name, _)) = message
        .strip_prefix("cannot load ")
        .and_then(|rest| rest.split_once(": "))
    {
        return names.chart_file(name, line);
    }
    let of_values = |(path, _): &&(String, Place)| {
        ["failed to parse ", "open "].iter().any(|start| {
            message
                .strip_prefix(start)
                .is_some_and(|rest| rest.starts_with(&format!("{path}: ")))
        })
    };
    let (_, place) = values.iter().find(of_values)?;
    // within a file the error tells the line; an inline map has its own
    let line = if place.line == 0 { line } else { place.line };
    Some(Place::new(place.file.clone(), line, place.column))
}

/// The line that a YAML error tells; 0 when it tells none.
fn yaml_line(message: &str) -> u32 {
    let line = message.split_once("yaml: line ").map(|(_, rest)| rest);
    let digits = line
        .and_then(|rest| rest.split_once(':'))
        .map(|(digits, _)| digits);
    digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_no_part_of_a_warning() {
        let stderr = "2026/01/02 03:04:05 warning: a\n\
            W0102 03:04:05.123456   77 warnings.go:70] old api\n\
            level=WARN msg=\"this chart is deprecated\"\n\ncoalesce.go:237: warning: x\n";
        assert_eq!(
            warnings(stderr),
            [
                "warning: a",
                "warnings.go:70] old api",
                "level=WARN msg=\"this chart is deprecated\"",
                "coalesce.go:237: warning: x"
            ]
        );
    }

    #[test]
    fn the_message_is_what_follows_error() {
        let stderr = format!("WARNING: This chart is deprecated\nError: a\n b\n\n{HINT}\n");
        assert_eq!(message(&stderr), "a\n b");
        assert_eq!(message("Error: x\n"), "x");
        assert_eq!(message("something else\n"), "something else");
    }
}
