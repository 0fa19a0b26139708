//! Below the table of files: what looks wrong in them, and questions that only the user can answer.

use super::draft::Draft;
use super::outcome::ProblemGroup;
use super::rereading;
use crate::action::Action;
use crate::panels::kit;
use crate::state::{Sheet, State};
use crate::theme::Theme;
use crate::widgets::{ButtonKind, body, paint_text, row_height, small, strong};
use egui::{Align2, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use triptych_model::ProblemKind;

/// Rows of problems that are visible at once.
const VISIBLE: usize = 4;

/// What a published `time` may be said to be.
const MEANINGS: [(&str, &str); 5] = [
    ("", "not said"),
    ("real", "real: wall time"),
    ("user", "user: CPU time in user mode"),
    ("sys", "sys: CPU time in the kernel"),
    ("cpu_time", "cpu_time: user and system together"),
];

fn asked(draft: &Draft) -> usize {
    usize::from(!draft.outcome.apart.is_empty())
        + usize::from(!draft.outcome.times.is_empty())
        + rereading::rows(draft)
}

/// How much room the part needs.
pub fn height(ui: &Ui, draft: &Draft) -> f32 {
    let row = row_height(ui) + 3.0;
    let problems = draft.outcome.problems.len().min(VISIBLE);
    let head = if problems > 0 { row + 28.0 } else { 0.0 };
    head + problems as f32 * row + asked(draft) as f32 * (row + 16.0)
}

/// Shows the part; says whether the draft's corrections changed.
pub fn ui(ui: &mut Ui, state: &mut State, theme: &Theme, draft: &mut Draft) -> bool {
    let mut changed = false;
    let outcome = std::sync::Arc::clone(&draft.outcome);
    if !outcome.apart.is_empty() {
        changed |= one_repository(ui, theme, draft, &outcome.apart);
    }
    if !outcome.times.is_empty() {
        changed |= meaning(ui, theme, draft, &outcome.times);
    }
    rereading::ui(ui, state, theme, draft);
    if !outcome.problems.is_empty() {
        changed |= problems(ui, state, theme, draft, &outcome.problems);
    }
    changed
}

/// Variants without a common repository: are they copies of one?
fn one_repository(ui: &mut Ui, theme: &Theme, draft: &mut Draft, repositories: &[String]) -> bool {
    let mut changed = false;
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
        kit::severity_mark(ui, rect.center(), triptych_model::Severity::Warning, theme);
        let names = if repositories.len() > 4 {
            format!(
                "{} and {} more",
                repositories.iter().take(3).cloned().collect::<Vec<_>>().join(", "),
                repositories.len() - 3
            )
        } else {
            repositories.join(", ")
        };
        kit::label(
            ui,
            format!("The variants share no repository: {names}. Where they are copies of one, name it"),
            body(ui),
            theme.t1,
        );
        let field = egui::TextEdit::singleline(&mut draft.alias).desired_width(120.0).margin(vec2(8.0, 4.0));
        kit::field(ui, theme, field, "Name of the one repository");
        let text = format!("They are one: {}", draft.alias.trim());
        let named = !draft.alias.trim().is_empty();
        if crate::widgets::button_enabled(ui, theme, ButtonKind::Plain, None, &text, named).clicked() {
            draft.unite(repositories);
            changed = true;
        }
    });
    changed
}

/// Published times that do not say what they are.
fn meaning(ui: &mut Ui, theme: &Theme, draft: &mut Draft, sources: &[String]) -> bool {
    let known =
        sources.iter().find_map(|source| draft.corrections.metric_names.get(source)?.get("time")).cloned();
    let mut chosen = known.clone().unwrap_or_default();
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
        kit::severity_mark(ui, rect.center(), triptych_model::Severity::Note, theme);
        let text = kit::label(
            ui,
            "The published times do not say whether they are real, user or sys; they are",
            body(ui),
            theme.t1,
        );
        let shown = MEANINGS
            .iter()
            .find(|(metric, _)| *metric == chosen)
            .map_or(chosen.as_str(), |(_, text)| *text)
            .to_owned();
        let combo = egui::ComboBox::from_id_salt("meaning of time").selected_text(shown).width(220.0);
        let response = combo.show_ui(ui, |ui| {
            for (metric, text) in MEANINGS {
                ui.selectable_value(&mut chosen, metric.to_owned(), text);
            }
        });
        response.response.labelled_by(text.id);
    });
    if chosen == known.unwrap_or_default() {
        return false;
    }
    for source in sources {
        let names = draft.corrections.metric_names.entry(source.clone()).or_default();
        if chosen.is_empty() {
            names.remove("time");
        } else {
            names.insert("time".to_owned(), chosen.clone());
        }
        if names.is_empty() {
            draft.corrections.metric_names.remove(source);
        }
    }
    true
}

fn problems(
    ui: &mut Ui,
    state: &mut State,
    theme: &Theme,
    draft: &mut Draft,
    groups: &[ProblemGroup],
) -> bool {
    let mut changed = false;
    ui.add_space(6.0);
    let height = row_height(ui) + 3.0;
    ui.horizontal(|ui| {
        ui.set_min_height(height);
        kit::label(ui, "Problems", strong(ui), theme.t1);
        kit::label(ui, kit::counted(groups.len(), "kind", "kinds"), small(ui), theme.t3);
    });
    egui::Frame::new().fill(theme.s1).corner_radius(4.0).inner_margin(egui::Margin::symmetric(12, 6)).show(
        ui,
        |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let area =
                egui::ScrollArea::vertical().id_salt("problems of the sheet").auto_shrink([false, true]);
            let visible = VISIBLE.min(groups.len()) as f32;
            area.max_height(height * visible).show_rows(ui, height, groups.len(), |ui, range| {
                for group in groups.get(range).unwrap_or_default() {
                    changed |= problem_row(ui, state, theme, draft, group, height);
                }
            });
        },
    );
    changed
}

fn problem_row(
    ui: &mut Ui,
    state: &mut State,
    theme: &Theme,
    draft: &mut Draft,
    group: &ProblemGroup,
    height: f32,
) -> bool {
    let first = &group.first;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, first.to_string()));
    kit::severity_mark(ui, kit::left(rect, 6.0), first.severity, theme);
    let message = rect.left() + (rect.width() * 0.34).max(160.0);
    let middle = rect.center().y;
    let place = kit::tail(&first.place(), &draft.root).to_owned();
    kit::paint_path(ui, kit::left(rect, 22.0), &place, theme.t2, message - rect.left() - 34.0);
    let empty = matches!(first.kind, ProblemKind::NoSamples | ProblemKind::Empty | ProblemKind::Cut);
    let counting = group.files.iter().any(|file| !draft.corrections.excluded.contains(file));
    let (text, name) = match (empty, counting) {
        _ if first.kind == ProblemKind::Asked => {
            ("explain", format!("Explain the columns of {}", first.source))
        }
        (true, true) => {
            ("leave out", format!("Leave out {}", kit::counted(group.files.len(), "file", "files")))
        }
        (true, false) => ("count", format!("Count {}", kit::counted(group.files.len(), "file", "files"))),
        (false, _) => ("show", format!("Show {}", first.place())),
    };
    let link = kit::link_at(
        ui,
        theme,
        kit::right(rect, 8.0),
        text,
        &name,
        ui.scope_id().with(("problem", first.place(), &first.message)),
    );
    let count = kit::counted(group.files.len(), "file", "files");
    let count =
        paint_text(ui, kit::right(rect, 78.0), Align2::RIGHT_CENTER, &count, body(ui), theme.t3, 100.0);
    paint_text(
        ui,
        pos2(message, middle),
        Align2::LEFT_CENTER,
        &first.message,
        body(ui),
        theme.t1,
        count.left() - message - 12.0,
    );
    response.on_hover_text(first.sentence());
    if !link.clicked() {
        return false;
    }
    match (empty, counting) {
        (true, true) => draft.corrections.excluded.extend(group.files.iter().cloned()),
        (true, false) => draft.corrections.excluded.retain(|path| !group.files.contains(path)),
        (false, _) if first.kind == ProblemKind::Asked => {
            state.act(Action::Sheet(Some(Sheet::Columns { source: first.source.clone() })));
        }
        (false, _) => {
            state.act(Action::Sheet(None));
            state.act(Action::ShowSource { source: first.source.clone(), line: first.line.unwrap_or(1) });
        }
    }
    empty
}
