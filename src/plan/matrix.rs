//! `Plan`: the cells of one side, that is a layout looked up in a tree. What the tree lacks is a problem
//! where the layout was written for that tree; a baseline read with the candidate's releases may lack
//! charts that are new, and these are told apart as `absent`.

use super::cell::{Cell, ChartInput, Input};
use super::config::{Config, Layout, Located, Platform, Release, ReleaseSource, ValuesSpec};
use super::find::{self, Match};
use super::glob_text::GlobText;
use super::probe::{Probe, Prober};
use super::template::{Bindings, Template};
use super::{names, own, path};
use crate::base::{Place, Problem, Side};
use crate::dialect::Dialect;
use crate::engine::{SetFlag, SetKind, ValuesInput};
use crate::source::SourceTree;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

/// What to render on one side.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The cells, sorted by id, then by platform in the order of the configuration. A baseline that is read with
    /// the candidate's releases also has those that only its own configuration names, last.
    pub cells: Vec<Cell>,
    /// The Helms to imitate; never empty.
    pub dialects: Vec<Dialect>,
    /// The platforms, in the order of the configuration; empty without platforms.
    pub platforms: Vec<Arc<str>>,
    /// Releases of the candidate's configuration whose chart is not in the baseline.
    pub absent: Vec<Absent>,
    /// What was passed over, and why: library charts, places a glob could not look into.
    pub notes: Vec<Problem>,
    /// Everything that is wrong; with any of them the plan is not to be run.
    pub problems: Vec<Problem>,
}

/// A release on one platform that this side does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absent {
    /// What pairs the two sides.
    pub id: Arc<str>,
    /// The platform.
    pub platform: Option<Arc<str>>,
    /// Where its chart would be.
    pub path: String,
    /// Where the release is defined.
    pub place: Place,
}

impl Plan {
    /// Looks up a side's layout in its tree.
    pub fn of(config: &Config, side: Side, tree: &dyn SourceTree) -> Plan {
        let layout = config.layout_of(side);
        let mut builder = Builder {
            config,
            layout,
            strict: config.releases_are_for(side),
            prober: Prober::new(tree),
            cells: Vec::new(),
            defined: BTreeMap::new(),
            doubles: BTreeMap::new(),
            absent: Vec::new(),
            notes: Vec::new(),
            problems: Vec::new(),
        };
        for release in &layout.releases {
            builder.release(release);
        }
        let mut plan = builder.finish();
        if !config.releases_are_for(side) {
            own::compare(&mut plan, config, tree);
        }
        plan
    }

    /// The cell of an id and a platform.
    pub fn cell(&self, id: &str, platform: Option<&str>) -> Option<&Cell> {
        self.cells
            .iter()
            .find(|cell| &*cell.id == id && cell.platform.as_deref() == platform)
    }
}

/// A platform and an id.
type Key = (Option<Arc<str>>, Arc<str>);

/// An id used twice, told once for all platforms.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Double {
    id: Arc<str>,
    first: (Place, String),
    second: (Place, String),
}

/// More paths than this are not named for one id.
const MOST_DOUBLES: usize = 3;

/// The paths that one id stands for, too.
fn also(paths: &[String]) -> String {
    let named = names::listed(paths.iter().take(MOST_DOUBLES).map(String::as_str));
    match paths.len().saturating_sub(MOST_DOUBLES) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

struct Builder<'a> {
    config: &'a Config,
    layout: &'a Layout,
    /// True when the tree has to have what the releases name.
    strict: bool,
    prober: Prober<'a>,
    cells: Vec<(Option<usize>, Cell)>,
    /// Where each id was first defined, and for what.
    defined: BTreeMap<Key, (Place, String)>,
    /// Ids that are used twice: where, for what, and on which platforms.
    doubles: BTreeMap<Double, Vec<Arc<str>>>,
    absent: Vec<Absent>,
    notes: Vec<Problem>,
    problems: Vec<Problem>,
}

/// What a release is called on one platform.
struct Naming {
    id: Arc<str>,
    name: Arc<str>,
    namespace: Arc<str>,
}

impl<'a> Builder<'a> {
    fn finish(mut self) -> Plan {
        self.tell_doubles();
        self.cells
            .sort_by(|(a, left), (b, right)| (&left.id, a).cmp(&(&right.id, b)));
        self.notes.sort();
        self.notes.dedup();
        self.problems.sort();
        self.problems.dedup();
        Plan {
            cells: self.cells.into_iter().map(|(_, cell)| cell).collect(),
            dialects: self.layout.dialects.clone(),
            platforms: self
                .layout
                .platforms
                .iter()
                .map(|platform| platform.name.clone())
                .collect(),
            absent: self.absent,
            notes: self.notes,
            problems: self.problems,
        }
    }

    fn problem(&mut self, place: &Place, message: String, remedy: String) {
        self.problems
            .push(Problem::at(place.clone(), message).remedy(remedy));
    }

    /// Where the files are looked for, in a user's words.
    fn side(&self) -> &'a str {
        self.prober.label()
    }

    fn release(&mut self, release: &'a Release) {
        let platforms = self.platforms_of(release);
        let files = self.files(release);
        match &release.source {
            ReleaseSource::Chart(chart) => {
                for &platform in &platforms {
                    for captures in files.as_deref().unwrap_or(&[Bindings::new()]) {
                        if let Some(bindings) = bindings(captures, platform) {
                            self.one_chart(release, chart, platform, &bindings);
                        }
                    }
                }
            }
            ReleaseSource::Charts { globs, exclude } => {
                let mut found = find::charts(&mut self.prober, &self.config.directory, globs, exclude);
                if let Some(files) = &files {
                    found.for_each(files);
                }
                self.found(release, &platforms, found, "chart");
            }
            ReleaseSource::Manifests { globs, exclude } => {
                let found = find::manifests(&mut self.prober, &self.config.directory, globs, exclude);
                self.found(release, &platforms, found, "file");
            }
        }
    }

    /// What the files of `forEach` bind; `None` without `forEach`.
    fn files(&mut self, release: &'a Release) -> Option<Vec<Bindings>> {
        let glob = release.for_each.as_ref()?;
        let found = find::files(&mut self.prober, &self.config.directory, glob);
        self.problems.extend(found.problems);
        self.notes.extend(found.notes);
        self.barren(found.barren, "file");
        Some(found.matches.into_iter().map(|found| found.captures).collect())
    }

    /// Globs that match nothing are problems where they were written for this tree.
    fn barren(&mut self, barren: Vec<(&Located<GlobText>, String)>, what: &str) {
        if self.strict {
            for (glob, hint) in barren {
                let message = format!("`{}` matches no {what} in the {}", glob.value, self.side());
                self.problem(&glob.place, message, hint);
            }
        }
    }

    fn platforms_of(&self, release: &Release) -> Vec<Option<(usize, &'a Platform)>> {
        let all = self.layout.platforms.iter().enumerate();
        match &release.platforms {
            None if self.layout.platforms.is_empty() => vec![None],
            None => all.map(Some).collect(),
            Some(chosen) => all
                .filter(|(_, platform)| chosen.contains(&platform.name))
                .map(Some)
                .collect(),
        }
    }

    fn one_chart(
        &mut self,
        release: &'a Release,
        chart: &'a Located<Template>,
        platform: Option<(usize, &'a Platform)>,
        bindings: &Bindings,
    ) {
        let Some(path) = self.path(&chart.value, &chart.place, bindings) else {
            return;
        };
        let fault = match self.prober.probe(&path) {
            Probe::File if path.ends_with(".tgz") => None,
            Probe::File => Some(format!(
                "chart `{path}` is a file: a chart is a folder with a Chart.yaml, or a .tgz"
            )),
            Probe::Directory if self.prober.is_chart(&path) => None,
            Probe::Directory => Some(format!("`{path}` has no Chart.yaml in the {}", self.side())),
            Probe::Missing => Some(format!("chart `{path}` is not in the {}", self.side())),
            Probe::Fault(fault) => Some(format!("chart `{path}`: {fault}")),
        };
        let Some(naming) = self.naming(release, bindings) else {
            return;
        };
        match fault {
            None => self.cell(release, platform, naming, bindings, Source::Chart(path)),
            Some(_) if !self.strict => self.absent.push(Absent {
                id: naming.id,
                platform: platform.map(|(_, platform)| platform.name.clone()),
                path,
                place: release.place.clone(),
            }),
            Some(fault) => {
                let near = self.near(&path);
                self.problem(
                    &chart.place,
                    format!("{fault}{near}"),
                    "paths are relative to the folder of the configuration file".to_owned(),
                );
            }
        }
    }

    /// Makes the cells of what globs found.
    fn found(
        &mut self,
        release: &'a Release,
        platforms: &[Option<(usize, &'a Platform)>],
        found: find::Found<'_>,
        what: &str,
    ) {
        self.problems.extend(found.problems);
        self.notes.extend(found.notes);
        self.barren(found.barren, what);
        for &platform in platforms {
            // With `forEach` a platform may well have no file.
            let mut any = found.matches.is_empty() || release.for_each.is_some();
            for Match { paths, captures } in &found.matches {
                let Some(bindings) = &bindings(captures, platform) else {
                    continue;
                };
                any = true;
                let Some(naming) = self.naming(release, bindings) else {
                    continue;
                };
                let source = match &release.source {
                    ReleaseSource::Manifests { .. } => Source::Manifests(paths.clone()),
                    _ => Source::Chart(paths[0].clone()),
                };
                self.cell(release, platform, naming, bindings, source);
            }
            if !any
                && self.strict
                && let Some((_, platform)) = platform
            {
                self.problem(
                    &release.place,
                    format!("the globs match no {what} for platform `{}`", platform.name),
                    "`{platform}` captured nothing of that name: list the platforms it is for under \
                     the release's `platforms`"
                        .to_owned(),
                );
            }
        }
    }

    fn naming(&mut self, release: &Release, bindings: &Bindings) -> Option<Naming> {
        let id = release.id.as_ref().unwrap_or(&release.name);
        let id = self.fill(id, &release.place, bindings)?;
        let name = self.fill(&release.name, &release.place, bindings)?;
        let namespace = self.fill(&release.namespace, &release.place, bindings)?;
        Some(Naming {
            id: id.into(),
            name: name.into(),
            namespace: namespace.into(),
        })
    }

    fn fill(&mut self, template: &Template, place: &Place, bindings: &Bindings) -> Option<String> {
        match template.fill(bindings) {
            Ok(text) => Some(text),
            Err(name) => {
                let message = format!("nothing binds `{{{name}}}` in `{template}`");
                self.problems.push(Problem::at(place.clone(), message));
                None
            }
        }
    }

    fn path(&mut self, template: &Template, place: &Place, bindings: &Bindings) -> Option<String> {
        let text = self.fill(template, place, bindings)?;
        match path::resolve(&self.config.directory, &text) {
            Ok(path) => Some(path),
            Err(fault) => {
                self.problems
                    .push(Problem::at(place.clone(), format!("`{text}` {fault}")));
                None
            }
        }
    }

    fn cell(
        &mut self,
        release: &'a Release,
        platform: Option<(usize, &'a Platform)>,
        naming: Naming,
        bindings: &Bindings,
        source: Source,
    ) {
        let platform_name = platform.map(|(_, platform)| platform.name.clone());
        if !self.is_first(release, &platform_name, &naming, source.path()) {
            return;
        }
        let input = match source {
            Source::Manifests(paths) => Input::Manifests(paths),
            Source::Chart(path) => {
                let platform = platform.map(|(_, platform)| platform);
                Input::Chart(self.chart_input(release, platform, bindings, path))
            }
        };
        let kube_version = release
            .kube_version
            .as_ref()
            .or(platform.and_then(|(_, platform)| platform.kube_version.as_ref()))
            .or(self.layout.kube_version.as_ref());
        let cell = Cell {
            id: naming.id,
            platform: platform_name,
            name: naming.name,
            namespace: naming.namespace,
            input,
            kube_version: kube_version.cloned(),
            cluster: self.config.cluster.clone(),
            may_fail: release.may_fail,
            variant: release.for_each.is_some(),
            place: release.place.clone(),
        };
        self.cells.push((platform.map(|(position, _)| position), cell));
    }

    /// Records a definition; false, with a problem, when its id is taken on the platform.
    fn is_first(
        &mut self,
        release: &Release,
        platform: &Option<Arc<str>>,
        naming: &Naming,
        path: &str,
    ) -> bool {
        let second = (release.place.clone(), path.to_owned());
        match self.defined.entry((platform.clone(), naming.id.clone())) {
            Entry::Vacant(entry) => {
                entry.insert(second);
                true
            }
            Entry::Occupied(entry) => {
                let double = Double {
                    id: naming.id.clone(),
                    first: entry.get().clone(),
                    second,
                };
                self.doubles.entry(double).or_default().extend(platform.clone());
                false
            }
        }
    }

    fn tell_doubles(&mut self) {
        // What one entry finds too much of is told once.
        let mut told: BTreeMap<(Double, Vec<Arc<str>>), Vec<String>> = BTreeMap::new();
        for (mut double, platforms) in std::mem::take(&mut self.doubles) {
            let path = std::mem::take(&mut double.second.1);
            told.entry((double, platforms)).or_default().push(path);
        }
        for ((double, platforms), paths) in told {
            let Double { id, first, second } = double;
            let on = match platforms.len() {
                0 => String::new(),
                count if count == self.layout.platforms.len() => String::new(),
                _ => format!(" on {}", names::listed(platforms.iter().map(|name| &**name))),
            };
            let also = also(&paths);
            let (message, remedy) = if first.0 == second.0 {
                let message = format!("release id `{id}`{on} stands for `{}` and for {also}", first.1);
                (message, "tell them apart with a capture in `name` or `id`")
            } else {
                let message = format!(
                    "release id `{id}`{on} is used twice: for `{}` (line {}) and for {also}",
                    first.1, first.0.line
                );
                (
                    message,
                    "give one of them another `id`, or limit them to different `platforms`",
                )
            };
            self.problem(&second.0, message, remedy.to_owned());
        }
    }

    fn chart_input(
        &mut self,
        release: &'a Release,
        platform: Option<&'a Platform>,
        bindings: &Bindings,
        path: String,
    ) -> ChartInput {
        let shared = platform.map(|platform| &platform.values[..]).unwrap_or_default();
        let values = shared
            .iter()
            .chain(&release.values)
            .filter_map(|spec| self.values(spec, bindings))
            .collect();
        let shared = platform.map(|platform| &platform.set[..]).unwrap_or_default();
        let set = shared
            .iter()
            .chain(&release.set)
            .filter_map(|flag| self.set_flag(flag))
            .collect();
        let api_versions = platform
            .map(|platform| &platform.api_versions[..])
            .unwrap_or_default()
            .iter()
            .chain(&release.api_versions)
            .cloned()
            .collect();
        ChartInput {
            path,
            values,
            set,
            api_versions,
            flags: release.flags,
        }
    }

    fn values(&mut self, spec: &ValuesSpec, bindings: &Bindings) -> Option<ValuesInput> {
        match spec {
            ValuesSpec::Inline(node) => Some(ValuesInput::Inline {
                node: node.clone(),
                file: self.config.file.clone(),
            }),
            ValuesSpec::File {
                path,
                optional,
                place,
            } => {
                let path = self.path(path, place, bindings)?;
                if *optional && self.prober.probe(&path) == Probe::Missing {
                    return None;
                }
                let remedy = if self.strict {
                    format!("a final `?` makes it optional: `{path}?`")
                } else {
                    format!(
                        "if it is new, make it optional: `{path}?`; if the old tree is laid out otherwise, \
                         say so under `baseline:` or use --baseline-config own"
                    )
                };
                self.file("values file", &path, place, remedy)
                    .then_some(ValuesInput::File(path))
            }
        }
    }

    fn set_flag(&mut self, flag: &SetFlag) -> Option<SetFlag> {
        let (SetKind::File, Some(place)) = (flag.kind, &flag.place) else {
            return Some(flag.clone());
        };
        let (key, written) = path::split_set_file(&flag.expression)?;
        let path = match path::resolve(&self.config.directory, written) {
            Ok(path) => path,
            Err(fault) => {
                self.problems
                    .push(Problem::at(place.clone(), format!("`{written}` {fault}")));
                return None;
            }
        };
        let remedy = "paths are relative to the folder of the configuration file".to_owned();
        self.file("file", &path, place, remedy).then(|| SetFlag {
            expression: format!("{key}={path}"),
            ..flag.clone()
        })
    }

    /// True when a file is there; a problem, with this remedy, when it is not.
    fn file(&mut self, what: &str, path: &str, place: &Place, remedy: String) -> bool {
        let fault = match self.prober.probe(path) {
            Probe::File => return true,
            Probe::Missing => {
                let near = self.near(path);
                let message = format!("{what} `{path}` is not in the {}{near}", self.side());
                self.problem(place, message, remedy);
                return false;
            }
            Probe::Directory => format!("{what} `{path}` is a folder in the {}", self.side()),
            Probe::Fault(fault) => format!("{what} `{path}`: {fault}"),
        };
        self.problems.push(Problem::at(place.clone(), fault));
        false
    }

    /// `, did you mean X?` with the nearest name beside a path.
    fn near(&mut self, path: &str) -> String {
        let directory = path::parent(path);
        let name = path.rsplit('/').next().unwrap_or(path);
        let siblings = self.prober.siblings(directory);
        match names::nearest(name, siblings.iter().map(String::as_str)) {
            Some(near) if near != name && directory.is_empty() => format!(", did you mean `{near}`?"),
            Some(near) if near != name => format!(", did you mean `{directory}/{near}`?"),
            _ => String::new(),
        }
    }
}

enum Source {
    Chart(String),
    Manifests(Vec<String>),
}

impl Source {
    fn path(&self) -> &str {
        match self {
            Source::Chart(path) => path,
            Source::Manifests(paths) => paths.first().map_or("", String::as_str),
        }
    }
}

/// What captures and the platform bind; `None` when `{platform}` captured another one.
fn bindings(captures: &Bindings, platform: Option<(usize, &Platform)>) -> Option<Bindings> {
    let mut bindings = captures.clone();
    if let Some((_, platform)) = platform {
        let captured = bindings.insert("platform".to_owned(), platform.name.to_string());
        if captured.is_some_and(|captured| captured != *platform.name) {
            return None;
        }
    }
    Some(bindings)
}
