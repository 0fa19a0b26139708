//! The program: arguments, verbs, and the window.

fn main() {}
