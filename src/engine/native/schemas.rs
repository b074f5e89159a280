//! Validating the values of a tree of charts (`ValidateAgainstSchema`): the parent first, then every subchart
//! with its part; all faults are told together.

use super::program::Program;
use crate::chart::schema::Faults;
use crate::dialect::Dialect;
use crate::funcs::pattern_fault;
use crate::layers::Instance;
use crate::value::{Data, Map, Value, types};

/// Faults of the values, and where the first chart stands that refuses them.
pub(super) struct Refused {
    pub(super) message: String,
    pub(super) location: String,
}

/// What Go has to say about regular expressions.
pub(super) const FAULTS: Faults = Faults {
    pattern: pattern_fault,
};

/// Checks the coalesced values of a tree.
pub(super) fn validate(
    program: &Program,
    root: &Instance,
    values: &Map,
    dialect: Dialect,
    warnings: &mut Vec<String>,
) -> Result<(), Refused> {
    let mut check = Check {
        program,
        dialect,
        warnings,
        told: String::new(),
        first: None,
    };
    check.chart(root, values);
    match check.first {
        None => Ok(()),
        Some(location) => Err(Refused {
            message: format!(
                "values don't meet the specifications of the schema(s) in the following chart(s):\n{}",
                check.told
            ),
            location,
        }),
    }
}

struct Check<'a> {
    program: &'a Program,
    dialect: Dialect,
    warnings: &'a mut Vec<String>,
    told: String,
    first: Option<String>,
}

impl Check<'_> {
    fn chart(&mut self, instance: &Instance, values: &Map) {
        if let Some(text) = &instance.chart.schema {
            let whole = Value::from(values.clone());
            let schema = self.program.schema(text);
            if let Err(fault) = schema.validate(&whole, &FAULTS, self.warnings) {
                self.tell(instance, &fault);
            }
        }
        for child in &instance.children {
            let child = child.borrow();
            match values.get(child.metadata.name.as_bytes()) {
                None => {}
                Some(Value { data: Data::Nil, .. }) => {}
                Some(Value {
                    data: Data::Map(below),
                    ..
                }) => self.chart(&child, &below),
                Some(other) => {
                    let kind = types::type_name(&other, self.dialect);
                    let fault = format!("invalid type for values: expected object (map), got {kind}\n");
                    self.tell(&child, &fault);
                }
            }
        }
    }

    fn tell(&mut self, instance: &Instance, fault: &str) {
        self.told
            .push_str(&format!("{}:\n{fault}", instance.metadata.name));
        self.first.get_or_insert_with(|| instance.chart.location.clone());
    }
}
