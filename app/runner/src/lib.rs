//! The runner: repeats Subversion benchmarks on this machine and writes down what happened.
//!
//! It sees only the model and links neither polars nor egui: on Linux a child's peak memory starts
//! at its parent's, so the process that measures must be small. The program `triptych-runner` does
//! the work; the window and the verbs use this library to make plans and to talk to it.
#![warn(missing_docs)]

pub mod builds;
pub mod campaign;
pub mod cellname;
pub mod check;
pub mod client;
pub mod command_text;
pub mod demo;
pub mod desk;
pub mod expand;
pub mod experiments;
pub mod guard;
pub mod host;
pub mod inbox;
pub mod journal;
mod jsonfile;
pub mod lab;
pub mod labfile;
pub mod locate;
pub mod logfile;
pub mod outcome;
pub mod output;
mod owncpu;
pub mod plan;
pub mod planfile;
pub mod preview;
pub mod procfs;
pub mod protocol;
pub mod rerun;
pub mod shell;
pub mod signals;
pub mod step;
mod sys;
pub mod worker;

pub use owncpu::own_cpu;

#[cfg(test)]
pub(crate) mod testing;
