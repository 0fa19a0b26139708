//! The runner's program.
fn main() {}
