//! `LayeredValues`: the values of one side of a cell as written, laid over each other, and in the end; each made
//! when the first check asks for it.

use super::ChartView;
use crate::base::{KeyPath, Place};
use crate::engine::RenderJob;
use crate::layers::cover::{Covers, covers};
use crate::layers::{FinalValues, Written};
use std::cell::OnceCell;

/// What the checks of one side share.
#[derive(Default)]
pub struct LayeredValues {
    written: OnceCell<Written>,
    covers: OnceCell<Covers>,
    ends: OnceCell<Option<FinalValues>>,
    plain: OnceCell<Option<Vec<u8>>>,
}

impl<'a> ChartView<'a> {
    /// The layers as they are written.
    pub fn written(&self) -> &'a Written {
        let job = self.job;
        self.layered
            .written
            .get_or_init(|| Written::read(&*job.tree, self.chart, &job.values, &job.set, job.dialect))
    }

    /// What layers take the place of.
    pub fn covers(&self) -> &'a Covers {
        self.layered.covers.get_or_init(|| covers(self.written()))
    }

    /// The values in the end; `None` where Helm fails to layer them.
    pub fn final_values(&self) -> Option<&'a FinalValues> {
        let job = self.job;
        self.layered
            .ends
            .get_or_init(|| {
                let tree = &*job.tree;
                FinalValues::of(tree, self.chart, &job.values, &job.set, job.dialect)
            })
            .as_ref()
    }

    /// The output of the job as it is, to hold that of a changed job against; `None` where it fails.
    pub(super) fn plain_output(&self) -> Option<&'a Vec<u8>> {
        let job = RenderJob {
            traced: false,
            ..self.job.clone()
        };
        let render = || (self.again)(&job).ok().map(|rendered| rendered.output);
        self.layered.plain.get_or_init(render).as_ref()
    }

    /// Where a path stands in the highest layer of a user that writes it.
    pub(super) fn user_place(&self, path: &KeyPath) -> Option<Place> {
        let written = self.written();
        let settings = written.settings(&path.0).into_iter().rev();
        let mut users = settings.filter(|setting| written.layer(setting).is_users());
        users.next().map(|setting| setting.place)
    }
}
