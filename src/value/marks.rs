//! Marks: where a value came from. Every value carries a `Marks`, a small handle to an interned set of
//! `Mark`s in the `MarkTable` of its render.
//!
//! Invariant: handle 0 is the empty set, an even handle is one origin of the values tree (numbered once
//! when the tree is built, nothing to intern), an odd handle is an interned set.

use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A handle to a set of marks; meaningful only together with the table that made it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Marks(pub u32);

impl Marks {
    /// The empty set.
    pub const NONE: Marks = Marks(0);

    /// True for the empty set.
    pub fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// One fact about the history of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// It was read from the values tree (index into `MarkTable::origins`).
    Origin(u32),
    /// It was answered by something that is not in git (index into `MarkTable::ambients`).
    Ambient(u32),
}

/// A place of the values tree: which path, set by which layer, where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The origin of the map or list that holds this value; `None` at the root.
    pub parent: Option<Marks>,
    /// The key, or the position in decimal, below the parent.
    pub step: Arc<str>,
    /// Number of the layer that set it, in the layer stack of the render.
    pub layer: u32,
    /// Line in the layer's file, from 1; 0 when unknown.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// What kind of thing outside git answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AmbientKind {
    /// Random bytes, names, certificates.
    Random,
    /// The clock.
    Clock,
    /// The cluster (`lookup`).
    Lookup,
    /// The host: DNS, the local time zone.
    Host,
    /// `.Capabilities`: the cluster's version and API list.
    Capability,
    /// Go's random map order (`keys`, `values`, ...).
    MapOrder,
}

/// One answer of the ambient.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ambient {
    /// What kind of thing answered.
    pub kind: AmbientKind,
    /// The call as a person would write it: `randAlphaNum 40`.
    pub call: Arc<str>,
    /// The template frame of the call (see `template::trace`).
    pub frame: u32,
    /// The node of the call.
    pub node: u32,
    /// What was drawn: equal numbers mean the same random bytes in a verification. 0 where nothing was.
    pub draw: u64,
}

/// At most this many marks are kept in one set; more are cut (the ambient ones are kept first).
pub const MOST_MARKS: usize = 16;

/// All marks of one render.
#[derive(Debug, Default)]
pub struct MarkTable {
    /// Origins, in the order in which they were numbered.
    pub origins: Vec<Origin>,
    /// Answers of the ambient.
    pub ambients: Vec<Ambient>,
    singles: Vec<Mark>,
    sets: Vec<Box<[Mark]>>,
    interned: FxHashMap<Box<[Mark]>, Marks>,
    joins: FxHashMap<(Marks, Marks), Marks>,
}

impl MarkTable {
    /// An empty table.
    pub fn new() -> MarkTable {
        MarkTable::default()
    }

    /// Numbers a new place of the values tree.
    pub fn origin(&mut self, origin: Origin) -> Marks {
        self.singles.push(Mark::Origin(index(self.origins.len())));
        self.origins.push(origin);
        Marks(index(self.origins.len() * 2))
    }

    /// Records an answer of the ambient.
    pub fn ambient(&mut self, ambient: Ambient) -> Marks {
        let found = self.ambients.iter().rposition(|known| *known == ambient);
        let at = found.unwrap_or_else(|| {
            self.ambients.push(ambient);
            self.ambients.len() - 1
        });
        self.intern(Box::new([Mark::Ambient(index(at))]))
    }

    /// The marks of a set, sorted.
    pub fn get(&self, marks: Marks) -> &[Mark] {
        let number = marks.0 as usize;
        match number {
            0 => &[],
            _ if number.is_multiple_of(2) => std::slice::from_ref(&self.singles[number / 2 - 1]),
            _ => &self.sets[number / 2],
        }
    }

    /// The number of the origin behind a handle that stands for exactly one, for flags kept beside the table.
    pub fn origin_number(&self, marks: Marks) -> Option<usize> {
        match self.get(marks) {
            [Mark::Origin(at)] => Some(*at as usize),
            _ => None,
        }
    }

    /// The origin behind a handle that stands for exactly one place of the values tree.
    pub fn as_origin(&self, marks: Marks) -> Option<&Origin> {
        self.origin_number(marks).map(|at| &self.origins[at])
    }

    /// True when something outside git had a part in it.
    pub fn has_ambient(&self, marks: Marks) -> bool {
        matches!(self.get(marks).last(), Some(Mark::Ambient(_)))
    }

    /// The marks of a set that stand for something outside git.
    pub fn ambient_part(&mut self, marks: Marks) -> Marks {
        match self.get(marks) {
            [.., Mark::Ambient(_)] => {}
            _ => return Marks::NONE,
        }
        let set = self.get(marks);
        let first = set.partition_point(|mark| matches!(mark, Mark::Origin(_)));
        if first == 0 {
            return marks;
        }
        let part = set[first..].into();
        self.intern(part)
    }

    /// The marks of a set but for what one kind of thing outside git answered.
    pub fn without(&mut self, marks: Marks, kind: AmbientKind) -> Marks {
        let stays = |mark: &Mark| match mark {
            Mark::Origin(_) => true,
            Mark::Ambient(at) => self.ambients[*at as usize].kind != kind,
        };
        let set = self.get(marks);
        if set.iter().all(stays) {
            return marks;
        }
        let left: Box<[Mark]> = set.iter().copied().filter(stays).collect();
        match *left {
            [] => Marks::NONE,
            [Mark::Origin(at)] => Marks((at + 1) * 2),
            _ => self.intern(left),
        }
    }

    /// The marks of a value that was taken out of a container: its own and what the ambient had to do with
    /// the container; all of the container's where it has none of its own.
    pub fn inherited(&mut self, container: Marks, own: Marks) -> Marks {
        if own.is_none() {
            return container;
        }
        if !self.has_ambient(container) {
            return own;
        }
        let ambient = self.ambient_part(container);
        self.join(own, ambient)
    }

    /// The union of two sets.
    pub fn join(&mut self, a: Marks, b: Marks) -> Marks {
        if a == b || b.is_none() {
            return a;
        }
        if a.is_none() {
            return b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.joins.get(&key) {
            return known;
        }
        let mut union: Vec<Mark> = self.get(a).iter().chain(self.get(b)).copied().collect();
        union.sort_unstable();
        union.dedup();
        if union.len() > MOST_MARKS {
            let ambient = union
                .iter()
                .position(|mark| matches!(mark, Mark::Ambient(_)))
                .unwrap_or(union.len());
            let kept = union.len().saturating_sub(ambient).min(MOST_MARKS);
            let tail = union.split_off(union.len() - kept);
            union.truncate(MOST_MARKS - kept);
            union.extend(tail);
        }
        let joined = self.intern(union.into_boxed_slice());
        self.joins.insert(key, joined);
        joined
    }

    fn intern(&mut self, set: Box<[Mark]>) -> Marks {
        if let Some(&known) = self.interned.get(&set) {
            return known;
        }
        let marks = Marks(index(self.sets.len() * 2 + 1));
        self.sets.push(set.clone());
        self.interned.insert(set, marks);
        marks
    }
}

fn index(length: usize) -> u32 {
    u32::try_from(length).expect("a render has fewer than 2^32 marks: its fuel ends before")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(step: &str) -> Origin {
        Origin {
            parent: None,
            step: step.into(),
            layer: 0,
            line: 0,
            column: 0,
        }
    }

    #[test]
    fn joins_are_sets() {
        let mut table = MarkTable::new();
        let a = table.origin(origin("a"));
        let b = table.origin(origin("b"));
        let ab = table.join(a, b);
        assert_eq!(table.join(b, a), ab);
        assert_eq!(table.join(ab, a), ab);
        assert_eq!(table.get(ab), [Mark::Origin(0), Mark::Origin(1)]);
        assert_eq!(table.join(Marks::NONE, a), a);
    }

    #[test]
    fn one_kind_of_ambient_can_be_taken_out() {
        let mut table = MarkTable::new();
        let origin = table.origin(origin("a"));
        let mut ambient = |kind| {
            table.ambient(Ambient {
                kind,
                call: "keys".into(),
                frame: 0,
                node: 0,
                draw: 0,
            })
        };
        let (order, clock) = (ambient(AmbientKind::MapOrder), ambient(AmbientKind::Clock));
        let both = table.join(origin, order);
        assert_eq!(table.without(both, AmbientKind::MapOrder), origin);
        assert_eq!(table.without(order, AmbientKind::MapOrder), Marks::NONE);
        let all = table.join(both, clock);
        let left = table.join(origin, clock);
        assert_eq!(table.without(all, AmbientKind::MapOrder), left);
        assert_eq!(table.without(left, AmbientKind::MapOrder), left);
    }

    #[test]
    fn ambient_marks_survive_the_cut() {
        let mut table = MarkTable::new();
        let mut all = Marks::NONE;
        for step in 0..40 {
            let one = table.origin(origin(&step.to_string()));
            all = table.join(all, one);
        }
        let random = table.ambient(Ambient {
            kind: AmbientKind::Random,
            call: "randAlpha 5".into(),
            frame: 0,
            node: 0,
            draw: 0,
        });
        let all = table.join(all, random);
        assert_eq!(table.get(all).len(), MOST_MARKS);
        assert!(table.get(all).contains(&Mark::Ambient(0)));
    }
}
