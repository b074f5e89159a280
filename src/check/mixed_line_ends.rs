//! `mixed-line-ends`: one document with line ends of both kinds.

use super::{Check, Hazard, Pass, SideView, Sink};
use crate::base::Level;
use crate::manifest::Document;

/// The check.
pub static CHECK: Check = Check {
    name: "mixed-line-ends",
    level: Level::Warn,
    audit_only: false,
    explain: "Some lines of a document end with a carriage return (CRLF), others do not. A file of the chart was saved on \
Windows, or git changed its line ends on checkout (core.autocrlf), and was put into a template whose lines end otherwise. \
YAML does not mind, but everything that sees the bytes does: a checksum annotation moves from one clone to the next, a \
script in a ConfigMap has a carriage return in its first line and does not start, b64enc keeps them.\n\n\
Save the file with LF, and put `* text=auto eol=lf` into .gitattributes.",
    pass: Pass::Documents(run),
};

fn run(view: &SideView<'_>, sink: &mut Sink) {
    for document in &view.manifest.documents {
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
    fn one_kind_of_line_ends_is_fine_whichever_it_is() {
        let text = format!("{HEAD}    echo a\n");
        assert_eq!(Case::chart("", &text).hazards(&CHECK), []);
        assert_eq!(Case::chart("", &text.replace('\n', "\r\n")).hazards(&CHECK), []);
    }
}
