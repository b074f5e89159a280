//! A Helm chart read from a source tree.
