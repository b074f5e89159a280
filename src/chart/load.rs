//! Loading a chart from a directory or an archive of a source tree (`pkg/chart/v2/loader`).

use super::archive;
use super::ignore::Rules;
use super::metadata::Metadata;
use super::metadata_read::{overlay, validate};
use super::tree::{Chart, ChartFile};
use super::values::WrittenDocument;
use crate::dialect::Dialect;
use crate::source::{EntryKind, SourceTree};
use crate::yaml::{self, Node};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bytes of one file of a chart directory (Helm 3.17.3 to 4.2).
const MOST_FILE_BYTES: usize = 5 * 1024 * 1024;
/// Bytes of a whole chart directory (Helm 4.3).
const MOST_CHART_BYTES: usize = 100 * 1024 * 1024;

/// Loads the chart at a path of a tree: a directory, or a packaged chart.
///
/// # Errors
/// Helm's own message where Helm has one.
pub fn load(tree: &dyn SourceTree, path: &str, dialect: Dialect) -> Result<Arc<Chart>, String> {
    let loader = Loader { dialect };
    let is_archive = match tree.list(path) {
        Ok(_) => false,
        Err(error) if error.missing => return Err(error.to_string()),
        Err(_) => true,
    };
    if is_archive {
        let bytes = tree.read(path).map_err(|error| error.to_string())?;
        return loader.archive(&bytes, path).map(Arc::new);
    }
    let files = loader.directory(tree, path)?;
    if dialect.is_v4() {
        let Some(file) = files.iter().find(|file| file.name == "Chart.yaml") else {
            return Err("Chart.yaml file is missing".to_owned());
        };
        loader.sniff(&file.data)?;
    }
    loader.files(files, path).map(Arc::new)
}

struct Loader {
    dialect: Dialect,
}

impl Loader {
    fn archive(&self, bytes: &[u8], location: &str) -> Result<Chart, String> {
        if !archive::is_gzip(bytes) {
            let kind = if location.ends_with(".yml") || location.ends_with(".yaml") {
                format!("file '{location}' seems to be a YAML file, but expected a gzipped archive")
            } else {
                format!(
                    "file '{location}' does not appear to be a gzipped archive; got '{}'",
                    content_type(bytes)
                )
            };
            return Err(kind);
        }
        let files = archive::unpack(bytes).map_err(|text| match (text.as_str(), self.dialect.is_v4()) {
            ("gzip: invalid header", _) => {
                format!("file '{location}' does not appear to be a valid chart file (details: {text})")
            }
            (_, true) => "unable to load chart archive".to_owned(),
            (_, false) => text,
        })?;
        if self.dialect.is_v4() {
            match files.iter().find(|file| file.name == "Chart.yaml") {
                Some(file) => self.sniff(&file.data)?,
                None => return Err("unable to detect chart version, no Chart.yaml found".to_owned()),
            }
        }
        self.files(files, location)
    }

    /// Helm 4 looks at `apiVersion` before it chooses a loader (`pkg/chart/loader/load.go`).
    fn sniff(&self, chart_yaml: &[u8]) -> Result<(), String> {
        let node = self
            .document(chart_yaml)
            .map_err(|text| format!("cannot load Chart.yaml: {text}"))?;
        let mut decoder = yaml::go_struct::Decoder::new(self.dialect);
        let mut version = String::new();
        decoder.object(
            &node,
            "loader.chartBase",
            "chartBase",
            &["apiVersion"],
            &mut |d, _, node| {
                version = d.text(node);
            },
        );
        decoder
            .finish()
            .map_err(|text| format!("cannot load Chart.yaml: {text}"))?;
        match version.as_str() {
            "" | "v1" | "v2" => Ok(()),
            "v3" => Err("invalid chart apiVersion".to_owned()),
            _ => Err("unsupported chart version".to_owned()),
        }
    }

    /// The files of a chart directory in Helm's walking order, links followed, `.helmignore` applied.
    fn directory(&self, tree: &dyn SourceTree, path: &str) -> Result<Vec<ChartFile>, String> {
        let ignore = match tree.read(&join(path, ".helmignore")) {
            Ok(bytes) => Rules::parse(&String::from_utf8_lossy(&bytes))?,
            Err(error) if error.missing => Rules::parse("")?,
            Err(error) => return Err(error.to_string()),
        };
        let mut walk = Walk {
            loader: self,
            tree,
            root: path,
            ignore,
            files: Vec::new(),
            bytes: 0,
            entries: 0,
            depth: 0,
        };
        walk.directory("")?;
        Ok(walk.files)
    }

    /// Sorts the files of one chart into their places and loads its subcharts (`LoadFiles`).
    fn files(&self, files: Vec<ChartFile>, location: &str) -> Result<Chart, String> {
        let mut found = Found::default();
        for file in files.iter().filter(|file| file.name == "Chart.yaml") {
            let metadata = found.metadata.get_or_insert_default();
            let cannot = |text| format!("cannot load Chart.yaml: {text}");
            let node = self.document(&file.data).map_err(cannot)?;
            overlay(metadata, &node, self.dialect).map_err(cannot)?;
            if metadata.api_version.is_empty() {
                "v1".clone_into(&mut metadata.api_version);
            }
        }
        for file in files {
            self.place(file, &mut found)?;
        }
        let Some(mut metadata) = found.metadata else {
            return Err("Chart.yaml file is missing".to_owned());
        };
        validate(&mut metadata, self.dialect)?;
        let mut dependencies = Vec::new();
        for (entry, files) in found.subcharts {
            if entry.starts_with(['_', '.']) {
                continue;
            }
            let child = self
                .subchart(&entry, files, &metadata.name, location)
                .map_err(|text| format!("error unpacking subchart {entry} in {}: {text}", metadata.name))?;
            dependencies.push(Arc::new(child));
        }
        Ok(Chart {
            metadata,
            values: found.values,
            schema: found.schema,
            templates: found.templates,
            files: found.files,
            dependencies,
            location: location.to_owned(),
            warnings: found.warnings,
        })
    }

    fn place(&self, file: ChartFile, found: &mut Found) -> Result<(), String> {
        match file.name.as_str() {
            "Chart.yaml" => {}
            "Chart.lock" => self.lock(&file)?,
            "values.yaml" => {
                let documents = self.values(&file.data);
                found.values = Some(documents.map_err(|text| format!("cannot load values.yaml: {text}"))?);
            }
            "values.schema.json" => found.schema = Some(file.data),
            "requirements.yaml" | "requirements.lock" => self.requirements(file, found)?,
            name if name.starts_with("templates/") => found.templates.push(file),
            name if name.starts_with("charts/") && !has_extension(name, "prov") => {
                let rest = name["charts/".len()..].to_owned();
                let entry = rest.split('/').next().unwrap_or_default().to_owned();
                found.subcharts.entry(entry).or_default().push(ChartFile {
                    name: rest,
                    data: file.data,
                });
            }
            _ => found.files.push(file),
        }
        Ok(())
    }

    /// requirements.yaml of apiVersion v1 overlays the metadata, and is a plain file as well.
    fn requirements(&self, file: ChartFile, found: &mut Found) -> Result<(), String> {
        let metadata = found.metadata.get_or_insert_default();
        let is_lock = file.name.ends_with(".lock");
        let is_v1 = metadata.api_version == "v1";
        if !is_v1 {
            let (line, text) = if is_lock {
                (
                    138,
                    "Dependency locking is handled in Chart.lock since apiVersion \"v2\". We recommend migrating to Chart.lock.",
                )
            } else {
                (
                    120,
                    "Dependencies are handled in Chart.yaml since apiVersion \"v2\". We recommend migrating dependencies to Chart.yaml.",
                )
            };
            found.warnings.push(if self.dialect.is_v4() {
                format!(
                    "level=INFO msg={}",
                    crate::value::quote::quote_str(format!("Warning: {text}").as_bytes())
                )
            } else {
                format!("load.go:{line}: Warning: {text}")
            });
        }
        if is_lock {
            self.lock(&file)?;
        } else {
            let cannot = |text| format!("cannot load requirements.yaml: {text}");
            let node = self.document(&file.data).map_err(cannot)?;
            overlay(metadata, &node, self.dialect).map_err(cannot)?;
        }
        if is_v1 {
            found.files.push(file);
        }
        Ok(())
    }

    /// A lock file must parse; nothing of it is used.
    fn lock(&self, file: &ChartFile) -> Result<(), String> {
        let cannot = |text| format!("cannot load {}: {text}", file.name);
        let node = self.document(&file.data).map_err(cannot)?;
        let mut decoder = yaml::go_struct::Decoder::new(self.dialect);
        let known = ["dependencies", "digest", "generated"];
        decoder.object(&node, "chart.Lock", "Lock", &known, &mut |d, field, node| {
            if field == "digest" {
                d.text(node);
            }
        });
        decoder.finish().map_err(cannot)
    }

    fn subchart(
        &self,
        entry: &str,
        files: Vec<ChartFile>,
        parent: &str,
        location: &str,
    ) -> Result<Chart, String> {
        let location = format!("{location}/charts/{entry}");
        if has_extension(entry, "tgz") {
            let first = &files[0];
            if first.name != entry {
                return Err(format!(
                    "error unpacking subchart tar in {parent}: expected {entry}, got {}",
                    first.name
                ));
            }
            let files = archive::unpack(&first.data)?;
            return self.files(files, &location);
        }
        let files = files
            .into_iter()
            .filter_map(|file| {
                let (_, name) = file.name.split_once('/')?;
                Some(ChartFile {
                    name: name.to_owned(),
                    data: file.data.clone(),
                })
            })
            .collect();
        self.files(files, &location)
    }

    /// The first document of a text, as `sigs.k8s.io/yaml.Unmarshal` reads it.
    fn document(&self, bytes: &[u8]) -> Result<Node, String> {
        yaml::parse_first(bytes)
            .map(|parsed| parsed.node)
            .map_err(|error| error.wrapped())
    }

    /// The documents of a values.yaml: Helm 3 reads the first, Helm 4 all of them.
    fn values(&self, bytes: &[u8]) -> Result<Vec<WrittenDocument>, String> {
        super::values::written(bytes, self.dialect)
    }
}

#[derive(Default)]
struct Found {
    metadata: Option<Metadata>,
    values: Option<Vec<WrittenDocument>>,
    schema: Option<Arc<[u8]>>,
    templates: Vec<ChartFile>,
    files: Vec<ChartFile>,
    subcharts: BTreeMap<String, Vec<ChartFile>>,
    warnings: Vec<String>,
}

/// A directory tree deeper than this is a loop of links.
const MOST_DEPTH: usize = 255;

struct Walk<'a> {
    loader: &'a Loader,
    tree: &'a dyn SourceTree,
    root: &'a str,
    ignore: Rules,
    files: Vec<ChartFile>,
    bytes: usize,
    entries: usize,
    depth: usize,
}

impl Walk<'_> {
    fn directory(&mut self, below: &str) -> Result<(), String> {
        if self.depth == MOST_DEPTH {
            return Err(format!(
                "{}: too many levels of directories",
                join(self.root, below)
            ));
        }
        self.depth += 1;
        for (name, kind) in self
            .tree
            .list(&join(self.root, below))
            .map_err(|error| error.to_string())?
        {
            self.entries += 1;
            if self.entries > archive::MOST_ENTRIES {
                return Err(format!(
                    "{}: the chart has more than {} files and directories, links followed",
                    self.root,
                    archive::MOST_ENTRIES
                ));
            }
            let path = join(below, &name);
            let full = join(self.root, &path);
            let is_directory = match kind {
                EntryKind::Directory => true,
                EntryKind::File { .. } => false,
                EntryKind::Symlink(_) => match self.tree.list(&full) {
                    Ok(_) => true,
                    Err(error) if error.missing => {
                        return Err(format!("error evaluating symlink {full}: {}", error.message));
                    }
                    Err(_) => false,
                },
                EntryKind::Submodule => {
                    return Err(format!(
                        "{full}: is a submodule, whose files are not part of this repository; check it out and \
                         verify with dir:PATH, or vendor its files"
                    ));
                }
            };
            if self.ignore.ignores(&path, is_directory) {
                continue;
            }
            if is_directory {
                self.directory(&path)?;
            } else {
                self.file(path, &full, &name)?;
            }
        }
        self.depth -= 1;
        Ok(())
    }

    fn file(&mut self, path: String, full: &str, name: &str) -> Result<(), String> {
        let data = self.tree.read(full).map_err(|error| error.to_string())?;
        if self.loader.dialect.is_v4() {
            self.bytes += data.len();
            if self.bytes > MOST_CHART_BYTES {
                return Err(format!(
                    "error reading {path}: chart exceeds maximum decompressed size of {MOST_CHART_BYTES} bytes"
                ));
            }
        } else if data.len() > MOST_FILE_BYTES {
            let quoted = crate::value::quote::quote_str(name.as_bytes());
            return Err(format!(
                "chart file {quoted} is larger than the maximum file size {MOST_FILE_BYTES}"
            ));
        }
        let data = match archive::without_bom(&data) {
            stripped if stripped.len() == data.len() => data,
            stripped => stripped.into(),
        };
        self.files.push(ChartFile { name: path, data });
        Ok(())
    }
}

fn join(directory: &str, name: &str) -> String {
    match (directory, name) {
        ("", name) => name.to_owned(),
        (directory, "") => directory.to_owned(),
        (directory, name) => format!("{directory}/{name}"),
    }
}

/// Go's `filepath.Ext(name) == "." + extension`.
fn has_extension(name: &str, extension: &str) -> bool {
    let base = name.rsplit('/').next().unwrap_or(name);
    base.rsplit_once('.').is_some_and(|(_, found)| found == extension)
}

/// What Go's `http.DetectContentType` says of the contents people mistake for a chart.
fn content_type(bytes: &[u8]) -> &'static str {
    let head = &bytes[..bytes.len().min(512)];
    let binary = |byte: &u8| matches!(byte, 0..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f);
    if head.is_empty() || !head.iter().any(binary) {
        "text/plain; charset=utf-8"
    } else {
        "application/octet-stream"
    }
}
