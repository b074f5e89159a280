//! Values layering with provenance.
