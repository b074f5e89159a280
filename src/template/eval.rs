//! Pipelines, commands and operands (`text/template/exec.go`): nodes to values.

use super::exec::{Context, Exec, Executor};
use super::scope::Held;
use super::table::Special;
use super::tree::{Node, NodeId, Number, Range32};
use crate::value::types::{ANY, type_name};
use crate::value::{Data, ElemType, List, Map, MapType, ObjectKind, Text, Value};
use std::rc::Rc;

/// The operands of a command and the value piped into it.
pub(super) struct Operands<'a> {
    /// The operands behind the first one; `None` where the grammar allows none.
    pub args: &'a [NodeId],
    /// The result of the command before.
    pub piped: Option<Value>,
}

impl Operands<'_> {
    /// No operands at all.
    pub const NONE: Operands<'static> = Operands {
        args: &[],
        piped: None,
    };

    fn is_empty(&self) -> bool {
        self.args.is_empty() && self.piped.is_none()
    }
}

impl Executor<'_> {
    /// A pipeline's value: nil is the invalid value from here on.
    pub(super) fn pipeline(&mut self, context: &Context<'_>, dot: &Held, pipe: NodeId) -> Exec<Value> {
        self.at = pipe;
        let Node::Pipe { kids, decl, assign } = *context.unit.node(pipe) else {
            return self.error(context, "this is no pipeline");
        };
        let mut value: Option<Value> = None;
        for &command in context.unit.kids(kids) {
            let mut result = self.command(context, dot, command, value.take())?.value;
            if matches!(result.data, Data::Nil) {
                result.data = Data::Invalid;
            }
            value = Some(result);
        }
        let value = value.unwrap_or(Value::INVALID);
        for &name in &context.unit.vars[decl.range()] {
            let held = Held::own(value.clone());
            if assign {
                self.assign(context, name, held)?;
            } else {
                self.scope.push(name, held);
            }
        }
        Ok(value)
    }

    fn command(
        &mut self,
        context: &Context<'_>,
        dot: &Held,
        command: NodeId,
        piped: Option<Value>,
    ) -> Exec<Held> {
        let Node::Command(kids) = *context.unit.node(command) else {
            return self.error(context, "this is no command");
        };
        let operands = context.unit.kids(kids);
        let (first, args) = match operands {
            [first, args @ ..] => (*first, args),
            [] => return self.error(context, "empty command"),
        };
        let given = Operands { args, piped };
        match *context.unit.node(first) {
            Node::Field(names) => {
                self.at = first;
                self.chain(context, dot, dot.clone(), first, names, given)
            }
            Node::Chain { node, names } => self.chain_node(context, dot, first, node, names, given),
            Node::Identifier { func, .. } => self.function(context, dot, first, func, command, given),
            Node::Pipe { .. } => {
                self.not_a_function(context, first, &given)?;
                self.check_stack(context)?;
                self.pipeline(context, dot, first).map(Held::own)
            }
            Node::Variable { name, names } => self.variable(context, dot, first, name, names, given),
            _ => {
                self.at = first;
                self.not_a_function(context, first, &given)?;
                match *context.unit.node(first) {
                    Node::Dot => Ok(dot.clone()),
                    Node::Nil => self.error(context, "nil is not a command"),
                    _ => self.constant(context, first).map(Held::own),
                }
            }
        }
    }

    fn not_a_function(&self, context: &Context<'_>, first: NodeId, given: &Operands<'_>) -> Exec<()> {
        if given.is_empty() {
            return Ok(());
        }
        let text = context.unit.text_of(first);
        self.error(context, format!("can't give argument to non-function {text}"))
    }

    /// A literal where no type is asked for.
    pub(super) fn constant(&mut self, context: &Context<'_>, id: NodeId) -> Exec<Value> {
        match *context.unit.node(id) {
            Node::Bool(truth) => Ok(Value::from(truth)),
            Node::Str { literal, .. } => Ok(Value::from(self.literal(context, literal))),
            Node::Number(index) => {
                let number = context.unit.numbers[index as usize];
                self.ideal(context, id, &number)
            }
            _ => {
                let text = context.unit.text_of(id);
                self.error(
                    context,
                    format!(
                        "can't evaluate command {}",
                        crate::value::quote::quote_str(text.as_bytes())
                    ),
                )
            }
        }
    }

    /// A numeric constant of the type that its text suggests (`idealConstant`).
    fn ideal(&mut self, context: &Context<'_>, id: NodeId, number: &Number) -> Exec<Value> {
        self.at = id;
        if let Some(parts) = number.complex {
            return Ok(Value::new(Data::Complex(Rc::new(parts))));
        }
        let text = context.unit.slice(number.text);
        if let Some(float) = number.float
            && looks_like_float(text)
        {
            return Ok(Value::float(float));
        }
        match number.int {
            Some(int) => Ok(Value::int(int)),
            None => {
                let text = String::from_utf8_lossy(text);
                self.error(context, format!("{text} overflows int"))
            }
        }
    }

    /// A string literal as a value: made once per render, then shared.
    pub(super) fn literal(&mut self, context: &Context<'_>, literal: u32) -> Text {
        let unit = context.number as usize;
        if self.literals.len() <= unit {
            self.literals.resize_with(unit + 1, Vec::new);
        }
        let known = &mut self.literals[unit];
        if known.is_empty() {
            known.resize(context.unit.literals.len(), None);
        }
        let at = literal as usize;
        known[at]
            .get_or_insert_with(|| Text::new(context.unit.literals[at].clone()))
            .clone()
    }

    pub(super) fn variable(
        &mut self,
        context: &Context<'_>,
        dot: &Held,
        id: NodeId,
        name: u32,
        names: Range32,
        given: Operands<'_>,
    ) -> Exec<Held> {
        self.at = id;
        let Some(held) = self.scope.get(name) else {
            let name = String::from_utf8_lossy(&context.unit.var_names[name as usize]);
            return self.error(context, format!("undefined variable: {name}"));
        };
        let held = held.clone();
        if names.is_empty() {
            self.not_a_function(context, id, &given)?;
            return Ok(held);
        }
        self.chain(context, dot, held, id, names, given)
    }

    pub(super) fn chain_node(
        &mut self,
        context: &Context<'_>,
        dot: &Held,
        id: NodeId,
        node: NodeId,
        names: Range32,
        given: Operands<'_>,
    ) -> Exec<Held> {
        self.at = id;
        // The operand is an argument of no type.
        self.at = node;
        let operand = match *context.unit.node(node) {
            Node::Pipe { .. } => {
                self.check_stack(context)?;
                Held::own(self.pipeline(context, dot, node)?)
            }
            Node::Identifier { func, .. } => self.function(context, dot, node, func, node, Operands::NONE)?,
            _ => {
                self.at = id;
                let text = context.unit.text_of(id);
                return self.error(context, format!("indirection through explicit nil in {text}"));
            }
        };
        self.chain(context, dot, operand, id, names, given)
    }

    /// `.a.b.c` from a receiver; the operands go to the last name.
    pub(super) fn chain(
        &mut self,
        context: &Context<'_>,
        dot: &Held,
        receiver: Held,
        id: NodeId,
        names: Range32,
        given: Operands<'_>,
    ) -> Exec<Held> {
        let mut receiver = receiver;
        let names = &context.unit.names[names.range()];
        let Some((last, names)) = names.split_last() else {
            return Ok(receiver);
        };
        for &name in names {
            receiver = self.field(context, dot, receiver, id, name, Operands::NONE)?;
        }
        self.field(context, dot, receiver, id, *last, given)
    }

    /// A method, a struct field or a map entry (`evalField`).
    fn field(
        &mut self,
        context: &Context<'_>,
        dot: &Held,
        receiver: Held,
        id: NodeId,
        name: Range32,
        given: Operands<'_>,
    ) -> Exec<Held> {
        let key = context.unit.slice(name);
        match &receiver.value.data {
            Data::Invalid => Ok(receiver),
            Data::Nil => {
                let key = String::from_utf8_lossy(key);
                self.error(context, format!("nil pointer evaluating {ANY}.{key}"))
            }
            Data::Map(map) => {
                if map.kind() == MapType::Values
                    && let Some((name, func)) = self.set.funcs.values_method(key)
                {
                    let receiver = receiver.value.clone();
                    return self.call_method(context, dot, id, (name, func), receiver, given);
                }
                if !given.is_empty() {
                    let key = String::from_utf8_lossy(key);
                    return self.error(context, format!("{key} is not a method but has arguments"));
                }
                Ok(self.entry(context, &receiver.value, map, key, id))
            }
            Data::Object(_) | Data::Duration(_) => self.member(context, dot, &receiver, id, key, given),
            _ => self.no_field(context, &receiver, key),
        }
    }

    /// The entry of a map, or the zero of its element type.
    fn entry(&mut self, context: &Context<'_>, parent: &Value, map: &Map, key: &[u8], id: NodeId) -> Held {
        let slot = map.kind() != MapType::Str;
        if let Some(mut value) = map.get(key) {
            if self.options.trace {
                self.inherit(parent.marks, &mut value);
                self.note_read(value.marks);
            }
            return Held { value, slot };
        }
        let mut value = if slot { Value::NIL } else { Value::from("") };
        if self.options.trace {
            self.missed(context.frame, parent, key, id);
            value.marks = self.marks.ambient_part(parent.marks);
        }
        Held { value, slot }
    }

    /// A method or field of an object.
    fn member(
        &mut self,
        context: &Context<'_>,
        dot: &Held,
        receiver: &Held,
        id: NodeId,
        key: &[u8],
        given: Operands<'_>,
    ) -> Exec<Held> {
        let name = std::str::from_utf8(key).unwrap_or_default();
        if let Some(result) = self.try_method(context, dot, &receiver.value, id, name, &given)? {
            return Ok(result);
        }
        let Data::Object(object) = &receiver.value.data else {
            return self.no_field(context, receiver, key);
        };
        let is_struct = match object.kind() {
            ObjectKind::Slice | ObjectKind::Int => return self.no_field(context, receiver, key),
            ObjectKind::Map if !given.is_empty() => {
                return self.error(context, format!("{name} is not a method but has arguments"));
            }
            ObjectKind::Map => false,
            ObjectKind::Struct | ObjectKind::Pointer => true,
        };
        let Some(mut value) = object.field(name) else {
            if !is_struct {
                // The zero value of the map's elements: no bytes.
                let nothing = Value::from(List::nil(ElemType::Byte));
                return Ok(Held::own(nothing.with_marks(receiver.value.marks)));
            }
            if object.fields().iter().any(|field| field.0 == name) {
                let kind = self.static_type(receiver);
                return self.error(
                    context,
                    format!("{name} is an unexported field of struct type {kind}"),
                );
            }
            return self.no_field(context, receiver, key);
        };
        if is_struct && !given.is_empty() {
            return self.error(
                context,
                format!("{name} has arguments but cannot be invoked as function"),
            );
        }
        if self.options.trace {
            self.inherit(receiver.value.marks, &mut value);
            self.note_read(value.marks);
        }
        let slot = value.is_nil();
        Ok(Held { value, slot })
    }

    fn static_type(&self, held: &Held) -> String {
        if held.slot {
            ANY.to_owned()
        } else {
            type_name(&held.value, self.options.dialect).into_owned()
        }
    }

    fn no_field<T>(&self, context: &Context<'_>, receiver: &Held, key: &[u8]) -> Exec<T> {
        let key = String::from_utf8_lossy(key);
        let kind = self.static_type(receiver);
        self.error(context, format!("can't evaluate field {key} in type {kind}"))
    }

    /// A function by name, with the operands of its command.
    pub(super) fn function(
        &mut self,
        context: &Context<'_>,
        dot: &Held,
        id: NodeId,
        func: u32,
        command: NodeId,
        given: Operands<'_>,
    ) -> Exec<Held> {
        self.at = id;
        self.burn(context)?;
        let row = self.set.funcs.row(func);
        match row.special {
            Special::No => self.call(context, dot, command, (row.name, row.func), given),
            Special::And => self.short_circuit(context, dot, row.name, false, given),
            Special::Or => self.short_circuit(context, dot, row.name, true, given),
            Special::Call => self.call_value(context, dot, command, given),
        }
    }
}

/// Does the text of a number make it a float (`idealConstant`)?
fn looks_like_float(text: &[u8]) -> bool {
    let rune = text.first() == Some(&b'\'');
    let hex = matches!(text, [b'0', b'x' | b'X', _, ..]);
    let exponent = text.iter().any(|byte| matches!(byte, b'p' | b'P'));
    let pointed = text.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E'));
    !rune && (exponent || (pointed && !hex))
}
