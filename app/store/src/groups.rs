//! Triples: the same operation in the same conditions for the compared variants.
//!
//! A group never crosses a campaign unless campaigns themselves are compared. Failed runs and those
//! the user left out stand beside the values, never among them.

use crate::filter::compare_values;
use crate::resolve::{Resolved, Row, RunEntry};
use crate::{Cell, Group, PrintedRatio, Query, RunIndex, Source, Value};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use triptych_model::{
    Conditions, Key, Process, Quality, Symbol, TABLE_METRICS, Unit, is_usual_baseline, natural_cmp,
};

/// The conditions that make a group, in the order in which groups are sorted.
const GROUP_KEYS: [Key; 9] = [
    Key::Campaign,
    Key::Host,
    Key::Operation,
    Key::Repository,
    Key::Variant,
    Key::Medium,
    Key::Cache,
    Key::Network,
    Key::Threads,
];

/// Metrics of a command as a whole: they are the client's, whoever else was measured.
const OF_THE_CLIENT: [&str; 4] = ["real", "time", "user", "sys"];

/// Values of [`GROUP_KEYS`] without the compared one, and the process.
type GroupKey = ([Symbol; GROUP_KEYS.len()], Symbol);

/// What is compared in one campaign.
struct Choice {
    metric: Symbol,
    across: Key,
    /// The one process whose values count; `None`: each by itself.
    process: Option<Symbol>,
    /// Whether printed ratios speak of this metric.
    has_ratios: bool,
}

/// Groups in the making, in order of their first run.
#[derive(Default)]
struct Drafts {
    list: Vec<(GroupKey, Draft)>,
    places: HashMap<GroupKey, usize>,
}

impl Drafts {
    fn draft(&mut self, key: GroupKey) -> &mut Draft {
        let place = *self.places.entry(key).or_insert_with(|| {
            self.list.push((key, Draft::default()));
            self.list.len() - 1
        });
        &mut self.list[place].1
    }
}

#[derive(Default)]
struct Draft {
    cells: Vec<(Symbol, DraftCell)>,
    unit: Option<Unit>,
    is_table: bool,
}

#[derive(Default)]
struct DraftCell {
    values: Vec<Value>,
    failed: Vec<RunIndex>,
    left_out: Vec<(RunIndex, String)>,
    printed: Vec<PrintedRatio>,
}

/// The groups of these runs.
pub(crate) fn groups(
    sources: &[Source],
    resolved: &Resolved,
    query: &Query,
    runs: &[RunIndex],
) -> Vec<Group> {
    let maker = Maker { sources, resolved, query, symbols: Symbols::new(resolved) };
    let mut campaigns: BTreeMap<u32, Vec<RunIndex>> = BTreeMap::new();
    let mut order: HashMap<Symbol, u32> = HashMap::new();
    for run in runs {
        let Some(entry) = resolved.run(*run) else { continue };
        let next = u32::try_from(order.len()).unwrap_or(u32::MAX);
        let name = if query.across == Some(Key::Campaign) { 0 } else { entry.value(Key::Campaign) };
        // Campaigns that the user gave one name are one.
        let place = *order.entry(name).or_insert(next);
        campaigns.entry(place).or_default().push(*run);
    }
    campaigns.values().flat_map(|runs| maker.campaign(runs)).collect()
}

/// Symbols of the words that grouping asks for; absent ones are no symbol at all.
struct Symbols {
    by_text: HashMap<String, Symbol>,
}

impl Symbols {
    fn new(resolved: &Resolved) -> Self {
        let words = TABLE_METRICS.iter().copied().chain(["ratio", "client"]);
        let mut by_text: HashMap<String, Symbol> = words.map(|word| (word.to_owned(), Symbol::MAX)).collect();
        for (symbol, text) in (0..).zip(resolved.texts.texts()).skip(1) {
            if let Some(known) = by_text.get_mut(text) {
                *known = symbol;
            }
        }
        Self { by_text }
    }

    fn get(&self, word: &str) -> Symbol {
        self.by_text.get(word).copied().unwrap_or(Symbol::MAX)
    }
}

struct Maker<'a> {
    sources: &'a [Source],
    resolved: &'a Resolved,
    query: &'a Query,
    symbols: Symbols,
}

impl Maker<'_> {
    fn entries<'b>(&'b self, runs: &'b [RunIndex]) -> impl Iterator<Item = (RunIndex, &'b RunEntry)> {
        runs.iter().filter_map(|run| Some((*run, self.resolved.run(*run)?)))
    }

    fn campaign(&self, runs: &[RunIndex]) -> Vec<Group> {
        let Some(choice) = self.choose(runs) else { return Vec::new() };
        let mut drafts = Drafts::default();
        for (run, entry) in self.entries(runs) {
            self.add_run(run, entry, &choice, &mut drafts);
        }
        let firsts = self.first_appearances(runs, choice.across);
        let apart = if choice.across == Key::Variant { apart(&drafts) } else { BTreeSet::new() };
        let mut groups: Vec<Group> = Vec::with_capacity(drafts.list.len());
        for (key, draft) in drafts.list {
            let alone = apart.contains(&without_repository(&key));
            groups.push(self.group(&key, draft, &choice, &firsts, alone));
        }
        if groups.iter().any(|group| !group.is_table) {
            groups.sort_by(compare_groups);
        }
        groups
    }

    fn choose(&self, runs: &[RunIndex]) -> Option<Choice> {
        let (metric, is_first) = self.choose_metric(runs)?;
        let name = self.resolved.text(metric);
        let client = self.symbols.get("client");
        let rows = || self.entries(runs).flat_map(|(_, entry)| self.resolved.rows_of(entry));
        let of_client =
            OF_THE_CLIENT.contains(&name) && rows().any(|row| row.metric == metric && row.process == client);
        let process = match &self.query.process {
            Some(process) => Some(self.symbol_of(&process.to_string())?),
            None => of_client.then_some(client),
        };
        Some(Choice { metric, across: self.choose_across(runs), process, has_ratios: is_first })
    }

    fn symbol_of(&self, text: &str) -> Option<Symbol> {
        self.resolved.texts.find(text)
    }

    /// The asked metric, else the first of the table's metrics that the campaign has; and whether it is that.
    fn choose_metric(&self, runs: &[RunIndex]) -> Option<(Symbol, bool)> {
        let wanted: Vec<Symbol> = TABLE_METRICS.iter().map(|name| self.symbols.get(name)).collect();
        let mut best = usize::MAX;
        for (_, entry) in self.entries(runs) {
            for row in self.resolved.rows_of(entry) {
                let place = wanted.iter().position(|symbol| *symbol == row.metric).unwrap_or(usize::MAX);
                best = best.min(place);
            }
            if best == 0 {
                break;
            }
        }
        let first = wanted.get(best).copied();
        match &self.query.metric {
            Some(name) => self.symbol_of(name).map(|symbol| (symbol, Some(symbol) == first)),
            None => first.map(|symbol| (symbol, true)),
        }
    }

    fn choose_across(&self, runs: &[RunIndex]) -> Key {
        self.query.across.unwrap_or_else(|| {
            let several = |key: Key, least: usize| {
                let mut seen: Vec<Symbol> = Vec::new();
                for (_, entry) in self.entries(runs) {
                    let value = entry.value(key);
                    if value != 0 && !seen.contains(&value) {
                        seen.push(value);
                    }
                    if seen.len() >= least {
                        return true;
                    }
                }
                false
            };
            if !several(Key::Variant, 2) && several(Key::Threads, 2) { Key::Threads } else { Key::Variant }
        })
    }

    fn add_run(&self, run: RunIndex, entry: &RunEntry, choice: &Choice, drafts: &mut Drafts) {
        let rows = self.resolved.rows_of(entry);
        let mut done: Vec<Symbol> = Vec::new();
        let wanted =
            |row: &&Row| row.metric == choice.metric && choice.process.is_none_or(|p| p == row.process);
        // The run's own text comes first: computed rows stand at the end.
        for row in rows.iter().filter(wanted) {
            if done.contains(&row.process) {
                continue;
            }
            done.push(row.process);
            let draft = drafts.draft(group_key(entry, row.process, choice.across));
            self.add_row(run, entry, row, choice, draft);
            if choice.has_ratios {
                self.add_ratio(rows, draft.cell(entry.value(choice.across)));
            }
        }
        // A failed run may have printed no time at all, and still is one.
        let aside = entry.failed() || entry.left_out.is_some();
        if let (true, true, Some(process)) = (done.is_empty(), aside, choice.process) {
            let draft = drafts.draft(group_key(entry, process, choice.across));
            self.set_aside(run, entry, draft.cell(entry.value(choice.across)));
        }
    }

    fn add_row(&self, run: RunIndex, entry: &RunEntry, row: &Row, choice: &Choice, draft: &mut Draft) {
        let Some(measurement) = self.resolved.measurement(self.sources, row) else { return };
        draft.unit.get_or_insert(measurement.unit);
        draft.is_table |= self.sources.get(entry.source as usize).is_some_and(|source| source.data.is_table);
        let cell = draft.cell(entry.value(choice.across));
        if self.set_aside(run, entry, cell) {
            return;
        }
        if let Some(value) = measurement.value {
            cell.values.push(Value {
                run,
                value,
                high: measurement.value_high,
                raw: Arc::from(measurement.raw.as_str()),
                quality: measurement.quality.with(entry.quality),
                source: row.source,
                line: measurement.line,
            });
        }
    }

    /// Puts a failed run, or one left out, beside the values; whether it did.
    fn set_aside(&self, run: RunIndex, entry: &RunEntry, cell: &mut DraftCell) -> bool {
        if let Some(reason) = &entry.left_out {
            cell.left_out.push((run, reason.to_string()));
            return true;
        }
        if entry.failed() {
            cell.failed.push(run);
        }
        entry.failed() && !self.query.with_failed
    }

    fn add_ratio(&self, rows: &[Row], cell: &mut DraftCell) {
        let ratio = self.symbols.get("ratio");
        for row in rows.iter().filter(|row| row.metric == ratio) {
            let Some(measurement) = self.resolved.measurement(self.sources, row) else { continue };
            if let Some(value) = measurement.value {
                cell.printed.push(PrintedRatio {
                    name: String::new(),
                    value,
                    raw: Arc::from(measurement.raw.as_str()),
                    inconsistent: measurement.quality.has(Quality::INCONSISTENT),
                });
            }
        }
    }

    /// In which order the compared values appear in the campaign, for tables.
    fn first_appearances(&self, runs: &[RunIndex], across: Key) -> HashMap<Symbol, usize> {
        let mut firsts = HashMap::new();
        for (_, entry) in self.entries(runs) {
            let next = firsts.len();
            firsts.entry(entry.value(across)).or_insert(next);
        }
        firsts
    }

    fn group(
        &self,
        key: &GroupKey,
        draft: Draft,
        choice: &Choice,
        firsts: &HashMap<Symbol, usize>,
        alone: bool,
    ) -> Group {
        let mut conditions = Conditions::new();
        for (key, symbol) in GROUP_KEYS.into_iter().zip(key.0) {
            if let Some(text) = self.resolved.texts.get(symbol) {
                conditions.set(key, text);
            }
        }
        let mut drafts = draft.cells;
        self.sort_cells(&mut drafts, choice.across, draft.is_table, firsts);
        let mut flags = self.flags(&drafts);
        if alone {
            flags.push("no common repository".to_owned());
        }
        let mut group = Group {
            conditions,
            process: Process::from(self.resolved.text(key.1).to_owned()),
            metric: self.resolved.text(choice.metric).to_owned(),
            unit: draft.unit.unwrap_or(Unit::Secs),
            across: choice.across,
            is_table: draft.is_table,
            cells: Vec::with_capacity(drafts.len()),
            printed_ratios: Vec::new(),
            flags,
        };
        for (symbol, mut cell) in drafts {
            let name = self.resolved.text(symbol).to_owned();
            cell.values.sort_by(|a, b| self.compare_repetitions(a.run, b.run));
            let printed = cell.printed.into_iter().map(|ratio| PrintedRatio { name: name.clone(), ..ratio });
            group.printed_ratios.extend(printed);
            let (values, failed, left_out) = (cell.values, cell.failed, cell.left_out);
            group.cells.push(Cell { name, values, failed, left_out });
        }
        group
    }

    /// Baseline first, the chosen one or the usual one, then natural order; tables keep their own.
    fn sort_cells(
        &self,
        cells: &mut [(Symbol, DraftCell)],
        across: Key,
        is_table: bool,
        firsts: &HashMap<Symbol, usize>,
    ) {
        let baseline = self.query.baseline.as_deref();
        cells.sort_by(|(a, _), (b, _)| {
            let (x, y) = (self.resolved.text(*a), self.resolved.text(*b));
            let first = (Some(y) == baseline).cmp(&(Some(x) == baseline));
            first.then_with(|| {
                if is_table {
                    return firsts.get(a).cmp(&firsts.get(b));
                }
                let usual = is_usual_baseline(y).cmp(&is_usual_baseline(x));
                let usual = if across == Key::Variant { usual } else { Ordering::Equal };
                usual.then_with(|| compare_values(across, x, y))
            })
        });
    }

    fn compare_repetitions(&self, a: RunIndex, b: RunIndex) -> Ordering {
        let text =
            |run| self.resolved.run(run).map_or("", |entry| self.resolved.text(entry.value(Key::Repetition)));
        natural_cmp(text(a), text(b)).then(a.cmp(&b))
    }

    /// What the reader must know of the values: doubts, and a baseline that is not there.
    fn flags(&self, cells: &[(Symbol, DraftCell)]) -> Vec<String> {
        let mut flags = Vec::new();
        if cells.iter().flat_map(|(_, cell)| &cell.printed).any(|ratio| ratio.inconsistent) {
            flags.push("inconsistent".to_owned());
        }
        let all =
            cells.iter().flat_map(|(_, cell)| &cell.values).fold(Quality::NONE, |all, v| all.with(v.quality));
        let plain = ["measured", "as-printed", "computed", "inconsistent"];
        flags.extend(all.words().filter(|word| !plain.contains(word)).map(str::to_owned));
        if let Some(baseline) = &self.query.baseline
            && !cells.iter().any(|(symbol, _)| self.resolved.text(*symbol) == baseline)
        {
            flags.push("baseline absent".to_owned());
        }
        flags
    }
}

impl Draft {
    fn cell(&mut self, name: Symbol) -> &mut DraftCell {
        let place = self.cells.iter().position(|(cell, _)| *cell == name).unwrap_or_else(|| {
            self.cells.push((name, DraftCell::default()));
            self.cells.len() - 1
        });
        &mut self.cells[place].1
    }
}

fn group_key(entry: &RunEntry, process: Symbol, across: Key) -> GroupKey {
    (GROUP_KEYS.map(|key| if key == across { 0 } else { entry.value(key) }), process)
}

fn without_repository(key: &GroupKey) -> GroupKey {
    let mut key = *key;
    for (value, name) in key.0.iter_mut().zip(GROUP_KEYS) {
        if name == Key::Repository {
            *value = 0;
        }
    }
    key
}

/// Groups (their repositories aside) whose variants were each run on a repository of its own.
fn apart(drafts: &Drafts) -> BTreeSet<GroupKey> {
    let mut seen: BTreeMap<GroupKey, (BTreeSet<Symbol>, bool)> = BTreeMap::new();
    for (key, draft) in &drafts.list {
        let (variants, shared) = seen.entry(without_repository(key)).or_default();
        variants.extend(draft.cells.iter().map(|(name, _)| *name));
        *shared |= draft.cells.len() > 1;
    }
    seen.into_iter()
        .filter(|(_, (variants, shared))| variants.len() > 1 && !shared)
        .map(|(key, _)| key)
        .collect()
}

fn compare_groups(a: &Group, b: &Group) -> Ordering {
    let of = |group: &'_ Group, key: Key| group.conditions.get(key).unwrap_or("").to_owned();
    let by_key = GROUP_KEYS.into_iter().map(|key| compare_values(key, &of(a, key), &of(b, key)));
    by_key.fold(Ordering::Equal, Ordering::then).then_with(|| a.process.cmp(&b.process))
}
