//! Scalars as text, the way Go's JSON encoder prints them.

use crate::yaml::{Node, NodeKind, Number};

/// The text of a scalar; `None` for null and for collections.
pub fn text(node: &Node) -> Option<String> {
    match &node.kind {
        NodeKind::Str(text) => Some(text.to_string()),
        NodeKind::Bool(value) => Some(value.to_string()),
        NodeKind::Number(number) => Some(number_text(*number)),
        NodeKind::Null | NodeKind::List(_) | NodeKind::Map(_) => None,
    }
}

/// A number as `encoding/json` prints it: no exponent between 1e-6 and 1e21.
pub fn number_text(number: Number) -> String {
    match number {
        Number::Int(value) => value.to_string(),
        Number::Uint(value) => value.to_string(),
        Number::Float(value) => float_text(value),
    }
}

fn float_text(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-6..1e21).contains(&size) && size.is_finite() {
        let text = format!("{value:e}");
        match text.split_once('e') {
            Some((digits, exponent)) if !exponent.starts_with('-') => format!("{digits}e+{exponent:0>2}"),
            _ => text,
        }
    } else {
        value.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_print_as_json() {
        for (value, text) in [
            (1.0, "1"),
            (1.5, "1.5"),
            (1e6, "1000000"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (1.5e300, "1.5e+300"),
            (1e-7, "1e-7"),
            (0.000_001, "0.000001"),
        ] {
            assert_eq!(number_text(Number::Float(value)), text);
        }
    }
}
