//! Pipelines, commands and operands (`text/template/parse/parse.go`): the inside of an action.

use super::lex::{Kind, Token};
use super::number::read_number;
use super::parse::{Parsed, Parser, to_u32};
use super::tree::{Node, NodeId, Range32};
use crate::value::quote::quote_str;

/// Go's bound of nested parentheses.
const MOST_PARENS: usize = 10_000;

impl Parser<'_> {
    pub(super) fn pipeline(&mut self, context: &str, end: Kind) -> Parsed<NodeId> {
        let position = self.peek_non_space().start;
        let (decl, assign) = self.declarations(context)?;
        let mut commands = Vec::new();
        loop {
            let token = self.next_non_space();
            if token.kind == end {
                break;
            }
            match token.kind {
                Kind::Bool
                | Kind::CharConstant
                | Kind::Complex
                | Kind::Dot
                | Kind::Field
                | Kind::Identifier
                | Kind::Number
                | Kind::Nil
                | Kind::RawString
                | Kind::Str
                | Kind::Variable
                | Kind::LeftParen => {
                    self.backup();
                    commands.push(self.command()?);
                }
                _ => return self.unexpected(token, context),
            }
        }
        self.check_pipeline(&commands, context)?;
        let kids = self.kids(&commands);
        Ok(self.push(position, Node::Pipe { kids, decl, assign }))
    }

    /// `$x :=`, `$x =`, and in a range `$i, $x :=`.
    fn declarations(&mut self, context: &str) -> Parsed<(Range32, bool)> {
        let start = to_u32(self.unit.vars.len());
        let mut assign = false;
        while self.peek_non_space().kind == Kind::Variable {
            let variable = self.next();
            // A space is a token, so three tokens are looked at: in "$x foo" the foo shows that $x is an
            // operand.
            let after = self.peek();
            let next = self.peek_non_space();
            let comma = next.kind == Kind::Char && self.text(next) == b",";
            if !comma && !matches!(next.kind, Kind::Assign | Kind::Declare) {
                if after.kind == Kind::Space {
                    self.state.tokens[1] = after;
                    self.state.tokens[2] = variable;
                    self.state.ahead = 3;
                } else {
                    self.state.tokens[1] = variable;
                    self.state.ahead = 2;
                }
                break;
            }
            self.next_non_space();
            let number = self.variable(self.text(variable));
            self.unit.vars.push(number);
            self.state.vars.push(number);
            if !comma {
                assign = next.kind == Kind::Assign;
                break;
            }
            if context != "range" || self.unit.vars.len() - start as usize >= 2 {
                return Err(self.error(format!("too many declarations in {context}")));
            }
            match self.peek_non_space().kind {
                Kind::Variable | Kind::RightDelim | Kind::RightParen => {}
                _ => return Err(self.error("range can only initialize variables")),
            }
        }
        let end = to_u32(self.unit.vars.len());
        Ok((Range32 { start, end }, assign))
    }

    fn check_pipeline(&self, commands: &[NodeId], context: &str) -> Parsed<()> {
        if commands.is_empty() {
            return Err(self.error(format!("missing value for {context}")));
        }
        for (index, &command) in commands.iter().enumerate().skip(1) {
            let Node::Command(kids) = *self.unit.node(command) else {
                continue;
            };
            let first = self.unit.kids(kids).first().map(|&kid| self.unit.node(kid));
            if let Some(Node::Bool(_) | Node::Dot | Node::Nil | Node::Number(_) | Node::Str { .. }) = first {
                return Err(self.error(format!("non executable command in pipeline stage {}", index + 1)));
            }
        }
        Ok(())
    }

    fn command(&mut self) -> Parsed<NodeId> {
        let position = self.peek_non_space().start;
        let mut operands = Vec::new();
        loop {
            self.peek_non_space();
            operands.extend(self.operand()?);
            let token = self.next();
            match token.kind {
                Kind::Space => continue,
                Kind::RightDelim | Kind::RightParen => self.backup(),
                Kind::Pipe => {}
                _ => return self.unexpected(token, "operand"),
            }
            break;
        }
        if operands.is_empty() {
            return Err(self.error("empty command"));
        }
        let kids = self.kids(&operands);
        Ok(self.push(position, Node::Command(kids)))
    }

    /// A term and the fields behind it.
    fn operand(&mut self) -> Parsed<Option<NodeId>> {
        let Some(node) = self.term()? else {
            return Ok(None);
        };
        let first = self.peek();
        if first.kind != Kind::Field {
            return Ok(Some(node));
        }
        let term = *self.unit.node(node);
        let start = to_u32(self.unit.names.len());
        if let Node::Field(names) = term {
            // A field's own names come first: the node is made anew where the chain begins.
            self.unit.names.extend_from_within(names.range());
        }
        while self.peek().kind == Kind::Field {
            let token = self.next();
            self.push_name(token);
        }
        let names = Range32 {
            start,
            end: to_u32(self.unit.names.len()),
        };
        let node = match term {
            Node::Field(_) => self.push(first.start, Node::Field(names)),
            Node::Variable { name, .. } => self.push(first.start, Node::Variable { name, names }),
            Node::Bool(_) | Node::Str { .. } | Node::Number(_) | Node::Nil | Node::Dot => {
                let term = quote_str(self.unit.text_of(node).as_bytes());
                return Err(self.error(format!("unexpected . after term {term}")));
            }
            _ => self.push(first.start, Node::Chain { node, names }),
        };
        Ok(Some(node))
    }

    /// Notes the name of a field token, without its dot.
    fn push_name(&mut self, token: Token) {
        self.unit.names.push(Range32 {
            start: to_u32(token.start + 1),
            end: to_u32(token.end),
        });
    }

    fn term(&mut self) -> Parsed<Option<NodeId>> {
        let token = self.next_non_space();
        let node = match token.kind {
            Kind::Identifier => {
                let Some(func) = self.funcs.find(self.text(token)) else {
                    let name = quote_str(self.text(token));
                    return Err(self.error(format!("function {name} not defined")));
                };
                let end = to_u32(token.end);
                Node::Identifier { func, end }
            }
            Kind::Dot => Node::Dot,
            Kind::Nil => Node::Nil,
            Kind::Variable => {
                let name = self.variable(self.text(token));
                if !self.state.vars.contains(&name) {
                    let name = quote_str(self.text(token));
                    return Err(self.error(format!("undefined variable {name}")));
                }
                let names = Range32::default();
                Node::Variable { name, names }
            }
            Kind::Field => {
                let start = to_u32(self.unit.names.len());
                self.push_name(token);
                let end = start + 1;
                Node::Field(Range32 { start, end })
            }
            Kind::Bool => Node::Bool(self.text(token) == b"true"),
            Kind::CharConstant | Kind::Complex | Kind::Number => {
                let mut number = read_number(self.text(token), token.kind).map_err(|e| self.error(e))?;
                number.text = Range32 {
                    start: to_u32(token.start),
                    end: to_u32(token.end),
                };
                self.unit.numbers.push(number);
                Node::Number(to_u32(self.unit.numbers.len() - 1))
            }
            Kind::LeftParen => return self.parenthesis().map(Some),
            Kind::Str | Kind::RawString => {
                let text = self.unquoted(token)?;
                let literal = self.literal(text);
                let end = to_u32(token.end);
                Node::Str { literal, end }
            }
            _ => {
                self.backup();
                return Ok(None);
            }
        };
        Ok(Some(self.push(token.start, node)))
    }

    fn parenthesis(&mut self) -> Parsed<NodeId> {
        if self.state.parens >= MOST_PARENS || self.stack.is_spent() {
            return Err(self.error("max expression depth exceeded"));
        }
        self.state.parens += 1;
        let pipe = self.pipeline("parenthesized pipeline", Kind::RightParen)?;
        self.state.parens -= 1;
        Ok(pipe)
    }
}
