//! `range`: over lists, maps, integers and objects that are one of the former.

use super::exec::{Context, Exec, Executor, Flow};
use super::scope::Held;
use super::tree::{NO_NODE, Node, NodeId, Range32};
use crate::value::truth::is_true;
use crate::value::{Data, ElemType, MapType, Marks, ObjectKind, UintKind, Value};

/// The parts of a range node.
#[derive(Clone, Copy)]
pub(super) struct RangeParts {
    pub id: NodeId,
    pub pipe: NodeId,
    pub list: NodeId,
    pub otherwise: NodeId,
}

impl Executor<'_> {
    pub(super) fn range(&mut self, context: &Context<'_>, dot: &Held, parts: RangeParts) -> Exec<Flow> {
        let value = self.pipeline(context, dot, parts.pipe)?;
        let Node::Pipe { decl, assign, .. } = *context.unit.node(parts.pipe) else {
            return self.error(context, "range has no pipeline");
        };
        let mut turns = Turns {
            id: parts.id,
            list: parts.list,
            decl,
            assign,
            parent: value.marks,
            mark: self.scope.mark(),
            ran: false,
        };
        self.decide(context, parts.id, &value, is_true(&value));
        let numbered = |(index, item)| (index_value(index), item);
        match &value.data {
            Data::Invalid | Data::Nil => {}
            Data::Int(kind, count) => {
                self.check_one_variable(context, &value, decl)?;
                let items = (0..*count).map(|number| Data::Int(*kind, number));
                self.turns(context, &mut turns, items.map(unnumbered), false)?;
            }
            Data::Duration(count) => {
                self.check_one_variable(context, &value, decl)?;
                let items = (0..*count).map(Data::Duration);
                self.turns(context, &mut turns, items.map(unnumbered), false)?;
            }
            Data::Uint(kind, count) => {
                self.check_one_variable(context, &value, decl)?;
                let items = (0..*count).map(|number| Data::Uint(*kind, number));
                self.turns(context, &mut turns, items.map(unnumbered), false)?;
            }
            Data::List(list) => {
                let items = list.items().iter().cloned().enumerate().map(numbered);
                self.turns(context, &mut turns, items, list.elem() == ElemType::Any)?;
            }
            Data::Bytes(bytes) => {
                let byte = |byte: &u8| Value::new(Data::Uint(UintKind::Uint8, u64::from(*byte)));
                let items = bytes.bytes().iter().map(byte).enumerate().map(numbered);
                self.turns(context, &mut turns, items, false)?;
            }
            Data::Map(map) => {
                // Go takes keys and values before the first turn.
                let entries = map.snapshot().into_iter();
                let items = entries.map(|(key, item)| (Value::from(key), item));
                self.turns(context, &mut turns, items, map.kind() != MapType::Str)?;
            }
            Data::Object(object) if object.kind() == ObjectKind::Map => {
                let entries = object.fields().into_iter();
                let items = entries.map(|(key, item)| (Value::str(key), item));
                self.turns(context, &mut turns, items, false)?;
            }
            Data::Object(object) if object.kind() == ObjectKind::Slice => {
                let items = object.fields().into_iter().map(|field| field.1);
                let items = items.enumerate().map(numbered);
                self.turns(context, &mut turns, items, false)?;
            }
            _ => {
                let text = self.shown(&value);
                return self.error(context, format!("range can't iterate over {text}"));
            }
        }
        if !turns.ran && parts.otherwise != NO_NODE {
            return self.walk(context, dot, parts.otherwise);
        }
        Ok(Flow::Next)
    }

    /// All turns, up to a `break`. `slot` says that Go sees the elements as `interface {}`.
    fn turns(
        &mut self,
        context: &Context<'_>,
        turns: &mut Turns,
        items: impl Iterator<Item = (Value, Value)>,
        slot: bool,
    ) -> Exec<()> {
        for (key, value) in items {
            if self.turn(context, turns, key, Held { value, slot })? {
                break;
            }
        }
        Ok(())
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

/// An element that has no number: counting gives none.
fn unnumbered(data: Data) -> (Value, Value) {
    (Value::INVALID, Value::new(data))
}
