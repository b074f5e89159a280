//! Format strings: flags, widths, argument numbers (`fmt/print.go`, `doPrintf`).

use super::data::{Data, Value};
use super::format::Flags;
use super::print::Printer;
use super::rune;

/// Widths and precisions beyond this are refused.
const TOO_LARGE: i64 = 1_000_000;

/// Where a run through a format string stands.
struct State<'a> {
    format: &'a [u8],
    args: &'a [Value],
    at: usize,
    /// Number of the next argument.
    arg: usize,
    /// False after a bad `[n]`.
    good: bool,
    /// True once any `[n]` was seen: surplus arguments are not told then.
    reordered: bool,
    /// The item before was a `[n]`.
    after_index: bool,
}

/// Runs the format.
pub(super) fn run(printer: &mut Printer, format: &[u8], args: &[Value]) {
    let mut state = State {
        format,
        args,
        at: 0,
        arg: 0,
        good: true,
        reordered: false,
        after_index: false,
    };
    while state.at < format.len() && !printer.is_bottomless() {
        let rest = &format[state.at..];
        let text = memchr::memchr(b'%', rest).unwrap_or(rest.len());
        printer.out.extend_from_slice(&rest[..text]);
        state.at += text;
        if state.at < format.len() {
            state.at += 1;
            state.verb(printer);
        }
    }
    if !state.reordered && state.arg < args.len() {
        state.extra(printer);
    }
}

impl State<'_> {
    fn peek(&self) -> Option<u8> {
        self.format.get(self.at).copied()
    }

    /// One verb, behind its percent sign.
    fn verb(&mut self, printer: &mut Printer) {
        self.good = true;
        self.after_index = false;
        printer.flags = Flags::default();
        if self.flags(&mut printer.flags) {
            // The common case, an ASCII lower case verb without width: it takes the next argument, `%` is
            // no such verb.
            let verb = char::from(self.format[self.at]);
            self.at += 1;
            return self.print(printer, verb);
        }
        self.argument_number();
        self.width(printer);
        self.precision(printer);
        if !self.after_index {
            self.argument_number();
        }
        if self.at >= self.format.len() {
            return printer.push("%!(NOVERB)");
        }
        let (decoded, width) = rune::decode(&self.format[self.at..]);
        let verb = decoded.unwrap_or(char::REPLACEMENT_CHARACTER);
        self.at += width;
        let bad = |printer: &mut Printer, what: &str| {
            printer.push("%!");
            rune::push(&mut printer.out, verb);
            printer.push(what);
        };
        if verb == '%' {
            printer.out.push(b'%');
        } else if !self.good {
            bad(printer, "(BADINDEX)");
        } else if self.arg >= self.args.len() {
            bad(printer, "(MISSING)");
        } else {
            self.print(printer, verb);
        }
    }

    fn print(&mut self, printer: &mut Printer, verb: char) {
        let flags = &mut printer.flags;
        if matches!(verb, 'v' | 'w') {
            flags.sharp_v = std::mem::take(&mut flags.sharp);
            flags.plus_v = std::mem::take(&mut flags.plus);
        }
        printer.operand(self.arg, &self.args[self.arg], verb);
        self.arg += 1;
    }

    /// Reads flags; true when a plain lower case verb follows and an argument is left for it.
    fn flags(&mut self, flags: &mut Flags) -> bool {
        while let Some(byte) = self.peek() {
            match byte {
                b'#' => flags.sharp = true,
                b'0' => flags.zero = true,
                b'+' => flags.plus = true,
                b'-' => flags.minus = true,
                b' ' => flags.space = true,
                _ => return byte.is_ascii_lowercase() && self.arg < self.args.len(),
            }
            self.at += 1;
        }
        false
    }

    fn width(&mut self, printer: &mut Printer) {
        if self.peek() == Some(b'*') {
            self.at += 1;
            match self.int_arg() {
                None => printer.push("%!(BADWIDTH)"),
                Some(width) => {
                    if width < 0 {
                        printer.flags.minus = true;
                        printer.flags.zero = false;
                    }
                    printer.flags.width = usize::try_from(width.unsigned_abs()).ok();
                }
            }
            self.after_index = false;
        } else {
            printer.flags.width = self.number();
            if self.after_index && printer.flags.width.is_some() {
                self.good = false;
            }
        }
    }

    fn precision(&mut self, printer: &mut Printer) {
        if self.peek() != Some(b'.') || self.at + 1 >= self.format.len() {
            return;
        }
        self.at += 1;
        if self.after_index {
            self.good = false;
        }
        self.argument_number();
        if self.peek() == Some(b'*') {
            self.at += 1;
            printer.flags.precision = self.int_arg().and_then(|number| usize::try_from(number).ok());
            if printer.flags.precision.is_none() {
                printer.push("%!(BADPREC)");
            }
            self.after_index = false;
        } else {
            printer.flags.precision = Some(self.number().unwrap_or(0));
        }
    }

    /// Decimal digits; none at all, or far too many (which eat the rest of the format), give `None`.
    fn number(&mut self) -> Option<usize> {
        let mut number = None;
        while let Some(byte @ b'0'..=b'9') = self.peek() {
            let so_far = number.unwrap_or(0);
            if so_far > TOO_LARGE as usize {
                self.at = self.format.len();
                return None;
            }
            number = Some(so_far * 10 + usize::from(byte - b'0'));
            self.at += 1;
        }
        number
    }

    /// `[n]`: the number of the argument to take next.
    fn argument_number(&mut self) {
        self.after_index = false;
        if self.peek() != Some(b'[') {
            return;
        }
        self.reordered = true;
        let rest = &self.format[self.at..];
        let close = memchr::memchr(b']', rest).filter(|_| rest.len() >= 3);
        let Some(close) = close else {
            self.good = false;
            self.at += 1;
            return;
        };
        let digits = &rest[1..close];
        self.at += close + 1;
        let number = std::str::from_utf8(digits)
            .ok()
            .filter(|text| !text.is_empty() && text.len() < 9 && text.bytes().all(|b| b.is_ascii_digit()))
            .and_then(|text| text.parse::<usize>().ok());
        self.after_index = number.is_some();
        match number {
            Some(number) if (1..=self.args.len()).contains(&number) => self.arg = number - 1,
            _ => self.good = false,
        }
    }

    /// The next argument as a width or precision.
    fn int_arg(&mut self) -> Option<i64> {
        let arg = self.args.get(self.arg)?;
        self.arg += 1;
        let number = match &arg.data {
            Data::Int(_, number) | Data::Duration(number) => *number,
            Data::Uint(_, number) => i64::try_from(*number).ok()?,
            _ => return None,
        };
        (-TOO_LARGE..=TOO_LARGE).contains(&number).then_some(number)
    }

    /// `%!(EXTRA type=value, ...)`
    fn extra(&mut self, printer: &mut Printer) {
        printer.flags = Flags::default();
        printer.push("%!(EXTRA ");
        for (index, arg) in self.args[self.arg..].iter().enumerate() {
            if index > 0 {
                printer.push(", ");
            }
            if arg.is_nil() {
                printer.push("<nil>");
            } else {
                printer.push_type(arg);
                printer.out.push(b'=');
                printer.operand(self.arg + index, arg, 'v');
            }
        }
        printer.out.push(b')');
    }
}

#[cfg(test)]
mod tests {
    use super::super::print::sprintf;
    use crate::dialect::Dialect;
    use crate::value::Value;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_format_panics(format in "[%a-zA-Z0-9#+ .*\\[\\]-]{0,12}", number in any::<i64>(), float in any::<f64>()) {
            let args = [Value::int(number % 100), Value::float(float), Value::from("é\u{0}"), Value::NIL];
            let printed = sprintf(format.as_bytes(), &args, Dialect::NEWEST, true);
            let mut last = 0;
            for piece in printed.pieces {
                prop_assert!(last <= piece.start && piece.end <= printed.bytes.len());
                last = piece.end;
            }
        }
    }
}
