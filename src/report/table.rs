//! Grids. The only user of comfy-table.

use super::Style;
use super::clip::visible;
use super::text::page::{Ink, Span};
use comfy_table::{Attribute, Cell, Color, LineStyle, Table, TableStyle};

/// A grid under its header, line by line, no wider than its content asks for.
pub(super) fn lines(header: &[String], rows: &[Vec<Span<'_>>], style: &Style) -> Vec<String> {
    let rule = LineStyle::none()
        .fill(if style.unicode { '─' } else { '-' })
        .junction(if style.unicode { '─' } else { '-' });
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(rule).bottom_border(rule));
    table.force_no_tty();
    if style.color {
        table.enforce_styling();
    }
    table.set_header(
        header
            .iter()
            .map(|title| cell(&(Ink::Strong, title.as_str().into()), style)),
    );
    for row in rows {
        table.add_row(row.iter().map(|span| cell(span, style)));
    }
    table.lines().map(|line| line.trim_end().to_owned()).collect()
}

fn cell((ink, text): &Span<'_>, style: &Style) -> Cell {
    let cell = Cell::new(visible(text));
    if !style.color {
        return cell;
    }
    match ink {
        Ink::Plain => cell,
        Ink::Strong => cell.add_attribute(Attribute::Bold),
        Ink::Dim => cell.add_attribute(Attribute::Dim),
        Ink::Good | Ink::Added => cell.fg(Color::DarkGreen),
        Ink::Caution => cell.fg(Color::DarkYellow),
        Ink::Bad => cell.fg(Color::DarkRed).add_attribute(Attribute::Bold),
        Ink::Removed => cell.fg(Color::DarkRed),
        Ink::Name => cell.fg(Color::DarkCyan),
    }
}
