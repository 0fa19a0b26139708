//! This machine.
