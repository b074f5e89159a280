//! `mixed-line-ends`: one document with line ends of both kinds.

use super::fields::place_of;
use super::{Check, Hazard, Pass, SideView, Sink};
use crate::base::{KeyPath, Level, Step};
use crate::manifest::Document;
use crate::yaml::Node;

/// The check.
pub static CHECK: Check = Check {
    name: "mixed-line-ends",
    level: Level::Warn,
    audit_only: false,
    explain: "Some lines of a document end with a carriage return (CRLF), others do not. A file of the chart was saved on \
Windows, or git changed its line ends on checkout (core.autocrlf), and was put into a template whose lines end otherwise.\n\n\
In the text of the document a reader of YAML takes the carriage returns away; what sees the bytes does not: a checksum \
annotation moves from one clone to the next. In a value that was quoted (toJson, quote) or that went through b64enc they \
stay: a shell takes them for a part of the command (`bad interpreter: /bin/sh^M`), a reader of settings for a part of the \
value.\n\n\
Save the file with LF, and put `* text=auto eol=lf` into .gitattributes.",
    pass: Pass::Documents(run),
};

fn run(view: &SideView<'_>, sink: &mut Sink) {
    for document in &view.manifest.documents {
        in_values(view, document, sink);
        let Some(offset) = odd_one(document) else { continue };
        let place = view.history.and_then(|history| {
            let at = document.range().start + offset;
            let (_, span) = history.spans(at..at + 1).next()?;
            history.place(span.frame, span.node)
        });
        sink.tell(Hazard {
            resource: Some(document.id().clone()),
            place,
            remedy: Some("save the file with LF line ends".to_owned()),
            ..Hazard::new(
                &CHECK,
                format!("{}: some lines end with CRLF and others with LF", document.id()),
            )
        });
    }
}

/// Tells the values that hold both kinds. A carriage return gets into one by an escape alone.
fn in_values(view: &SideView<'_>, document: &Document, sink: &mut Sink) {
    if memchr::memmem::find(document.text(), b"\\r").is_none() {
        return;
    }
    let Ok(body) = document.body() else { return };
    let mut found = Vec::new();
    mixed(&body.node, &KeyPath::root(), &mut found);
    for path in found {
        sink.tell(Hazard {
            resource: Some(document.id().clone()),
            place: place_of(view, document, &path),
            field_path: Some(path.clone()),
            remedy: Some("save the file with LF line ends".to_owned()),
            ..Hazard::new(
                &CHECK,
                format!(
                    "{}: some lines of {path} end with CRLF and others with LF",
                    document.id()
                ),
            )
        });
    }
}

fn mixed(node: &Node, path: &KeyPath, found: &mut Vec<KeyPath>) {
    if node.as_str().is_some_and(is_mixed) {
        found.push(path.clone());
    }
    for entry in node.entries() {
        mixed(&entry.value, &path.key(&*entry.key), found);
    }
    for (position, item) in node.items().iter().enumerate() {
        mixed(item, &path.join(Step::Index(position)), found);
    }
}

fn is_mixed(text: &str) -> bool {
    let ends = text.matches('\n').count();
    let carriage = text.matches("\r\n").count();
    0 < carriage && carriage < ends
}

/// Where the first line end stands that is of the rarer kind; nothing where all are alike.
fn odd_one(document: &Document) -> Option<usize> {
    memchr::memchr(b'\r', document.text())?;
    // The last line end, and that of the line with the source, are Helm's.
    let text = document.text().trim_ascii_end();
    let first = text
        .split_inclusive(|byte| *byte == b'\n')
        .take_while(|line| line.starts_with(b"# Source: "));
    let start: usize = first.map(<[u8]>::len).sum();
    let mut firsts = [None, None];
    let mut counts = [0_usize, 0];
    for at in memchr::memchr_iter(b'\n', &text[start..]).map(|at| start + at) {
        let kind = usize::from(at > 0 && text[at - 1] == b'\r');
        firsts[kind].get_or_insert(at);
        counts[kind] += 1;
    }
    match firsts {
        [Some(plain), Some(carriage)] => Some(if counts[0] < counts[1] { plain } else { carriage }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Case;
    use super::*;

    const HEAD: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  run: |\n";

    #[test]
    fn a_file_from_windows_in_a_template_from_elsewhere_is_told() {
        let case = Case::chart("", &format!("{HEAD}{{{{ .Files.Get \"run.sh\" | indent 4 }}}}\n"));
        let found = case.file("app/run.sh", "#!/bin/sh\r\necho a\r\n").hazards(&CHECK);
        let [hazard] = &found[..] else { panic!("{found:?}") };
        assert_eq!(hazard.place.as_ref().map(|place| place.line), Some(6));
    }

    #[test]
    fn a_value_that_holds_both_is_told() {
        let template = HEAD.replace('|', "{{ .Files.Get \"run.sh\" | toJson }}");
        let told = |text: &str| {
            let case = Case::chart("", &template).file("app/run.sh", text);
            let found = case.hazards(&CHECK).into_iter();
            found
                .filter_map(|hazard| hazard.field_path)
                .map(|path| path.to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(told("#!/bin/sh\r\necho a\n"), ["data.run"]);
        assert_eq!(told("#!/bin/sh\r\necho a\r\n"), [""; 0]);
        assert_eq!(told("#!/bin/sh\necho '\\r'\n"), [""; 0]);
    }

    #[test]
    fn one_kind_of_line_ends_is_fine_whichever_it_is() {
        let text = format!("{HEAD}    echo a\n");
        assert_eq!(Case::chart("", &text).hazards(&CHECK), []);
        assert_eq!(Case::chart("", &text.replace('\n', "\r\n")).hazards(&CHECK), []);
    }
}
