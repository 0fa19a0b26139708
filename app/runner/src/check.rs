//! Proves what a lab says against the machine, and changes nothing.
