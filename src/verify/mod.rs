//! The main job.
