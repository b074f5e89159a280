//! What a template function is and how it is called. The rows themselves live in the room above.

use super::ambient::AmbientSource;
use crate::dialect::Dialect;
use crate::value::{Data, List, Map, MarkTable, Marks, Text, Value};

pub use crate::value::Param;

/// What a function's answer depends on besides its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Nothing.
    Pure,
    /// Chance.
    Random,
    /// The clock.
    Clock,
    /// The cluster.
    Cluster,
    /// The host: DNS, the local time zone.
    Host,
    /// Go's random map order.
    MapOrder,
}

/// One template function.
pub struct Func {
    /// The name templates call it by.
    pub name: &'static str,
    /// The parameters, in order.
    pub params: &'static [Param],
    /// True when the last parameter takes any number of arguments, none included.
    pub variadic: bool,
    /// What its answer depends on.
    pub effect: Effect,
    /// The function itself.
    pub body: fn(&mut Call<'_>) -> Result<Value, CallError>,
}

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallError {
    /// The function's own error or panic: Go reports it as `error calling NAME: TEXT`.
    Own(String),
    /// A template executed by the function failed: the finished chain of Go's error, outermost link first.
    Template(Box<super::trace::ErrorChain>),
}

impl CallError {
    /// The function's own error.
    pub fn own(message: impl Into<String>) -> CallError {
        CallError::Own(message.into())
    }
}

impl From<String> for CallError {
    fn from(message: String) -> CallError {
        CallError::Own(message)
    }
}

impl From<&str> for CallError {
    fn from(message: &str) -> CallError {
        CallError::Own(message.to_owned())
    }
}

/// What a function may ask of whoever executes the template.
pub trait Host {
    /// Executes an associated template by name and gives its text (`Template.ExecuteTemplate`).
    ///
    /// # Errors
    /// The template's failure.
    fn execute(&mut self, name: &Text, data: Value) -> Result<Text, CallError>;

    /// Parses a text as a template of a copy of the set and executes it (`Clone`, `New(name).Parse`, `Execute`).
    ///
    /// # Errors
    /// A parse error, or the template's failure.
    fn execute_text(&mut self, name: &str, source: &Text, data: Value) -> Result<Text, CallError>;

    /// The ambient.
    fn ambient(&mut self) -> &mut dyn AmbientSource;

    /// Fills `bytes` with randomness that belongs to the running call (function, arguments, place).
    fn random(&mut self, bytes: &mut [u8]);

    /// Notes that the running call was answered by the ambient: its result will carry the mark.
    fn note_ambient(&mut self, effect: Effect);

    /// Notes that the order of the arguments' elements has no part in the result of the running call: what
    /// Go's map order had to do with them ends here.
    fn note_order_free(&mut self) {}

    /// Notes that a function swallowed an error and went on (`toYaml`, `fromYaml`, `b64dec`, ...).
    fn note_swallowed(&mut self, message: &str);

    /// The marks of this render.
    fn marks(&mut self) -> &mut MarkTable;

    /// Which Helm is imitated, for functions whose texts differ.
    fn dialect(&self) -> Dialect {
        Dialect::NEWEST
    }

    /// The marks of a value and of all it holds, which counts as reading all of it. For functions that make
    /// something new out of a whole container.
    fn deep_marks(&mut self, value: &Value) -> Marks {
        value.marks
    }

    /// Notes that a map was asked for a key it lacks (`index`, `get`, `dig`, `hasKey`).
    fn note_missing(&mut self, map: &Value, key: &Text) {
        let _ = (map, key);
    }

    /// True while marks are kept. Functions need not ask: without tracing every value is unmarked.
    fn tracing(&self) -> bool {
        true
    }
}

/// One call: checked arguments and the host.
///
/// The marks of the result are the union of the arguments' marks unless the body sets its own; elements of
/// lists and maps keep theirs.
pub struct Call<'a> {
    /// The name the template used (an alias keeps its own).
    pub name: &'static str,
    /// The arguments, checked against the parameters.
    pub args: &'a mut Vec<Value>,
    /// Whoever executes the template.
    pub host: &'a mut dyn Host,
}

impl Call<'_> {
    /// The argument at a position.
    pub fn arg(&self, at: usize) -> &Value {
        &self.args[at]
    }

    /// Takes the argument at a position out of the call.
    pub fn take(&mut self, at: usize) -> Value {
        std::mem::take(&mut self.args[at])
    }

    /// A `Param::Str` argument.
    ///
    /// # Panics
    /// When the parameter was not declared as a string: a fault of the function's row.
    pub fn text(&self, at: usize) -> &Text {
        match &self.args[at].data {
            Data::Str(text) => text,
            _ => panic!("{}: parameter {at} is not declared as a string", self.name),
        }
    }

    /// A `Param::Int`, `Int64` or `Uint32` argument.
    ///
    /// # Panics
    /// When the parameter was not declared as an integer: a fault of the function's row.
    pub fn int(&self, at: usize) -> i64 {
        match &self.args[at].data {
            Data::Int(_, number) => *number,
            Data::Uint(_, number) => i64::try_from(*number).unwrap_or(i64::MAX),
            _ => panic!("{}: parameter {at} is not declared as an integer", self.name),
        }
    }

    /// A `Param::Bool` argument.
    ///
    /// # Panics
    /// When the parameter was not declared as a boolean: a fault of the function's row.
    pub fn bool(&self, at: usize) -> bool {
        match &self.args[at].data {
            Data::Bool(truth) => *truth,
            _ => panic!("{}: parameter {at} is not declared as a boolean", self.name),
        }
    }

    /// A `Param::Map` argument.
    ///
    /// # Panics
    /// When the parameter was not declared as a map: a fault of the function's row.
    pub fn map(&self, at: usize) -> &Map {
        match &self.args[at].data {
            Data::Map(map) => map,
            _ => panic!("{}: parameter {at} is not declared as a map", self.name),
        }
    }

    /// A `Param::List` argument.
    ///
    /// # Panics
    /// When the parameter was not declared as a list: a fault of the function's row.
    pub fn list(&self, at: usize) -> &List {
        match &self.args[at].data {
            Data::List(list) => list,
            _ => panic!("{}: parameter {at} is not declared as a list", self.name),
        }
    }

    /// The union of two sets of marks.
    pub fn join(&mut self, a: Marks, b: Marks) -> Marks {
        self.host.marks().join(a, b)
    }
}
