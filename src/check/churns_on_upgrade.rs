//! `churns-on-upgrade`: fields that the upgrade after an install changes, though nobody changed anything.

use super::{Check, Hazard, Pass, SideView, Sink, cluster_of};
use crate::base::{KeyPath, Level, Sides};
use crate::compare::cell::compare;
use crate::compare::verdict::Verdict;
use crate::engine::RenderJob;
use crate::engine::cluster::ClusterState;
use crate::manifest::{Manifest, Rules};
use crate::value::AmbientKind;
use std::sync::Arc;

/// The check.
pub static CHECK: Check = Check {
    name: "churns-on-upgrade",
    level: Level::Warn,
    audit_only: false,
    explain: "An upgrade right after an install changes documents, though neither chart nor values changed: a password is \
drawn again, a time moves on. The service gets another password than its database has, pods restart at every upgrade.\n\n\
It is found by trying: the release is rendered as an install, what comes out is given to lookup as the cluster, and it is \
rendered as an upgrade on a later day. A password that the chart reads back with lookup stays, and is not told.\n\n\
Read what is in use back with lookup, or give the value.",
    pass: Pass::Documents(run),
};

const KINDS: [AmbientKind; 4] = [
    AmbientKind::Random,
    AmbientKind::Clock,
    AmbientKind::Lookup,
    AmbientKind::Host,
];

fn run(view: &SideView<'_>, sink: &mut Sink) {
    let (Some(chart), Some(history)) = (&view.chart, view.history) else {
        return;
    };
    if !history
        .marks
        .ambients
        .iter()
        .any(|ambient| KINDS.contains(&ambient.kind))
    {
        return;
    }
    let render = |is_upgrade: bool, cluster: Option<Arc<ClusterState>>| {
        let job = RenderJob {
            traced: false,
            is_upgrade,
            cluster,
            ..chart.job.clone()
        };
        let rendered = (chart.again)(&job).ok()?;
        Some(Manifest::read(rendered.output, &job.namespace))
    };
    let declared = &chart.job.cluster;
    // A release that is not rendered as an upgrade is the install.
    let again = match chart.job.is_upgrade {
        true => render(false, declared.clone()),
        false => None,
    };
    let installed = match (&again, chart.job.is_upgrade) {
        (Some(installed), _) => installed,
        (None, false) => view.manifest,
        (None, true) => return,
    };
    let mut state = cluster_of(installed);
    if let Some(declared) = declared {
        state.extend(declared);
    }
    state.is_later = true;
    let Some(upgraded) = render(true, Some(Arc::new(state))) else {
        return;
    };
    let compared = compare(
        &chart.job.release,
        Sides::new(installed, &upgraded),
        Rules::default(),
    );
    for document in &compared.documents {
        if document.verdict != Verdict::Changed {
            continue;
        }
        let fields: Vec<&KeyPath> = document.changes.iter().map(|change| &change.path).collect();
        let named: Vec<String> = fields.iter().take(3).map(ToString::to_string).collect();
        let more = match fields.len().saturating_sub(3) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        sink.tell(Hazard {
            resource: Some(document.id.clone()),
            field_path: fields.first().map(|field| (*field).clone()),
            remedy: Some("read what is in use back with lookup, or give the value".to_owned()),
            ..Hazard::new(
                &CHECK,
                format!(
                    "{}: every upgrade changes {}{more}",
                    document.id,
                    named.join(", ")
                ),
            )
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Case;
    use super::*;

    fn told(part: &str, password: &str) -> usize {
        let head = "{{ $old := lookup \"v1\" \"Secret\" .Release.Namespace \"db\" }}apiVersion: v1\nkind: Secret\n\
            metadata: {name: db}\n";
        let case = Case::chart("", &format!("{head}{part}:\n  password: {password}\n"));
        case.hazards(&CHECK).len()
    }

    #[test]
    fn an_unguarded_password_churns_and_a_guarded_one_rests() {
        assert_eq!(told("data", "{{ randAlphaNum 9 | b64enc }}"), 1);
        assert_eq!(told("stringData", "{{ now | date \"2006-01-02\" | quote }}"), 1);
        let guarded = "{{ dig \"data\" \"password\" (randAlphaNum 9 | b64enc) $old }}";
        assert_eq!(told("data", guarded), 0);
        let plain = "{{ if $old }}{{ $old.data.password | b64dec }}{{ else }}{{ randAlphaNum 9 }}{{ end }}";
        assert_eq!(told("stringData", plain), 0);
        assert_eq!(told("data", "c2VlZA=="), 0);
    }
}
