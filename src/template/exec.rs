//! The state of an execution, its bounds, and how a body is entered and left.

use super::ambient::AmbientSource;
use super::call::OVERSPENT;
use super::error::{ErrorChain, ErrorLink};
use super::func::{CallError, Effect};
use super::output::Output;
use super::scope::{Held, Scope};
use super::set::{Body, TemplateSet};
use super::stack::Stack;
use super::trace::{Frame, Trace};
use super::tree::{NO_NODE, NodeId, Unit};
use crate::dialect::Dialect;
use crate::value::effort;
use crate::value::print::push_printable;
use crate::value::{MarkTable, Marks, Text, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;

/// Bounds of an execution. Each ends it with an error that says so.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Templates within templates (`text/template`'s own bound).
    pub depth: usize,
    /// How often one name may be executed within itself (`engine.go`, `recursionMaxNums`).
    pub nesting: u32,
    /// Nodes that may be executed, and as much work on values (`value/effort.rs`).
    pub fuel: u64,
    /// Bytes of output, and of any one text.
    pub output: usize,
    /// Bytes of stack.
    pub stack: usize,
}

impl Default for Limits {
    /// For a thread whose stack is not known to be large.
    fn default() -> Limits {
        Limits {
            depth: 100_000,
            nesting: 1000,
            fuel: 200_000_000,
            output: 256 << 20,
            stack: 1 << 20,
        }
    }
}

impl Limits {
    /// For a thread with a stack of this many bytes; a part is left for what functions need.
    pub fn on_stack_of(bytes: usize) -> Limits {
        Limits {
            stack: bytes / 4 * 3,
            ..Limits::default()
        }
    }
}

/// How to execute.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Which Helm is imitated.
    pub dialect: Dialect,
    /// Whether to keep marks and a trace.
    pub trace: bool,
    /// The bounds.
    pub limits: Limits,
}

/// What a walk came to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    Next,
    Break,
    Continue,
}

/// A failed execution.
pub(super) type Exec<T> = Result<T, Box<ErrorChain>>;

/// The running template.
#[derive(Clone, Copy)]
pub(super) struct Context<'u> {
    pub unit: &'u Unit,
    /// The unit's number, for the caches and the trace.
    pub number: u32,
    pub root: NodeId,
    pub frame: u32,
}

/// Definitions of a `tpl` text, laid over those of the set while it runs.
pub(super) struct Overlay {
    pub unit: Arc<Unit>,
    pub number: u32,
    pub below: Option<Rc<Overlay>>,
}

/// The function call that is running.
#[derive(Clone, Default)]
pub(super) struct Running {
    pub name: &'static str,
    pub site: (u32, NodeId),
    /// The effects that were noted.
    pub noted: Vec<Effect>,
    /// The order of the arguments' elements has no part in the result.
    pub order_free: bool,
    /// Names the call for randomness; empty for functions that have none.
    pub seed: Vec<u8>,
    /// Random requests so far.
    pub draws: u32,
    /// What decided about the text that the function had executed.
    pub decided: Marks,
}

/// Executes the templates of a set.
pub struct Executor<'s> {
    pub(super) set: &'s TemplateSet,
    pub(super) options: Options,
    pub(super) ambient: &'s mut dyn AmbientSource,
    pub(super) marks: MarkTable,
    pub(super) trace: Trace,
    pub(super) output: Output,
    pub(super) scope: Scope,
    pub(super) overlay: Option<Rc<Overlay>>,
    /// The parsed texts beyond those of the set.
    pub(super) texts: Vec<Arc<Unit>>,
    pub(super) text_numbers: FxHashMap<usize, u32>,
    /// Literals as values, by unit.
    pub(super) literals: Vec<Vec<Option<Text>>>,
    pub(super) at: NodeId,
    /// The action or branch being executed.
    pub(super) action: NodeId,
    pub(super) frame: u32,
    pub(super) depth: usize,
    pub(super) fuel: u64,
    /// What of the thread's effort was taken from the fuel already.
    pub(super) settled: u64,
    pub(super) stack: Stack,
    /// What decided that the current node runs.
    pub(super) control: Marks,
    /// What decided within the running template, whether it wrote or not.
    pub(super) decided: Marks,
    pub(super) nesting: FxHashMap<Text, u32>,
    pub(super) running: Running,
    pub(super) draws: FxHashMap<Vec<u8>, u32>,
    pub(super) missing: FxHashSet<(Marks, String)>,
    pub(super) spare_args: Vec<Vec<Value>>,
}

impl<'s> Executor<'s> {
    /// An executor for one render. `marks` holds the origins of the values that templates will see.
    pub fn new(
        set: &'s TemplateSet,
        ambient: &'s mut dyn AmbientSource,
        marks: MarkTable,
        options: Options,
    ) -> Executor<'s> {
        let read = vec![false; if options.trace { marks.origins.len() } else { 0 }];
        Executor {
            set,
            options,
            ambient,
            marks,
            trace: Trace {
                frames: vec![Frame::default()],
                read,
                ..Trace::default()
            },
            output: Output::default(),
            scope: Scope::default(),
            overlay: None,
            texts: Vec::new(),
            text_numbers: FxHashMap::default(),
            literals: Vec::new(),
            at: NO_NODE,
            action: NO_NODE,
            frame: 0,
            depth: 0,
            fuel: options.limits.fuel,
            settled: effort::spent(),
            stack: Stack::here(options.limits.stack),
            control: Marks::NONE,
            decided: Marks::NONE,
            nesting: FxHashMap::default(),
            running: Running::default(),
            draws: FxHashMap::default(),
            missing: FxHashSet::default(),
            spare_args: Vec::new(),
        }
    }

    /// Executes a template by name and gives its text.
    ///
    /// # Errors
    /// Go's error, or a bound that was met.
    pub fn execute(&mut self, name: &str, data: Value) -> Result<Text, Box<ErrorChain>> {
        self.stack = Stack::here(self.options.limits.stack);
        self.settled = effort::spent();
        let executed = self.execute_named(name.as_bytes(), data);
        effort::allow_all();
        executed.map_err(|error| match error {
            CallError::Template(chain) => chain,
            CallError::Own(cause) => Box::new(ErrorChain {
                cause,
                ..ErrorChain::default()
            }),
        })
    }

    /// What the executions so far left behind, and the marks it speaks of.
    pub fn finish(mut self) -> (Trace, MarkTable) {
        self.trace.units = self.set.units.clone();
        self.trace.units.append(&mut self.texts);
        (self.trace, self.marks)
    }

    /// Runs a body for a function that is being called, and gives its text.
    pub(super) fn run(&mut self, unit: &Unit, number: u32, root: NodeId, data: Value) -> Exec<Text> {
        let position = self.output.open();
        let data = if data.is_nil() {
            Value::INVALID.with_marks(data.marks)
        } else {
            data
        };
        let depth = std::mem::take(&mut self.depth);
        // The arguments were the last to be at; it is the function that leads here.
        let at = std::mem::replace(&mut self.at, self.running.site.1);
        let outcome = self.run_body(unit, number, root, data);
        self.at = at;
        self.depth = depth;
        match outcome {
            Ok(()) => Ok(self.output.close(position, self.options.trace)),
            Err(error) => {
                self.output.abandon(position);
                Err(error)
            }
        }
    }

    /// Runs a body on the current output.
    pub(super) fn run_body(&mut self, unit: &Unit, number: u32, root: NodeId, dot: Value) -> Exec<()> {
        let frame = if self.options.trace {
            self.push_frame(number, root)
        } else {
            0
        };
        let outer_frame = std::mem::replace(&mut self.frame, frame);
        let outer_at = (self.at, self.action);
        let context = Context {
            unit,
            number,
            root,
            frame,
        };
        let dot = Held::own(dot);
        let scope = self.scope.enter(dot.clone());
        let flow = self
            .check_stack(&context)
            .and_then(|()| self.walk(&context, &dot, root));
        self.scope.leave(scope);
        (self.at, self.action) = outer_at;
        self.frame = outer_frame;
        flow.map(|_| ())
    }

    fn push_frame(&mut self, unit: u32, root: NodeId) -> u32 {
        self.trace.frames.push(Frame {
            parent: self.frame,
            call: self.at,
            unit,
            root,
        });
        u32::try_from(self.trace.frames.len() - 1).unwrap_or(u32::MAX)
    }

    /// text/template's own error at the current node.
    pub(super) fn error<T>(&self, context: &Context<'_>, cause: impl Into<String>) -> Exec<T> {
        Err(Box::new(ErrorChain {
            links: vec![self.link(context, None)],
            cause: cause.into(),
            own: true,
            limit: false,
        }))
    }

    /// A bound of ours.
    pub(super) fn stop<T>(&self, context: &Context<'_>, cause: &str) -> Exec<T> {
        let mut chain = ErrorChain::limit(cause);
        chain.links.push(self.link(context, None));
        Err(Box::new(chain))
    }

    pub(super) fn link(&self, context: &Context<'_>, calling: Option<&str>) -> ErrorLink {
        let unit = context.unit;
        let (line, column) = unit.place(self.at);
        let executing = unit
            .definition_at(context.root)
            .map_or(&[] as &[u8], |definition| &definition.name);
        ErrorLink {
            wrap: String::new(),
            file: unit.name.to_string(),
            line,
            column,
            executing: String::from_utf8_lossy(executing).into_owned(),
            at: unit.text_of(self.at),
            calling: calling.map(str::to_owned),
        }
    }

    /// Takes one unit of fuel.
    pub(super) fn burn(&mut self, context: &Context<'_>) -> Exec<()> {
        if self.fuel == 0 {
            return self.stop(context, OVERSPENT);
        }
        self.fuel -= 1;
        Ok(())
    }

    pub(super) fn check_stack(&self, context: &Context<'_>) -> Exec<()> {
        if self.stack.is_spent() {
            return self.stop(context, "templates are nested too deeply for evenkeel's stack");
        }
        Ok(())
    }

    /// The body of a name: from the texts laid over the set, else from the set.
    pub(super) fn find(&self, name: &[u8]) -> Option<Found> {
        let base = self.set.body(name);
        let mut fallback = None;
        let mut layer = self.overlay.as_ref();
        while let Some(overlay) = layer {
            let definition = overlay
                .unit
                .definitions
                .iter()
                .find(|definition| *definition.name == *name);
            if let Some(definition) = definition {
                let found = Found::Text(Rc::clone(overlay), definition.root);
                if !definition.empty {
                    return Some(found);
                }
                // An empty definition stands only where there is no other.
                fallback = Some(found);
            }
            layer = overlay.below.as_ref();
        }
        base.map(Found::Set).or(fallback)
    }

    /// A value as messages show it.
    pub(super) fn shown(&self, value: &Value) -> String {
        let mut out = Vec::new();
        push_printable(&mut out, value, self.options.dialect);
        String::from_utf8_lossy(&out).into_owned()
    }
}

/// Where the body of a name stands.
pub(super) enum Found {
    Set(Body),
    Text(Rc<Overlay>, NodeId),
}
