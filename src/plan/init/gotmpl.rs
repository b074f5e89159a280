//! The Go template around the YAML of a helmfile, taken off without running it: known expressions become
//! placeholders, and what stands under conditions and loops is passed over.

/// Stands for `{{ .Environment.Name }}` while YAML is read.
pub(super) const ENVIRONMENT: &str = "%environment%";
/// Stands for `{{ .Release.Name }}`.
pub(super) const RELEASE: &str = "%release%";
/// Stands for `{{ .Release.Namespace }}`.
pub(super) const NAMESPACE: &str = "%namespace%";
/// Stands for an expression that is not understood.
pub(super) const UNKNOWN: &str = "%unknown%";

/// A helmfile as plain YAML, and how many lines were passed over with the conditions and loops around them.
pub(super) fn plain(text: &str) -> (String, usize) {
    let mut plain = String::with_capacity(text.len());
    let mut passed_over = 0;
    let mut depth = 0_usize;
    for line in text.lines() {
        let trimmed = line.trim_start();
        let word = trimmed
            .strip_prefix("{{")
            .map(|rest| rest.trim_start_matches('-').trim_start());
        if let Some(word) = word.filter(|_| !trimmed.starts_with("{{`")) {
            let begins = |names: &[&str]| names.iter().any(|name| word.starts_with(name));
            if !trimmed.contains("end") || !begins(&["if", "range", "with"]) {
                depth += usize::from(begins(&["if ", "range ", "with ", "define ", "block "]));
                depth -= usize::from(begins(&["end"]) && depth > 0);
            }
            plain.push('\n');
            continue;
        }
        if depth > 0 {
            passed_over += usize::from(!trimmed.is_empty() && !trimmed.starts_with('#'));
        } else {
            plain.push_str(&without_expressions(line));
        }
        plain.push('\n');
    }
    (plain, passed_over)
}

/// A line with its expressions replaced by what stands for them.
fn without_expressions(line: &str) -> String {
    if !line.contains("{{") || line.trim_start().starts_with("installedTemplate:") {
        return line.to_owned();
    }
    let mut plain = String::new();
    let mut rest = line;
    while let Some(start) = rest.find("{{") {
        plain.push_str(&rest[..start]);
        let quoted = rest[start + 2..].trim_start().starts_with('`');
        let close = if quoted { "`}}" } else { "}}" };
        let inner = &rest[start + 2..];
        // A quoted expression ends at the closing backtick.
        let Some(end) = inner.find(close) else {
            plain.push_str(UNKNOWN);
            rest = "";
            break;
        };
        let expression: String = inner[..end]
            .chars()
            .filter(|c| !c.is_whitespace() && !"`{}-".contains(*c))
            .collect();
        plain.push_str(match expression.as_str() {
            ".Environment.Name" => ENVIRONMENT,
            ".Release.Name" => RELEASE,
            ".Release.Namespace" => NAMESPACE,
            _ => UNKNOWN,
        });
        rest = &inner[end + close.len()..];
    }
    plain.push_str(rest);
    // A value that begins with a placeholder would be read as a directive.
    let quoted = plain.contains(['"', '\'']);
    match plain.split_once(": %") {
        Some((key, value)) if !quoted => format!("{key}: \"%{value}\""),
        _ if !quoted && plain.trim_start().starts_with("- %") => plain.replacen("- %", "- \"%", 1) + "\"",
        _ => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_become_placeholders() {
        let line = |text: &str| without_expressions(text);
        assert_eq!(
            line("a: x-{{ .Environment.Name }}.yaml"),
            "a: x-%environment%.yaml"
        );
        assert_eq!(line("a: {{`{{ .Release.Name }}`}}"), "a: \"%release%\"");
        assert_eq!(line("- {{ .Values.x | quote }}"), "- \"%unknown%\"");
        assert_eq!(line("a: '{{ .x }}'"), "a: '%unknown%'");
        assert_eq!(line("a: {{ open"), "a: \"%unknown%\"");
    }

    #[test]
    fn conditions_take_their_lines_with_them() {
        let (text, passed_over) =
            plain("a: 1\n{{- if .x }}\n# no\nb: 2\n{{ if .y }}\nc: 3\n{{ end }}\n{{ end }}\nd: 4\n");
        assert_eq!(passed_over, 2);
        assert_eq!(
            text.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>(),
            ["a: 1", "d: 4"]
        );
        assert_eq!(plain("{{ if .x }}{{ end }}\na: 1\n").1, 0);
    }
}
