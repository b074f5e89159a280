//! `.Capabilities`: a Kubernetes version and API versions that no cluster was asked for
//! (`pkg/chart/common/capabilities.go`; Helm 3: `pkg/chartutil/capabilities.go`).

use crate::dialect::Dialect;
use crate::value::object::{Object, ObjectKind, Param, Signature};
use crate::value::quote::quote_str;
use crate::value::{Data, ElemType, List, Map, MapType, Text, Value};

/// A Kubernetes version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KubeVersion {
    dialect: Dialect,
    /// The full version, as given in Helm 4 (`v1.29.3-gke.100`), without suffixes in Helm 3.
    pub version: String,
    /// What constraints are checked against: the numbers alone.
    pub normalized: String,
    major: String,
    minor: String,
}

impl KubeVersion {
    /// The version that a Helm without a cluster assumes: that of the client-go it was built with.
    pub fn default_of(dialect: Dialect) -> KubeVersion {
        let text = match dialect {
            Dialect::V3_19 => "v1.34.0",
            Dialect::V4_3 => "v1.37.0",
        };
        KubeVersion::parse(text, dialect).expect("the defaults are versions")
    }

    /// Reads `--kube-version` (`k8s.io/apimachinery/pkg/util/version.ParseGeneric`).
    ///
    /// # Errors
    /// Helm's message.
    pub fn parse(text: &str, dialect: Dialect) -> Result<KubeVersion, String> {
        let fault = |cause: String| format!("invalid kube version '{text}': {cause}");
        let body = text.trim_start_matches([' ', '\t', '\n', '\r', '\x0c']);
        let body = body.strip_prefix('v').unwrap_or(body);
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let mut length = digits(body);
        if length == 0 || body.contains('\n') {
            return Err(fault(format!(
                "could not parse {} as version",
                quote_str(text.as_bytes())
            )));
        }
        while body[length..].starts_with('.') && digits(&body[length + 1..]) > 0 {
            length += 1 + digits(&body[length + 1..]);
        }
        let numbers: Vec<&str> = body[..length].split('.').collect();
        if numbers.len() < 2 {
            return Err(fault(format!(
                "illegal version string {}",
                quote_str(text.as_bytes())
            )));
        }
        for number in &numbers {
            if number.len() > 1 && number.starts_with('0') {
                let (number, text) = (quote_str(number.as_bytes()), quote_str(text.as_bytes()));
                return Err(fault(format!(
                    "illegal zero-prefixed version component {number} in {text}"
                )));
            }
            if number.parse::<u64>().is_err() {
                let number = quote_str(number.as_bytes());
                let text = quote_str(text.as_bytes());
                return Err(fault(format!(
                    "illegal non-numeric version component {number} in {text}: strconv.ParseUint: parsing {number}: value out of range"
                )));
            }
        }
        let normalized = format!("v{}", numbers.join("."));
        let version = match dialect {
            Dialect::V3_19 => normalized.clone(),
            Dialect::V4_3 if text.starts_with('v') => text.to_owned(),
            Dialect::V4_3 => format!("v{text}"),
        };
        let (major, minor) = (numbers[0].to_owned(), numbers[1].to_owned());
        Ok(KubeVersion {
            dialect,
            version,
            normalized,
            major,
            minor,
        })
    }
}

impl Object for KubeVersion {
    fn type_name(&self) -> &str {
        match self.dialect {
            Dialect::V3_19 => "chartutil.KubeVersion",
            Dialect::V4_3 => "common.KubeVersion",
        }
    }

    fn kind(&self) -> ObjectKind {
        ObjectKind::Struct
    }

    fn field(&self, name: &str) -> Option<Value> {
        let text = match name {
            "Version" => &self.version,
            "Major" => &self.major,
            "Minor" => &self.minor,
            _ => return None,
        };
        Some(Value::from(text.as_str()))
    }

    fn method(&self, name: &str) -> Option<Signature> {
        matches!(name, "String" | "GitVersion").then_some(Signature {
            params: &[],
            variadic: false,
        })
    }

    fn call_method(&self, name: &str, _: &[Value]) -> Result<Value, String> {
        Ok(Value::from(if name == "String" {
            self.normalized.as_str()
        } else {
            self.version.as_str()
        }))
    }

    fn fields(&self) -> Vec<(String, Value)> {
        let mut fields = vec![("Version".to_owned(), Value::from(self.version.as_str()))];
        if self.dialect.is_v4() {
            fields.push((
                "normalizedVersion".to_owned(),
                Value::from(self.normalized.as_str()),
            ));
        }
        fields.push(("Major".to_owned(), Value::from(self.major.as_str())));
        fields.push(("Minor".to_owned(), Value::from(self.minor.as_str())));
        fields
    }

    /// `String()` has a pointer receiver.
    fn to_text_by_address(&self) -> Option<String> {
        Some(self.normalized.clone())
    }

    fn to_json(&self) -> Value {
        let entries = self.json_fields().into_iter().flatten();
        let entries = entries.map(|(name, value)| (Text::from(name), value));
        Map::from_entries(MapType::Any, entries).into()
    }

    fn json_fields(&self) -> Option<Vec<(String, Value)>> {
        let names = ["Version", "Major", "Minor"];
        let entry = |name: &str| (name.to_owned(), self.field(name).unwrap_or_default());
        Some(names.map(entry).into())
    }
}

/// `VersionSet`: the API versions.
struct ApiVersions {
    dialect: Dialect,
    versions: Vec<Text>,
}

impl Object for ApiVersions {
    fn type_name(&self) -> &str {
        match self.dialect {
            Dialect::V3_19 => "chartutil.VersionSet",
            Dialect::V4_3 => "common.VersionSet",
        }
    }

    fn kind(&self) -> ObjectKind {
        ObjectKind::Slice
    }

    fn field(&self, _: &str) -> Option<Value> {
        None
    }

    fn method(&self, name: &str) -> Option<Signature> {
        (name == "Has").then_some(Signature {
            params: &[Param::Str],
            variadic: false,
        })
    }

    fn call_method(&self, _: &str, args: &[Value]) -> Result<Value, String> {
        let has = match args {
            [
                Value {
                    data: Data::Str(version),
                    ..
                },
            ] => self.versions.contains(version),
            _ => false,
        };
        Ok(Value::from(has))
    }

    fn fields(&self) -> Vec<(String, Value)> {
        self.versions
            .iter()
            .map(|version| (String::new(), Value::from(version.clone())))
            .collect()
    }

    fn to_json(&self) -> Value {
        let items = self
            .versions
            .iter()
            .map(|version| Value::from(version.clone()))
            .collect::<Vec<_>>();
        List::typed(ElemType::Str, items).into()
    }

    fn count(&self) -> Option<usize> {
        Some(self.versions.len())
    }
}

/// `HelmVersion`: the build of the imitated Helm.
struct HelmVersion(Dialect);

impl HelmVersion {
    /// Field, json tag, value.
    fn rows(&self) -> &'static [(&'static str, &'static str, &'static str)] {
        match self.0 {
            Dialect::V3_19 => &[
                ("Version", "version", "v3.19.0"),
                (
                    "GitCommit",
                    "git_commit",
                    "3d8990f0836691f0229297773f3524598f46bda6",
                ),
                ("GitTreeState", "git_tree_state", "clean"),
                ("GoVersion", "go_version", "go1.24.7"),
            ],
            Dialect::V4_3 => &[
                ("Version", "version", "v4.3.1"),
                (
                    "GitCommit",
                    "git_commit",
                    "c0d08d0d6d9424d4a14febb5e8a3e51b0dd00dff",
                ),
                ("GitTreeState", "git_tree_state", "clean"),
                ("GoVersion", "go_version", "go1.27.2"),
                ("KubeClientVersion", "kube_client_version", "v1.37"),
            ],
        }
    }
}

impl Object for HelmVersion {
    fn type_name(&self) -> &str {
        "version.BuildInfo"
    }

    fn kind(&self) -> ObjectKind {
        ObjectKind::Struct
    }

    fn field(&self, name: &str) -> Option<Value> {
        self.rows()
            .iter()
            .find(|row| row.0 == name)
            .map(|row| Value::from(row.2))
    }

    fn fields(&self) -> Vec<(String, Value)> {
        self.rows()
            .iter()
            .map(|row| (row.0.to_owned(), Value::from(row.2)))
            .collect()
    }

    fn to_json(&self) -> Value {
        let entries = self
            .rows()
            .iter()
            .map(|row| (Text::from(row.1), Value::from(row.2)));
        Map::from_entries(MapType::Any, entries).into()
    }
}

/// `*Capabilities`
struct Capabilities {
    dialect: Dialect,
    fields: [(&'static str, Value); 3],
}

/// The value of `.Capabilities`; `extra` are the `--api-versions`, appended as they come.
pub fn capabilities(kube_version: &KubeVersion, extra: &[String], dialect: Dialect) -> Value {
    let known: &[&str] = match dialect {
        Dialect::V3_19 => &API_VERSIONS_3_19,
        Dialect::V4_3 => &API_VERSIONS_4_3,
    };
    let versions = known
        .iter()
        .copied()
        .chain(extra.iter().map(String::as_str))
        .map(Text::from)
        .collect();
    Value::object(Capabilities {
        dialect,
        fields: [
            ("KubeVersion", Value::object(kube_version.clone())),
            ("APIVersions", Value::object(ApiVersions { dialect, versions })),
            ("HelmVersion", Value::object(HelmVersion(dialect))),
        ],
    })
}

impl Object for Capabilities {
    fn type_name(&self) -> &str {
        match self.dialect {
            Dialect::V3_19 => "*chartutil.Capabilities",
            Dialect::V4_3 => "*common.Capabilities",
        }
    }

    fn kind(&self) -> ObjectKind {
        ObjectKind::Pointer
    }

    fn field(&self, name: &str) -> Option<Value> {
        self.fields
            .iter()
            .find(|field| field.0 == name)
            .map(|field| field.1.clone())
    }

    fn fields(&self) -> Vec<(String, Value)> {
        self.fields
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect()
    }

    fn to_json(&self) -> Value {
        let entries = self
            .fields
            .iter()
            .map(|(name, value)| (Text::from(*name), value.clone()));
        Map::from_entries(MapType::Any, entries).into()
    }
}

/// Groups and versions of client-go 0.34 in its order, as Helm 3.19.0 lists them.
const API_VERSIONS_3_19: [&str; 57] = [
    "v1",
    "admissionregistration.k8s.io/v1",
    "admissionregistration.k8s.io/v1alpha1",
    "admissionregistration.k8s.io/v1beta1",
    "internal.apiserver.k8s.io/v1alpha1",
    "apps/v1",
    "apps/v1beta1",
    "apps/v1beta2",
    "authentication.k8s.io/v1",
    "authentication.k8s.io/v1alpha1",
    "authentication.k8s.io/v1beta1",
    "authorization.k8s.io/v1",
    "authorization.k8s.io/v1beta1",
    "autoscaling/v1",
    "autoscaling/v2",
    "autoscaling/v2beta1",
    "autoscaling/v2beta2",
    "batch/v1",
    "batch/v1beta1",
    "certificates.k8s.io/v1",
    "certificates.k8s.io/v1beta1",
    "certificates.k8s.io/v1alpha1",
    "coordination.k8s.io/v1alpha2",
    "coordination.k8s.io/v1beta1",
    "coordination.k8s.io/v1",
    "discovery.k8s.io/v1",
    "discovery.k8s.io/v1beta1",
    "events.k8s.io/v1",
    "events.k8s.io/v1beta1",
    "extensions/v1beta1",
    "flowcontrol.apiserver.k8s.io/v1",
    "flowcontrol.apiserver.k8s.io/v1beta1",
    "flowcontrol.apiserver.k8s.io/v1beta2",
    "flowcontrol.apiserver.k8s.io/v1beta3",
    "networking.k8s.io/v1",
    "networking.k8s.io/v1beta1",
    "node.k8s.io/v1",
    "node.k8s.io/v1alpha1",
    "node.k8s.io/v1beta1",
    "policy/v1",
    "policy/v1beta1",
    "rbac.authorization.k8s.io/v1",
    "rbac.authorization.k8s.io/v1beta1",
    "rbac.authorization.k8s.io/v1alpha1",
    "resource.k8s.io/v1",
    "resource.k8s.io/v1beta2",
    "resource.k8s.io/v1beta1",
    "resource.k8s.io/v1alpha3",
    "scheduling.k8s.io/v1alpha1",
    "scheduling.k8s.io/v1beta1",
    "scheduling.k8s.io/v1",
    "storage.k8s.io/v1beta1",
    "storage.k8s.io/v1",
    "storage.k8s.io/v1alpha1",
    "storagemigration.k8s.io/v1alpha1",
    "apiextensions.k8s.io/v1beta1",
    "apiextensions.k8s.io/v1",
];

/// Groups and versions of client-go 0.37 in its order, as Helm 4.3.1 lists them.
const API_VERSIONS_4_3: [&str; 57] = [
    "v1",
    "admissionregistration.k8s.io/v1",
    "admissionregistration.k8s.io/v1alpha1",
    "admissionregistration.k8s.io/v1beta1",
    "internal.apiserver.k8s.io/v1alpha1",
    "apps/v1",
    "apps/v1beta1",
    "apps/v1beta2",
    "authentication.k8s.io/v1",
    "authentication.k8s.io/v1alpha1",
    "authentication.k8s.io/v1beta1",
    "authorization.k8s.io/v1",
    "authorization.k8s.io/v1beta1",
    "autoscaling/v1",
    "autoscaling/v2",
    "batch/v1",
    "batch/v1beta1",
    "certificates.k8s.io/v1",
    "certificates.k8s.io/v1beta1",
    "certificates.k8s.io/v1alpha1",
    "coordination.k8s.io/v1alpha2",
    "coordination.k8s.io/v1beta1",
    "coordination.k8s.io/v1",
    "discovery.k8s.io/v1",
    "discovery.k8s.io/v1beta1",
    "events.k8s.io/v1",
    "events.k8s.io/v1beta1",
    "extensions/v1beta1",
    "flowcontrol.apiserver.k8s.io/v1",
    "flowcontrol.apiserver.k8s.io/v1beta1",
    "flowcontrol.apiserver.k8s.io/v1beta2",
    "flowcontrol.apiserver.k8s.io/v1beta3",
    "lifecycle.k8s.io/v1alpha1",
    "networking.k8s.io/v1",
    "networking.k8s.io/v1beta1",
    "node.k8s.io/v1",
    "node.k8s.io/v1alpha1",
    "node.k8s.io/v1beta1",
    "policy/v1",
    "policy/v1beta1",
    "rbac.authorization.k8s.io/v1",
    "rbac.authorization.k8s.io/v1beta1",
    "rbac.authorization.k8s.io/v1alpha1",
    "resource.k8s.io/v1",
    "resource.k8s.io/v1beta2",
    "resource.k8s.io/v1beta1",
    "resource.k8s.io/v1alpha3",
    "scheduling.k8s.io/v1alpha3",
    "scheduling.k8s.io/v1beta1",
    "scheduling.k8s.io/v1",
    "storage.k8s.io/v1beta1",
    "storage.k8s.io/v1",
    "storage.k8s.io/v1alpha1",
    "storagemigration.k8s.io/v1",
    "storagemigration.k8s.io/v1beta1",
    "apiextensions.k8s.io/v1beta1",
    "apiextensions.k8s.io/v1",
];
