//! Strings in each of the four styles (the `write_*_scalar` functions of emitterc.go).

use std::borrow::Cow;

use super::emit::{EmitError, Emitted, Emitter, Flavor};
use super::node::NodeKind;
use super::resolve::replace_invalid;
use super::style::{Analysis, Style, analyze, choose, reads_otherwise, reads_otherwise_v3};
use super::token::count_chars;

/// A space behind this column becomes a line break.
const WIDTH: usize = 80;
/// The tag go-yaml v3 gives strings that are not UTF-8.
const BINARY_TAG: &[u8] = b"!!binary";

impl Emitter<'_> {
    /// Writes a string value.
    pub(super) fn write_string(&mut self, value: &[u8]) -> Emitted {
        let (text, analysis) = self.prepare(value)?;
        self.write_styled(&text, analysis, text_is_binary(self.flavor, value), false);
        Ok(())
    }

    /// Writes a key; true when it needed no `?`.
    pub(super) fn write_key(&mut self, key: &[u8], limit: usize) -> Result<bool, EmitError> {
        let (text, analysis) = self.prepare(key)?;
        let binary = text_is_binary(self.flavor, key);
        let tag = if binary { BINARY_TAG.len() } else { 0 };
        let simple = !analysis.multiline && text.len() + tag <= limit;
        if !simple {
            self.write_indicator(b"?", true, false, true);
        }
        self.write_styled(&text, analysis, binary, simple);
        Ok(simple)
    }

    /// The text to be written, and what is to know about it.
    fn prepare<'v>(&self, value: &'v [u8]) -> Result<(Cow<'v, str>, Analysis), EmitError> {
        let text = match (self.flavor, std::str::from_utf8(value)) {
            (_, Ok(text)) => Cow::Borrowed(text),
            (Flavor::Plain, Err(_)) => replace_invalid(value),
            (Flavor::Pretty, Err(_)) => Cow::Owned(encode_binary(value)),
        };
        let analysis = analyze(&text, self.flavor == Flavor::Pretty);
        if self.flavor == Flavor::Plain {
            if analysis.refused {
                return Err(EmitError("yaml: control characters are not allowed".to_owned()));
            }
            if analysis.next_line {
                let text = fold_next_lines(&text)?;
                let analysis = analyze(&text, false);
                return Ok((Cow::Owned(text), analysis));
            }
        }
        Ok((text, analysis))
    }

    fn write_styled(&mut self, text: &str, analysis: Analysis, binary: bool, simple_key: bool) {
        let quoted = |text: &str| match self.flavor {
            Flavor::Plain => reads_otherwise(text),
            Flavor::Pretty => !binary && reads_otherwise_v3(text),
        };
        let style = choose(text, analysis, quoted);
        if binary {
            if !self.whitespace {
                self.put(b' ');
            }
            self.out.extend_from_slice(BINARY_TAG);
            self.column += BINARY_TAG.len();
            self.whitespace = false;
            self.indention = false;
        }
        let folds = !simple_key && self.flavor == Flavor::Plain && analysis.space;
        match style {
            Style::Plain => self.write_plain(text, folds),
            Style::Single => self.write_single(text, folds),
            Style::Double => self.write_double(text, folds),
            Style::Literal => self.write_literal(text),
        }
    }

    fn write_text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
        self.column += count_chars(text.as_bytes()) as usize;
    }

    /// Runs with the indentation of what a scalar goes on with in its next line.
    fn indented(&mut self, write: impl FnOnce(&mut Self)) {
        let outer = self.indent;
        self.indent = self.deeper(true, false);
        write(self);
        self.indent = outer;
    }

    pub(super) fn write_plain(&mut self, text: &str, folds: bool) {
        if !self.whitespace {
            self.put(b' ');
        }
        let start = self.out.len();
        if folds && self.column + text.len() > WIDTH {
            self.indented(|emitter| emitter.write_folded(text));
        } else {
            self.write_text(text);
        }
        self.whitespace = false;
        self.indention = false;
        self.last = start..self.out.len();
    }

    /// Writes text with single spaces behind the width as line breaks.
    fn write_folded(&mut self, text: &str) {
        let mut rest = text;
        let mut after_space = false;
        while let Some(space) = rest.find(' ') {
            let (word, behind) = rest.split_at(space);
            if !word.is_empty() {
                self.write_text(word);
                after_space = false;
            }
            if !after_space && self.column > WIDTH && !behind[1..].starts_with(' ') {
                self.write_indent();
            } else {
                self.put(b' ');
            }
            after_space = true;
            rest = &behind[1..];
        }
        self.write_text(rest);
    }

    fn write_single(&mut self, text: &str, folds: bool) {
        self.write_indicator(b"'", true, false, false);
        let start = self.out.len() - 1;
        let long = folds && self.column + text.len() > WIDTH;
        self.indented(|emitter| emitter.write_single_body(text, long));
        self.write_indicator(b"'", false, false, false);
        self.last = start..self.out.len();
    }

    /// The only breaks here are U+2028 and U+2029: behind them the next line is indented.
    fn write_single_body(&mut self, text: &str, folds: bool) {
        if !folds && !text.contains(['\'', '\u{2028}', '\u{2029}']) {
            self.write_text(text);
            return;
        }
        let mut after_space = false;
        let mut after_break = false;
        for (at, character) in text.char_indices() {
            let mut buffer = [0; 4];
            let encoded = character.encode_utf8(&mut buffer);
            match character {
                ' ' => {
                    let inner = at > 0 && at + 1 < text.len();
                    let alone = !text[at + 1..].starts_with(' ');
                    if folds && !after_space && self.column > WIDTH && inner && alone {
                        self.write_indent();
                    } else {
                        self.put(b' ');
                    }
                    after_space = true;
                }
                '\u{2028}' | '\u{2029}' => {
                    self.write_text(encoded);
                    self.column = 0;
                    self.indention = true;
                    after_break = true;
                }
                _ => {
                    if after_break {
                        self.write_indent();
                    }
                    if character == '\'' {
                        self.put(b'\'');
                    }
                    self.write_text(encoded);
                    self.indention = false;
                    after_space = false;
                    after_break = false;
                }
            }
        }
    }

    fn write_double(&mut self, text: &str, folds: bool) {
        self.write_indicator(b"\"", true, false, false);
        let start = self.out.len() - 1;
        self.indented(|emitter| emitter.write_double_body(text, folds));
        self.write_indicator(b"\"", false, false, false);
        self.last = start..self.out.len();
    }

    fn write_double_body(&mut self, text: &str, folds: bool) {
        // go-yaml looks for the byte order mark at the start of the value, whatever the position, so behind
        // a leading one every character is escaped.
        let marked = text.starts_with('\u{FEFF}');
        let mut after_space = false;
        for (at, character) in text.char_indices() {
            if marked || needs_escape(character) {
                self.write_escape(character);
                after_space = false;
            } else if character == ' ' {
                let inner = at > 0 && at + 1 < text.len();
                if folds && !after_space && self.column > WIDTH && inner {
                    self.write_indent();
                    if text[at + 1..].starts_with(' ') {
                        self.put(b'\\');
                    }
                } else {
                    self.put(b' ');
                }
                after_space = true;
            } else {
                let mut buffer = [0; 4];
                let encoded = character.encode_utf8(&mut buffer);
                self.write_text(encoded);
                after_space = false;
            }
        }
    }

    fn write_escape(&mut self, character: char) {
        let letter = match character {
            '\0' => '0',
            '\x07' => 'a',
            '\x08' => 'b',
            '\t' => 't',
            '\n' => 'n',
            '\x0B' => 'v',
            '\x0C' => 'f',
            '\r' => 'r',
            '\x1B' => 'e',
            '"' => '"',
            '\\' => '\\',
            '\u{85}' => 'N',
            '\u{A0}' => '_',
            '\u{2028}' => 'L',
            '\u{2029}' => 'P',
            _ => {
                let code = character as u32;
                let text = match code {
                    0..=0xFF => format!("\\x{code:02X}"),
                    0x100..=0xFFFF => format!("\\u{code:04X}"),
                    _ => format!("\\U{code:08X}"),
                };
                self.write_text(&text);
                return;
            }
        };
        self.put(b'\\');
        let mut buffer = [0; 4];
        self.write_text(letter.encode_utf8(&mut buffer));
    }

    fn write_literal(&mut self, text: &str) {
        self.write_indicator(b"|", true, false, false);
        let start = self.out.len() - 1;
        if text.starts_with([' ', '\n', '\u{2028}', '\u{2029}']) {
            self.write_indicator(b"2", false, false, false);
        }
        let is_break = |character: char| matches!(character, '\n' | '\u{2028}' | '\u{2029}');
        let mut back = text.chars().rev();
        let chomp: &[u8] = match (
            back.next().is_some_and(is_break),
            back.next().is_none_or(is_break),
        ) {
            (false, _) => b"-",
            (true, true) => b"+",
            (true, false) => b"",
        };
        if !chomp.is_empty() {
            self.write_indicator(chomp, false, false, false);
        }
        self.put_break();
        self.indention = true;
        self.whitespace = true;
        self.indented(|emitter| emitter.write_literal_body(text));
        self.last = start..self.out.len();
    }

    fn write_literal_body(&mut self, text: &str) {
        for line in text.split_inclusive(['\n', '\u{2028}', '\u{2029}']) {
            let content = line.trim_end_matches(['\n', '\u{2028}', '\u{2029}']);
            if !content.is_empty() {
                self.write_indent();
                self.write_text(content);
                self.indention = false;
            }
            let line_break = &line[content.len()..];
            if !line_break.is_empty() {
                self.out.extend_from_slice(line_break.as_bytes());
                self.column = 0;
                self.indention = true;
            }
        }
    }
}

fn text_is_binary(flavor: Flavor, value: &[u8]) -> bool {
    flavor == Flavor::Pretty && std::str::from_utf8(value).is_err()
}

/// Not printable for go-yaml, or a break, a quote or a backslash.
fn needs_escape(character: char) -> bool {
    !matches!(character,
        ' ' | '!' | '#'..='[' | ']'..='~' | '\u{A0}'..='\u{2027}' | '\u{202A}'..='\u{D7FF}'
        | '\u{E000}'..='\u{FEFE}' | '\u{FF00}'..='\u{FFFD}')
}

/// What the reader between the stages makes of a string with U+0085: in quotes that is a line break, and
/// breaks are folded. The string is read as it would stand in the JSON text.
fn fold_next_lines(text: &str) -> Result<String, EmitError> {
    let mut json = String::with_capacity(text.len() + 2);
    json.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => {
                json.push('\\');
                json.push(character);
            }
            '\0'..='\x1F' | '\u{2028}' | '\u{2029}' => json.push_str(&format!("\\u{:04x}", character as u32)),
            _ => json.push(character),
        }
    }
    json.push('"');
    let parsed = super::parse_first(json.as_bytes()).map_err(|error| EmitError(error.to_string()))?;
    match parsed.node.kind {
        NodeKind::Str(text) => Ok(text.as_ref().to_owned()),
        _ => Ok(text.to_owned()),
    }
}

/// go-yaml's base64: in lines of 70 when there is more than one.
fn encode_binary(bytes: &[u8]) -> String {
    const SYMBOLS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const LINE: usize = 70;
    let mut symbols = String::new();
    for group in bytes.chunks(3) {
        let mut bits = [0; 4];
        bits[1..=group.len()].copy_from_slice(group);
        let bits = u32::from_be_bytes(bits);
        for place in 0..4 {
            if place <= group.len() {
                let symbol = SYMBOLS[(bits >> (18 - 6 * place)) as usize & 63];
                symbols.push(char::from(symbol));
            } else {
                symbols.push('=');
            }
        }
    }
    if symbols.len() < LINE {
        return symbols;
    }
    let mut text = String::with_capacity(symbols.len() + symbols.len() / LINE + 1);
    for (at, symbol) in symbols.chars().enumerate() {
        text.push(symbol);
        if at % LINE == LINE - 1 || at + 1 == symbols.len() {
            text.push('\n');
        }
    }
    text
}
