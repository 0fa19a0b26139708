//! Starts the real program and keeps what it said; used by the tests of the verbs.
#![allow(dead_code, reason = "each test program uses a part")]

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// What a run of the program gave.
#[derive(Debug)]
pub struct Run {
    /// Exit status.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Run {
    /// Standard output as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program writes UTF-8");
        let code = output.status.code().expect("the program ends by itself");
        Self { code, stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin!("triptych"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Runs the program.
pub fn triptych(arguments: &[&str]) -> Run {
    program(arguments).output().expect("the program starts").into()
}

/// Runs the program in a folder.
pub fn triptych_in(folder: &Path, arguments: &[&str]) -> Run {
    program(arguments).current_dir(folder).output().expect("the program starts").into()
}

/// Runs the program with text on its standard input.
pub fn triptych_with_input(arguments: &[&str], input: &[u8]) -> Run {
    let mut child = program(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(input).expect("it reads");
    child.wait_with_output().expect("it ends").into()
}

/// Runs the program and closes its standard output at once.
pub fn triptych_unread(arguments: &[&str]) -> Run {
    let mut child =
        program(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    drop(child.stdout.take());
    child.wait_with_output().expect("it ends").into()
}

/// Starts the window on a display that is not there.
pub fn window(arguments: &[&str], display: Option<&str>) -> Run {
    let mut command = program(arguments);
    for variable in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        command.env_remove(variable);
    }
    if let Some(display) = display {
        command.env("DISPLAY", display);
    }
    command.output().expect("the program starts").into()
}

/// The triples that `triptych table … --as json` gives.
pub fn table(arguments: &[&str]) -> Vec<Value> {
    let all: Vec<&str> = ["table"].iter().chain(arguments).chain(&["--as", "json"]).copied().collect();
    let run = triptych(&all);
    assert_eq!(run.code, 0, "{arguments:?}: {run:?}");
    run.json().as_array().expect("a list").clone()
}

/// The path of something in `sample-data`.
pub fn sample(name: &str) -> String {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the top");
    top.join("sample-data").join(name).to_str().expect("a plain name").to_owned()
}

/// A folder that holds these files, until it is dropped.
pub fn folder_with(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, bytes) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, bytes).expect("written");
    }
    folder
}

/// The records of a CSV text, quotes taken off.
pub fn csv(text: &str) -> Vec<Vec<String>> {
    let (mut records, mut record, mut field, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => record.push(std::mem::take(&mut field)),
            '\n' if !quoted => {
                record.push(std::mem::take(&mut field));
                records.push(std::mem::take(&mut record));
            }
            _ => field.push(c),
        }
    }
    records
}
