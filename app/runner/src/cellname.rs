//! The names of operations, cells and steps for people; used by previews, progress lines and lists of what is missing.

use crate::experiments;
use crate::plan::{Cell, Operation, Plan, Step};
use serde_json::Value;
use triptych_model::Timestamp;

/// The operation as tables call it, its id where no experiment has it, with the options that were chosen:
/// `export --ignore-externals`.
pub fn operation_name(operation: &Operation) -> String {
    let known = experiments::experiment(&operation.experiment).map(|experiment| experiment.spec().operation);
    let mut name = known.unwrap_or(&operation.experiment).to_owned();
    for (option, value) in &operation.options {
        match value {
            Value::Bool(true) => name.push_str(&format!(" --{option}")),
            Value::String(text) => name.push_str(&format!(" --{option}={text}")),
            value => name.push_str(&format!(" --{option}={value}")),
        }
    }
    name
}

/// `null-export tsvn, USB cold, trunk`.
pub fn cell_name(plan: &Plan, cell: &Cell) -> String {
    format!("{}, {}", group_name(plan, cell), cell.variant)
}

/// The cell without its variant: what the sides of a triple share.
pub fn group_name(plan: &Plan, cell: &Cell) -> String {
    let operation = plan.operations.get(cell.operation);
    let operation = operation.map_or_else(|| format!("operation {}", cell.operation), operation_name);
    format!("{operation} {}, {} {}", cell.repository, cell.medium, cell.cache.name())
}

/// `null-export tsvn, USB cold, trunk #2`.
pub fn step_name(plan: &Plan, step: &Step) -> String {
    format!("{} #{}", cell_name(plan, &step.cell), step.repetition)
}

/// A new campaign's name: its title and the second it begins, first a letter: `demo-20261130-132105`.
pub fn campaign_name(title: &str, time: Timestamp) -> String {
    let mut slug = String::new();
    for letter in title.chars() {
        if letter.is_ascii_alphanumeric() {
            slug.push(letter.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let slug: String = slug.chars().take(40).collect();
    let slug = slug.trim_end_matches('-');
    let first = if slug.starts_with(|first: char| first.is_ascii_alphabetic()) { "" } else { "c-" };
    let digits: String = time.to_string().chars().filter(char::is_ascii_digit).take(14).collect();
    let (day, second) = digits.split_at(8.min(digits.len()));
    let dash = if slug.is_empty() { "" } else { "-" };
    format!("{first}{slug}{dash}{day}-{second}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Cache;

    #[test]
    fn names_say_all_that_differs() {
        let options = [("ignore-externals", Value::Bool(true)), ("memory-cache-size", Value::from(64))];
        let options = options.map(|(name, value)| (name.to_owned(), value)).into();
        let plan = Plan {
            operations: vec![Operation { experiment: "invented".into(), options }],
            ..Plan::default()
        };
        let cell = Cell {
            operation: 0,
            repository: "tsvn".into(),
            variant: "trunk".into(),
            medium: "USB".into(),
            cache: Cache::HotServer,
        };
        let name = "invented --ignore-externals --memory-cache-size=64 tsvn, USB hot-server, trunk";
        assert_eq!(cell_name(&plan, &cell), name);
        let step = Step { step: 9, cell: Cell { operation: 7, ..cell }, repetition: 2 };
        assert_eq!(step_name(&plan, &step), "operation 7 tsvn, USB hot-server, trunk #2");
    }

    #[test]
    fn campaigns_are_named_by_title_and_time() {
        let time = Timestamp(1_700_000_000_000_000);
        for (title, expect) in [
            ("FSFS format 7, seconds", "fsfs-format-7-seconds-20231114-221320"),
            ("2013, again", "c-2013-again-20231114-221320"),
            ("", "c-20231114-221320"),
            ("../ü", "c-20231114-221320"),
        ] {
            assert_eq!(campaign_name(title, time), expect, "{title:?}");
        }
    }
}
