//! The tile below the chart: slowest gaps, the table, sessions, problems of the logs.

use super::ask::Tab;
use super::list::List;
use super::rows::{self, Column};
use super::{Wish, errors, words};
use crate::action::Action;
use crate::panels::kit;
use crate::state::State;
use crate::theme::Theme;
use crate::widgets::{self, Icon};
use egui::{Align, Align2, Id, Layout, Ui};
use std::collections::HashSet;
use std::sync::Arc;
use triptych_model::{Problem, Severity};
use triptych_store::{GapKind, RowRef};

/// Shows tabs and the list of the chosen one; `with_errors`: errors have no tile of their own.
pub(super) fn ui(ui: &mut Ui, state: &mut State, theme: &Theme, with_errors: bool) {
    let frame = egui::Frame::new().fill(theme.s2).corner_radius(6.0);
    frame.show(ui, |ui| {
        ui.set_min_size(ui.available_size());
        ui.spacing_mut().item_spacing.y = 0.0;
        let problems = problems(state);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            tabs(ui, state, theme, &problems, with_errors);
            save(ui, state, theme);
        });
        crate::bars::hline(ui, theme);
        ui.add_space(1.0);
        if state.requests.tab == Tab::Errors && !with_errors {
            state.requests.tab = Tab::Gaps;
        }
        match state.requests.tab {
            Tab::Gaps => gaps(ui, state, theme),
            Tab::Table => table(ui, state, theme),
            Tab::Sessions => sessions(ui, state, theme),
            Tab::Problems => problems_ui(ui, state, theme, &problems),
            Tab::Errors => errors::list(ui, state, theme),
        }
    });
}

fn tabs(ui: &mut Ui, state: &mut State, theme: &Theme, problems: &[Problem], with_errors: bool) {
    let answer = state.requests.data.as_ref().map(|data| &data.answer);
    let (gaps, rows, sessions) =
        answer.map_or((0, 0, 0), |answer| (answer.gaps.len(), answer.rows.len(), answer.sessions.len()));
    let worst = match problems.iter().map(|problem| problem.severity).max() {
        Some(Severity::Error) => theme.failed,
        Some(Severity::Warning) => theme.warning,
        _ => theme.t3,
    };
    let serious = problems.iter().filter(|problem| problem.severity > Severity::Note).count();
    let measured = is_measured(state);
    let errors = errors::count(state);
    for (tab, text, count, ink) in [
        (Tab::Gaps, if measured { "Slowest" } else { "Slowest gaps" }, gaps, theme.t3),
        (Tab::Table, "Table", rows, theme.t3),
        (Tab::Sessions, "Sessions", sessions, theme.t3),
        (Tab::Problems, "Problems", serious, worst),
        (Tab::Errors, "Errors", errors, if errors > 0 { theme.failed } else { theme.t3 }),
    ] {
        if tab == Tab::Errors && !with_errors {
            continue;
        }
        if widgets::tab(ui, theme, text, Some((kit::count(count), ink)), state.requests.tab == tab).clicked()
        {
            state.requests.tab = tab;
        }
    }
}

/// Whether the log itself says how long requests took: then the seconds are no gaps.
fn is_measured(state: &State) -> bool {
    let gaps = state.requests.data.as_ref().and_then(|data| data.answer.gaps.first());
    gaps.is_some_and(|gap| gap.kind == GapKind::Duration)
}

/// The list as text on the clipboard; of the table its first rows, for a clipboard is no archive.
const MOST_COPIED: usize = 10_000;

fn save(ui: &mut Ui, state: &mut State, theme: &Theme) {
    if ui.available_width() < 40.0 || matches!(state.requests.tab, Tab::Problems | Tab::Errors) {
        return;
    }
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.add_space(8.0);
        if widgets::icon_button(ui, theme, Icon::Copy, "Copy the list as text", true).clicked()
            && let Some((text, count)) = as_text(state)
        {
            state.act(Action::Copy { text, what: kit::counted(count, "row", "rows") });
        }
    });
}

/// Tab-separated, with a head.
fn as_text(state: &State) -> Option<(String, usize)> {
    let (index, data) = (state.requests.index()?, state.requests.data.as_ref()?);
    let answer = &data.answer;
    if state.requests.tab == Tab::Sessions {
        let count = answer.sessions.len().min(MOST_COPIED);
        let mut text = String::from("time\tpid\tclient\tuser\trepository\tlines\tsecs\n");
        for facts in answer.sessions.iter().take(count).filter_map(|session| index.session(*session)) {
            let words = rows::session_words(&facts);
            text.push_str(&words.join("\t"));
            text.push('\n');
        }
        return Some((text, count));
    }
    let places: Vec<RowRef> = if state.requests.tab == Tab::Gaps {
        answer.gaps.iter().map(|gap| gap.row).collect()
    } else {
        (0..answer.rows.len().min(MOST_COPIED)).filter_map(|place| answer.rows.get(place)).collect()
    };
    let mut text = String::from("time\tgap_secs\taction\tpath\tsource\tline\n");
    for facts in places.iter().filter_map(|row| index.facts(*row)) {
        let gap = facts.gap.map(|(secs, _)| words::gap_secs(secs)).unwrap_or_default();
        let path = facts.path.as_deref().unwrap_or("");
        let time = words::time(facts.time);
        text.push_str(&format!(
            "{time}\t{gap}\t{}\t{path}\t{}\t{}\n",
            facts.action, facts.source, facts.line
        ));
    }
    Some((text, places.len()))
}

/// What a list says while there is nothing in it.
fn empty(ui: &mut Ui, state: &State, theme: &Theme, title: &str, why: &str) {
    if state.jobs.running(crate::jobs::Kind::Requests).is_some() && state.requests.data.is_none() {
        return;
    }
    ui.add_space(14.0);
    ui.horizontal(|ui| {
        ui.add_space(12.0);
        ui.vertical(|ui| {
            kit::label(ui, title, widgets::body(ui), theme.t1);
            kit::label(ui, why, widgets::body(ui), theme.t3);
        });
    });
}

fn gaps(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let (Some(index), Some(data)) = (state.requests.index().cloned(), state.requests.data.clone()) else {
        return;
    };
    let gaps = &data.answer.gaps;
    if gaps.is_empty() {
        return empty(ui, state, theme, "No gap is known", words::no_gap(&data.answer));
    }
    let columns = rows::gap_columns(ui, is_measured(state));
    rows::head(ui, theme, &columns);
    let longest = gaps.first().map_or(1.0, |gap| gap.secs);
    let selected = state.requests.selected.and_then(|row| gaps.iter().position(|gap| gap.row == row));
    let list = List {
        id: Id::unique("slowest gaps"),
        name: "the slowest gaps",
        count: gaps.len(),
        height: widgets::row_height(ui),
        selected,
    };
    let chosen = list.show(ui, theme, |ui, place, rect| {
        let Some(facts) = gaps.get(place).and_then(|gap| index.facts(gap.row)) else { return String::new() };
        rows::gap_row(ui, theme, &columns, rect, &facts, longest, selected == Some(place))
    });
    if let Some(gap) = chosen.and_then(|place| gaps.get(place)) {
        state.act(Action::Requests(Wish::Select(Some(gap.row))));
    }
}

fn table(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let (Some(index), Some(data)) = (state.requests.index().cloned(), state.requests.data.clone()) else {
        return;
    };
    let set = &data.answer.rows;
    if set.is_empty() {
        return empty(
            ui,
            state,
            theme,
            "No request passes the filters",
            "Take a chip away, or clear the filters.",
        );
    }
    let columns = rows::table_columns(ui, is_measured(state));
    rows::head(ui, theme, &columns);
    let selected = state.requests.selected.and_then(|row| set.place(row));
    let list = List {
        id: Id::unique("table of requests"),
        name: "the table",
        count: set.len(),
        height: widgets::row_height(ui),
        selected,
    };
    let chosen = list.show(ui, theme, |ui, place, rect| {
        let Some(facts) = set.get(place).and_then(|row| index.facts(row)) else { return String::new() };
        rows::table_row(ui, theme, &columns, rect, &facts)
    });
    if let Some(row) = chosen.and_then(|place| set.get(place)) {
        state.act(Action::Requests(Wish::Select(Some(row))));
    }
}

fn sessions(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let (Some(index), Some(data)) = (state.requests.index().cloned(), state.requests.data.clone()) else {
        return;
    };
    let sessions = &data.answer.sessions;
    if sessions.is_empty() {
        return empty(ui, state, theme, "No session is known", "The rows shown name no process of a server.");
    }
    let columns = rows::session_columns(ui);
    rows::head(ui, theme, &columns);
    let shown = state.requests.details.as_ref().and_then(|details| details.facts.session);
    let selected = shown
        .filter(|_| state.requests.selected.is_some())
        .and_then(|session| sessions.binary_search(&session).ok());
    let list = List {
        id: Id::unique("sessions"),
        name: "the sessions",
        count: sessions.len(),
        height: widgets::row_height(ui),
        selected,
    };
    let chosen = list.show(ui, theme, |ui, place, rect| {
        let Some(facts) = sessions.get(place).and_then(|session| index.session(*session)) else {
            return String::new();
        };
        rows::session_row(ui, theme, &columns, rect, &facts)
    });
    if let Some(facts) =
        chosen.and_then(|place| sessions.get(place)).and_then(|session| index.session(*session))
    {
        let first = RowRef { source: facts.session.source, row: facts.first };
        state.act(Action::Requests(Wish::Select(Some(first))));
    }
}

/// Problems of the server logs, picked once for a store: there may be many of both.
fn problems(state: &mut State) -> Arc<Vec<Problem>> {
    let all = state.panels.problems(&state.store);
    let store = &state.store;
    state.requests.problems.get(store.generation(), |_| {
        let logs = store.sources().iter().filter(|source| !source.data.requests.is_empty());
        let logs: HashSet<&str> = logs.map(triptych_store::Source::path).collect();
        all.iter().filter(|problem| logs.contains(problem.source.as_str())).cloned().collect()
    })
}

fn problems_ui(ui: &mut Ui, state: &mut State, theme: &Theme, problems: &[Problem]) {
    if problems.is_empty() {
        return empty(ui, state, theme, "Nothing looks wrong", "Every line of the logs was understood.");
    }
    let columns = [
        Column::new("", 24.0),
        Column::new("problem", 0.0),
        Column::new("where", 220.0 * widgets::text_scale(ui)),
    ];
    let columns = rows::laid_out(ui, &columns);
    rows::head(ui, theme, &columns);
    let list = List {
        id: Id::unique("problems of requests"),
        name: "the problems",
        count: problems.len(),
        height: widgets::row_height(ui),
        selected: None,
    };
    let chosen = list.show(ui, theme, |ui, place, rect| {
        let Some(problem) = problems.get(place) else { return String::new() };
        kit::severity_mark(ui, kit::left(rect, 18.0), problem.severity, theme);
        let where_ = format!("{}:{}", words::file_name(&problem.source), problem.line.unwrap_or(1));
        rows::cell(ui, &columns, 1, rect, &problem.message, widgets::body(ui), theme.t1, Align2::LEFT_CENTER);
        rows::cell(ui, &columns, 2, rect, &where_, widgets::mono(ui), theme.t3, Align2::LEFT_CENTER);
        format!("{}, {where_}", problem.message)
    });
    let row = chosen
        .and_then(|place| problems.get(place))
        .and_then(|problem| state.requests.index()?.at_line(&problem.source, problem.line.unwrap_or(1)));
    if row.is_some() {
        state.act(Action::Requests(Wish::Select(row)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use triptych_model::{ProblemKind, Request, SourceData};
    use triptych_store::Source;

    fn source(path: &str, is_log: bool) -> Source {
        let mut data = SourceData::new(path);
        if is_log {
            data.requests.push(&Request { line: 1, action: "open", ..Request::default() });
        }
        data.problems.push(Problem::new(Severity::Warning, ProblemKind::Other, path, "odd"));
        Source::of_data(data)
    }

    #[test]
    fn problems_are_picked_once_for_a_store() {
        let mut app = crate::App::with_settings(&egui::Context::default(), crate::Settings::default());
        let state = &mut app.state;
        for (path, is_log, expect) in [("times", false, 0), ("a.log", true, 1), ("b.log", true, 2)] {
            let mut store = (*state.store).clone();
            store.add(vec![source(path, is_log)]);
            state.store = Arc::new(store);
            let found = problems(state);
            assert_eq!(found.len(), expect, "{path}");
            assert!(Arc::ptr_eq(&found, &problems(state)), "the same in the next frame");
        }
    }
}
