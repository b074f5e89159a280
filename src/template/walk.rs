//! The walker (`text/template/exec.go`): nodes to text.
//!
//! Invariant: `at` is the node Go would name in a message at this moment.

use super::exec::{Context, Exec, Executor, Flow, Found, Running};
use super::func::Effect;
use super::range::RangeParts;
use super::scope::Held;
use super::trace::{Branch, Decider};
use super::tree::{BranchKind, NO_NODE, Node, NodeId};
use crate::value::depth::bottomless_text;
use crate::value::print::push_printable;
use crate::value::truth::{is_true, reads_as_false};
use crate::value::{Data, Marks, Value};

impl Executor<'_> {
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
                    BranchKind::Range => {
                        let parts = RangeParts {
                            id,
                            pipe,
                            list,
                            otherwise,
                        };
                        self.range(context, dot, parts)
                    }
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
        self.open_account();
        let notes = push_printable(&mut self.output.bytes, value, self.options.dialect);
        if self.settle_account() {
            return self.overspent(context);
        }
        if notes.bottomless {
            return self.stop(context, &bottomless_text());
        }
        let mut marks = Marks::NONE;
        if self.options.trace {
            marks = self.deep(value);
            if notes.address {
                let running = Running {
                    noted: vec![Effect::Host],
                    ..Running::default()
                };
                let ambient = self.ambient_marks(context, id, &running);
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

    /// Notes that a value decides a branch.
    pub(super) fn decide(&mut self, context: &Context<'_>, id: NodeId, value: &Value, taken: bool) {
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
        self.trace.branches.push(Branch {
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
}
