//! What functions may ask of the executor.

use super::ambient::AmbientSource;
use super::exec::{Executor, Found, Overlay};
use super::func::{CallError, Effect, Host};
use super::trace::Swallowed;
use super::tree::{Definition, Unit};
use crate::dialect::Dialect;
use crate::value::quote::quote_str;
use crate::value::{MarkTable, Marks, Text, Value};
use std::rc::Rc;
use std::sync::Arc;

/// The template that all others are associated with (`engine.go`).
const ROOT: &str = "gotpl";

impl Executor<'_> {
    /// Executes a template by name.
    pub(super) fn execute_named(&mut self, name: &[u8], data: Value) -> Result<Text, CallError> {
        let Some(found) = self.find(name) else {
            let name = quote_str(name);
            return Err(CallError::Own(format!(
                "template: no template {name} associated with template \"{ROOT}\""
            )));
        };
        let text = match &found {
            Found::Set(body) => {
                let set = self.set;
                self.run(&set.units[body.unit as usize], body.unit, body.root, data)
            }
            Found::Text(overlay, root) => self.run(&overlay.unit, overlay.number, *root, data),
        };
        text.map_err(CallError::Template)
    }

    /// The number of a parsed text among the units of this render.
    fn text_number(&mut self, unit: &Arc<Unit>) -> u32 {
        let key = Arc::as_ptr(unit).addr();
        if let Some(&number) = self.text_numbers.get(&key) {
            return number;
        }
        let number = u32::try_from(self.set.units.len() + self.texts.len()).unwrap_or(u32::MAX);
        self.texts.push(Arc::clone(unit));
        self.text_numbers.insert(key, number);
        number
    }

    /// Runs something that yields a text, and notes what decided about that text, written or not.
    fn deciding(
        &mut self,
        run: impl FnOnce(&mut Self) -> Result<Text, CallError>,
    ) -> Result<Text, CallError> {
        let outer = std::mem::replace(&mut self.decided, Marks::NONE);
        let text = run(self);
        self.running.decided = self.decided;
        self.decided = self.marks.join(outer, self.decided);
        text
    }
}

impl Host for Executor<'_> {
    fn execute(&mut self, name: &Text, data: Value) -> Result<Text, CallError> {
        let most = self.options.limits.nesting;
        let nested = self.nesting.entry(name.clone()).or_default();
        if *nested > most {
            return Err(CallError::Own(format!(
                "rendering template has a nested reference name: {}: unable to execute template",
                name.lossy()
            )));
        }
        *nested += 1;
        let text = self.deciding(|executor| executor.execute_named(name.bytes(), data));
        if let Some(nested) = self.nesting.get_mut(name) {
            *nested -= 1;
        }
        text
    }

    fn execute_text(&mut self, name: &str, source: &Text, data: Value) -> Result<Text, CallError> {
        let stack = self.options.limits.stack / 4;
        let unit = self
            .set
            .parse_text(name, source.bytes(), stack)
            .map_err(|error| CallError::Own(error.to_string()))?;
        let number = self.text_number(&unit);
        let own = |definition: &&Definition| *definition.name == *unit.name.as_bytes();
        let Some(root) = unit.definitions.iter().find(own).map(|own| own.root) else {
            return Ok(Text::default());
        };
        let overlay = Rc::new(Overlay {
            unit: Arc::clone(&unit),
            number,
            below: self.overlay.clone(),
        });
        let outer = self.overlay.replace(overlay);
        let text = self.deciding(|executor| {
            executor
                .run(&unit, number, root, data)
                .map_err(CallError::Template)
        });
        self.overlay = outer;
        text
    }

    fn ambient(&mut self) -> &mut dyn AmbientSource {
        self
    }

    fn random(&mut self, bytes: &mut [u8]) {
        self.note_ambient(Effect::Random);
        let mut seed = self.running.seed.clone();
        seed.push(0);
        seed.extend_from_slice(self.running.draws.to_string().as_bytes());
        self.running.draws += 1;
        self.ambient.random(&seed, bytes);
    }

    fn note_ambient(&mut self, effect: Effect) {
        if !self.running.noted.contains(&effect) {
            self.running.noted.push(effect);
        }
    }

    fn note_order_free(&mut self) {
        self.running.order_free = true;
    }

    fn note_swallowed(&mut self, message: &str) {
        if self.options.trace {
            self.trace.swallowed.push(Swallowed {
                function: self.running.name,
                message: message.to_owned(),
                site: self.running.site,
            });
        }
    }

    fn marks(&mut self) -> &mut MarkTable {
        &mut self.marks
    }

    fn dialect(&self) -> Dialect {
        self.options.dialect
    }

    fn deep_marks(&mut self, value: &Value) -> Marks {
        self.deep(value)
    }

    fn note_missing(&mut self, map: &Value, key: &Text) {
        let (frame, node) = self.running.site;
        self.missed(frame, map, key.bytes(), node);
    }

    fn tracing(&self) -> bool {
        self.options.trace
    }
}

/// Every answer of the ambient passes here and leaves a mark.
impl AmbientSource for Executor<'_> {
    fn now(&mut self) -> (i64, u32) {
        self.note_ambient(Effect::Clock);
        self.ambient.now()
    }

    fn random(&mut self, seed: &[u8], bytes: &mut [u8]) {
        self.note_ambient(Effect::Random);
        self.ambient.random(seed, bytes);
    }

    fn is_live(&self) -> bool {
        self.ambient.is_live()
    }

    fn lookup(&mut self, api_version: &str, kind: &str, namespace: &str, name: &str) -> Value {
        self.note_ambient(Effect::Cluster);
        self.ambient.lookup(api_version, kind, namespace, name)
    }

    fn host_by_name(&mut self, name: &str) -> String {
        self.note_ambient(Effect::Host);
        self.ambient.host_by_name(name)
    }
}
