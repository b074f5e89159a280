//! Text -> documents -> canonical form.
