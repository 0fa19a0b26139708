//! Beside the plan's form: how many runs, how long, what is in the way, and the order.

use super::super::form;
use super::draft::Draft;
use super::outcome::Outcome;
use crate::panels::kit;
use crate::theme::Theme;
use crate::widgets::{body, named, paint_text, row_height, small, text_scale};
use egui::{Align2, Sense, Ui, vec2};
use triptych_model::Severity;

/// Reasons for cells left out that are listed at most.
const MOST: usize = 4;

/// Shows it.
pub fn ui(ui: &mut Ui, theme: &Theme, draft: &Draft, bottom: f32) {
    ui.add_space(8.0);
    if let Some(said) = &draft.said {
        form::remark(ui, theme, Severity::Error, said, "the plan as it was is still here");
    }
    if let Some(wrong) = draft.texts.wrong() {
        form::remark(ui, theme, Severity::Error, &wrong, "");
    }
    let Some(outcome) = &draft.outcome else {
        let text = "With a lab the order of the runs is shown here, and how long they take";
        form::wrapped(ui, text, body(ui), theme.t3);
        return;
    };
    headline(ui, theme, draft.plan.repetitions, outcome);
    problems(ui, theme, outcome);
    if !outcome.preview.order.is_empty() {
        order(ui, theme, outcome, bottom);
    }
}

/// How many runs, of how many cells, and how long they take.
pub fn headline(ui: &mut Ui, theme: &Theme, repetitions: u32, outcome: &Outcome) {
    if outcome.preview.order.is_empty() {
        kit::label(ui, "Nothing can be measured yet", named(ui), theme.t1);
        return;
    }
    kit::label(ui, kit::counted(outcome.preview.order.len(), "run", "runs"), kit::figure(ui), theme.t1);
    let cells = kit::counted(outcome.preview.cells, "cell", "cells");
    let times = match repetitions {
        1 => "once each".to_owned(),
        times => format!("{} times each", kit::count(times as usize)),
    };
    form::wrapped(ui, &format!("{cells}, {times}"), body(ui), theme.t2);
    form::wrapped(ui, &kept_together(&outcome.preview.duration()), body(ui), theme.t2);
    for right in &outcome.preview.rights {
        form::wrapped(ui, right, body(ui), theme.t3);
    }
}

/// Numbers keep their units where a line ends.
fn kept_together(text: &str) -> String {
    let mut kept = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let unit = kept.ends_with(|last: char| last.is_ascii_digit())
            && letters.peek().is_some_and(char::is_ascii_alphabetic);
        // The narrow one would do, but lines are broken at it.
        kept.push(if letter == ' ' && unit { '\u{a0}' } else { letter });
    }
    kept
}

/// What is in the way, and what is worth knowing.
pub fn problems(ui: &mut Ui, theme: &Theme, outcome: &Outcome) {
    ui.add_space(4.0);
    for problem in &outcome.problems {
        form::remark(ui, theme, problem.severity, &sentence(problem), &next(problem));
    }
    for reason in outcome.preview.left_out.iter().take(MOST) {
        form::remark(ui, theme, Severity::Note, reason, "left out");
    }
    if outcome.preview.left_out.len() > MOST {
        let more = kit::counted(outcome.preview.left_out.len() - MOST, "more cell", "more cells");
        kit::label(ui, format!("{more} left out"), small(ui), theme.t3);
    }
}

/// A problem without its source, for the plan has none yet.
fn sentence(problem: &triptych_model::Problem) -> String {
    let mut text = problem.message.clone();
    if let Some(found) = &problem.found {
        text.push_str(&format!(": {found}"));
    }
    text
}

fn next(problem: &triptych_model::Problem) -> String {
    let expected = problem.expected.as_ref().map(|expected| format!("expected {expected}"));
    let parts: Vec<String> = expected.into_iter().chain(problem.next_step.clone()).collect();
    parts.join("; ")
}

/// The runs in their order; only visible rows are drawn.
fn order(ui: &mut Ui, theme: &Theme, outcome: &Outcome, bottom: f32) {
    form::section(ui, theme, "Order", "each round makes every cell once");
    let height = row_height(ui);
    let room = (bottom - ui.cursor().top() - 16.0).max(height * 8.0);
    let area = egui::ScrollArea::vertical().id_salt("order").auto_shrink([false, true]).max_height(room);
    ui.spacing_mut().item_spacing.y = 0.0;
    area.show_rows(ui, height, outcome.preview.order.len(), |ui, range| {
        let first = range.start;
        for (offset, name) in outcome.preview.order.get(range).unwrap_or_default().iter().enumerate() {
            let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
            let number = kit::count(first + offset + 1);
            let spoken = format!("step {number}: {name}");
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &spoken));
            let left = 36.0 * text_scale(ui);
            let at = kit::left(rect, left - 8.0);
            paint_text(ui, at, Align2::RIGHT_CENTER, &number, small(ui), theme.t3, left);
            let width = rect.width() - left;
            let at = kit::left(rect, left);
            paint_text(ui, at, Align2::LEFT_CENTER, name, small(ui), theme.t2, width);
        }
    });
}

/// Where only some cells are measured, as Rerun chooses them: which, and the way to all.
pub fn chosen_cells(ui: &mut Ui, theme: &Theme, draft: &mut Draft) {
    form::line(ui, |ui| {
        let cells = kit::counted(draft.plan.cells.len(), "chosen cell", "chosen cells");
        kit::label(ui, format!("only {cells}"), body(ui), theme.t1);
        if kit::named_link(ui, theme, "every combination", "Measure every combination").clicked() {
            draft.plan.cells.clear();
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_units() {
        for (text, expect) in [
            ("about 2 min 30 s", "about 2\u{a0}min 30\u{a0}s"),
            ("the 3 runs of cells", "the 3\u{a0}runs of cells"),
            ("no cell", "no cell"),
            ("", ""),
        ] {
            assert_eq!(kept_together(text), expect);
        }
    }
}
