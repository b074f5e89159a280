//! Calls: arguments checked against parameters with Go's wording, then the function itself
//! (`text/template/exec.go`, `evalCall`, `validateType`, `evalArg`).

use super::error::ErrorChain;
use super::eval::Operands;
use super::exec::{Context, Exec, Executor, Running};
use super::func::{Call, CallError, Effect, Func, Param};
use super::scope::Held;
use super::table::NamedFunc;
use super::tree::{Node, NodeId};
use crate::value::effort;
use crate::value::truth::is_true;
use crate::value::types::{ANY, type_name};
use crate::value::{Data, ElemType, IntKind, List, Map, MapType, Signature, UintKind, Value};
use std::borrow::Cow;

/// What one call may spend at most: 64 MiB of text, or millions of elements visited.
const MOST_PER_CALL: u64 = 16 << 20;

/// Links that an error of ours keeps: the outermost and the innermost ones.
const MOST_LINKS: usize = 20;

pub(super) const OVERSPENT: &str = "the execution takes too long: evenkeel's fuel is spent";

/// Functions read their texts to the end, which is faster than making them.
fn charge_reading(arg: &Value) {
    if let Data::Str(text) | Data::Bytes(text) = &arg.data {
        effort::spend_bytes(text.len() / 16);
    }
}

/// What a function made is charged by its size.
fn charge_making(value: &Value) {
    match &value.data {
        Data::Str(text) | Data::Bytes(text) => {
            effort::spend_bytes(text.len() / 16);
        }
        Data::List(list) if list.is_new() => {
            effort::spend(list.items().len() as u64 / 8);
        }
        _ => {}
    }
}

/// What a parameter list asks for; the receiver of a method is no part of it.
#[derive(Clone, Copy)]
struct Shape<'a> {
    name: &'a str,
    params: &'a [Param],
    variadic: bool,
}

impl Shape<'_> {
    /// Parameters that every call must fill.
    fn fixed(&self) -> usize {
        self.params.len() - usize::from(self.variadic)
    }

    /// The parameter that an argument lands in.
    fn param(&self, at: usize) -> Param {
        let last = self.params.len().saturating_sub(1);
        self.params.get(at.min(last)).copied().unwrap_or(Param::Any)
    }
}

impl Executor<'_> {
    /// Calls a function. `node` is what messages about the call itself name.
    pub(super) fn call(
        &mut self,
        context: &Context<'_>,
        dot: &Held,
        node: NodeId,
        (name, func): NamedFunc,
        given: Operands<'_>,
    ) -> Exec<Held> {
        let shape = Shape {
            name,
            params: func.params,
            variadic: func.variadic,
        };
        let mut args = self.spare_args.pop().unwrap_or_default();
        self.arguments(context, dot, shape, given, &mut args)?;
        let result = self.invoke(context, node, name, func, &mut args);
        args.clear();
        self.spare_args.push(args);
        result.map(Held::own)
    }

    /// Calls a method of a named map type: a function whose first parameter is the receiver.
    pub(super) fn call_method(
        &mut self,
        context: &Context<'_>,
        dot: &Held,
        node: NodeId,
        (name, func): NamedFunc,
        receiver: Value,
        given: Operands<'_>,
    ) -> Exec<Held> {
        let shape = Shape {
            name,
            params: func.params.get(1..).unwrap_or_default(),
            variadic: func.variadic,
        };
        let mut args = vec![receiver];
        self.arguments(context, dot, shape, given, &mut args)?;
        self.invoke(context, node, name, func, &mut args).map(Held::own)
    }

    /// Evaluates and checks arguments, in Go's order: the count first, then each from left to right.
    fn arguments(
        &mut self,
        context: &Context<'_>,
        dot: &Held,
        shape: Shape<'_>,
        given: Operands<'_>,
        out: &mut Vec<Value>,
    ) -> Exec<()> {
        let count = given.args.len() + usize::from(given.piped.is_some());
        let name = shape.name;
        if shape.variadic {
            let (want, got) = (shape.fixed(), given.args.len());
            if count < want {
                return self.error(
                    context,
                    format!("wrong number of args for {name}: want at least {want} got {got}"),
                );
            }
        } else if count != shape.params.len() {
            let want = shape.params.len();
            return self.error(
                context,
                format!("wrong number of args for {name}: want {want} got {count}"),
            );
        }
        for (at, &arg) in given.args.iter().enumerate() {
            let value = self.argument(context, dot, shape.param(at), arg)?;
            out.push(value);
        }
        if let Some(piped) = given.piped {
            let value = self.validated(context, piped, shape.param(given.args.len()))?;
            out.push(value);
        }
        Ok(())
    }

    /// One argument for a parameter (`evalArg`).
    fn argument(&mut self, context: &Context<'_>, dot: &Held, param: Param, id: NodeId) -> Exec<Value> {
        self.at = id;
        let value = match *context.unit.node(id) {
            Node::Dot => dot.value.clone(),
            Node::Nil => {
                return match zero(param) {
                    Some(zero) => Ok(zero),
                    None => {
                        let kind = param_name(param);
                        self.error(context, format!("cannot assign nil to {kind}"))
                    }
                };
            }
            Node::Field(names) => {
                self.chain(context, dot, dot.clone(), id, names, Operands::NONE)?
                    .value
            }
            Node::Variable { name, names } => {
                self.variable(context, dot, id, name, names, Operands::NONE)?
                    .value
            }
            Node::Pipe { .. } => {
                self.check_stack(context)?;
                self.pipeline(context, dot, id)?
            }
            Node::Identifier { func, .. } => self.function(context, dot, id, func, id, Operands::NONE)?.value,
            Node::Chain { node, names } => {
                self.chain_node(context, dot, id, node, names, Operands::NONE)?
                    .value
            }
            _ => return self.typed_literal(context, param, id),
        };
        self.validated(context, value, param)
    }

    /// A literal for a parameter: its type decides what it may be.
    fn typed_literal(&mut self, context: &Context<'_>, param: Param, id: NodeId) -> Exec<Value> {
        let node = *context.unit.node(id);
        let number = match node {
            Node::Number(index) => Some(context.unit.numbers[index as usize]),
            _ => None,
        };
        let (value, expected) = match param {
            Param::Any | Param::Reflect => return self.constant(context, id),
            Param::Str => {
                let value = match node {
                    Node::Str { literal, .. } => Some(Value::from(self.literal(context, literal))),
                    _ => None,
                };
                (value, "string")
            }
            Param::Bool => {
                let value = match node {
                    Node::Bool(truth) => Some(Value::from(truth)),
                    _ => None,
                };
                (value, "bool")
            }
            Param::Int => (number.and_then(|n| n.int).map(Value::int), "integer"),
            Param::Int64 => (number.and_then(|n| n.int).map(Value::int64), "integer"),
            Param::Named("time.Duration") => {
                let nanos = number.and_then(|n| n.int);
                (nanos.map(|nanos| Value::new(Data::Duration(nanos))), "integer")
            }
            Param::Uint32 => {
                let value = number.and_then(|n| n.uint).map(|n| {
                    let low = n & u64::from(u32::MAX);
                    Value::new(Data::Uint(UintKind::Uint32, low))
                });
                (value, "unsigned integer")
            }
            Param::Float => (number.and_then(|n| n.float).map(Value::float), "float"),
            Param::Map | Param::List | Param::Time | Param::Named(_) => {
                let (text, kind) = (context.unit.text_of(id), param_name(param));
                return self.error(context, format!("can't handle {text} for arg of type {kind}"));
            }
        };
        match value {
            Some(value) => Ok(value),
            None => {
                let text = context.unit.text_of(id);
                self.error(context, format!("expected {expected}; found {text}"))
            }
        }
    }

    /// A value for a parameter (`validateType`).
    fn validated(&mut self, context: &Context<'_>, value: Value, param: Param) -> Exec<Value> {
        match (&value.data, param) {
            (Data::Invalid, Param::Any) => Ok(Value::NIL.with_marks(value.marks)),
            (_, Param::Any | Param::Reflect) => Ok(value),
            (Data::Invalid, _) => match zero(param) {
                Some(zero) => Ok(zero.with_marks(value.marks)),
                None => {
                    let kind = param_name(param);
                    self.error(context, format!("invalid value; expected {kind}"))
                }
            },
            (Data::Map(map), Param::Map) if map.kind() == MapType::Values => {
                let plain = map.as_kind(MapType::Any);
                Ok(Value::from(plain).with_marks(value.marks))
            }
            _ if fits(&value, param) => Ok(value),
            _ => {
                let got = match value.data {
                    Data::Nil => Cow::Borrowed(ANY),
                    _ => type_name(&value, self.options.dialect),
                };
                let want = param_name(param);
                self.error(
                    context,
                    format!("wrong type for value; expected {want}; got {got}"),
                )
            }
        }
    }

    /// Runs the body of a function and gives its result the marks it has earned.
    fn invoke(
        &mut self,
        context: &Context<'_>,
        node: NodeId,
        name: &'static str,
        func: &'static Func,
        args: &mut Vec<Value>,
    ) -> Exec<Value> {
        let kept = self.keep_args(args);
        let running = Running {
            name,
            site: (context.frame, node),
            noted: Vec::new(),
            seed: match func.effect {
                Effect::Random => self.seed(context, name, args),
                _ => Vec::new(),
            },
            ..Running::default()
        };
        let outer = std::mem::replace(&mut self.running, running);
        self.open_account();
        for arg in args.iter() {
            charge_reading(arg);
        }
        let result = (func.body)(&mut Call {
            name,
            args,
            host: self,
        });
        let running = std::mem::replace(&mut self.running, outer);
        if let Ok(value) = &result {
            charge_making(value);
        }
        let told = matches!(&result, Err(CallError::Template(_)));
        if self.settle_account() && !told {
            self.at = node;
            return self.overspent(context);
        }
        if !told && effort::holds_too_much() {
            self.at = node;
            return self.stop(
                context,
                "the values of the templates take more memory than evenkeel allows",
            );
        }
        match result {
            Ok(mut value) => {
                if let Data::Str(text) | Data::Bytes(text) = &value.data
                    && text.len() > self.options.limits.output
                {
                    self.at = node;
                    return self.stop(context, "a text is longer than evenkeel allows");
                }
                if let Some(kept) = kept {
                    self.mark_result(context, node, &running, &mut value, &kept);
                    self.spare(kept);
                }
                Ok(value)
            }
            Err(error) => Err(self.call_error(context, node, name, error)),
        }
    }

    /// Lets whoever works on values spend what fuel is left, up to a call's bound.
    pub(super) fn open_account(&mut self) {
        effort::allow(self.fuel.min(MOST_PER_CALL));
    }

    /// Takes what was spent since the last time from the fuel; true when it was too much.
    pub(super) fn settle_account(&mut self) -> bool {
        let spent = effort::spent();
        self.fuel = self.fuel.saturating_sub(spent.saturating_sub(self.settled));
        self.settled = spent;
        effort::is_over()
    }

    /// Names the bound that was met.
    pub(super) fn overspent<T>(&self, context: &Context<'_>) -> Exec<T> {
        match self.fuel {
            0 => self.stop(context, OVERSPENT),
            _ => self.stop(context, "one call makes or visits more than evenkeel allows"),
        }
    }

    /// `error calling NAME: ...`
    pub(super) fn call_error(
        &mut self,
        context: &Context<'_>,
        node: NodeId,
        name: &str,
        error: CallError,
    ) -> Box<ErrorChain> {
        self.at = node;
        let link = self.link(context, Some(name));
        match error {
            CallError::Own(cause) => Box::new(ErrorChain {
                links: vec![link],
                cause,
                own: false,
                limit: false,
            }),
            CallError::Template(mut chain) => {
                if chain.limit && chain.links.len() >= MOST_LINKS {
                    chain.links[0] = link;
                } else {
                    chain.links.insert(0, link);
                }
                chain
            }
        }
    }

    /// `and` and `or`: the operand that decides is the result, the ones behind it are not evaluated.
    pub(super) fn short_circuit(
        &mut self,
        context: &Context<'_>,
        dot: &Held,
        name: &'static str,
        stop_at: bool,
        given: Operands<'_>,
    ) -> Exec<Held> {
        if given.args.is_empty() && given.piped.is_none() {
            return self.error(
                context,
                format!("wrong number of args for {name}: want at least 1 got 0"),
            );
        }
        let mut decided = crate::value::Marks::NONE;
        let mut last = Value::INVALID;
        let count = given.args.len() + usize::from(given.piped.is_some());
        for at in 0..count {
            last = match given.args.get(at) {
                Some(&arg) => self.argument(context, dot, Param::Reflect, arg)?,
                None => given.piped.clone().unwrap_or(Value::INVALID),
            };
            if self.options.trace {
                let marks = self.whole(&last);
                last.marks = self.marks.join(last.marks, decided);
                decided = self.marks.join(decided, marks);
            }
            if at + 1 < count && is_true(&last) == stop_at && given.args.get(at).is_some() {
                break;
            }
        }
        let slot = matches!(last.data, Data::Nil);
        Ok(Held { value: last, slot })
    }

    /// `call`: templates never get hold of a function value, so it always fails as Go's does.
    pub(super) fn call_value(
        &mut self,
        context: &Context<'_>,
        dot: &Held,
        node: NodeId,
        given: Operands<'_>,
    ) -> Exec<Held> {
        const SHAPE: Shape<'_> = Shape {
            name: "call",
            params: &[Param::Reflect, Param::Reflect],
            variadic: true,
        };
        let callee = given.args.first().map(|&arg| context.unit.text_of(arg));
        let mut args = Vec::new();
        self.arguments(context, dot, SHAPE, given, &mut args)?;
        let Some(value) = args.first().filter(|value| !value.is_nil()) else {
            return Err(self.call_error(context, node, "call", "call of nil".into()));
        };
        let kind = type_name(value, self.options.dialect);
        let callee = callee.unwrap_or_else(|| match &value.data {
            Data::Str(text) => text.lossy().into_owned(),
            _ => format!("<{kind} Value>"),
        });
        let error = CallError::Own(format!("non-function {callee} of type {kind}"));
        Err(self.call_error(context, node, "call", error))
    }

    /// Calls a method of an object or a duration; `None` when it has no such method.
    pub(super) fn try_method(
        &mut self,
        context: &Context<'_>,
        dot: &Held,
        receiver: &Value,
        id: NodeId,
        name: &str,
        given: &Operands<'_>,
    ) -> Exec<Option<Held>> {
        let signature = match &receiver.data {
            Data::Object(object) => match object.method(name) {
                None if object.has_method(name) => Some(Signature {
                    params: &[Param::Any],
                    variadic: true,
                }),
                known => known,
            },
            Data::Duration(_) => super::duration::method(name),
            _ => None,
        };
        let Some(signature) = signature else {
            return Ok(None);
        };
        let shape = Shape {
            name,
            params: signature.params,
            variadic: signature.variadic,
        };
        let operands = Operands {
            args: given.args,
            piped: given.piped.clone(),
        };
        let mut args = Vec::new();
        self.arguments(context, dot, shape, operands, &mut args)?;
        self.open_account();
        let result = match &receiver.data {
            Data::Object(object) => object.call_method(name, &args),
            Data::Duration(nanos) => super::duration::call(*nanos, name, &args),
            _ => Err(String::new()),
        };
        if let Ok(value) = &result {
            charge_making(value);
        }
        if self.settle_account() {
            return self.overspent(context);
        }
        match result {
            Ok(mut value) => {
                if self.options.trace {
                    args.push(receiver.clone());
                    self.mark_result(context, id, &Running::default(), &mut value, &args);
                }
                let slot = matches!(value.data, Data::Nil);
                Ok(Some(Held { value, slot }))
            }
            Err(error) => Err(self.call_error(context, id, name, CallError::Own(error))),
        }
    }
}

/// The one interface type, besides the empty one, that a parameter of a method has.
const WRITER: &str = "io.Writer";

/// The zero of a parameter's type, where nil may be assigned to it (`canBeNil`).
fn zero(param: Param) -> Option<Value> {
    match param {
        Param::Any => Some(Value::NIL),
        Param::Reflect => Some(Value::INVALID),
        Param::Map => Some(Value::from(Map::nil(MapType::Any))),
        Param::List => Some(Value::from(List::nil(ElemType::Any))),
        Param::Named(name) if name.starts_with('*') || name == WRITER => Some(Value::NIL),
        _ => None,
    }
}

fn fits(value: &Value, param: Param) -> bool {
    match (&value.data, param) {
        (_, Param::Any | Param::Reflect)
        | (Data::Str(_), Param::Str)
        | (Data::Int(IntKind::Int, _), Param::Int)
        | (Data::Int(IntKind::Int64, _), Param::Int64)
        | (Data::Uint(UintKind::Uint32, _), Param::Uint32)
        | (Data::Float(_), Param::Float)
        | (Data::Bool(_), Param::Bool)
        | (Data::Duration(_), Param::Named("time.Duration")) => true,
        (Data::Map(map), Param::Map) => map.kind() != MapType::Str,
        (Data::List(list), Param::List) => list.elem() == ElemType::Any,
        (Data::Object(object), Param::Time) => object.type_name() == "time.Time",
        (Data::Object(object), Param::Named(name)) => object.type_name() == name,
        _ => false,
    }
}

/// The type of a parameter, as messages name it.
fn param_name(param: Param) -> &'static str {
    match param {
        Param::Any => ANY,
        Param::Reflect => "reflect.Value",
        Param::Str => "string",
        Param::Int => "int",
        Param::Int64 => "int64",
        Param::Uint32 => "uint32",
        Param::Float => "float64",
        Param::Bool => "bool",
        Param::Map => "map[string]interface {}",
        Param::List => "[]interface {}",
        Param::Time => "time.Time",
        Param::Named(name) => name,
    }
}
