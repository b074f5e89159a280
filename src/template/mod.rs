//! Go text/template; has never heard of Helm.
