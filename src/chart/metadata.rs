//! The facts of a Chart.yaml, as Helm's structs hold them (`pkg/chart/v2/metadata.go`, `dependency.go`).

/// A Chart.yaml. Empty strings and lists stand for absent fields, as in Go.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata {
    /// Name of the chart.
    pub name: String,
    /// `home`
    pub home: String,
    /// `sources`; `None` when the key is absent or null.
    pub sources: Option<Vec<String>>,
    /// Version, a semantic version as Masterminds reads it.
    pub version: String,
    /// `description`
    pub description: String,
    /// `keywords`
    pub keywords: Option<Vec<String>>,
    /// `maintainers`
    pub maintainers: Option<Vec<Maintainer>>,
    /// `icon`
    pub icon: String,
    /// `apiVersion`; `v1` where the file has none.
    pub api_version: String,
    /// `condition`
    pub condition: String,
    /// `tags`
    pub tags: String,
    /// `appVersion`
    pub app_version: String,
    /// `deprecated`
    pub deprecated: bool,
    /// `annotations`, sorted by key; `None` when the key is absent or null.
    pub annotations: Option<Vec<(String, String)>>,
    /// `kubeVersion`, a constraint.
    pub kube_version: String,
    /// `dependencies`; `None` when there is no list, which Helm tells apart from an empty one.
    pub dependencies: Option<Vec<Dependency>>,
    /// `type`: application, library or nothing.
    pub kind: String,
    /// The first list that holds a null entry, which Helm refuses: `maintainers` or `dependencies`.
    pub(crate) null_entry_in: Option<&'static str>,
}

/// One maintainer of a chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Maintainer {
    /// `name`
    pub name: String,
    /// `email`
    pub email: String,
    /// `url`
    pub url: String,
}

/// One entry of `dependencies`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dependency {
    /// Name of the chart depended on.
    pub name: String,
    /// Version range.
    pub version: String,
    /// Where the chart came from; never contacted.
    pub repository: String,
    /// Comma-separated value paths that switch it on or off.
    pub condition: String,
    /// Tags that switch it on or off.
    pub tags: Option<Vec<String>>,
    /// `enabled` as the file has it; set while dependencies are processed.
    pub enabled: bool,
    /// `import-values`
    pub import_values: Option<Vec<Import>>,
    /// Another name for this use of the chart.
    pub alias: String,
    /// Line and column of the entry in its file, from 1.
    pub position: (u32, u32),
}

/// One entry of `import-values`.
#[derive(Clone, Debug, PartialEq)]
pub enum Import {
    /// `name`: the child's `exports.name` comes to the root.
    Exports(String),
    /// `{child, parent}`: a table of the child comes to a path of the parent.
    Table {
        /// Path in the child.
        child: String,
        /// Path in the parent; `.` for its root.
        parent: String,
    },
    /// Anything else, which Helm ignores.
    Other,
}
