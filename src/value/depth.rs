//! The bound on nesting. `set` and `merge` can make a map that holds itself; Go runs out of stack when it
//! prints one and takes the process with it. Whoever walks values to their leaves stops here.

/// How deep maps and lists may be nested to be walked to their leaves.
pub const MOST_LEVELS: usize = 1000;

/// What is said where a value without an end would have to be written.
pub fn bottomless_text() -> String {
    format!("evenkeel does not write a value that is nested more than {MOST_LEVELS} deep, or holds itself")
}
