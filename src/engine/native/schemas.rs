//! Validating the values of a tree of charts (`ValidateAgainstSchema`): the parent first, then every subchart
//! with its part; all faults are told together.

use crate::chart::schema::{self, Faults};
use crate::dialect::Dialect;
use crate::funcs::pattern_fault;
use crate::layers::Instance;
use crate::value::{Data, Map, Value, types};

/// Faults of the values, and where the first chart stands that refuses them.
pub(super) struct Refused {
    pub(super) message: String,
    pub(super) location: String,
}

/// Checks the coalesced values of a tree.
pub(super) fn validate(
    root: &Instance,
    values: &Map,
    dialect: Dialect,
    warnings: &mut Vec<String>,
) -> Result<(), Refused> {
    let mut check = Check {
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
    dialect: Dialect,
    warnings: &'a mut Vec<String>,
    told: String,
    first: Option<String>,
}

impl Check<'_> {
    fn chart(&mut self, instance: &Instance, values: &Map) {
        if let Some(text) = &instance.chart.schema {
            let whole = Value::from(values.clone());
            let faults = Faults {
                pattern: pattern_fault,
            };
            if let Err(fault) = schema::validate(text, &whole, self.dialect, &faults, self.warnings) {
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
