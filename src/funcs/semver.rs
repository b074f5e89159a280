//! `semver` and `semverCompare` (`sprig/semver.go` over Masterminds/semver), and versions as templates
//! see them.

use super::memo::Memo;
use super::spec::{Answer, FuncSpec};
use crate::dialect::Dialect;
use crate::semver::{Constraints, Version};
use crate::template::{Call, CallError, Param};
use crate::value::quote::quote_str;
use crate::value::{Data, Object, ObjectKind, Signature, Text, UintKind, Value};
use std::cmp::Ordering;

/// The functions of this family.
pub static ROWS: &[FuncSpec] = &[SEMVER, SEMVER_COMPARE];

/// Constraints known at one time, per thread.
const REMEMBERED: usize = 256;

thread_local! {
    static CONSTRAINTS: Memo<Result<Constraints, String>> = Memo::new(REMEMBERED);
}

/// The one error of a constraint that names no part of its text.
const NO_VERSION: &str = "constraint parser error";

const SEMVER: FuncSpec = FuncSpec::new("semver", &[Param::Str], |call| {
    let version = Version::parse(&call.text(0).lossy())?;
    Ok(Value::object(GoVersion {
        version,
        pointer: true,
    }))
});

const SEMVER_COMPARE: FuncSpec = FuncSpec::new("semverCompare", &[Param::Str, Param::Str], semver_compare);

fn semver_compare(call: &mut Call<'_>) -> Answer {
    let text = call.text(0);
    let constraints = CONSTRAINTS.with(|memo| memo.get(text.bytes(), || Constraints::parse(&text.lossy())));
    let constraints = match &*constraints {
        Ok(constraints) => constraints,
        Err(part) => return Err(improper(part, call.host.dialect())),
    };
    let version = Version::parse(&call.text(1).lossy())?;
    Ok(Value::from(constraints.allows(&version)))
}

/// semver 3.5 quotes the part it does not understand, 3.4 does not.
fn improper(part: &str, dialect: Dialect) -> CallError {
    CallError::Own(match dialect {
        _ if part == NO_VERSION => part.to_owned(),
        Dialect::V3_19 => format!("improper constraint: {part}"),
        Dialect::V4_3 => format!("improper constraint: {}", quote_str(part.as_bytes())),
    })
}

/// `*semver.Version`, or `semver.Version` as the methods that change a version give it.
struct GoVersion {
    version: Version,
    pointer: bool,
}

const NONE: Signature = Signature {
    params: &[],
    variadic: false,
};

const OTHER: Signature = Signature {
    params: &[Param::Named("*semver.Version")],
    variadic: false,
};

const TEXT: Signature = Signature {
    params: &[Param::Str],
    variadic: false,
};

impl GoVersion {
    /// A changed version; the `v` in front of the original stays.
    fn changed(&self, change: impl FnOnce(&mut Version)) -> Value {
        let mut version = self.version.clone();
        change(&mut version);
        let prefix = if version.original.starts_with('v') {
            "v"
        } else {
            ""
        };
        version.original = format!("{prefix}{version}");
        Value::object(GoVersion {
            version,
            pointer: false,
        })
    }

    fn next(name: &str, version: Option<Version>) -> Result<Value, String> {
        match version {
            Some(version) => Ok(Value::object(GoVersion {
                version,
                pointer: false,
            })),
            None => Err(format!("{name} version increment would overflow uint64")),
        }
    }

    /// The other version is read back from its text: an object tells nothing but its fields.
    fn compared(&self, args: &[Value]) -> Result<Ordering, String> {
        match args {
            [
                Value {
                    data: Data::Object(other),
                    ..
                },
            ] => Version::parse(&text_field(&***other, "original")).map(|other| self.version.compare(&other)),
            _ => Err("runtime error: invalid memory address or nil pointer dereference".to_owned()),
        }
    }
}

fn text_field(object: &dyn Object, name: &str) -> String {
    let fields = object.fields();
    let found = fields.into_iter().find(|field| field.0 == name);
    match found.map(|field| field.1.data) {
        Some(Data::Str(text)) => text.lossy().into_owned(),
        _ => String::new(),
    }
}

fn unsigned(number: u64) -> Value {
    Value::new(Data::Uint(UintKind::Uint64, number))
}

fn order(ordering: Ordering) -> Value {
    Value::int(match ordering {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    })
}

impl Object for GoVersion {
    fn type_name(&self) -> &str {
        if self.pointer {
            "*semver.Version"
        } else {
            "semver.Version"
        }
    }

    fn kind(&self) -> ObjectKind {
        if self.pointer {
            ObjectKind::Pointer
        } else {
            ObjectKind::Struct
        }
    }

    fn field(&self, _: &str) -> Option<Value> {
        None
    }

    fn has_method(&self, name: &str) -> bool {
        self.method(name).is_some()
    }

    fn method(&self, name: &str) -> Option<Signature> {
        match name {
            "String" | "Major" | "Minor" | "Patch" | "Prerelease" | "Metadata" | "IncPatch" | "IncMinor"
            | "IncMajor" | "MarshalJSON" | "MarshalText" | "Value" => Some(NONE),
            "SetPrerelease" | "SetMetadata" => Some(TEXT),
            "Original" if self.pointer => Some(NONE),
            "LessThan" | "LessThanEqual" | "GreaterThan" | "GreaterThanEqual" | "Equal" | "Compare"
                if self.pointer =>
            {
                Some(OTHER)
            }
            _ => None,
        }
    }

    fn call_method(&self, name: &str, args: &[Value]) -> Result<Value, String> {
        let version = &self.version;
        let argument = || match args {
            [
                Value {
                    data: Data::Str(text),
                    ..
                },
            ] => text.lossy().into_owned(),
            _ => String::new(),
        };
        Ok(match name {
            "Major" => unsigned(version.major),
            "Minor" => unsigned(version.minor),
            "Patch" => unsigned(version.patch),
            "Prerelease" => Value::from(version.pre.as_str()),
            "Metadata" => Value::from(version.metadata.as_str()),
            "Original" => Value::from(version.original.as_str()),
            "IncPatch" => return GoVersion::next("patch", version.next_patch()),
            "IncMinor" => return GoVersion::next("minor", version.next_minor()),
            "IncMajor" => return GoVersion::next("major", version.next_major()),
            "SetPrerelease" => {
                let pre = argument();
                check_prerelease(&pre)?;
                self.changed(|version| version.pre = pre)
            }
            "SetMetadata" => {
                let metadata = argument();
                if !metadata.is_empty() && !metadata.split('.').all(is_identifier) {
                    return Err("invalid metadata string".to_owned());
                }
                self.changed(|version| version.metadata = metadata)
            }
            "Compare" => order(self.compared(args)?),
            "LessThan" => Value::from(self.compared(args)?.is_lt()),
            "LessThanEqual" => Value::from(self.compared(args)?.is_le()),
            "GreaterThan" => Value::from(self.compared(args)?.is_gt()),
            "GreaterThanEqual" => Value::from(self.compared(args)?.is_ge()),
            "Equal" if matches!(args, [other] if other.is_nil()) => Value::from(false),
            "Equal" => Value::from(self.compared(args)?.is_eq()),
            "MarshalText" => Value::new(Data::Bytes(Text::from(version.to_string()))),
            "MarshalJSON" => Value::new(Data::Bytes(Text::from(format!("\"{version}\"")))),
            _ => Value::str(version.to_string()),
        })
    }

    fn fields(&self) -> Vec<(String, Value)> {
        let version = &self.version;
        [
            ("major", unsigned(version.major)),
            ("minor", unsigned(version.minor)),
            ("patch", unsigned(version.patch)),
            ("pre", Value::from(version.pre.as_str())),
            ("metadata", Value::from(version.metadata.as_str())),
            ("original", Value::from(version.original.as_str())),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
    }

    fn to_text(&self) -> Option<String> {
        Some(self.version.to_string())
    }

    fn to_json(&self) -> Value {
        Value::str(self.version.to_string())
    }
}

fn is_identifier(part: &str) -> bool {
    !part.is_empty()
        && part
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// `validatePrerelease`
fn check_prerelease(pre: &str) -> Result<(), String> {
    if pre.is_empty() {
        return Ok(());
    }
    for part in pre.split('.') {
        if !is_identifier(part) {
            return Err("invalid prerelease string".to_owned());
        }
        if part.len() > 1 && part.starts_with('0') && part.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err("version segment starts with 0".to_owned());
        }
    }
    Ok(())
}
