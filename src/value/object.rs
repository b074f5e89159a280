//! Go values with methods or struct fields: `.Files`, `.Capabilities`, `.Chart` of Helm 3, semantic
//! versions, certificates.

use super::data::Value;
use std::any::Any;
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
    /// A named integer type with methods, such as `time.Month`; the number is what JSON sees.
    Int,
}

/// The Go type of a parameter. Arguments are checked against it before a function runs, with Go's own
/// wording (`text/template/exec.go`, `validateType` and `evalArg`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Param {
    /// `interface {}`: takes everything, also nil.
    Any,
    /// `reflect.Value`: as `Any`, but the built-in functions see an invalid value as such.
    Reflect,
    /// `string`
    Str,
    /// `int`
    Int,
    /// `int64`
    Int64,
    /// `uint32`
    Uint32,
    /// `float64`
    Float,
    /// `bool`
    Bool,
    /// `map[string]interface {}`
    Map,
    /// `[]interface {}`
    List,
    /// `time.Time`
    Time,
    /// A named struct or pointer type, by its Go name, such as `sprig.certificate`.
    Named(&'static str),
}

/// The parameters of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The parameters, in order.
    pub params: &'static [Param],
    /// True when the last parameter takes any number of arguments, none included.
    pub variadic: bool,
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

    /// The parameters of a method; arguments are checked against them. Without a signature a method that
    /// `has_method` knows takes whatever it is given.
    fn method(&self, name: &str) -> Option<Signature> {
        let _ = name;
        None
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

    /// What `{{ . }}` prints where Go can take the address of the value and finds a `String()` on the
    /// pointer only; elsewhere such a struct prints field by field.
    fn to_text_by_address(&self) -> Option<String> {
        self.to_text()
    }

    /// What Go's `GoString()` gives (`%#v`), where the type has one.
    fn to_go_syntax(&self) -> Option<String> {
        None
    }

    /// What `encoding/json` sees instead of the object (json tags, `MarshalJSON`).
    fn to_json(&self) -> Value;

    /// The fields that `encoding/json` writes for a struct, in the order of their declaration; `None` where `to_json`
    /// says all.
    fn json_fields(&self) -> Option<Vec<(String, Value)>> {
        None
    }

    /// True when the field of this name is an embedded struct, whose fields Go's encoders treat as those of
    /// the struct around it.
    fn embeds(&self, name: &str) -> bool {
        let _ = name;
        false
    }

    /// The object itself, for functions that know its type.
    fn as_any(&self) -> Option<&dyn Any> {
        None
    }

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
