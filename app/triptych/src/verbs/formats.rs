//! `triptych formats`: the table of formats.

use super::as_form;
use crate::failure::{Failure, Outcome};
use crate::output;
use clap::{ArgMatches, Command};
use serde_json::json;
use triptych_import::{FORMATS, Format};
use triptych_model::FormatSpec;

const FORMS: &[&str] = &["text", "markdown", "json"];

/// Help and arguments.
pub fn command() -> Command {
    Command::new("formats").about("List the formats that can be read").arg(as_form(FORMS.iter().copied()))
}

/// Prints the table.
///
/// # Errors
/// It cannot be written.
pub fn run(arguments: &ArgMatches) -> Result<Outcome, Failure> {
    let specs: Vec<&FormatSpec> = FORMATS.iter().map(Format::spec).collect();
    let text = match arguments.get_one::<String>("as").map(String::as_str) {
        Some("markdown") => markdown(&specs),
        Some("json") => json(&specs),
        _ => text(&specs),
    };
    output::print(&text)?;
    Ok(Outcome::Accepted)
}

fn text(specs: &[&FormatSpec]) -> String {
    let width =
        |of: fn(&FormatSpec) -> &str| specs.iter().map(|spec| of(spec).chars().count()).max().unwrap_or(0);
    let (ids, titles) = (width(|spec| spec.id), width(|spec| spec.title));
    specs.iter().map(|spec| format!("{:ids$}  {:titles$}  {}\n", spec.id, spec.title, spec.help)).collect()
}

fn markdown(specs: &[&FormatSpec]) -> String {
    let rows = specs.iter().map(|spec| {
        format!(
            "| `{}` | {} | {} |\n",
            spec.id,
            spec.title.replace('|', "\\|"),
            spec.help.replace('|', "\\|")
        )
    });
    ["| id | format | what it is |\n|---|---|---|\n".to_owned()].into_iter().chain(rows).collect()
}

fn json(specs: &[&FormatSpec]) -> String {
    let list: Vec<_> = specs
        .iter()
        .map(|spec| json!({"id": spec.id, "title": spec.title, "help": spec.help, "extensions": spec.extensions}))
        .collect();
    format!("{:#}\n", serde_json::Value::Array(list))
}
