//! Pretty down to the lists of documents, then one line per element.

use serde_json::ser::Formatter;
use std::io::{self, Write};

/// Containers nested deeper than this are written on one line: the root, `cells`, a cell and `documents` are not.
const DEEPEST: usize = 4;

/// Writes JSON with line breaks outside and none inside.
#[derive(Default)]
pub(super) struct Layout {
    depth: usize,
    filled: bool,
}

impl Layout {
    fn open(&mut self, out: &mut (impl Write + ?Sized), bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.filled = false;
        out.write_all(bracket)
    }

    fn close(&mut self, out: &mut (impl Write + ?Sized), bracket: &[u8]) -> io::Result<()> {
        self.depth -= 1;
        if self.filled && self.depth < DEEPEST {
            self.indent(out)?;
        }
        self.filled = true;
        out.write_all(bracket)
    }

    fn next(&mut self, out: &mut (impl Write + ?Sized), first: bool) -> io::Result<()> {
        let breaks = self.depth <= DEEPEST;
        out.write_all(match (first, breaks) {
            (true, _) => b"",
            (false, true) => b",",
            (false, false) => b", ",
        })?;
        if breaks { self.indent(out) } else { Ok(()) }
    }

    fn indent(&self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        write!(out, "\n{:width$}", "", width = self.depth * 2)
    }
}

impl Formatter for Layout {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.next(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.next(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Serialize;
    use serde_json::{Value, json};

    #[test]
    fn breaks_outside_and_keeps_documents_on_a_line() {
        let value = json!({"cells": [{"documents": [{"id": {"a": [1, 2]}}, {}], "empty": []}]});
        let mut out = Vec::new();
        value
            .serialize(&mut serde_json::Serializer::with_formatter(
                &mut out,
                Layout::default(),
            ))
            .unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(
            text,
            "{\n  \"cells\": [\n    {\n      \"documents\": [\n        {\"id\": {\"a\": [1, 2]}},\n        {}\n      ],\n      \"empty\": []\n    }\n  ]\n}"
        );
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }
}
