//! A chart with values, written down in a test, and what a check says of it.

use super::settle::settle;
use super::{
    CellView, ChartView, Check, Footprint, Hazard, LayeredValues, Pass, PlatformCell, PlatformView, SideView,
    Sink,
};
use crate::base::{Place, Side, Sides};
use crate::chart;
use crate::compare::across;
use crate::compare::cell::compare;
use crate::dialect::Dialect;
use crate::engine::native::NativeEngine;
use crate::engine::{Engine, RenderJob, SetFlag, SetKind, ValuesInput};
use crate::manifest::{DocumentId, Manifest, Rules};
use crate::source::MemoryTree;
use std::sync::Arc;

/// One side of a cell.
pub(crate) struct Case {
    tree: Option<MemoryTree>,
    job: RenderJob,
    is_audit: bool,
    other_dialects: Vec<Dialect>,
}

impl Case {
    /// A chart `app` with these defaults and one template; Helm 4.3.
    pub(crate) fn chart(values: &str, template: &str) -> Case {
        let tree = MemoryTree::new("test")
            .file("app/Chart.yaml", "apiVersion: v2\nname: app\nversion: 0.1.0\n")
            .file("app/values.yaml", values)
            .file("app/templates/all.yaml", template);
        let job = RenderJob {
            tree: Arc::new(MemoryTree::new("none")),
            chart: "app".to_owned(),
            release: "r".to_owned(),
            namespace: "n".to_owned(),
            values: Vec::new(),
            set: Vec::new(),
            kube_version: Some("v1.36.2".to_owned()),
            api_versions: Vec::new(),
            include_crds: false,
            is_upgrade: false,
            no_hooks: false,
            skip_tests: false,
            skip_schema_validation: false,
            dialect: Dialect::V4_3,
            traced: true,
            cluster: None,
        };
        Case {
            tree: Some(tree),
            job,
            is_audit: false,
            other_dialects: Vec::new(),
        }
    }

    /// Adds or replaces a file.
    pub(crate) fn file(mut self, path: &str, text: &str) -> Case {
        self.tree = self.tree.map(|tree| tree.file(path, text));
        self
    }

    /// Adds a values file to the tree and to the layers.
    pub(crate) fn values(mut self, path: &str, text: &str) -> Case {
        self.job.values.push(ValuesInput::File(path.to_owned()));
        self.file(path, text)
    }

    /// Adds a `--set` expression.
    pub(crate) fn set(self, expression: &str) -> Case {
        self.set_as(SetKind::Set, expression)
    }

    /// Adds an expression of a kind.
    pub(crate) fn set_as(mut self, kind: SetKind, expression: &str) -> Case {
        self.job.set.push(SetFlag {
            kind,
            expression: expression.to_owned(),
            place: Some(Place::new("evenkeel.yaml", 9, 5)),
        });
        self
    }

    /// Chooses the dialect.
    pub(crate) fn dialect(mut self, dialect: Dialect) -> Case {
        self.job.dialect = dialect;
        self
    }

    /// Changes the job.
    pub(crate) fn with(mut self, change: impl FnOnce(&mut RenderJob)) -> Case {
        change(&mut self.job);
        self
    }

    /// Asks for other Helms too.
    pub(crate) fn other_dialects(mut self, dialects: &[Dialect]) -> Case {
        self.other_dialects = dialects.to_vec();
        self
    }

    /// Looks at one side for itself.
    pub(crate) fn audit(mut self) -> Case {
        self.is_audit = true;
        self
    }

    /// What a check of one side says, through a real render.
    pub(crate) fn hazards(self, check: &Check) -> Vec<Hazard> {
        self.rendered(|view, side| {
            let mut sink = Sink::default();
            match &check.pass {
                Pass::Layers(run) => run(view, &mut sink),
                Pass::Trace(run) => run(view, side.history.expect("the job is traced"), &mut sink),
                Pass::Documents(run) => run(side, &mut sink),
                Pass::Comparison(_) | Pass::Platform(_) | Pass::Run => {
                    panic!("{} looks at more than one side", check.name)
                }
            }
            sink.hazards
        })
    }

    /// Something that is worked out with the view of the chart.
    pub(crate) fn view<T>(self, see: impl FnOnce(&ChartView<'_>) -> T) -> T {
        self.rendered(|view, _| see(view))
    }

    /// Something that is worked out with the view of the side.
    pub(crate) fn side<T>(self, see: impl FnOnce(&SideView<'_>) -> T) -> T {
        self.rendered(|_, side| see(side))
    }

    fn rendered<T>(mut self, see: impl FnOnce(&ChartView<'_>, &SideView<'_>) -> T) -> T {
        if let Some(tree) = self.tree.take() {
            self.job.tree = Arc::new(tree);
        }
        let job = &self.job;
        let engine = NativeEngine::new();
        let rendered = engine.render(job).expect("the case renders");
        let chart = chart::load(&*job.tree, &job.chart, job.dialect).expect("the chart loads");
        let manifest = Manifest::read(rendered.output.clone(), &job.namespace);
        let layered = LayeredValues::default();
        let again = |job: &RenderJob| engine.render(job);
        let view = ChartView {
            side: Side::Candidate,
            job,
            chart: &chart,
            again: &again,
            is_audit: self.is_audit,
            other_dialects: &self.other_dialects,
            layered: &layered,
        };
        let side = SideView {
            side: Side::Candidate,
            manifest: &manifest,
            chart: Some(view),
            history: rendered.history.as_deref(),
            kube_version: job.kube_version.as_deref(),
        };
        see(&view, &side)
    }
}

/// What a check says of the candidate that it does not say of the baseline.
pub(crate) fn introduced(check: &Check, baseline: Case, candidate: Case) -> Vec<Hazard> {
    let told = settle(&baseline.hazards(check), candidate.hazards(check));
    told.into_iter().filter(|hazard| !hazard.standing).collect()
}

/// What a check that compares the sides says.
pub(crate) fn compared(check: &Check, baseline: Case, candidate: Case) -> Vec<Hazard> {
    let Pass::Comparison(run) = check.pass else {
        panic!("{} looks at one side", check.name);
    };
    baseline.rendered(|_, before| {
        candidate.rendered(|_, after| {
            let manifests = Sides::new(before.manifest, after.manifest);
            let comparison = compare("r", manifests, Rules::default());
            let sides = Sides::new(Some(*before), Some(*after));
            let view = CellView {
                sides: &sides,
                comparison: &comparison,
            };
            let mut sink = Sink::default();
            run(&view, &mut sink);
            sink.hazards
        })
    })
}

/// What a check says of the releases of a platform, each given as name, baseline and candidate; in namespace `n`.
pub(crate) fn on_platform(check: &Check, releases: &[(&str, &str, &str)]) -> Vec<Hazard> {
    let Pass::Platform(run) = check.pass else {
        panic!("{} looks at one release", check.name);
    };
    platform(releases, |view| {
        let mut sink = Sink::default();
        run(view, &mut sink);
        sink.hazards
    })
}

/// Something that is worked out with the view of a platform.
pub(crate) fn platform<T>(releases: &[(&str, &str, &str)], see: impl FnOnce(&PlatformView<'_>) -> T) -> T {
    let read = |text: &str| Manifest::read(text.as_bytes().to_vec(), "n");
    let mut comparisons = Vec::new();
    let mut footprints = Vec::new();
    for (release, baseline, candidate) in releases {
        let manifests = Sides::new(read(baseline), read(candidate));
        comparisons.push(compare(release, manifests.as_ref(), Rules::default()));
        footprints.push(manifests.map(|manifest| Footprint::of(&manifest)));
    }
    across::settle(&mut comparisons, Rules::default());
    let cell = |at: usize| PlatformCell {
        release: releases[at].0,
        names: Sides::new(Some(releases[at].0), Some(releases[at].0)),
        variant: false,
        footprints: footprints[at].as_ref().map(Some),
        comparison: Some(&comparisons[at]),
    };
    see(&PlatformView {
        cells: (0..releases.len()).map(cell).collect(),
        is_audit: false,
        is_selection: false,
        protects: &|_| None,
    })
}

/// What a check of a platform says of one release, which either side may lack.
pub(crate) fn on_release(
    check: &Check,
    baseline: Option<Case>,
    candidate: Option<Case>,
    protects: fn(&DocumentId) -> Option<String>,
) -> Vec<Hazard> {
    let Pass::Platform(run) = check.pass else {
        panic!("{} looks at one release", check.name);
    };
    let sides = Sides::new(baseline, candidate);
    let names = sides.as_ref().map(|case| case.as_ref().map(|_| "r"));
    let manifests = sides.map(|case| match case {
        Some(case) => case.rendered(|_, side| side.manifest.clone()),
        None => Manifest::read("".as_bytes(), "n"),
    });
    let mut comparisons = [compare("r", manifests.as_ref(), Rules::default())];
    across::settle(&mut comparisons, Rules::default());
    let footprints = manifests.as_ref().map(Footprint::of);
    let view = PlatformView {
        cells: vec![PlatformCell {
            release: "r",
            names,
            variant: false,
            footprints: footprints.as_ref().map(Some),
            comparison: Some(&comparisons[0]),
        }],
        is_audit: false,
        is_selection: false,
        protects: &protects,
    };
    let mut sink = Sink::default();
    run(&view, &mut sink);
    sink.hazards
}
