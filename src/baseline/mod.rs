//! The pinned record kept in `baselines/`.
