//! `release-added`: a release that the baseline does not have.

use super::{Check, Hazard, Pass, PlatformView, Sink};
use crate::base::Level;

/// The check.
pub static CHECK: Check = Check {
    name: "release-added",
    level: Level::Info,
    audit_only: false,
    explain: "The candidate has a release on this platform that the baseline does not have. All its documents are told \
as added.\n\n\
Where nothing new was meant, look at the patterns of `charts:` and at the ids: a release pairs with its older self by \
id, which is its name unless the configuration says otherwise.",
    pass: Pass::Platform(run),
};

fn run(view: &PlatformView<'_>, sink: &mut Sink) {
    if view.is_audit {
        return;
    }
    for cell in view.cells.iter().filter(|cell| cell.names.baseline.is_none()) {
        let name = cell.names.candidate.unwrap_or(cell.release);
        sink.tell(Hazard {
            release: Some(cell.release.to_owned()),
            object: name.to_owned(),
            ..Hazard::new(&CHECK, format!("the release {name} is new"))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::PlatformCell;
    use super::*;
    use crate::base::Sides;

    fn found(names: Sides<Option<&str>>, is_audit: bool) -> usize {
        let view = PlatformView {
            cells: vec![PlatformCell {
                release: "id",
                names,
                variant: false,
                footprints: Sides::default(),
                comparison: None,
            }],
            is_audit,
            is_selection: false,
            protects: &|_| None,
        };
        let mut sink = Sink::default();
        run(&view, &mut sink);
        sink.hazards.len()
    }

    #[test]
    fn a_new_release_is_told_where_there_is_something_older() {
        assert_eq!(found(Sides::new(None, Some("a")), false), 1);
        assert_eq!(found(Sides::new(None, Some("a")), true), 0);
        assert_eq!(found(Sides::new(Some("a"), Some("a")), false), 0);
    }
}
