//! `triptych table`: the triples of what was read, in the notation of the lists or for other programs.

use super::{as_form, columns, log_format, paths, pattern, strict, zone};
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::sources::{self, Read};
use clap::{Arg, ArgAction, ArgMatches, Command};
use triptych_model::{Key, Process};
use triptych_report::{Comparison, EXPORTERS, Export, compare};
use triptych_store::{Column, Filter, Query, Store};

/// Help and arguments.
pub fn command() -> Command {
    Command::new("table")
        .about("Compare the runs of logs and published tables")
        .long_about(
            "Compare the runs of logs and published tables: medians, ratios (baseline / variant, above 1 is faster), \
             and what the runs carry.",
        )
        .arg(paths())
        .arg(pattern())
        .arg(columns())
        .arg(
            Arg::new("baseline")
                .long("baseline")
                .value_name("V")
                .help("The side that the others are compared with; else the first in order"),
        )
        .arg(
            Arg::new("metric")
                .long("metric")
                .value_name("M")
                .help("What is compared; else the first of real, time, cpu_time, user that the runs have"),
        )
        .arg(
            Arg::new("across")
                .long("across")
                .value_name("KEY")
                .help("What the sides differ in; else variant, or threads where there is one variant at most")
                .value_parser(Key::ALL.map(Key::name).to_vec()),
        )
        .arg(
            Arg::new("where")
                .long("where")
                .value_name("K=V")
                .help("Only runs with this condition, * is a wildcard; K!=V: only runs without it")
                .action(ArgAction::Append),
        )
        .arg(log_format())
        .arg(zone())
        .arg(as_form(forms().map(|(id, _)| id)))
        .arg(strict())
}

/// Reads, compares, prints.
///
/// # Errors
/// Something was asked for that the runs do not have, or the output cannot be written.
pub fn run(arguments: &ArgMatches) -> Result<Outcome, Failure> {
    let option = |name| arguments.get_one::<String>(name).map(String::as_str);
    let mut conditions = sources::strings(arguments, "where");
    let process = take_process(&mut conditions)?;
    let query = Query {
        filters: filters(&conditions)?,
        process,
        metric: option("metric").map(str::to_owned),
        across: option("across").and_then(Key::parse),
        baseline: option("baseline").map(str::to_owned),
        ..Query::default()
    };
    let read = sources::read(arguments)?;
    read.tell();
    check_metric(&read.store, &query)?;
    let comparison = compare(&read.store, &query);
    check_baseline(&comparison, &query)?;
    if comparison.rows.is_empty() {
        tell_empty(&read);
    }
    let form = option("as").unwrap_or("text");
    let (_, export) = forms()
        .find(|(id, _)| *id == form)
        .ok_or_else(|| Failure::Usage(format!("there is no form {form}")))?;
    output::print(&export(&comparison))?;
    Ok(read.outcome(arguments.get_flag("strict")))
}

/// Says why there is nothing to compare, and what there is instead.
fn tell_empty(read: &Read) {
    if read.store.metrics(&Query::default()).is_empty() {
        output::tell(&"triptych: there are no runs to compare in what was read");
        read.tell_other_rows("triptych import --frame");
    } else {
        output::tell(&"triptych: no run with a figure to compare fits what was asked for");
    }
}

/// The exporters of tables, by the words of `--as`.
fn forms() -> impl Iterator<Item = (&'static str, fn(&Comparison) -> String)> {
    EXPORTERS.iter().filter_map(|exporter| match exporter.export {
        Export::Table(export) => Some((exporter.id, export)),
        Export::Figure(_) => None,
    })
}

/// Takes `process=NAME` out of the conditions: a process is of values, not of runs.
fn take_process(texts: &mut Vec<String>) -> Result<Option<Process>, Failure> {
    let mut process = None;
    for text in texts.extract_if(.., |text| text.starts_with("process=") || text.starts_with("process!=")) {
        let name = text.strip_prefix("process=").filter(|name| !name.is_empty() && !name.contains('*'));
        match (name, &process) {
            (Some(name), None) => process = Some(Process::from(name.to_owned())),
            _ => return Err(Failure::Usage(format!("--where {text}: expected one process=NAME"))),
        }
    }
    Ok(process)
}

/// Reads `key=value` and `key!=value`; several values of one key and sign are alternatives.
pub(super) fn filters(texts: &[String]) -> Result<Vec<Filter>, Failure> {
    let mut filters: Vec<Filter> = Vec::new();
    for text in texts {
        let (key, value) = text
            .split_once('=')
            .ok_or_else(|| Failure::Usage(format!("--where {text}: expected KEY=VALUE or KEY!=VALUE")))?;
        let (key, not) = key.strip_suffix('!').map_or((key, false), |key| (key, true));
        let column = Column::parse(key).ok_or_else(|| {
            let known = Key::ALL.map(Key::name).join(", ");
            Failure::Usage(format!(
                "--where {text}: there is no key {key}; there are {known}, quality, source, run, process"
            ))
        })?;
        match filters.iter_mut().find(|filter| filter.column == column && filter.not == not) {
            Some(filter) => filter.values.push(value.to_owned()),
            None => filters.push(Filter { column, not, values: vec![value.to_owned()] }),
        }
    }
    Ok(filters)
}

/// A metric that no run has at all is a slip of the pen, not an empty answer.
fn check_metric(store: &Store, query: &Query) -> Result<(), Failure> {
    let Some(metric) = &query.metric else { return Ok(()) };
    let known: Vec<String> = unique(store.metrics(&Query::default()).into_iter().map(|count| count.metric));
    if known.is_empty() || known.contains(metric) {
        return Ok(());
    }
    Err(Failure::Usage(format!("--metric {metric}: no run has it; they have {}", known.join(", "))))
}

/// A baseline that no triple has would leave each compared with its first side, unasked.
fn check_baseline(comparison: &Comparison, query: &Query) -> Result<(), Failure> {
    let Some(baseline) = &query.baseline else { return Ok(()) };
    let cells = comparison.rows.iter().flat_map(|row| &row.group.cells);
    let known = unique(cells.map(|cell| cell.name.clone()));
    if known.is_empty() || known.contains(baseline) {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "--baseline {baseline}: no side is called so; there are {}",
        known.join(", ")
    )))
}

fn unique(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in names {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(texts: &[&str], expect: &[(&str, bool, &[&str])]) {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        let found = filters(&texts).expect("understood");
        let found: Vec<_> = found
            .iter()
            .map(|filter| {
                (
                    filter.column.name(),
                    filter.not,
                    filter.values.iter().map(String::as_str).collect::<Vec<_>>(),
                )
            })
            .collect();
        let expect: Vec<_> = expect.iter().map(|(key, not, values)| (*key, *not, values.to_vec())).collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn conditions_are_read() {
        check(&[], &[]);
        check(&["cache=cold"], &[("cache", false, &["cold"])]);
        check(&["variant!=branch*"], &[("variant", true, &["branch*"])]);
        check(&["command=a=b", "operation="], &[("command", false, &["a=b"]), ("operation", false, &[""])]);
        check(
            &["variant=a", "variant=b", "variant!=c"],
            &[("variant", false, &["a", "b"]), ("variant", true, &["c"])],
        );
    }

    #[test]
    fn what_is_no_condition_is_refused() {
        for text in ["cache", "colour=red", "=cold", "cache !=cold"] {
            assert!(matches!(filters(&[text.to_owned()]), Err(Failure::Usage(_))), "{text}");
        }
    }

    #[test]
    fn a_process_is_taken_out() {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let mut texts = owned(&["cache=hot", "process=svnserve", "variant=a"]);
        assert_eq!(take_process(&mut texts).ok().flatten(), Some(Process::from("svnserve".to_owned())));
        assert_eq!(texts, ["cache=hot", "variant=a"]);
        for wrong in [&["process!=client"][..], &["process=svn*"], &["process="], &["process=a", "process=b"]]
        {
            assert!(matches!(take_process(&mut owned(wrong)), Err(Failure::Usage(_))), "{wrong:?}");
        }
    }
}
