//! The window of Triptych.
