//! Directives, tags, anchors and aliases (the small tokens of scannerc.go).

use std::borrow::Cow;

use super::error::YamlError;
use super::scan::Scanner;
use super::token::{Payload, Pos, Tok, Token, is_alpha};

type Scanned<T> = Result<T, YamlError>;

impl<'a> Scanner<'a> {
    fn skip_blanks(&mut self) -> Scanned<()> {
        self.need(1)?;
        while self.is_blank() {
            self.skip();
            self.need(1)?;
        }
        Ok(())
    }

    /// `[0-9A-Za-z_-]*`.
    fn read_alpha(&mut self) -> Scanned<&'a str> {
        let start = self.pos;
        self.need(1)?;
        while is_alpha(self.byte(0)) {
            self.skip();
            self.need(1)?;
        }
        Ok(&self.text[start..self.pos])
    }

    pub(super) fn scan_directive(&mut self) -> Scanned<Token<'a>> {
        let start = self.mark();
        self.skip();
        let name = self.read_alpha()?;
        if name.is_empty() {
            return self.fail("could not find expected directive name");
        }
        if !self.is_blankz(0) {
            return self.fail("found unexpected non-alphabetical character");
        }
        let (tok, payload) = match name {
            "YAML" => (Tok::VersionDirective, self.scan_version()?),
            "TAG" => (Tok::TagDirective, self.scan_tag_directive()?),
            _ => return self.fail("found unknown directive name"),
        };
        let end = self.mark();
        self.skip_blanks()?;
        self.skip_comment()?;
        if self.byte(0) != 0 && !self.is_break() {
            return self.fail("did not find expected comment or line break");
        }
        if self.is_break() {
            self.need(2)?;
            self.read_break();
        }
        Ok(Token {
            tok,
            start,
            end,
            payload,
        })
    }

    fn scan_version(&mut self) -> Scanned<Payload<'a>> {
        self.skip_blanks()?;
        let major = self.scan_version_number()?;
        if self.byte(0) != b'.' {
            return self.fail("did not find expected digit or '.' character");
        }
        self.skip();
        let minor = self.scan_version_number()?;
        Ok(Payload::Version(major, minor))
    }

    fn scan_version_number(&mut self) -> Scanned<u8> {
        self.need(1)?;
        let mut value = 0;
        let mut length = 0;
        while self.byte(0).is_ascii_digit() {
            length += 1;
            if length > 2 {
                return self.fail("found extremely long version number");
            }
            value = value * 10 + (self.byte(0) - b'0');
            self.skip();
            self.need(1)?;
        }
        if length == 0 {
            return self.fail("did not find expected version number");
        }
        Ok(value)
    }

    fn scan_tag_directive(&mut self) -> Scanned<Payload<'a>> {
        self.skip_blanks()?;
        let handle = self.scan_tag_handle(true)?;
        self.need(1)?;
        if !self.is_blank() {
            return self.fail("did not find expected whitespace");
        }
        self.skip_blanks()?;
        let prefix = self.scan_tag_uri("")?;
        self.need(1)?;
        if !self.is_blankz(0) {
            return self.fail("did not find expected whitespace or line break");
        }
        Ok(Payload::Pair(Box::new((handle.to_owned(), prefix))))
    }

    pub(super) fn scan_anchor(&mut self, tok: Tok) -> Scanned<Token<'a>> {
        let start = self.mark();
        self.skip();
        let name = self.read_alpha()?;
        let end = self.mark();
        let followed = self.is_blankz(0)
            || matches!(
                self.byte(0),
                b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`'
            );
        if name.is_empty() || !followed {
            return self.fail("did not find expected alphabetic or numeric character");
        }
        Ok(Token {
            tok,
            start,
            end,
            payload: Payload::Text(Cow::Borrowed(name)),
        })
    }

    pub(super) fn scan_tag(&mut self) -> Scanned<Token<'a>> {
        let start = self.mark();
        self.need(2)?;
        let (handle, suffix) = if self.byte(1) == b'<' {
            self.skip();
            self.skip();
            let uri = self.scan_tag_uri("")?;
            if self.byte(0) != b'>' {
                return self.fail("did not find the expected '>'");
            }
            self.skip();
            (String::new(), uri)
        } else {
            self.scan_short_tag()?
        };
        self.need(1)?;
        if !self.is_blankz(0) {
            return self.fail("did not find expected whitespace or line break");
        }
        Ok(self.tag_token(start, handle, suffix))
    }

    fn tag_token(&self, start: Pos, handle: String, suffix: String) -> Token<'a> {
        Token {
            tok: Tok::Tag,
            start,
            end: self.mark(),
            payload: Payload::Pair(Box::new((handle, suffix))),
        }
    }

    /// `!!suffix`, `!handle!suffix`, `!suffix` or `!` alone, which is a suffix without a handle.
    fn scan_short_tag(&mut self) -> Scanned<(String, String)> {
        let handle = self.scan_tag_handle(false)?;
        if handle.len() > 1 && handle.ends_with('!') {
            let suffix = self.scan_tag_uri("")?;
            return Ok((handle.to_owned(), suffix));
        }
        let suffix = self.scan_tag_uri(handle)?;
        if suffix.is_empty() {
            Ok((String::new(), "!".to_owned()))
        } else {
            Ok(("!".to_owned(), suffix))
        }
    }

    fn scan_tag_handle(&mut self, directive: bool) -> Scanned<&'a str> {
        self.need(1)?;
        let start = self.pos;
        if self.byte(0) != b'!' {
            return self.fail("did not find expected '!'");
        }
        self.skip();
        self.read_alpha()?;
        if self.byte(0) == b'!' {
            self.skip();
        } else if directive && self.pos - start != 1 {
            return self.fail("did not find expected '!'");
        }
        Ok(&self.text[start..self.pos])
    }

    /// The rest of a tag behind `head`, with `%XX` decoded.
    fn scan_tag_uri(&mut self, head: &str) -> Scanned<String> {
        let mut uri: Vec<u8> = head.as_bytes().iter().skip(1).copied().collect();
        let mut found = !head.is_empty();
        self.need(1)?;
        while is_alpha(self.byte(0)) || b";/?:@&=+$,.!~*'()[]%".contains(&self.byte(0)) {
            if self.byte(0) == b'%' {
                self.scan_uri_escapes(&mut uri)?;
            } else {
                uri.push(self.byte(0));
                self.skip();
            }
            self.need(1)?;
            found = true;
        }
        if !found {
            return self.fail("did not find expected tag URI");
        }
        Ok(String::from_utf8_lossy(&uri).into_owned())
    }

    /// One character written as `%XX` octets.
    fn scan_uri_escapes(&mut self, uri: &mut Vec<u8>) -> Scanned<()> {
        let mut left = None;
        loop {
            self.need(3)?;
            let high = char::from(self.byte(1)).to_digit(16);
            let low = char::from(self.byte(2)).to_digit(16);
            let (b'%', Some(high), Some(low)) = (self.byte(0), high, low) else {
                return self.fail("did not find URI escaped octet");
            };
            let octet = u8::try_from(high * 16 + low).expect("invariant: two hex digits are one byte");
            let rest = match left {
                None => match octet {
                    0x00..=0x7F => 1,
                    0xC0..=0xDF => 2,
                    0xE0..=0xEF => 3,
                    0xF0..=0xF7 => 4,
                    _ => return self.fail("found an incorrect leading UTF-8 octet"),
                },
                Some(_) if octet & 0xC0 != 0x80 => {
                    return self.fail("found an incorrect trailing UTF-8 octet");
                }
                Some(rest) => rest,
            };
            uri.push(octet);
            self.skip_to(self.pos + 3);
            if rest == 1 {
                return Ok(());
            }
            left = Some(rest - 1);
        }
    }
}
