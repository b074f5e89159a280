//! One render, in Helm's order of steps: what fails first is what is told
//! (`pkg/cmd/template.go`, `pkg/cmd/install.go`, `pkg/action/install.go`, `pkg/action/action.go`).

use super::cache::Cache;
use super::checks;
use super::places::{Places, of_chart};
use super::program::Program;
use super::schemas;
use super::{Failed, Output, Target};
use crate::base::Place;
use crate::chart::Chart;
use crate::dialect::Dialect;
use crate::engine::capabilities::{KubeVersion, capabilities};
use crate::engine::context::{Facts, Template, clean, templates};
use crate::engine::contract::{RenderFailure, RenderJob};
use crate::engine::history::{ChartPart, History, spans};
use crate::engine::layout::{exec_failure, parse_failure};
use crate::engine::output::{Crd, RenderedFile, Selection, Sorted, show_only};
use crate::funcs::helm::without_no_value;
use crate::layers::coalesce::{Nulls, coalesce};
use crate::layers::stack::{chart_defaults, user_values};
use crate::layers::{Instance, Layer, Layers, Warnings, dependencies};
use crate::template::{AmbientSource, Executor, Limits, Options, TemplateSet, Trace};
use crate::value::{Map, MapType, MarkTable, Text, Value};
use std::sync::Arc;

const NOTES: &str = "NOTES.txt";

/// One call of `helm template`.
pub(super) struct Render<'a> {
    pub(super) job: &'a RenderJob,
    pub(super) selection: Selection<'a>,
    pub(super) target: Target,
    pub(super) ambient: &'a mut dyn AmbientSource,
    pub(super) limits: Limits,
    pub(super) warnings: Vec<String>,
}

/// A failure before the templates are reached.
fn early(message: String, place: Option<Place>) -> Failed {
    Failed {
        failure: RenderFailure {
            message,
            place,
            include_trace: Vec::new(),
            internal: false,
        },
        while_rendering: false,
    }
}

/// A failure while resources are rendered.
fn late(message: String, place: Option<Place>) -> Failed {
    Failed {
        while_rendering: true,
        ..early(message, place)
    }
}

/// The values and the tree of charts that templates see.
struct Prepared {
    instance: Instance,
    values: Map,
    layers: Layers,
}

impl Render<'_> {
    pub(super) fn run(&mut self, cache: &Cache) -> Result<Output, Failed> {
        let dialect = self.job.dialect;
        let kube_version = match &self.job.kube_version {
            Some(text) => KubeVersion::parse(text, dialect).map_err(|text| early(text, None))?,
            None => KubeVersion::default_of(dialect),
        };
        let mut layers = Layers::new(self.job.traced);
        let job = self.job;
        let user = user_values(&*job.tree, &job.values, &job.set, dialect, &mut layers)
            .map_err(|error| early(error.message, error.place))?;
        let program = cache
            .program(&job.tree, &job.chart, dialect)
            .map_err(|text| early(text.to_string(), Some(load_place(&job.chart, &text))))?;
        self.check(&program.chart)?;
        let prepared = self.prepare(&program, &user, layers)?;
        self.render(&program, prepared, &kube_version)
    }

    /// What is checked before any value is looked at.
    fn check(&mut self, chart: &Chart) -> Result<(), Failed> {
        let dialect = self.job.dialect;
        loader_warnings(chart, &mut self.warnings);
        let at_chart = |text| early(text, Some(of_chart(&chart.location, "Chart.yaml")));
        checks::is_installable(chart).map_err(at_chart)?;
        if chart.metadata.deprecated {
            self.warnings.push(match dialect {
                Dialect::V3_19 => "WARNING: This chart is deprecated".to_owned(),
                Dialect::V4_3 => "level=WARN msg=\"this chart is deprecated\"".to_owned(),
            });
        }
        checks::has_dependencies(chart, dialect).map_err(at_chart)?;
        checks::is_release_name(&self.job.release, dialect, &mut self.warnings)
            .map_err(|text| early(text, None))
    }

    /// Dependencies, values and schemas.
    fn prepare(&mut self, program: &Program, user: &Map, mut layers: Layers) -> Result<Prepared, Failed> {
        let chart = &program.chart;
        let dialect = self.job.dialect;
        let mut instance = Instance::of(chart, &mut |chart| chart_defaults(chart, &mut layers));
        let mut warnings = Warnings::new(dialect);
        let processed = dependencies::process(&mut instance, user, dialect, &mut warnings);
        self.warnings.append(&mut warnings.into_lines());
        if let Err(text) = processed {
            if !dialect.is_v4() {
                return Err(early(text, None));
            }
            let step = "chart dependencies processing failed";
            self.warnings.push(checks::failed_step(step, &text));
            return Err(early(format!("{step}: {text}"), None));
        }
        let values = user.deep_copy();
        let mut warnings = Warnings::new(dialect);
        let coalesced = coalesce(&instance, &values, "", Nulls::Drop, dialect, &mut warnings);
        self.warnings.append(&mut warnings.into_lines());
        coalesced.map_err(|text| early(text, None))?;
        if !self.job.skip_schema_validation {
            schemas::validate(program, &instance, &values, dialect, &mut self.warnings).map_err(
                |refused| {
                    early(
                        refused.message,
                        Some(of_chart(&refused.location, "values.schema.json")),
                    )
                },
            )?;
        }
        Ok(Prepared {
            instance,
            values,
            layers,
        })
    }

    /// Templates to text (`renderResources`).
    fn render(
        &mut self,
        program: &Program,
        mut prepared: Prepared,
        kube_version: &KubeVersion,
    ) -> Result<Output, Failed> {
        let job = self.job;
        let root = &*program.chart;
        checks::fits_kube_version(&prepared.instance.metadata.kube_version, kube_version)
            .map_err(|text| late(text, Some(of_chart(&root.location, "Chart.yaml"))))?;
        let facts = Facts {
            release: release(job),
            capabilities: capabilities(kube_version, &job.api_versions, job.dialect)
                .with_marks(prepared.layers.capability()),
            dialect: job.dialect,
        };
        let templates = templates(&prepared.instance, &prepared.values, &facts);
        let places = Places {
            templates: &templates,
        };
        let set = program.link(&templates, self.limits.stack).map_err(|error| {
            let place = places.template(&error.file, error.line, None);
            late(parse_failure(&error), place)
        })?;
        let layers = std::mem::take(&mut prepared.layers.list);
        let (texts, traced) = self.execute(&set, &templates, prepared.layers, &places)?;
        let files: Vec<RenderedFile<'_>> = texts
            .iter()
            .filter(|(name, _)| !name.ends_with(NOTES))
            .map(|(name, text)| RenderedFile {
                name,
                text: text.bytes(),
            })
            .collect();
        let sorted = Sorted::new(&files, job.dialect, &mut self.warnings).map_err(|error| {
            let place = places.template(files[error.file].name, 0, None);
            late(error.message, place)
        })?;
        let mut crds = Vec::new();
        if job.include_crds {
            collect_crds(&prepared.instance, None, &mut crds);
        }
        let crds: Vec<Crd<'_>> = crds
            .iter()
            .map(|(name, data)| Crd {
                name: name.clone(),
                text: data,
            })
            .collect();
        let traced = traced.map(|(trace, marks)| {
            let texts = texts.iter().filter(|(name, _)| !name.ends_with(NOTES));
            Traced {
                texts: texts.map(|(_, text)| text).collect(),
                history: history(&prepared.instance, &templates, layers, trace, marks),
            }
        });
        self.output(&sorted, &crds, traced)
    }

    /// Runs every template that is no partial.
    fn execute<'t>(
        &mut self,
        set: &TemplateSet,
        templates: &'t [Template],
        layers: Layers,
        places: &Places<'_>,
    ) -> Result<Executed<'t>, Failed> {
        let options = Options {
            dialect: self.job.dialect,
            trace: layers.marks.is_some(),
            limits: self.limits,
        };
        let is_traced = layers.marks.is_some();
        let marks = layers.marks.unwrap_or_default();
        let mut executor = Executor::new(set, self.ambient, marks, options);
        let mut texts = Vec::new();
        for template in templates.iter().filter(|template| template.is_rendered()) {
            let text = executor
                .execute(&template.name, template.enter())
                .map_err(|chain| {
                    let (place, include_trace) = places.chain(&chain);
                    let failed = late(exec_failure(&chain, self.job.dialect), place);
                    Failed {
                        failure: RenderFailure {
                            include_trace,
                            internal: chain.limit,
                            ..failed.failure
                        },
                        ..failed
                    }
                })?;
            texts.push((template.name.as_str(), without_no_value(&text)));
        }
        Ok((texts, is_traced.then(|| executor.finish())))
    }

    fn output(
        &self,
        sorted: &Sorted<'_>,
        crds: &[Crd<'_>],
        traced: Option<Traced<'_>>,
    ) -> Result<Output, Failed> {
        let mut output = Output::default();
        match self.target {
            Target::Text => {
                let mut printed = sorted.print(crds, self.selection);
                output.history = traced.map(|traced| {
                    let spans = spans(printed.text.len(), &printed.pieces, &traced.texts);
                    let pieces = printed.pieces.iter_mut();
                    output.parsed = pieces
                        .filter_map(|piece| Some((piece.range.clone(), piece.parsed.take()?)))
                        .collect();
                    Arc::new(History {
                        spans,
                        ..traced.history
                    })
                });
                output.text = printed.text;
            }
            Target::Files => {
                output.text = b"\n".to_vec();
                output.files = sorted.written(crds, self.selection);
            }
        }
        if !self.selection.show_only.is_empty() {
            output.text = show_only(&output.text, self.selection.show_only, self.job.dialect)
                .map_err(|text| early(text, None))?;
        }
        Ok(output)
    }
}

/// The texts of the executed templates by name, and what was traced.
type Executed<'t> = (Vec<(&'t str, Text)>, Option<(Trace, MarkTable)>);

/// What the execution left behind, before the output is put together.
struct Traced<'t> {
    texts: Vec<&'t Text>,
    history: History,
}

fn history(
    root: &Instance,
    templates: &[Template],
    layers: Vec<Layer>,
    trace: Trace,
    marks: MarkTable,
) -> History {
    let mut charts = Vec::new();
    collect_charts(root, &[], &mut charts);
    let mut templates: Vec<_> = templates
        .iter()
        .map(|template| (template.name.clone(), template.file.clone()))
        .collect();
    templates.sort_by(|a, b| a.0.cmp(&b.0));
    History {
        marks,
        layers,
        trace,
        charts,
        spans: Vec::new(),
        templates,
    }
}

/// The charts of a tree with the keys that lead to their values.
fn collect_charts(instance: &Instance, path: &[Arc<str>], found: &mut Vec<ChartPart>) {
    found.push(ChartPart {
        path: path.to_vec(),
        chart: Arc::clone(&instance.chart),
    });
    for child in &instance.children {
        let child = child.borrow();
        let mut path = path.to_vec();
        path.push(Arc::from(child.metadata.name.as_str()));
        collect_charts(&child, &path, found);
    }
}

/// The warnings of a chart and of its subcharts.
fn loader_warnings(chart: &Chart, warnings: &mut Vec<String>) {
    warnings.extend(chart.warnings.iter().cloned());
    for child in &chart.dependencies {
        loader_warnings(child, warnings);
    }
}

/// The file that a message of the loader names, else the chart.
fn load_place(chart: &str, message: &str) -> Place {
    let named = message
        .strip_prefix("cannot load ")
        .and_then(|rest| rest.split_once(": "));
    match named {
        Some((file, _)) => of_chart(chart, file),
        None => Place::file(chart),
    }
}

fn release(job: &RenderJob) -> Value {
    let entries = [
        ("Name", Value::from(job.release.as_str())),
        ("Namespace", Value::from(job.namespace.as_str())),
        ("IsUpgrade", Value::from(job.is_upgrade)),
        ("IsInstall", Value::from(!job.is_upgrade)),
        ("Revision", Value::int(1)),
        ("Service", Value::from("Helm")),
    ];
    let entries = entries.map(|(key, value)| (key.into(), value));
    Map::from_entries(MapType::Any, entries).into()
}

/// The files below crds/ of a chart and then of its subcharts (`Chart.CRDObjects`).
fn collect_crds(instance: &Instance, parent: Option<&str>, found: &mut Vec<(String, Arc<[u8]>)>) {
    let name = &instance.metadata.name;
    let path = match parent {
        None => name.clone(),
        Some(parent) => format!("{parent}/charts/{name}"),
    };
    for file in &instance.chart.files {
        let extension = file
            .name
            .rsplit('/')
            .next()
            .and_then(|base| base.rsplit_once('.'));
        let is_manifest = extension.is_some_and(|(_, found)| {
            ["yaml", "yml", "json"]
                .iter()
                .any(|known| found.eq_ignore_ascii_case(known))
        });
        if file.name.starts_with("crds/") && is_manifest {
            found.push((clean(&format!("{path}/{}", file.name)), Arc::clone(&file.data)));
        }
    }
    for child in &instance.children {
        collect_crds(&child.borrow(), Some(&path), found);
    }
}
