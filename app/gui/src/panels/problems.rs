//! Problems: what could not be read or is doubtful, equal ones together, and what was skipped.

use super::kit;
use super::memory::Kept;
use crate::action::Action;
use crate::state::{Sheet, State};
use crate::theme::{Theme, size};
use crate::widgets::{Icon, body, paint_icon, paint_text, row_height, small, text_scale};
use egui::{Align2, Rect, Role, Sense, Ui, Vec2, pos2, vec2};
use std::collections::{BTreeMap, BTreeSet};
use triptych_model::{Problem, ProblemKind, Severity};
use triptych_store::Store;

/// What the panel remembers.
#[derive(Default)]
pub struct ProblemsMemory {
    filter: String,
    open: BTreeSet<String>,
    list: Kept<(u64, String), List>,
}

/// Equal problems, and the files passed over by their reason.
#[derive(Debug, Default)]
struct List {
    groups: Vec<Group>,
    /// Groups from here on are of skipped files.
    skipped_from: usize,
    /// Problems of files that were not skipped, before the filter.
    total: usize,
}

/// Problems of one kind and message.
#[derive(Debug)]
struct Group {
    key: String,
    problems: Vec<Problem>,
}

/// One row of the panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    Group(usize),
    Single(usize, usize),
    SkippedHead,
}

/// Shows the panel.
pub fn ui(ui: &mut Ui, state: &mut State) {
    let theme = state.theme.clone();
    let problems = state.panels.problems(&state.store);
    let key = (state.store.generation(), state.panels.problems.filter.clone());
    let store = std::sync::Arc::clone(&state.store);
    let list = state.panels.problems.list.get(key, |(_, filter)| List::of(&store, &problems, filter));
    filter_row(ui, state, &theme, &list);
    if list.groups.is_empty() {
        egui::Frame::new().inner_margin(12).show(ui, |ui| {
            let text = if list.total == 0 {
                "No problems: everything named was read"
            } else {
                "No problem matches the filter"
            };
            kit::label(ui, text, body(ui), theme.t3);
        });
        return;
    }
    let entries = entries(&list, &state.panels.problems.open);
    ui.spacing_mut().item_spacing.y = 0.0;
    let height = row_height(ui) + 2.0;
    egui::ScrollArea::vertical().id_salt("problems").auto_shrink(false).show_rows(
        ui,
        height,
        entries.len(),
        |ui, range| {
            for entry in entries.get(range).unwrap_or_default() {
                entry_row(ui, state, &theme, &list, *entry, height);
            }
        },
    );
}

impl List {
    fn of(store: &Store, problems: &[Problem], filter: &str) -> Self {
        let words: Vec<String> = filter.split_whitespace().map(str::to_lowercase).collect();
        let fits = |problem: &&Problem| {
            let text = problem.to_string().to_lowercase();
            words.iter().all(|word| text.contains(word))
        };
        let passed_over: BTreeMap<&str, &str> = store
            .sources()
            .iter()
            .filter_map(|source| Some((source.path(), source.data.skipped.as_deref()?)))
            .collect();
        let skipped: Vec<Problem> = passed_over
            .iter()
            .map(|(path, reason)| Problem::new(Severity::Note, ProblemKind::Foreign, *path, *reason))
            .collect();
        let real: Vec<&Problem> =
            problems.iter().filter(|problem| !passed_over.contains_key(problem.source.as_str())).collect();
        let mut groups = grouped(real.iter().copied().filter(fits));
        let skipped_from = groups.len();
        groups.extend(grouped(skipped.iter().filter(fits)));
        Self { groups, skipped_from, total: real.len() }
    }

    fn count(&self, groups: std::ops::Range<usize>) -> usize {
        self.groups.get(groups).unwrap_or_default().iter().map(|group| group.problems.len()).sum()
    }
}

/// Equal problems together, in the order of their first.
fn grouped<'a>(problems: impl Iterator<Item = &'a Problem>) -> Vec<Group> {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut groups: Vec<Group> = Vec::new();
    for problem in problems {
        let key = format!("{} {:?} {}", problem.severity, problem.kind, problem.message);
        let place = *places.entry(key.clone()).or_insert_with(|| {
            groups.push(Group { key, problems: Vec::new() });
            groups.len() - 1
        });
        if let Some(group) = groups.get_mut(place) {
            group.problems.push(problem.clone());
        }
    }
    groups
}

fn entries(list: &List, open: &BTreeSet<String>) -> Vec<Entry> {
    let mut rows = Vec::new();
    for (index, group) in list.groups.iter().enumerate() {
        if index == list.skipped_from {
            rows.push(Entry::SkippedHead);
        }
        if group.problems.len() == 1 {
            rows.push(Entry::Single(index, 0));
            continue;
        }
        rows.push(Entry::Group(index));
        if open.contains(&group.key) {
            rows.extend((0..group.problems.len()).map(|problem| Entry::Single(index, problem)));
        }
    }
    rows
}

fn filter_row(ui: &mut Ui, state: &mut State, theme: &Theme, list: &List) {
    egui::Frame::new().inner_margin(egui::Margin { left: 12, right: 12, top: 6, bottom: 4 }).show(ui, |ui| {
        ui.horizontal(|ui| {
            let field = egui::TextEdit::singleline(&mut state.panels.problems.filter)
                .hint_text("Find in problems")
                .desired_width(220.0)
                .margin(vec2(8.0, 4.0));
            kit::field(ui, theme, field, "Find in problems");
            let count = list.count(0..list.skipped_from);
            let all = kit::counted(list.total, "problem", "problems");
            let text = if count < list.total { format!("{} of {all}", kit::count(count)) } else { all };
            kit::label(ui, text, small(ui), theme.t3);
        });
    });
}

fn entry_row(ui: &mut Ui, state: &mut State, theme: &Theme, list: &List, entry: Entry, height: f32) {
    match entry {
        Entry::Group(index) => {
            if let Some(group) = list.groups.get(index) {
                group_row(ui, state, theme, group, height);
            }
        }
        Entry::Single(index, problem) => {
            if let Some(group) = list.groups.get(index)
                && let Some(single) = group.problems.get(problem)
            {
                let indent = if group.problems.len() > 1 { 18.0 } else { 0.0 };
                problem_row(ui, state, theme, single, height, indent);
            }
        }
        Entry::SkippedHead => {
            let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
            ui.painter().hline(rect.x_range(), rect.top() + 0.5, egui::Stroke::new(1.0, theme.line));
            let text = format!(
                "{} skipped",
                kit::counted(list.count(list.skipped_from..list.groups.len()), "file", "files")
            );
            paint_text(
                ui,
                kit::left(rect, size::EDGE),
                Align2::LEFT_CENTER,
                &text,
                small(ui),
                theme.t3,
                rect.width(),
            );
        }
    }
}

/// Where the columns of a row stand.
struct Columns {
    place: f32,
    message: f32,
    end: f32,
}

fn columns(ui: &Ui, rect: Rect) -> Columns {
    let scale = text_scale(ui);
    let place = rect.left() + size::EDGE + 20.0 * scale;
    let width = (rect.width() * 0.32).clamp(120.0, 420.0);
    Columns { place, message: place + width + 12.0, end: rect.right() - size::EDGE }
}

fn group_row(ui: &mut Ui, state: &mut State, theme: &Theme, group: &Group, height: f32) {
    let Some(first) = group.problems.first() else { return };
    let open = state.panels.problems.open.contains(&group.key);
    let files: BTreeSet<&str> = group.problems.iter().map(|problem| problem.source.as_str()).collect();
    let places = if files.len() > 1 {
        kit::counted(files.len(), "file", "files")
    } else {
        kit::counted(group.problems.len(), "place", "places")
    };
    let (rect, response) = kit::row_as(
        ui,
        theme,
        height,
        Role::Button,
        false,
        &format!("{}: {}, {places}", first.severity, first.message),
    );
    let at = columns(ui, rect);
    let middle = rect.center().y;
    kit::severity_mark(ui, kit::left(rect, size::EDGE + 6.0), first.severity, theme);
    let arrow = Rect::from_center_size(pos2(at.place + 5.0, middle), Vec2::splat(11.0 * text_scale(ui)));
    paint_icon(ui.painter(), arrow, if open { Icon::Down } else { Icon::Right }, theme.t3);
    paint_text(
        ui,
        pos2(at.place + 16.0, middle),
        Align2::LEFT_CENTER,
        &places,
        body(ui),
        theme.t2,
        at.message - at.place - 24.0,
    );
    message(ui, theme, first, &at, middle);
    if response.clicked() && !state.panels.problems.open.remove(&group.key) {
        state.panels.problems.open.insert(group.key.clone());
    }
    response.on_hover_text(first.sentence());
}

/// The message, and behind it what to do next.
fn message(ui: &Ui, theme: &Theme, problem: &Problem, at: &Columns, middle: f32) {
    let mut text = problem.message.clone();
    if let Some(found) = &problem.found {
        text.push_str(&format!(", found {found:?}"));
    }
    if let Some(expected) = &problem.expected {
        text.push_str(&format!(", expected {expected}"));
    }
    let shown = paint_text(
        ui,
        pos2(at.message, middle),
        Align2::LEFT_CENTER,
        &text,
        body(ui),
        theme.t1,
        at.end - at.message,
    );
    if let Some(next) = &problem.next_step {
        let left = shown.right() + 12.0;
        if at.end - left > 60.0 {
            paint_text(ui, pos2(left, middle), Align2::LEFT_CENTER, next, body(ui), theme.t3, at.end - left);
        }
    }
}

fn problem_row(ui: &mut Ui, state: &mut State, theme: &Theme, problem: &Problem, height: f32, indent: f32) {
    let (rect, response) = kit::row(ui, theme, height, false, &problem.to_string());
    let at = columns(ui, rect);
    let middle = rect.center().y;
    if indent == 0.0 {
        kit::severity_mark(ui, kit::left(rect, size::EDGE + 6.0), problem.severity, theme);
    }
    let place = problem.place();
    let left = at.place + indent;
    kit::paint_path(ui, pos2(left, middle), &place, theme.t2, at.message - left - 12.0);
    message(ui, theme, problem, &at, middle);
    if response.clicked() {
        follow(state, problem);
    }
    response.context_menu(|ui| {
        if ui.button("Copy the line").clicked() {
            state.act(Action::Copy { text: problem.to_string(), what: "the problem".to_owned() });
            ui.close();
        }
    });
    let mut hover = format!("{place}\n{}", problem.sentence());
    if let Some(next) = &problem.next_step
        && !hover.contains(next.as_str())
    {
        hover.push_str(&format!("\n{next}"));
    }
    response.on_hover_text(hover);
}

/// To the raw line, or where names are the matter, to the sheet that settles them.
fn follow(state: &mut State, problem: &Problem) {
    if problem.kind == ProblemKind::Asked {
        state.act(Action::Sheet(Some(Sheet::Columns { source: problem.source.clone() })));
    } else if matches!(problem.kind, ProblemKind::Pattern | ProblemKind::Alias) {
        let campaigns = state.panels.campaigns(&state.store);
        let sources = state.store.sources();
        let holds = |campaign: &&triptych_store::Campaign| {
            campaign
                .sources
                .iter()
                .filter_map(|index| sources.get(*index as usize))
                .any(|source| source.path() == problem.source)
        };
        let campaign = campaigns
            .iter()
            .find(holds)
            .or_else(|| campaigns.iter().find(|one| problem.source.starts_with(&one.root)));
        let campaign = campaign.map(|campaign| campaign.name.clone()).unwrap_or_default();
        state.act(Action::Sheet(Some(Sheet::Import { campaign })));
    } else if !problem.source.is_empty() {
        state.act(Action::ShowSource { source: problem.source.clone(), line: problem.line.unwrap_or(1) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use triptych_model::SourceData;
    use triptych_store::Source;

    fn problem(source: &str, message: &str) -> Problem {
        Problem::new(Severity::Warning, ProblemKind::Malformed, source, message)
    }

    #[test]
    fn equal_problems_are_one_row_until_opened() {
        let mut store = Store::new(Arc::new(triptych_import::Readers));
        let mut skipped = SourceData::new("a/empty.txt");
        skipped.skipped = Some("the file is empty".to_owned());
        store.add(vec![Source::of_data(skipped)]);
        let problems = [
            problem("a", "cut"),
            problem("b", "cut"),
            problem("a", "bad duration"),
            problem("a/empty.txt", "empty"),
        ];
        let list = List::of(&store, &problems, "");
        assert_eq!((list.groups.len(), list.skipped_from, list.total), (3, 2, 3));
        let folded = [Entry::Group(0), Entry::Single(1, 0), Entry::SkippedHead, Entry::Single(2, 0)];
        assert_eq!(entries(&list, &BTreeSet::new()), folded);
        let open = BTreeSet::from([list.groups[0].key.clone()]);
        assert_eq!(entries(&list, &open).len(), 6);
        let filtered = List::of(&store, &problems, "DURATION bad");
        assert_eq!((filtered.groups.len(), filtered.total), (1, 3));
        assert_eq!(List::of(&store, &problems, "file is empty").groups.len(), 1);
    }
}
