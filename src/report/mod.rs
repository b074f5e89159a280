//! Plain results and their formats.
