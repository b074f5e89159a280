//! Tokens to events: go-yaml v2's parserc.go, a state machine with its own stack.

use std::borrow::Cow;

use super::error::YamlError;
use super::scan::Scanner;
use super::token::{Payload, Pos, Tok, Token};

/// Anchor and tag in front of a node.
#[derive(Clone, Debug, Default)]
pub(super) struct Properties<'a> {
    pub anchor: Option<Cow<'a, str>>,
    pub tag: Option<Box<str>>,
}

/// What the text says, piece by piece.
#[derive(Clone, Debug)]
pub(super) enum Event<'a> {
    StreamStart,
    StreamEnd,
    DocumentStart,
    DocumentEnd,
    Alias(Cow<'a, str>),
    Scalar {
        properties: Properties<'a>,
        value: Cow<'a, str>,
        /// Written without quotes and without a tag, or with the tag `!`.
        implicit: bool,
    },
    SequenceStart(Properties<'a>),
    SequenceEnd,
    MappingStart(Properties<'a>),
    MappingEnd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    StreamStart,
    ImplicitDocumentStart,
    DocumentStart,
    DocumentContent,
    DocumentEnd,
    BlockNode,
    BlockSequenceFirst,
    BlockSequenceEntry,
    IndentlessSequenceEntry,
    BlockMappingFirst,
    BlockMappingKey,
    BlockMappingValue,
    FlowSequenceFirst,
    FlowSequenceEntry,
    FlowPairKey,
    FlowPairValue,
    FlowPairEnd,
    FlowMappingFirst,
    FlowMappingKey,
    FlowMappingValue,
    FlowMappingEmptyValue,
    End,
}

type Parsed<'a> = Result<(Event<'a>, Pos), YamlError>;

/// Turns tokens into events, as far as they are asked for.
pub(super) struct Parser<'a> {
    scanner: Scanner<'a>,
    state: State,
    states: Vec<State>,
    /// Handle and prefix of the document's tag directives.
    tags: Vec<(String, String)>,
    document_stop: u32,
}

impl<'a> Parser<'a> {
    pub fn new(scanner: Scanner<'a>) -> Parser<'a> {
        Parser {
            scanner,
            state: State::StreamStart,
            states: Vec::new(),
            tags: Vec::new(),
            document_stop: 0,
        }
    }

    /// What stood in front of the text.
    pub fn lead(&self) -> u32 {
        self.scanner.lead()
    }

    /// Where the last document ended: behind its `...`, or at the token that ended it.
    pub fn document_stop(&self) -> u32 {
        self.document_stop + self.scanner.lead()
    }

    /// The next event and where it begins.
    pub fn next(&mut self) -> Parsed<'a> {
        match self.state {
            State::StreamStart => self.stream_start(),
            State::ImplicitDocumentStart => self.document_start(true),
            State::DocumentStart => self.document_start(false),
            State::DocumentContent => self.document_content(),
            State::DocumentEnd => self.document_end(),
            State::BlockNode => self.node(true, false),
            State::BlockSequenceFirst => self.block_sequence_entry(true),
            State::BlockSequenceEntry => self.block_sequence_entry(false),
            State::IndentlessSequenceEntry => self.indentless_sequence_entry(),
            State::BlockMappingFirst => self.block_mapping_key(true),
            State::BlockMappingKey => self.block_mapping_key(false),
            State::BlockMappingValue => self.block_mapping_value(),
            State::FlowSequenceFirst => self.flow_sequence_entry(true),
            State::FlowSequenceEntry => self.flow_sequence_entry(false),
            State::FlowPairKey => self.flow_pair_key(),
            State::FlowPairValue => self.flow_pair_value(),
            State::FlowPairEnd => {
                let (_, start, _) = self.scanner.peek()?;
                self.state = State::FlowSequenceEntry;
                Ok((Event::MappingEnd, start))
            }
            State::FlowMappingFirst => self.flow_mapping_key(true),
            State::FlowMappingKey => self.flow_mapping_key(false),
            State::FlowMappingValue => self.flow_mapping_value(),
            State::FlowMappingEmptyValue => {
                let (_, start, _) = self.scanner.peek()?;
                self.empty(State::FlowMappingKey, start)
            }
            State::End => Ok((Event::StreamEnd, Pos::default())),
        }
    }

    fn fail<T>(&self, problem: &str, at: Pos) -> Result<T, YamlError> {
        Err(YamlError::at_line(problem, at.line, at.mark(self.scanner.lead())))
    }

    fn pop_state(&mut self) {
        self.state = self.states.pop().unwrap_or(State::End);
    }

    /// A node that is not there.
    fn empty(&mut self, state: State, at: Pos) -> Parsed<'a> {
        self.state = state;
        let event = Event::Scalar {
            properties: Properties::default(),
            value: Cow::Borrowed(""),
            implicit: true,
        };
        Ok((event, at))
    }

    /// A node, after which the parser goes on in `then`.
    fn nested(&mut self, then: State, block: bool, indentless: bool) -> Parsed<'a> {
        self.states.push(then);
        self.node(block, indentless)
    }

    fn stream_start(&mut self) -> Parsed<'a> {
        let (_, start, _) = self.scanner.peek()?;
        self.scanner.take();
        self.state = State::ImplicitDocumentStart;
        Ok((Event::StreamStart, start))
    }

    fn document_start(&mut self, implicit: bool) -> Parsed<'a> {
        let (mut tok, mut start, _) = self.scanner.peek()?;
        while !implicit && tok == Tok::DocumentEnd {
            self.scanner.take();
            (tok, start, _) = self.scanner.peek()?;
        }
        let explicit = matches!(
            tok,
            Tok::VersionDirective | Tok::TagDirective | Tok::DocumentStart
        );
        if tok == Tok::StreamEnd {
            self.scanner.take();
            self.state = State::End;
            return Ok((Event::StreamEnd, start));
        }
        self.process_directives()?;
        self.states.push(State::DocumentEnd);
        if implicit && !explicit {
            self.state = State::BlockNode;
            return Ok((Event::DocumentStart, start));
        }
        let (tok, at, _) = self.scanner.peek()?;
        if tok != Tok::DocumentStart {
            return self.fail("did not find expected <document start>", at);
        }
        self.scanner.take();
        self.state = State::DocumentContent;
        Ok((Event::DocumentStart, start))
    }

    fn document_content(&mut self) -> Parsed<'a> {
        let (tok, start, _) = self.scanner.peek()?;
        match tok {
            Tok::VersionDirective
            | Tok::TagDirective
            | Tok::DocumentStart
            | Tok::DocumentEnd
            | Tok::StreamEnd => {
                self.pop_state();
                self.empty(self.state, start)
            }
            _ => self.node(true, false),
        }
    }

    fn document_end(&mut self) -> Parsed<'a> {
        let (tok, start, end) = self.scanner.peek()?;
        self.document_stop = start.offset;
        if tok == Tok::DocumentEnd {
            self.document_stop = end.offset;
            self.scanner.take();
        }
        self.tags.clear();
        self.state = State::DocumentStart;
        Ok((Event::DocumentEnd, start))
    }

    fn process_directives(&mut self) -> Result<(), YamlError> {
        let mut version = false;
        loop {
            let (tok, start, _) = self.scanner.peek()?;
            match tok {
                Tok::VersionDirective => {
                    if version {
                        return self.fail("found duplicate %YAML directive", start);
                    }
                    version = true;
                    if !matches!(self.scanner.take().payload, Payload::Version(1, 1)) {
                        return self.fail("found incompatible YAML document", start);
                    }
                }
                Tok::TagDirective => {
                    let Payload::Pair(pair) = self.scanner.take().payload else {
                        continue;
                    };
                    if self.tags.iter().any(|(handle, _)| *handle == pair.0) {
                        return self.fail("found duplicate %TAG directive", start);
                    }
                    self.tags.push(*pair);
                }
                _ => break,
            }
        }
        for (handle, prefix) in [("!", "!"), ("!!", "tag:yaml.org,2002:")] {
            if self.tags.iter().all(|(known, _)| known != handle) {
                self.tags.push((handle.to_owned(), prefix.to_owned()));
            }
        }
        Ok(())
    }

    /// Reads anchor and tag, in either order, each at most once.
    fn properties(&mut self) -> Result<(Properties<'a>, Option<Pos>), YamlError> {
        let mut properties = Properties::default();
        let mut begin = None;
        let mut tag: Option<Token<'a>> = None;
        loop {
            let (tok, start, _) = self.scanner.peek()?;
            match tok {
                Tok::Anchor if properties.anchor.is_none() => {
                    if let Payload::Text(name) = self.scanner.take().payload {
                        properties.anchor = Some(name);
                    }
                }
                Tok::Tag if tag.is_none() => tag = Some(self.scanner.take()),
                _ => break,
            }
            begin.get_or_insert(start);
        }
        if let Some(Token {
            payload: Payload::Pair(pair),
            start,
            ..
        }) = tag
        {
            properties.tag = self.full_tag(&pair.0, &pair.1, start)?;
        }
        Ok((properties, begin))
    }

    fn full_tag(&self, handle: &str, suffix: &str, at: Pos) -> Result<Option<Box<str>>, YamlError> {
        let tag = if handle.is_empty() {
            suffix.to_owned()
        } else {
            match self.tags.iter().find(|(known, _)| known == handle) {
                Some((_, prefix)) => format!("{prefix}{suffix}"),
                None => return self.fail("found undefined tag handle", at),
            }
        };
        if tag.is_empty() && !handle.is_empty() {
            return self.fail("found undefined tag handle", at);
        }
        Ok((!tag.is_empty()).then(|| tag.into_boxed_str()))
    }

    fn node(&mut self, block: bool, indentless: bool) -> Parsed<'a> {
        let (tok, start, _) = self.scanner.peek()?;
        if tok == Tok::Alias {
            self.pop_state();
            return match self.scanner.take().payload {
                Payload::Text(name) => Ok((Event::Alias(name), start)),
                _ => self.fail("did not find expected node content", start),
            };
        }
        let (properties, begin) = match tok {
            Tok::Anchor | Tok::Tag => self.properties()?,
            _ => (Properties::default(), None),
        };
        let (tok, start, _) = self.scanner.peek()?;
        let begin = begin.unwrap_or(start);
        let (state, event) = match tok {
            Tok::BlockEntry if indentless => {
                (State::IndentlessSequenceEntry, Event::SequenceStart(properties))
            }
            Tok::Scalar { plain } => return Ok((self.scalar(properties, plain), begin)),
            Tok::FlowSequenceStart => (State::FlowSequenceFirst, Event::SequenceStart(properties)),
            Tok::FlowMappingStart => (State::FlowMappingFirst, Event::MappingStart(properties)),
            Tok::BlockSequenceStart if block => (State::BlockSequenceFirst, Event::SequenceStart(properties)),
            Tok::BlockMappingStart if block => (State::BlockMappingFirst, Event::MappingStart(properties)),
            _ if properties.anchor.is_some() || properties.tag.is_some() => {
                self.pop_state();
                let event = Event::Scalar {
                    implicit: properties.tag.is_none(),
                    properties,
                    value: Cow::Borrowed(""),
                };
                return Ok((event, begin));
            }
            _ => return self.fail("did not find expected node content", start),
        };
        self.state = state;
        Ok((event, begin))
    }

    fn scalar(&mut self, properties: Properties<'a>, plain: bool) -> Event<'a> {
        self.pop_state();
        let value = match self.scanner.take().payload {
            Payload::Text(value) => value,
            _ => Cow::Borrowed(""),
        };
        let implicit = match properties.tag.as_deref() {
            None => plain,
            Some(tag) => tag == "!",
        };
        Event::Scalar {
            properties,
            value,
            implicit,
        }
    }

    fn block_sequence_entry(&mut self, first: bool) -> Parsed<'a> {
        if first {
            self.scanner.peek()?;
            self.scanner.take();
        }
        let (tok, start, end) = self.scanner.peek()?;
        match tok {
            Tok::BlockEntry => {
                self.scanner.take();
                let (tok, ..) = self.scanner.peek()?;
                if matches!(tok, Tok::BlockEntry | Tok::BlockEnd) {
                    self.empty(State::BlockSequenceEntry, end)
                } else {
                    self.nested(State::BlockSequenceEntry, true, false)
                }
            }
            Tok::BlockEnd => {
                self.pop_state();
                self.scanner.take();
                Ok((Event::SequenceEnd, start))
            }
            _ => self.fail("did not find expected '-' indicator", start),
        }
    }

    fn indentless_sequence_entry(&mut self) -> Parsed<'a> {
        let (tok, start, end) = self.scanner.peek()?;
        if tok != Tok::BlockEntry {
            self.pop_state();
            return Ok((Event::SequenceEnd, start));
        }
        self.scanner.take();
        let (tok, ..) = self.scanner.peek()?;
        if matches!(tok, Tok::BlockEntry | Tok::Key | Tok::Value | Tok::BlockEnd) {
            self.empty(State::IndentlessSequenceEntry, end)
        } else {
            self.nested(State::IndentlessSequenceEntry, true, false)
        }
    }

    fn block_mapping_key(&mut self, first: bool) -> Parsed<'a> {
        if first {
            self.scanner.peek()?;
            self.scanner.take();
        }
        let (tok, start, end) = self.scanner.peek()?;
        match tok {
            Tok::Key => {
                self.scanner.take();
                let (tok, ..) = self.scanner.peek()?;
                if matches!(tok, Tok::Key | Tok::Value | Tok::BlockEnd) {
                    self.empty(State::BlockMappingValue, end)
                } else {
                    self.nested(State::BlockMappingValue, true, true)
                }
            }
            Tok::BlockEnd => {
                self.pop_state();
                self.scanner.take();
                Ok((Event::MappingEnd, start))
            }
            _ => self.fail("did not find expected key", start),
        }
    }

    fn block_mapping_value(&mut self) -> Parsed<'a> {
        let (tok, start, end) = self.scanner.peek()?;
        if tok != Tok::Value {
            return self.empty(State::BlockMappingKey, start);
        }
        self.scanner.take();
        let (tok, ..) = self.scanner.peek()?;
        if matches!(tok, Tok::Key | Tok::Value | Tok::BlockEnd) {
            self.empty(State::BlockMappingKey, end)
        } else {
            self.nested(State::BlockMappingKey, true, true)
        }
    }

    fn flow_sequence_entry(&mut self, first: bool) -> Parsed<'a> {
        if first {
            self.scanner.peek()?;
            self.scanner.take();
        }
        let (mut tok, mut start, _) = self.scanner.peek()?;
        if tok != Tok::FlowSequenceEnd && !first {
            if tok != Tok::FlowEntry {
                return self.fail("did not find expected ',' or ']'", start);
            }
            self.scanner.take();
            (tok, start, _) = self.scanner.peek()?;
        }
        match tok {
            Tok::FlowSequenceEnd => {
                self.pop_state();
                self.scanner.take();
                Ok((Event::SequenceEnd, start))
            }
            Tok::Key => {
                self.scanner.take();
                self.state = State::FlowPairKey;
                Ok((Event::MappingStart(Properties::default()), start))
            }
            _ => self.nested(State::FlowSequenceEntry, false, false),
        }
    }

    fn flow_pair_key(&mut self) -> Parsed<'a> {
        let (tok, _, end) = self.scanner.peek()?;
        if matches!(tok, Tok::Value | Tok::FlowEntry | Tok::FlowSequenceEnd) {
            // go-yaml drops the token here, so `[? : x]` loses its colon.
            self.scanner.take();
            self.empty(State::FlowPairValue, end)
        } else {
            self.nested(State::FlowPairValue, false, false)
        }
    }

    fn flow_pair_value(&mut self) -> Parsed<'a> {
        let (tok, mut start, _) = self.scanner.peek()?;
        if tok == Tok::Value {
            self.scanner.take();
            let (tok, next, _) = self.scanner.peek()?;
            if !matches!(tok, Tok::FlowEntry | Tok::FlowSequenceEnd) {
                return self.nested(State::FlowPairEnd, false, false);
            }
            start = next;
        }
        self.empty(State::FlowPairEnd, start)
    }

    fn flow_mapping_key(&mut self, first: bool) -> Parsed<'a> {
        if first {
            self.scanner.peek()?;
            self.scanner.take();
        }
        let (mut tok, mut start, _) = self.scanner.peek()?;
        if tok != Tok::FlowMappingEnd && !first {
            if tok != Tok::FlowEntry {
                return self.fail("did not find expected ',' or '}'", start);
            }
            self.scanner.take();
            (tok, start, _) = self.scanner.peek()?;
        }
        match tok {
            Tok::FlowMappingEnd => {
                self.pop_state();
                self.scanner.take();
                Ok((Event::MappingEnd, start))
            }
            Tok::Key => {
                self.scanner.take();
                let (tok, start, _) = self.scanner.peek()?;
                if matches!(tok, Tok::Value | Tok::FlowEntry | Tok::FlowMappingEnd) {
                    self.empty(State::FlowMappingValue, start)
                } else {
                    self.nested(State::FlowMappingValue, false, false)
                }
            }
            _ => self.nested(State::FlowMappingEmptyValue, false, false),
        }
    }

    fn flow_mapping_value(&mut self) -> Parsed<'a> {
        let (tok, mut start, _) = self.scanner.peek()?;
        if tok == Tok::Value {
            self.scanner.take();
            let (tok, next, _) = self.scanner.peek()?;
            if !matches!(tok, Tok::FlowEntry | Tok::FlowMappingEnd) {
                return self.nested(State::FlowMappingKey, false, false);
            }
            start = next;
        }
        self.empty(State::FlowMappingKey, start)
    }
}
