//! The types of `evenkeel.yaml`, as read: places kept, names checked, nothing looked up in a tree yet.

use super::glob_text::GlobText;
use super::template::Template;
use super::wildcard;
use crate::base::{Digest, Level, Place, Side};
use crate::dialect::Dialect;
use crate::engine::SetFlag;
use crate::engine::cluster::ClusterState;
use crate::yaml::Node;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The name under which the configuration is looked for.
pub const FILE_NAME: &str = "evenkeel.yaml";

/// A configuration file.
#[derive(Clone, Debug)]
pub struct Config {
    /// Path of the file, as messages name it.
    pub file: Arc<str>,
    /// The folder of the tree that its paths are relative to; empty for the root.
    pub directory: Arc<str>,
    /// What to render, and how.
    pub layout: Layout,
    /// How the old tree is laid out, where it differs.
    pub baseline: Option<Layout>,
    /// Objects that may never disappear or be renamed.
    pub protect: Vec<Protect>,
    /// Levels of checks that differ from their default, by name.
    pub checks: BTreeMap<&'static str, Level>,
    /// The lightest level that fails a run.
    pub fail_on: Level,
    /// Digest of the file's bytes.
    pub digest: Digest,
    /// The cluster that `lookup` is to see on both sides; no file names one.
    pub cluster: Option<Arc<ClusterState>>,
}

/// What to render on one side, and how.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The cluster version where neither release nor platform says one.
    pub kube_version: Option<String>,
    /// The Helms to imitate; never empty. More than one asks whether they agree.
    pub dialects: Vec<Dialect>,
    /// The platforms in the order of the file; empty when there is but one, without a name.
    pub platforms: Vec<Platform>,
    /// The releases in the order of the file.
    pub releases: Vec<Release>,
    /// True when `releases` were written for this layout, false when they are taken over from the candidate's.
    pub releases_are_own: bool,
}

/// A named set of overlays and capabilities.
#[derive(Clone, Debug)]
pub struct Platform {
    /// Its name.
    pub name: Arc<str>,
    /// Its cluster version.
    pub kube_version: Option<String>,
    /// API versions its cluster has beyond Helm's own list.
    pub api_versions: Vec<String>,
    /// Values for every release, below the release's own.
    pub values: Vec<ValuesSpec>,
    /// Expressions for every release, before the release's own.
    pub set: Vec<SetFlag>,
    /// Where it is defined.
    pub place: Place,
}

/// One entry of `releases:`; it may stand for many releases.
#[derive(Clone, Debug)]
pub struct Release {
    /// What is rendered.
    pub source: ReleaseSource,
    /// A glob of files: one release for each of them.
    pub for_each: Option<Located<GlobText>>,
    /// Release name.
    pub name: Template,
    /// What pairs the two sides; the name where absent.
    pub id: Option<Template>,
    /// Release namespace.
    pub namespace: Template,
    /// The platforms it is for; `None` for all.
    pub platforms: Option<Vec<Arc<str>>>,
    /// Its cluster version.
    pub kube_version: Option<String>,
    /// Its API versions, after the platform's.
    pub api_versions: Vec<String>,
    /// Values files and inline maps, lowest first.
    pub values: Vec<ValuesSpec>,
    /// Expressions: the `set*` keys, kind by kind.
    pub set: Vec<SetFlag>,
    /// Switches of `helm template`.
    pub flags: super::Flags,
    /// True when a render that fails alike on both sides is no reason to stop.
    pub may_fail: bool,
    /// Where it is defined.
    pub place: Place,
}

/// What a release is made from.
#[derive(Clone, Debug)]
pub enum ReleaseSource {
    /// Every chart that a glob finds.
    Charts {
        /// The globs.
        globs: Vec<Located<GlobText>>,
        /// Globs of charts to leave out.
        exclude: Vec<Located<GlobText>>,
    },
    /// One chart: a directory or a packaged `.tgz`.
    Chart(Located<Template>),
    /// Raw YAML files.
    Manifests {
        /// The globs.
        globs: Vec<Located<GlobText>>,
        /// Globs of files to leave out.
        exclude: Vec<Located<GlobText>>,
    },
}

/// Something with the place where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located<T> {
    /// The thing.
    pub value: T,
    /// Where it stands.
    pub place: Place,
}

/// One source of values, as written.
#[derive(Clone, Debug)]
pub enum ValuesSpec {
    /// A file.
    File {
        /// Its path, relative to the configuration's folder.
        path: Template,
        /// True for a path written with a final `?`: it may be missing.
        optional: bool,
        /// Where it is named.
        place: Place,
    },
    /// A map.
    Inline(Node),
}

/// Objects that may never disappear or be renamed, by kind and name; both with wildcards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Protect {
    /// The kind.
    pub kind: String,
    /// The name.
    pub name: String,
    /// Where it is written.
    pub place: Place,
}

impl Protect {
    /// True when an object of this kind and name is protected.
    pub fn covers(&self, kind: &str, name: &str) -> bool {
        wildcard::fits(&self.kind, kind) && wildcard::fits(&self.name, name)
    }
}

impl Config {
    /// The layout of one side's tree.
    pub fn layout_of(&self, side: Side) -> &Layout {
        match (side, &self.baseline) {
            (Side::Baseline, Some(layout)) => layout,
            _ => &self.layout,
        }
    }

    /// True when the releases of a side were written for its tree: then what they name has to be there. A
    /// baseline that is read with the candidate's releases may lack those that are new.
    pub fn releases_are_for(&self, side: Side) -> bool {
        match side {
            Side::Candidate => true,
            Side::Baseline => self
                .baseline
                .as_ref()
                .is_some_and(|layout| layout.releases_are_own),
        }
    }

    /// This configuration as the one of the tree it stands in: for `--baseline-config own`, where the
    /// baseline is read with its own file and that file's view of a still older tree means nothing.
    pub fn own(self) -> Config {
        let baseline = Some(self.layout.clone());
        Config { baseline, ..self }
    }

    /// The level of a check: the configured one, else `None`.
    pub fn level_of(&self, check: &str) -> Option<Level> {
        self.checks.get(check).copied()
    }

    /// Replaces every cluster version, as `--kube-version` does: on both sides, above releases and platforms.
    pub fn override_kube_version(&mut self, version: &str) {
        for layout in std::iter::once(&mut self.layout).chain(&mut self.baseline) {
            layout.kube_version = Some(version.to_owned());
            for platform in &mut layout.platforms {
                platform.kube_version = None;
            }
            for release in &mut layout.releases {
                release.kube_version = None;
            }
        }
    }

    /// Replaces the dialects, as `--helm-version` does: on both sides.
    pub fn override_dialects(&mut self, dialects: &[Dialect]) {
        for layout in std::iter::once(&mut self.layout).chain(&mut self.baseline) {
            layout.dialects = dialects.to_vec();
        }
    }
}
