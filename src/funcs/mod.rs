//! The functions templates call, one file per family.
