//! The command line, the terminal, exit codes.
