//! What a check of the lab found: builds with their versions, formats, media, rights, tools, pressure.

use super::draft::Draft;
use crate::jobs::{Kind, Running};
use crate::panels::kit;
use crate::sheets::{Preview, form};
use crate::state::{Answer, State};
use crate::theme::Theme;
use crate::widgets::{
    ButtonKind, Icon, body, button_enabled, named, paint_icon, row_height, small, text_scale,
};
use egui::{Rect, Sense, Ui, Vec2, vec2};
use std::path::Path;
use triptych_model::Severity;
use triptych_runner::check::{self, CheckRow, LabReport, State as Standing};
use triptych_runner::lab::Lab;

/// A lab and what a check of it found.
pub struct Checked {
    lab: Lab,
    report: LabReport,
}

/// Checks the lab when it has just been opened or saved, for then it is whole.
pub fn request(state: &mut State, draft: &Draft, faults: usize) {
    let known = state.sheets.checked.as_ref().is_some_and(|checked| checked.lab == draft.lab);
    let running = state.jobs.running(Kind::LabCheck).is_some();
    if !known && !running && !draft.is_changed() && draft.path.is_some() && faults == 0 {
        start(state, draft);
    }
}

fn start(state: &mut State, draft: &Draft) {
    let lab = draft.lab.clone();
    let directory = draft.path.as_deref().and_then(Path::parent).unwrap_or(Path::new("")).to_owned();
    state.jobs.start(Kind::LabCheck, move |context| {
        let report = check::check_with(&lab, &directory, &mut |what| {
            context.progress(0, 0, what);
            !context.cancelled()
        });
        Ok(Answer::Preview(Box::new(Preview::Checked(Box::new(Checked { lab, report })))))
    });
}

/// Shows it, with the way to check again.
pub fn ui(ui: &mut Ui, state: &mut State, theme: &Theme, draft: &Draft) {
    form::section(ui, theme, "Check", "what this machine says of the lab");
    let running = state.jobs.running(Kind::LabCheck).map(Running::step);
    form::line(ui, |ui| {
        let ready = running.is_none();
        if button_enabled(ui, theme, ButtonKind::Plain, None, "Check now", ready).clicked() {
            start(state, draft);
        }
        match (&running, &state.sheets.checked) {
            (Some(step), _) => drop(kit::label(ui, format!("looking at {}", step.what), body(ui), theme.t3)),
            (None, Some(checked)) => summary(ui, theme, checked, draft),
            (None, None) => drop(kit::label(ui, "not checked yet", body(ui), theme.t3)),
        }
    });
    if let Some(checked) = &state.sheets.checked {
        let mut subject = None;
        for row in &checked.report.rows {
            let first = subject != Some(row.what);
            subject = Some(row.what);
            row_ui(ui, theme, row, first);
        }
    }
}

fn summary(ui: &mut Ui, theme: &Theme, checked: &Checked, draft: &Draft) {
    if checked.lab != draft.lab {
        kit::label(ui, "the lab has changed since", body(ui), theme.warning);
        return;
    }
    let counts = [
        (Standing::Failed, "failed", theme.failed),
        (Standing::Warning, "with a reserve", theme.warning),
        (Standing::Unknown, "unknown", theme.t3),
        (Standing::Ok, "in order", theme.t2),
    ];
    for (standing, word, ink) in counts {
        let count = checked.report.count(standing);
        if count > 0 {
            kit::label(ui, format!("{} {word}", kit::count(count)), body(ui), ink);
        }
    }
}

fn row_ui(ui: &mut Ui, theme: &Theme, row: &CheckRow, first: bool) {
    if first {
        ui.add_space(6.0);
        let font = egui::FontId::new(small(ui).size, crate::theme::semibold());
        kit::label(ui, heading(row), font, theme.t2);
    }
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let side = 14.0 * text_scale(ui);
        let (rect, response) = ui.allocate_exact_size(vec2(side, row_height(ui) - 4.0), Sense::hover());
        let name = format!("{} {}: {}", row.what.word(), row.name, row.state.word());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &name));
        match row.state {
            Standing::Ok => {
                let mark = Rect::from_center_size(rect.center(), Vec2::splat(side));
                paint_icon(ui.painter(), mark, Icon::Check, theme.same);
            }
            Standing::Unknown => kit::severity_mark(ui, rect.center(), Severity::Note, theme),
            Standing::Warning => kit::severity_mark(ui, rect.center(), Severity::Warning, theme),
            Standing::Failed => kit::severity_mark(ui, rect.center(), Severity::Error, theme),
        }
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            form::wrapped(ui, &row.name, named(ui), theme.t1);
            form::wrapped(ui, &row.text, small(ui), theme.t2);
            if let Some(next) = &row.next_step {
                form::wrapped(ui, next, small(ui), theme.t3);
            }
        });
    });
}

/// The head above the rows of a subject.
fn heading(row: &CheckRow) -> &'static str {
    use check::Subject;
    match row.what {
        Subject::Build => "Builds",
        Subject::Medium => "Media",
        Subject::Repository => "Repositories",
        Subject::Copy => "Copies",
        Subject::Variant => "Variants",
        Subject::Experiment => "Operations",
        Subject::Right => "Rights",
        Subject::Host => "This machine",
    }
}
