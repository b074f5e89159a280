//! `release-renamed`: the same release under another name.

use super::{Check, Hazard, Pass, PlatformView, Sink};
use crate::base::Level;

/// The check.
pub static CHECK: Check = Check {
    name: "release-renamed",
    level: Level::Warn,
    audit_only: false,
    explain: "A release that both sides have under one id has another name now. To Helm that is another release: it \
installs the new one, and the old one stays with all its objects until somebody uninstalls it. Objects whose names do not \
follow the release's are then claimed by two releases, and the install is refused.\n\n\
Uninstall the old release on purpose, or take the objects over (annotations meta.helm.sh/release-name and \
release-namespace), and look at what data would be lost on the way.",
    pass: Pass::Platform(run),
};

fn run(view: &PlatformView<'_>, sink: &mut Sink) {
    for cell in &view.cells {
        let (Some(before), Some(after)) = (cell.names.baseline, cell.names.candidate) else {
            continue;
        };
        if before != after {
            sink.tell(Hazard {
                release: Some(cell.release.to_owned()),
                object: format!("{before} {after}"),
                remedy: Some("uninstall the old release on purpose, or keep its name".to_owned()),
                ..Hazard::new(
                    &CHECK,
                    format!(
                        "the release {before} is called {after} now: Helm installs another one beside it"
                    ),
                )
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::PlatformCell;
    use super::*;
    use crate::base::Sides;

    fn found(before: Option<&str>, after: Option<&str>) -> usize {
        let view = PlatformView {
            cells: vec![PlatformCell {
                release: "id",
                names: Sides::new(before, after),
                variant: false,
                footprints: Sides::default(),
                comparison: None,
            }],
            is_audit: false,
            is_selection: false,
            protects: &|_| None,
        };
        let mut sink = Sink::default();
        run(&view, &mut sink);
        sink.hazards.len()
    }

    #[test]
    fn another_name_is_told_and_a_new_release_is_not() {
        assert_eq!(found(Some("a"), Some("b")), 1);
        assert_eq!(found(Some("a"), Some("a")) + found(None, Some("b")), 0);
    }
}
