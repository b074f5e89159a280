//! Tokens to a tree (`text/template/parse/parse.go`), with Go's messages.

use super::lex::{Kind, Lexer, Token};
use super::stack::Stack;
use super::table::FuncTable;
use super::tree::{BranchKind, Definition, NO_NODE, Node, NodeId, Range32, Unit, place};
use crate::value::quote::{quote_str, unquote};
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::Arc;

/// Why a text is no template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The template file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// What is wrong, in Go's words.
    pub message: String,
}

impl fmt::Display for ParseError {
    /// As Go prints it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "template: {}:{}: {}", self.file, self.line, self.message)
    }
}

impl std::error::Error for ParseError {}

pub(super) type Parsed<T> = Result<T, Box<ParseError>>;

/// Parses a text with all its definitions. `stack` bounds the bytes of stack that nesting may take.
///
/// # Errors
/// Go's parse error, or a bound of ours.
pub fn parse(name: &str, source: Arc<[u8]>, funcs: &FuncTable, stack: usize) -> Parsed<Unit> {
    let text = Arc::clone(&source);
    let mut parser = Parser {
        name,
        lexer: Lexer::new(&text),
        source: &text,
        funcs,
        stack: Stack::here(stack),
        state: State::default(),
        interned: FxHashMap::default(),
        unit: Unit {
            name: name.into(),
            source,
            definitions: Vec::new(),
            nodes: vec![Node::Nil],
            positions: vec![0],
            kids: Vec::new(),
            names: Vec::new(),
            vars: Vec::new(),
            var_names: vec![Arc::from(*b"$")],
            literals: Vec::new(),
            numbers: Vec::new(),
        },
    };
    parser.interned.insert(b"$".to_vec(), 0);
    if text.len() >= u32::MAX as usize / 2 {
        return Err(parser.error("the text is larger than 2 GiB"));
    }
    let root = parser.file()?;
    parser.define(name.as_bytes().into(), root)?;
    Ok(parser.unit)
}

/// The part of the parser that Go keeps per definition.
pub(super) struct State {
    /// Three-token lookahead; the first is the one read last.
    pub tokens: [Token; 3],
    pub ahead: usize,
    /// Variables in scope, by number.
    pub vars: Vec<u32>,
    ranges: usize,
    pub parens: usize,
    /// Where the current action began.
    action: Option<usize>,
}

impl Default for State {
    fn default() -> State {
        let none = Token {
            kind: Kind::Eof,
            start: 0,
            end: 0,
        };
        State {
            tokens: [none; 3],
            ahead: 0,
            vars: vec![0],
            ranges: 0,
            parens: 0,
            action: None,
        }
    }
}

pub(super) struct Parser<'a> {
    name: &'a str,
    lexer: Lexer<'a>,
    source: &'a [u8],
    pub funcs: &'a FuncTable,
    pub stack: Stack,
    pub state: State,
    interned: FxHashMap<Vec<u8>, u32>,
    pub unit: Unit,
}

/// What a text or action turned out to be.
enum Item {
    Node(NodeId),
    End,
    Else,
}

impl Item {
    fn text(&self) -> &'static str {
        match self {
            Item::Else => "{{else}}",
            _ => "{{end}}",
        }
    }
}

impl<'a> Parser<'a> {
    // Tokens.

    pub(super) fn next(&mut self) -> Token {
        let state = &mut self.state;
        if state.ahead > 0 {
            state.ahead -= 1;
        } else {
            state.tokens[0] = self.lexer.next();
        }
        state.tokens[state.ahead]
    }

    pub(super) fn backup(&mut self) {
        self.state.ahead += 1;
    }

    pub(super) fn peek(&mut self) -> Token {
        let token = self.next();
        self.backup();
        token
    }

    pub(super) fn next_non_space(&mut self) -> Token {
        loop {
            let token = self.next();
            if token.kind != Kind::Space {
                return token;
            }
        }
    }

    pub(super) fn peek_non_space(&mut self) -> Token {
        let token = self.next_non_space();
        self.backup();
        token
    }

    pub(super) fn text(&self, token: Token) -> &'a [u8] {
        &self.source[token.start..token.end]
    }

    // Errors.

    pub(super) fn error(&self, message: impl Into<String>) -> Box<ParseError> {
        Box::new(ParseError {
            file: self.name.to_owned(),
            line: self.line(self.state.tokens[0].start),
            message: message.into(),
        })
    }

    fn line(&self, position: usize) -> u32 {
        place(self.source, position).0
    }

    pub(super) fn unexpected<T>(&self, token: Token, context: &str) -> Parsed<T> {
        if token.kind != Kind::Error {
            let token = self.lexer.describe(token);
            return Err(self.error(format!("unexpected {token} in {context}")));
        }
        let message = self.lexer.error();
        let mut extra = String::new();
        if let Some(start) = self.state.action {
            let (line, now) = (self.line(start), self.line(token.start));
            if line != now {
                // Not "action in action started at".
                let what = if message.ends_with(" action") {
                    ""
                } else {
                    " in action"
                };
                extra = format!("{what} started at {}:{line}", self.name);
            }
        }
        Err(self.error(format!("{message}{extra}")))
    }

    fn expect(&mut self, kinds: &[Kind], context: &str) -> Parsed<Token> {
        let token = self.next_non_space();
        if kinds.contains(&token.kind) {
            Ok(token)
        } else {
            self.unexpected(token, context)
        }
    }

    pub(super) fn unquoted(&self, token: Token) -> Parsed<Vec<u8>> {
        unquote(self.text(token)).map_err(|error| self.error(error))
    }

    // Nodes.

    pub(super) fn push(&mut self, position: usize, node: Node) -> NodeId {
        self.unit.nodes.push(node);
        self.unit.positions.push(to_u32(position));
        to_u32(self.unit.nodes.len() - 1)
    }

    pub(super) fn kids(&mut self, nodes: &[NodeId]) -> Range32 {
        let start = to_u32(self.unit.kids.len());
        self.unit.kids.extend_from_slice(nodes);
        Range32 {
            start,
            end: to_u32(self.unit.kids.len()),
        }
    }

    pub(super) fn literal(&mut self, text: Vec<u8>) -> u32 {
        self.unit.literals.push(text.into_boxed_slice());
        to_u32(self.unit.literals.len() - 1)
    }

    /// The number of a variable's name.
    pub(super) fn variable(&mut self, name: &[u8]) -> u32 {
        if let Some(&known) = self.interned.get(name) {
            return known;
        }
        let number = to_u32(self.unit.var_names.len());
        self.unit.var_names.push(name.into());
        self.interned.insert(name.to_vec(), number);
        number
    }

    /// Adds a definition; an empty one never replaces another.
    fn define(&mut self, name: Arc<[u8]>, root: NodeId) -> Parsed<()> {
        let empty = self.is_empty(root);
        let known = self.unit.definitions.iter_mut().find(|known| known.name == name);
        let definition = Definition { name, root, empty };
        match known {
            None => self.unit.definitions.push(definition),
            Some(known) if known.empty => *known = definition,
            Some(_) if empty => {}
            Some(_) => {
                let name = quote_str(&definition.name);
                return Err(self.error(format!("template: multiple definition of template {name}")));
            }
        }
        Ok(())
    }

    fn is_empty(&self, root: NodeId) -> bool {
        let Node::List(kids) = *self.unit.node(root) else {
            return false;
        };
        self.unit
            .kids(kids)
            .iter()
            .all(|&kid| match *self.unit.node(kid) {
                Node::Text(range) => is_blank(self.unit.slice(range)),
                _ => false,
            })
    }

    // Grammar.

    /// The whole text: as a list of items, with definitions between them.
    fn file(&mut self) -> Parsed<NodeId> {
        let position = self.peek().start;
        let mut nodes = Vec::new();
        while self.peek().kind != Kind::Eof {
            if self.peek().kind == Kind::LeftDelim {
                let delim = self.next();
                if self.next_non_space().kind == Kind::Define {
                    self.definition()?;
                    continue;
                }
                self.state.tokens[1] = delim;
                self.state.ahead = 2;
            }
            match self.text_or_action()? {
                Item::Node(node) => nodes.push(node),
                item => return Err(self.error(format!("unexpected {}", item.text()))),
            }
        }
        let kids = self.kids(&nodes);
        Ok(self.push(position, Node::List(kids)))
    }

    fn definition(&mut self) -> Parsed<()> {
        let outer = std::mem::take(&mut self.state);
        let name = self.expect(&[Kind::Str, Kind::RawString], "define clause")?;
        let name = self.unquoted(name)?;
        self.expect(&[Kind::RightDelim], "define clause")?;
        let (root, end) = self.item_list()?;
        if !matches!(end, Item::End) {
            return Err(self.error(format!("unexpected {} in define clause", end.text())));
        }
        self.define(name.into(), root)?;
        self.state = outer;
        Ok(())
    }

    /// Items up to an `end` or `else`, which is returned beside the list.
    fn item_list(&mut self) -> Parsed<(NodeId, Item)> {
        let position = self.peek_non_space().start;
        let mut nodes = Vec::new();
        while self.peek_non_space().kind != Kind::Eof {
            match self.text_or_action()? {
                Item::Node(node) => nodes.push(node),
                item => {
                    let kids = self.kids(&nodes);
                    return Ok((self.push(position, Node::List(kids)), item));
                }
            }
        }
        Err(self.error("unexpected EOF"))
    }

    fn text_or_action(&mut self) -> Parsed<Item> {
        let token = self.next_non_space();
        match token.kind {
            Kind::Text => Ok(Item::Node(self.push(
                token.start,
                Node::Text(Range32 {
                    start: to_u32(token.start),
                    end: to_u32(token.end),
                }),
            ))),
            Kind::LeftDelim => {
                if self.stack.is_spent() {
                    return Err(self.error("actions are nested too deeply for evenkeel's stack"));
                }
                self.state.action = Some(token.start);
                let item = self.action()?;
                self.state.action = None;
                Ok(item)
            }
            _ => self.unexpected(token, "input"),
        }
    }

    fn action(&mut self) -> Parsed<Item> {
        let token = self.next_non_space();
        let node = match token.kind {
            Kind::Block => self.block()?,
            Kind::Break => self.jump(token, "{{break}}", Node::Break)?,
            Kind::Continue => self.jump(token, "{{continue}}", Node::Continue)?,
            Kind::Else => {
                // `else if` and `else with` leave their keyword for the branch that reads on.
                if !matches!(self.peek_non_space().kind, Kind::If | Kind::With) {
                    self.expect(&[Kind::RightDelim], "else")?;
                }
                return Ok(Item::Else);
            }
            Kind::End => {
                self.expect(&[Kind::RightDelim], "end")?;
                return Ok(Item::End);
            }
            Kind::If => self.branch(BranchKind::If)?,
            Kind::Range => self.branch(BranchKind::Range)?,
            Kind::With => self.branch(BranchKind::With)?,
            Kind::Template => self.template()?,
            _ => {
                self.backup();
                let position = self.peek().start;
                let pipe = self.pipeline("command", Kind::RightDelim)?;
                self.push(position, Node::Action { pipe })
            }
        };
        Ok(Item::Node(node))
    }

    fn jump(&mut self, keyword: Token, text: &str, node: Node) -> Parsed<NodeId> {
        let token = self.next_non_space();
        if token.kind != Kind::RightDelim {
            return self.unexpected(token, text);
        }
        if self.state.ranges == 0 {
            return Err(self.error(format!("{text} outside {{{{range}}}}")));
        }
        Ok(self.push(keyword.start, node))
    }

    fn branch(&mut self, kind: BranchKind) -> Parsed<NodeId> {
        let scope = self.state.vars.len();
        let pipe = self.pipeline(kind.word(), Kind::RightDelim)?;
        self.state.ranges += usize::from(kind == BranchKind::Range);
        let (list, end) = self.item_list()?;
        self.state.ranges -= usize::from(kind == BranchKind::Range);
        let otherwise = match end {
            Item::Else => self.otherwise(kind)?,
            _ => NO_NODE,
        };
        self.state.vars.truncate(scope);
        let position = self.unit.position(pipe);
        Ok(self.push(
            position,
            Node::Branch {
                kind,
                pipe,
                list,
                otherwise,
            },
        ))
    }

    /// What stands behind `else`. `else if` is an `if` within the `else`, closed by the same `end`.
    fn otherwise(&mut self, kind: BranchKind) -> Parsed<NodeId> {
        let next = self.peek();
        let chained = match kind {
            BranchKind::If => next.kind == Kind::If,
            BranchKind::With => next.kind == Kind::With,
            BranchKind::Range => false,
        };
        if chained {
            self.next();
            if self.stack.is_spent() {
                return Err(self.error("actions are nested too deeply for evenkeel's stack"));
            }
            let node = self.branch(kind)?;
            let kids = self.kids(&[node]);
            return Ok(self.push(next.start, Node::List(kids)));
        }
        let (list, end) = self.item_list()?;
        if !matches!(end, Item::End) {
            return Err(self.error(format!("expected end; found {}", end.text())));
        }
        Ok(list)
    }

    fn template_name(&mut self, token: Token, context: &str) -> Parsed<Vec<u8>> {
        match token.kind {
            Kind::Str | Kind::RawString => self.unquoted(token),
            _ => self.unexpected(token, context),
        }
    }

    fn block(&mut self) -> Parsed<NodeId> {
        const CONTEXT: &str = "block clause";
        let token = self.next_non_space();
        let name = self.template_name(token, CONTEXT)?;
        let pipe = self.pipeline(CONTEXT, Kind::RightDelim)?;
        let outer = std::mem::take(&mut self.state);
        let (root, end) = self.item_list()?;
        let inner = std::mem::replace(&mut self.state, outer);
        if !matches!(end, Item::End) {
            return Err(self.error(format!("unexpected {} in {CONTEXT}", end.text())));
        }
        let outer = std::mem::replace(&mut self.state, inner);
        self.define(name.as_slice().into(), root)?;
        self.state = outer;
        let name = self.literal(name);
        Ok(self.push(token.start, Node::Template { name, pipe }))
    }

    fn template(&mut self) -> Parsed<NodeId> {
        const CONTEXT: &str = "template clause";
        let token = self.next_non_space();
        let name = self.template_name(token, CONTEXT)?;
        let mut pipe = NO_NODE;
        if self.next_non_space().kind != Kind::RightDelim {
            self.backup();
            pipe = self.pipeline(CONTEXT, Kind::RightDelim)?;
        }
        let name = self.literal(name);
        Ok(self.push(token.start, Node::Template { name, pipe }))
    }
}

pub(super) fn to_u32(number: usize) -> u32 {
    // The source is shorter than 2 GiB, and no table grows faster than the source.
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Unicode white space only (`bytes.TrimSpace`).
fn is_blank(text: &[u8]) -> bool {
    text.trim_ascii().is_empty()
        || std::str::from_utf8(text).is_ok_and(|text| text.chars().all(char::is_whitespace))
}
