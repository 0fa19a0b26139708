//! The answer that is being made: what each column of each table means, and what would be read by it.

use crate::jobs::Kind;
use crate::sheets::Preview;
use crate::state::{Answer, State};
use std::sync::Arc;
use triptych_import::{FoundTable, Readers, propose};
use triptych_model::{
    Decimal, Importer as _, Key, Meaning, ReadOptions, Silent, SourceData, TableMeaning, Unit, ValueMeaning,
    cell_unit, metric_spec,
};
use triptych_store::Source;

/// What a job found in a source.
pub struct Found {
    source: String,
    tables: Vec<FoundTable>,
    /// Its head, for the preview.
    head: Vec<u8>,
    /// Whether the head is all of it.
    whole: bool,
    /// Answers that it was read by.
    answers: Vec<TableMeaning>,
    error: Option<String>,
}

/// How much of a source the preview reads anew after each change.
const HEAD: usize = 256 * 1024;

/// One table with the answer that is being made for it.
pub struct Table {
    /// What was found.
    pub found: FoundTable,
    /// What its columns mean so far.
    pub meanings: Vec<Meaning>,
    /// Columns that the user is asked about and did not touch yet.
    pub asked: Vec<bool>,
    /// What parts the whole from the fraction, where the user says so.
    pub decimal: Option<Decimal>,
}

impl Table {
    fn new(found: FoundTable, answer: Option<&TableMeaning>) -> Self {
        let meanings = match answer {
            Some(answer) => answer.of_columns(&found.header),
            None => found.columns.iter().map(|column| column.guess.clone()).collect(),
        };
        let asked = found.columns.iter().map(|column| answer.is_none() && !column.sure).collect();
        Self { meanings, asked, decimal: answer.and_then(|answer| answer.decimal), found }
    }

    /// The answer so far.
    pub fn answer(&self) -> TableMeaning {
        TableMeaning { decimal: self.decimal, ..TableMeaning::for_header(&self.found.header, &self.meanings) }
    }

    /// Gives a column another meaning.
    pub fn set(&mut self, column: usize, meaning: Meaning) {
        if let Some(place) = self.meanings.get_mut(column) {
            *place = meaning;
        }
        if let Some(asked) = self.asked.get_mut(column) {
            *asked = false;
        }
    }

    /// The value that a column is, or a first one if it becomes one.
    pub fn value_of(&self, column: usize) -> ValueMeaning {
        let guess = self.found.columns.get(column).map(|column| &column.guess);
        match (self.meanings.get(column), guess) {
            (Some(Meaning::Value(value)), _) | (_, Some(Meaning::Value(value))) => value.clone(),
            _ => ValueMeaning::new("time"),
        }
    }
}

/// Gives a value another metric; a unit that does not fit it goes.
pub fn with_metric(value: &ValueMeaning, metric: &str) -> ValueMeaning {
    let base = metric_spec(metric).map(|spec| spec.unit);
    let unit = value.unit.clone().filter(|unit| fits(unit, base));
    ValueMeaning { metric: metric.to_owned(), unit, ..value.clone() }
}

/// Whether values in this unit can be of that base unit.
pub fn fits(unit: &str, base: Option<Unit>) -> bool {
    base.is_none_or(|base| cell_unit(unit).is_some_and(|unit| unit.base == base))
}

/// What the sheet has in hand.
pub struct Draft {
    /// The source's path.
    pub source: String,
    /// Its tables.
    pub tables: Vec<Table>,
    /// The one that is shown.
    pub chosen: usize,
    /// Whether the answer holds for other files too.
    pub remember: bool,
    /// What would be read.
    pub preview: Arc<SourceData>,
    /// Whether the preview holds all of the source.
    pub whole: bool,
    /// Why nothing can be shown.
    pub error: Option<String>,
    head: Vec<u8>,
    shown: bool,
}

impl Draft {
    /// A draft for a source; a job finds its tables.
    pub fn new(state: &mut State, path: &str) -> Self {
        if let Some(source) = state.store.sources().iter().find(|source| source.path() == path).cloned() {
            state.jobs.start(Kind::Preview, move |_| {
                Ok(Answer::Preview(Box::new(Preview::Columns(Box::new(find(&source))))))
            });
        }
        Self {
            source: path.to_owned(),
            tables: Vec::new(),
            chosen: 0,
            remember: true,
            preview: Arc::default(),
            whole: true,
            error: None,
            head: Vec::new(),
            shown: false,
        }
    }

    /// Whether there is anything to show.
    pub fn is_shown(&self) -> bool {
        self.shown
    }

    /// Takes what the job found.
    pub fn take(&mut self, found: Found) {
        if found.source != self.source {
            return;
        }
        let answer = |table: &FoundTable| TableMeaning::find(&found.answers, &table.header).cloned();
        self.tables = found
            .tables
            .into_iter()
            .map(|table| (answer(&table), table))
            .map(|(answer, table)| Table::new(table, answer.as_ref()))
            .collect();
        (self.head, self.whole, self.error) = (found.head, found.whole, found.error);
        if self.tables.is_empty() && self.error.is_none() {
            self.error = Some("The source holds no table with a header and figures below it".to_owned());
        }
        self.shown = true;
        self.changed();
    }

    /// Reads the head again by the answers so far.
    pub fn changed(&mut self) {
        let options = ReadOptions {
            format: Some("table".to_owned()),
            tables: self.answers(),
            ..ReadOptions::default()
        };
        if let Ok(data) = Readers.read(&self.source, &self.head, &options, &Silent) {
            self.preview = Arc::new(data);
        }
    }

    /// The answers for the tables that give values.
    pub fn answers(&self) -> Vec<TableMeaning> {
        self.tables.iter().map(Table::answer).filter(TableMeaning::gives_values).collect()
    }
}

/// The tables of a source, in a job.
fn find(source: &Source) -> Found {
    let mut found = Found {
        source: source.path().to_owned(),
        tables: Vec::new(),
        head: Vec::new(),
        whole: true,
        answers: source.read.tables.clone(),
        error: None,
    };
    match triptych_store::source_bytes(source) {
        Ok(bytes) => {
            found.tables = propose(&bytes);
            let end = match bytes.get(..HEAD).and_then(|head| head.iter().rposition(|byte| *byte == b'\n')) {
                Some(end) => end + 1,
                None => bytes.len(),
            };
            found.whole = end == bytes.len();
            found.head = bytes;
            found.head.truncate(end);
        }
        Err(problem) => found.error = Some(problem.sentence()),
    }
    found
}

/// The conditions of a run in words, as the preview shows them.
pub fn conditions(data: &SourceData, run: u32) -> String {
    let Some(run) = data.runs.get(run as usize) else { return String::new() };
    let shown = run
        .content
        .iter()
        .filter(|(key, _)| *key != Key::Command || run.content.get(Key::Operation).is_none());
    shown.map(|(key, text)| format!("{} {text}", key.name())).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(text: &str, answers: Vec<TableMeaning>) -> Draft {
        let source =
            Source { text: Some(Arc::from(text.as_bytes())), ..Source::of_data(SourceData::new("x")) };
        let source = Source { read: ReadOptions { tables: answers, ..ReadOptions::default() }, ..source };
        let mut draft = Draft {
            source: "x".to_owned(),
            tables: Vec::new(),
            chosen: 0,
            remember: true,
            preview: Arc::default(),
            whole: true,
            error: None,
            head: Vec::new(),
            shown: false,
        };
        draft.take(find(&source));
        draft
    }

    #[test]
    fn guesses_wait_for_the_user_and_answers_do_not() {
        let text = "test,trunk\nco,3.5\nup,4.5\n";
        let mut first = draft(text, Vec::new());
        assert_eq!(first.tables[0].asked, [true, true]);
        assert!(first.preview.measurements.iter().all(|row| row.value.is_none()), "the unit is not said");
        let value = ValueMeaning { unit: Some("ms".to_owned()), ..first.tables[0].value_of(1) };
        first.tables[0].set(1, Meaning::Value(value));
        first.changed();
        assert_eq!(first.tables[0].asked, [true, false]);
        assert_eq!(first.preview.measurements[0].value, Some(0.0035));
        assert_eq!(conditions(&first.preview, 0), "operation co, variant trunk");
        let again = draft(text, first.answers());
        assert_eq!(
            (again.tables[0].asked.as_slice(), again.answers()),
            (&[false, false][..], first.answers())
        );
    }

    #[test]
    fn a_metric_takes_only_its_units() {
        let value = ValueMeaning { unit: Some("ms".to_owned()), ..ValueMeaning::new("time") };
        assert_eq!(with_metric(&value, "real").unit.as_deref(), Some("ms"));
        assert_eq!(with_metric(&value, "max_rss").unit, None);
        assert_eq!(with_metric(&value, "own").unit.as_deref(), Some("ms"));
    }

    #[test]
    fn a_source_without_tables_says_so() {
        assert!(draft("no table\n", Vec::new()).error.is_some());
    }
}
