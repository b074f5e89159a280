//! Ordered parallel work. The only user of rayon: results come back in input order, whatever the timing.

use rayon::prelude::*;

/// Bytes of stack for each worker: template recursion is bounded by count, not by stack.
pub const STACK_BYTES: usize = 64 << 20;

/// A fixed set of worker threads.
pub struct Workers(rayon::ThreadPool);

impl Workers {
    /// Starts `jobs` threads; 0 means one per core.
    ///
    /// # Errors
    /// When the system refuses to start a thread.
    pub fn new(jobs: usize) -> Result<Workers, String> {
        rayon::ThreadPoolBuilder::new()
            .num_threads(jobs)
            .stack_size(STACK_BYTES)
            .thread_name(|index| format!("cell-{index}"))
            .build()
            .map(Workers)
            .map_err(|error| format!("cannot start worker threads: {error}"))
    }

    /// Applies `work` to every item; the results are in the order of the items.
    pub fn map<T: Sync, R: Send>(&self, items: &[T], work: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
        self.0
            .install(|| items.par_iter().with_max_len(1).map(work).collect())
    }

    /// How many threads work.
    pub fn count(&self) -> usize {
        self.0.current_num_threads()
    }
}
