//! What fits into one comment. Each part gets a share that the others cannot take, and what one part leaves over
//! goes to the next; parts are cut at their ends, where the mildest stands.

/// GitHub refuses a comment of more characters; counted in bytes, which are never fewer.
pub(super) const LIMIT: usize = 65_536;

/// One part of a comment: blocks from the worst to the mildest.
pub(super) struct Part {
    /// Its heading, with the line end.
    pub(super) heading: String,
    /// The blocks, each whole in itself.
    pub(super) blocks: Vec<String>,
    /// What follows the last block.
    pub(super) end: &'static str,
    /// How many things there are, also those for which no block was made.
    pub(super) total: usize,
    /// What a block is about: `difference`.
    pub(super) noun: &'static str,
    /// The share in percent that nothing else may take.
    pub(super) share: usize,
}

/// How many blocks of each part fit into the room together.
pub(super) fn fit(parts: &[Part], room: usize) -> Vec<usize> {
    let mut shown = vec![0; parts.len()];
    let mut left = room;
    for guaranteed in [true, false] {
        for (part, shown) in parts.iter().zip(&mut shown) {
            let mut own = match guaranteed {
                true => room * part.share / 100,
                false => left,
            };
            while let Some(block) = part.blocks.get(*shown) {
                let heading = if *shown == 0 {
                    part.heading.len() + part.end.len()
                } else {
                    0
                };
                let size = block.len() + heading;
                if size > own || size > left {
                    break;
                }
                own -= size;
                left -= size;
                *shown += 1;
            }
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(blocks: &[usize], share: usize) -> Part {
        Part {
            heading: String::new(),
            end: "",
            blocks: blocks.iter().map(|size| "x".repeat(*size)).collect(),
            total: blocks.len(),
            noun: "difference",
            share,
        }
    }

    #[test]
    fn everything_that_fits_is_shown() {
        assert_eq!(fit(&[part(&[50, 40], 50), part(&[10], 50)], 100), [2, 1]);
    }

    #[test]
    fn no_part_crowds_another_out() {
        let parts = [part(&[10; 100], 50), part(&[10; 100], 50)];
        assert_eq!(fit(&parts, 100), [5, 5]);
        let parts = [part(&[10; 100], 50), part(&[10], 50)];
        assert_eq!(fit(&parts, 100), [9, 1]);
        assert_eq!(fit(&[part(&[101], 50), part(&[10], 50)], 100), [0, 1]);
    }
}
