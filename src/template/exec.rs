//! The walker (`text/template/exec.go`): nodes to text.
//!
//! Invariant: `at` is the node Go would name in a message at this moment.

use super::ambient::AmbientSource;
use super::error::{ErrorChain, ErrorLink};
use super::func::{CallError, Effect};
use super::output::Output;
use super::scope::{Held, Scope};
use super::set::{Body, TemplateSet};
use super::stack::Stack;
use super::trace::{Decider, Frame, Trace};
use super::tree::{BranchKind, NO_NODE, Node, NodeId, Range32, Unit};
use crate::dialect::Dialect;
use crate::value::print::push_printable;
use crate::value::truth::{is_true, reads_as_false};
use crate::value::{Data, ElemType, MapType, MarkTable, Marks, ObjectKind, Text, UintKind, Value};
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
    /// Nodes that may be executed.
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
            fuel: 2_000_000_000,
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
        self.execute_named(name.as_bytes(), data)
            .map_err(|error| match error {
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

    /// Runs a body and gives its text.
    pub(super) fn run(&mut self, unit: &Unit, number: u32, root: NodeId, data: Value) -> Exec<Text> {
        let position = self.output.open();
        let data = if data.is_nil() {
            Value::INVALID.with_marks(data.marks)
        } else {
            data
        };
        let depth = std::mem::take(&mut self.depth);
        let outcome = self.run_body(unit, number, root, data);
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
        let flow = self.walk(&context, &dot, root);
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
            return self.stop(context, "the execution takes too long: evenkeel's fuel is spent");
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

    pub(super) fn walk(&mut self, context: &Context<'_>, dot: &Held, id: NodeId) -> Exec<Flow> {
        self.burn(context)?;
        self.at = id;
        match *context.unit.node(id) {
            Node::Text(range) => {
                self.output.bytes.extend_from_slice(context.unit.slice(range));
                self.emitted(context, id, Marks::NONE)?;
            }
            Node::Action { pipe } => {
                self.action = id;
                let value = self.pipeline(context, dot, pipe)?;
                if let Node::Pipe { decl, .. } = context.unit.node(pipe)
                    && decl.is_empty()
                {
                    self.at = id;
                    self.emit(context, id, &value)?;
                }
            }
            Node::List(kids) => {
                for &kid in context.unit.kids(kids) {
                    match self.walk(context, dot, kid)? {
                        Flow::Next => {}
                        flow => return Ok(flow),
                    }
                }
            }
            Node::Branch {
                kind,
                pipe,
                list,
                otherwise,
            } => {
                self.check_stack(context)?;
                self.action = id;
                let scope = self.scope.mark();
                let control = self.control;
                let flow = match kind {
                    BranchKind::Range => self.range(context, dot, id, pipe, list, otherwise),
                    _ => self.if_or_with(context, dot, id, pipe, list, otherwise),
                };
                self.control = control;
                self.scope.pop(scope);
                return flow;
            }
            Node::Template { name, pipe } => self.template(context, dot, id, name, pipe)?,
            Node::Break => return Ok(Flow::Break),
            Node::Continue => return Ok(Flow::Continue),
            _ => return self.error(context, format!("unknown node: {}", context.unit.text_of(id))),
        }
        Ok(Flow::Next)
    }

    fn if_or_with(
        &mut self,
        context: &Context<'_>,
        dot: &Held,
        id: NodeId,
        pipe: NodeId,
        list: NodeId,
        otherwise: NodeId,
    ) -> Exec<Flow> {
        let value = self.pipeline(context, dot, pipe)?;
        let truth = is_true(&value);
        self.decide(context, id, &value, truth);
        if truth {
            match context.unit.node(id) {
                Node::Branch {
                    kind: BranchKind::With,
                    ..
                } => self.walk(context, &Held::own(value), list),
                _ => self.walk(context, dot, list),
            }
        } else if otherwise != NO_NODE {
            self.walk(context, dot, otherwise)
        } else {
            Ok(Flow::Next)
        }
    }

    /// Notes that a value decides a branch.
    fn decide(&mut self, context: &Context<'_>, id: NodeId, value: &Value, taken: bool) {
        if !self.options.trace {
            return;
        }
        let marks = self.whole(value);
        if marks.is_none() {
            return;
        }
        let decider = if reads_as_false(value) {
            Decider::FalseString
        } else {
            Decider::Other
        };
        self.trace.branches.push(super::trace::Branch {
            frame: context.frame,
            node: id,
            taken,
            marks,
            decider,
        });
        self.control = self.marks.join(self.control, marks);
        self.decided = self.marks.join(self.decided, marks);
        if self.marks.has_ambient(marks) {
            self.taint_assigned(context, id, marks);
        }
    }

    /// What a branch that hangs on the ambient would assign depends on the ambient too, taken or not.
    fn taint_assigned(&mut self, context: &Context<'_>, id: NodeId, marks: Marks) {
        let unit = context.unit;
        match *unit.node(id) {
            Node::Branch {
                pipe,
                list,
                otherwise,
                ..
            } => {
                for part in [pipe, list, otherwise] {
                    if part != NO_NODE {
                        self.taint_assigned(context, part, marks);
                    }
                }
            }
            Node::List(kids) => {
                for &kid in unit.kids(kids) {
                    self.taint_assigned(context, kid, marks);
                }
            }
            Node::Action { pipe } => self.taint_assigned(context, pipe, marks),
            Node::Pipe {
                decl, assign: true, ..
            } => {
                for &name in &unit.vars[decl.range()] {
                    if let Some(held) = self.scope.get_mut(name) {
                        held.value.marks = self.marks.join(held.value.marks, marks);
                    }
                }
            }
            _ => {}
        }
    }

    fn range(
        &mut self,
        context: &Context<'_>,
        dot: &Held,
        id: NodeId,
        pipe: NodeId,
        list: NodeId,
        otherwise: NodeId,
    ) -> Exec<Flow> {
        let value = self.pipeline(context, dot, pipe)?;
        let Node::Pipe { decl, assign, .. } = *context.unit.node(pipe) else {
            return self.error(context, "range has no pipeline");
        };
        let mut turns = Turns {
            id,
            list,
            decl,
            assign,
            parent: value.marks,
            mark: self.scope.mark(),
            ran: false,
        };
        self.decide(context, id, &value, is_true(&value));
        match &value.data {
            Data::Invalid | Data::Nil => {}
            Data::Int(_, count) | Data::Duration(count) => {
                let as_type = |number: i64| match &value.data {
                    Data::Int(kind, _) => Data::Int(*kind, number),
                    _ => Data::Duration(number),
                };
                self.check_one_variable(context, &value, decl)?;
                for number in 0..*count {
                    let item = Value::new(as_type(number)).with_marks(value.marks);
                    if self.turn(context, &mut turns, Value::INVALID, Held::own(item))? {
                        break;
                    }
                }
            }
            Data::Uint(kind, count) => {
                self.check_one_variable(context, &value, decl)?;
                for number in 0..*count {
                    let item = Value::new(Data::Uint(*kind, number)).with_marks(value.marks);
                    if self.turn(context, &mut turns, Value::INVALID, Held::own(item))? {
                        break;
                    }
                }
            }
            Data::List(items) => {
                let slot = items.elem() == ElemType::Any;
                for (index, item) in items.items().iter().enumerate() {
                    let item = Held {
                        value: item.clone(),
                        slot,
                    };
                    if self.turn(context, &mut turns, index_value(index), item)? {
                        break;
                    }
                }
            }
            Data::Bytes(bytes) => {
                for (index, &byte) in bytes.bytes().iter().enumerate() {
                    let item = Value::new(Data::Uint(UintKind::Uint8, u64::from(byte)));
                    if self.turn(context, &mut turns, index_value(index), Held::own(item))? {
                        break;
                    }
                }
            }
            Data::Map(map) => {
                let slot = map.kind() != MapType::Str;
                for (key, item) in map.snapshot() {
                    let item = Held { value: item, slot };
                    if self.turn(context, &mut turns, Value::from(key), item)? {
                        break;
                    }
                }
            }
            Data::Object(object) if matches!(object.kind(), ObjectKind::Map | ObjectKind::Slice) => {
                let is_map = object.kind() == ObjectKind::Map;
                for (index, (key, item)) in object.fields().into_iter().enumerate() {
                    let key = if is_map {
                        Value::from(key.as_str())
                    } else {
                        index_value(index)
                    };
                    if self.turn(context, &mut turns, key, Held::own(item))? {
                        break;
                    }
                }
            }
            _ => {
                let text = self.shown(&value);
                return self.error(context, format!("range can't iterate over {text}"));
            }
        }
        if !turns.ran && otherwise != NO_NODE {
            return self.walk(context, dot, otherwise);
        }
        Ok(Flow::Next)
    }

    fn check_one_variable(&self, context: &Context<'_>, value: &Value, decl: Range32) -> Exec<()> {
        if decl.len() > 1 {
            let text = self.shown(value);
            return self.error(
                context,
                format!("can't use {text} to iterate over more than one variable"),
            );
        }
        Ok(())
    }

    /// A value as messages show it.
    pub(super) fn shown(&self, value: &Value) -> String {
        let mut out = Vec::new();
        push_printable(&mut out, value, self.options.dialect);
        String::from_utf8_lossy(&out).into_owned()
    }

    /// One turn of a range; true when it said `break`.
    fn turn(&mut self, context: &Context<'_>, turns: &mut Turns, key: Value, mut item: Held) -> Exec<bool> {
        turns.ran = true;
        if self.options.trace {
            self.inherit(turns.parent, &mut item.value);
            self.note_read(item.value.marks);
        }
        let names = &context.unit.vars[turns.decl.range()];
        match (names, turns.assign) {
            ([], _) => {}
            ([name], true) => self.assign(context, *name, item.clone())?,
            ([first, second], true) => {
                self.assign(context, *first, Held::own(key))?;
                self.assign(context, *second, item.clone())?;
            }
            ([_], false) => self.scope.set_top(1, item.clone()),
            _ => {
                self.scope.set_top(1, item.clone());
                self.scope.set_top(2, Held::own(key));
            }
        }
        self.action = turns.id;
        let flow = self.walk(context, &item, turns.list)?;
        self.scope.pop(turns.mark);
        Ok(flow == Flow::Break)
    }

    /// `=`: overwrites the variable declared last under a name.
    pub(super) fn assign(&mut self, context: &Context<'_>, name: u32, mut held: Held) -> Exec<()> {
        if self.options.trace {
            held.value.marks = self.marks.join(held.value.marks, self.control);
        }
        match self.scope.get_mut(name) {
            Some(place) => {
                *place = held;
                Ok(())
            }
            None => {
                let name = String::from_utf8_lossy(&context.unit.var_names[name as usize]);
                self.error(context, format!("undefined variable: {name}"))
            }
        }
    }

    fn template(
        &mut self,
        context: &Context<'_>,
        dot: &Held,
        id: NodeId,
        name: u32,
        pipe: NodeId,
    ) -> Exec<()> {
        self.action = id;
        let literal = &context.unit.literals[name as usize];
        let Some(found) = self.find(literal) else {
            let name = crate::value::quote::quote_str(literal);
            return self.error(context, format!("template {name} not defined"));
        };
        if self.depth == self.options.limits.depth {
            let depth = self.depth;
            return self.error(context, format!("exceeded maximum template depth ({depth})"));
        }
        self.check_stack(context)?;
        let value = if pipe == NO_NODE {
            Value::INVALID
        } else {
            self.pipeline(context, dot, pipe)?
        };
        self.depth += 1;
        self.at = id;
        let outcome = match &found {
            Found::Set(body) => {
                let set = self.set;
                self.run_body(&set.units[body.unit as usize], body.unit, body.root, value)
            }
            Found::Text(overlay, root) => self.run_body(&overlay.unit, overlay.number, *root, value),
        };
        self.depth -= 1;
        outcome
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

    /// Writes a value as `{{ }}` does.
    fn emit(&mut self, context: &Context<'_>, id: NodeId, value: &Value) -> Exec<()> {
        let start = self.output.bytes.len();
        if let Data::Str(text) = &value.data {
            self.output.bytes.extend_from_slice(text.bytes());
            if self.options.trace
                && let Some(spans) = text.spans()
            {
                self.cover_text(context, id, start, spans);
            }
            return self.emitted(context, id, value.marks);
        }
        let address = push_printable(&mut self.output.bytes, value, self.options.dialect);
        let mut marks = Marks::NONE;
        if self.options.trace {
            marks = self.deep(value);
            if address {
                let ambient = self.ambient_marks(context, id, &[Effect::Host]);
                marks = self.marks.join(marks, ambient);
            }
        }
        self.emitted(context, id, marks)
    }

    /// Bytes were written.
    fn emitted(&mut self, context: &Context<'_>, id: NodeId, marks: Marks) -> Exec<()> {
        if self.options.trace {
            self.output.cover(self.span(context, id, marks));
        }
        if self.output.bytes.len() > self.options.limits.output {
            return self.stop(context, "the output is larger than evenkeel allows");
        }
        Ok(())
    }
}

/// Where the body of a name stands.
pub(super) enum Found {
    Set(Body),
    Text(Rc<Overlay>, NodeId),
}

/// What all turns of one range share.
struct Turns {
    id: NodeId,
    list: NodeId,
    decl: Range32,
    assign: bool,
    /// The marks of what is walked.
    parent: Marks,
    mark: usize,
    ran: bool,
}

fn index_value(index: usize) -> Value {
    Value::int(i64::try_from(index).unwrap_or(i64::MAX))
}
