//! What the main job tells while it works. It never prints; whoever listens does.

/// Hears how far the work is. Called from many threads.
pub trait Progress: Sync {
    /// The work begins: so many cells.
    fn start(&self, cells: usize);

    /// One more cell is done.
    fn advance(&self);

    /// The work is over.
    fn finish(&self);
}

/// Nobody listens.
pub struct Silent;

impl Progress for Silent {
    fn start(&self, _: usize) {}
    fn advance(&self) {}
    fn finish(&self) {}
}
