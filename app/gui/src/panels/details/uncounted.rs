//! Runs that do not count: failed ones in the tool's own words, those left out with their reason.

use super::content::RunLine;
use crate::action::Action;
use crate::panels::kit;
use crate::state::State;
use crate::theme::Theme;
use crate::widgets::{mono, small, text_scale};
use egui::{Align, Layout, Sense, Ui, vec2};
use triptych_model::Severity;

/// Failures that are written out; more of them say the same.
const MOST: usize = 4;

/// Shows them.
pub fn ui(ui: &mut Ui, state: &mut State, theme: &Theme, runs: &[RunLine]) {
    for line in runs.iter().filter(|line| line.failure.is_some()).take(MOST) {
        ui.add_space(4.0);
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            let (rect, _) = ui.allocate_exact_size(vec2(12.0, 16.0 * text_scale(ui)), Sense::hover());
            kit::severity_mark(ui, rect.center(), Severity::Error, theme);
            let failure = line.failure.as_deref().unwrap_or_default();
            let text = egui::RichText::new(failure).font(mono(ui)).color(theme.failed);
            ui.add(egui::Label::new(text).wrap());
        });
    }
    let mut reasons: Vec<&str> = runs.iter().filter_map(|line| line.left_out.as_deref()).collect();
    reasons.sort_unstable();
    reasons.dedup();
    for reason in reasons {
        let same: Vec<&RunLine> =
            runs.iter().filter(|line| line.left_out.as_deref() == Some(reason)).collect();
        left_out(ui, state, theme, reason, &same);
    }
}

/// Why runs were left out; the reason can be changed, the runs taken back.
fn left_out(ui: &mut Ui, state: &mut State, theme: &Theme, reason: &str, runs: &[&RunLine]) {
    let mut text = match &state.panels.details.reason {
        Some((old, text)) if old == reason => text.clone(),
        _ => reason.to_owned(),
    };
    let mut corrections = None;
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        let words = if runs.len() == 1 { "left out".to_owned() } else { format!("{} left out", runs.len()) };
        kit::label(ui, words, small(ui), theme.t3);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let back = kit::named_link(ui, theme, "take back", &format!("Take back runs left out: {reason}"));
            let edit = egui::TextEdit::singleline(&mut text)
                .desired_width(ui.available_width())
                .font(small(ui))
                .align(egui::Align2::LEFT_CENTER)
                .margin(vec2(6.0, 3.0));
            let response = kit::field(ui, theme, edit, "Reason for leaving out");
            if response.changed() {
                state.panels.details.reason = Some((reason.to_owned(), text.clone()));
            }
            let renamed = response.lost_focus() && text != reason;
            if back.clicked() || renamed {
                let mut changed = state.store.corrections().clone();
                changed.left_out.retain(|id, _| !runs.iter().any(|run| run.id == *id));
                if renamed {
                    changed.left_out.extend(runs.iter().map(|run| (run.id.clone(), text.clone())));
                }
                corrections = Some(changed);
            }
        });
    });
    if let Some(corrections) = corrections {
        state.panels.details.reason = None;
        state.act(Action::Correct(corrections));
    }
}
