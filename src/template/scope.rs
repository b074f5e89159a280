//! Variables: a stack of values, searched from the top by the number of the name, as Go searches by name.
//!
//! Names are not bound to places while parsing: Go declares a variable only when its pipeline runs, and a
//! pipeline within `and` may never run.

use crate::value::Value;

/// A value, and whether Go sees it through a slot of type `interface {}`: that type is what messages name
/// then.
#[derive(Clone, Default)]
pub(super) struct Held {
    pub value: Value,
    pub slot: bool,
}

impl Held {
    /// A value whose own type Go knows.
    pub fn own(value: Value) -> Held {
        Held { value, slot: false }
    }
}

struct Var {
    name: u32,
    held: Held,
}

/// The stack of variables of all running templates.
#[derive(Default)]
pub(super) struct Scope {
    vars: Vec<Var>,
    /// Where the variables of the running template begin.
    base: usize,
}

impl Scope {
    /// Enters a template: only `$` is visible. Gives what `leave` wants back.
    pub fn enter(&mut self, dollar: Held) -> usize {
        let outer = self.base;
        self.base = self.vars.len();
        self.push(0, dollar);
        outer
    }

    /// Leaves the template.
    pub fn leave(&mut self, outer: usize) {
        self.vars.truncate(self.base);
        self.base = outer;
    }

    pub fn push(&mut self, name: u32, held: Held) {
        self.vars.push(Var { name, held });
    }

    pub fn mark(&self) -> usize {
        self.vars.len()
    }

    pub fn pop(&mut self, mark: usize) {
        self.vars.truncate(mark);
    }

    /// The value of a variable; `None` when its declaration did not run.
    pub fn get(&self, name: u32) -> Option<&Held> {
        self.vars[self.base..]
            .iter()
            .rev()
            .find(|var| var.name == name)
            .map(|var| &var.held)
    }

    /// The variable declared last under a name.
    pub fn get_mut(&mut self, name: u32) -> Option<&mut Held> {
        self.vars[self.base..]
            .iter_mut()
            .rev()
            .find(|var| var.name == name)
            .map(|var| &mut var.held)
    }

    /// Sets the variable `depth` places below the top.
    pub fn set_top(&mut self, depth: usize, held: Held) {
        let at = self.vars.len() - depth;
        self.vars[at].held = held;
    }
}
