//! `evenkeel.yaml` -> cells to run.
