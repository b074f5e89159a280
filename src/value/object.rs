//! Go values with methods or struct fields: `.Files`, `.Capabilities`, `.Chart` of Helm 3, semantic
//! versions, certificates.

use super::data::Value;
use std::fmt;

/// How Go's reflection sees an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    /// A struct.
    Struct,
    /// A pointer to a struct.
    Pointer,
    /// A named map type with methods, such as `engine.files`.
    Map,
    /// A named slice type with methods, such as `VersionSet`.
    Slice,
}

/// A Go value that is neither a scalar nor a plain map or list.
pub trait Object {
    /// The Go type as `typeOf` prints it: `*semver.Version`, `engine.files`.
    fn type_name(&self) -> &str;

    /// How reflection sees it.
    fn kind(&self) -> ObjectKind;

    /// A struct field, or an entry of a named map; `None` where there is none.
    fn field(&self, name: &str) -> Option<Value>;

    /// True when it has a method of this name.
    fn has_method(&self, name: &str) -> bool {
        let _ = name;
        false
    }

    /// Calls a method.
    ///
    /// # Errors
    /// What Go's call would report: a wrong argument or the method's own error.
    fn call_method(&self, name: &str, args: &[Value]) -> Result<Value, String> {
        let _ = args;
        Err(format!("{} has no method {name}", self.type_name()))
    }

    /// The fields in declaration order (for `%v`, `%+v`), or the entries of a named map in key order, or
    /// the elements of a named slice (with empty names).
    fn fields(&self) -> Vec<(String, Value)>;

    /// What Go's `String()` or `Error()` gives, where the type has one.
    fn to_text(&self) -> Option<String> {
        None
    }

    /// What `encoding/json` sees instead of the object (json tags, `MarshalJSON`).
    fn to_json(&self) -> Value;

    /// The number of elements, for maps and slices.
    fn count(&self) -> Option<usize> {
        None
    }
}

impl fmt::Debug for dyn Object + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.type_name())
    }
}
