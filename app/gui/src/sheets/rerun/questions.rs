//! What the lab calls the names of old rows: a list to choose from for each name that it does not have.

use super::super::form;
use super::outcome::Question;
use super::{Draft, answer};
use crate::panels::kit;
use crate::theme::Theme;
use crate::widgets::{body, paint_text, small, text_scale};
use egui::Ui;
use triptych_model::Severity;

/// What is shown where nothing was chosen yet.
const CHOOSE: &str = "choose…";

/// The answer that leaves rows out.
const LEAVE_OUT: &str = "leave these out";

/// Shows them; an answer changes the draft's lab.
pub fn ui(ui: &mut Ui, theme: &Theme, draft: &mut Draft) {
    let Some(outcome) = draft.outcome.clone() else { return };
    let open = outcome.open();
    let about = match (outcome.questions.len(), open) {
        (0, _) => "the lab has all that these runs name",
        (_, 0) => "all known, and kept with the lab",
        _ => "asked for once, and kept with the lab",
    };
    form::section(ui, theme, "Names", about);
    if draft.lab.is_none() {
        let text = "There is no lab to repeat these runs with";
        let next = "make a demo lab, or name this machine's builds and repositories in one of your own";
        form::remark(ui, theme, Severity::Warning, text, next);
    }
    let mut answered = None;
    for question in &outcome.questions {
        if let Some(choice) = question_row(ui, theme, question, draft.lab.is_some()) {
            answered = Some((question, choice));
        }
    }
    if let Some((question, choice)) = answered {
        let choice = if choice == LEAVE_OUT { "" } else { choice };
        answer(draft, question, choice);
    }
}

fn question_row<'a>(ui: &mut Ui, theme: &Theme, question: &'a Question, has_lab: bool) -> Option<&'a str> {
    let title = question.title();
    let mut chosen = None;
    ui.horizontal_wrapped(|ui| {
        ui.set_min_height(form::line_height(ui));
        let column = (190.0 * text_scale(ui)).min(ui.available_width() * 0.5);
        let side = 14.0 * text_scale(ui);
        let (rect, _) = ui.allocate_exact_size(egui::vec2(side, form::line_height(ui)), egui::Sense::hover());
        match question.answer {
            None => kit::severity_mark(ui, rect.center(), Severity::Warning, theme),
            Some(_) => {
                let mark = egui::Rect::from_center_size(rect.center(), egui::Vec2::splat(side));
                crate::widgets::paint_icon(ui.painter(), mark, crate::widgets::Icon::Check, theme.same);
            }
        }
        let (rect, response) =
            ui.allocate_exact_size(egui::vec2(column, form::line_height(ui)), egui::Sense::hover());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &title));
        let at = kit::left(rect, 0.0);
        paint_text(ui, at, egui::Align2::LEFT_CENTER, &title, body(ui), theme.t1, column);
        response.on_hover_text(&title);
        let shown = match question.answer.as_deref() {
            None => CHOOSE,
            Some("") => LEAVE_OUT,
            Some(answer) => answer,
        };
        let options: Vec<&str> =
            question.choices.iter().map(String::as_str).chain(std::iter::once(LEAVE_OUT)).collect();
        if has_lab {
            let width = 170.0 * text_scale(ui);
            let name = format!("what {title} is in the lab");
            chosen = form::choose(ui, &name, shown, &options, (("question", &title), width));
        }
        let cells = kit::counted(question.needed_by, "cell", "cells");
        kit::label(ui, format!("for {cells}"), small(ui), theme.t3);
    });
    chosen
}
