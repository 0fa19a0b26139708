//! Keys, marks and words: how to read the window. Keys come from the table of commands.

use crate::action::Action;
use crate::commands::{COMMANDS, Menu, keys_text};
use crate::panels::kit;
use crate::state::State;
use crate::theme::Theme;
use crate::widgets::{ButtonKind, body, button, mono, named, row_height, small, strong, text_scale};
use egui::{Align, Layout, Sense, Ui, vec2};
use triptych_report::{Marker, Verdict};

/// What each verdict's mark means.
const VERDICTS: [(Verdict, &str); 5] = [
    (Verdict::Faster, "the whole interval lies above 1, the ratio beyond the threshold"),
    (Verdict::Slower, "the whole interval lies below 1, the ratio beyond the threshold"),
    (Verdict::Same, "the whole interval lies within the threshold"),
    (Verdict::NotShown, "the interval allows more than one reading"),
    (Verdict::TooFew, "fewer than 3 runs on a side"),
];

/// The words of the window.
const WORDS: [(&str, &str); 10] = [
    ("run", "one execution of one operation, or one cell of a published table"),
    ("campaign", "runs made or published together; medians never cross one"),
    ("variant", "one side of the comparison: a build with its format and options"),
    ("baseline", "the variant the others are divided by"),
    ("ratio", "baseline / variant: above 1 is faster"),
    ("triple", "the same operation in the same conditions for the compared variants"),
    ("repository", "the content compared, not its copy on disk"),
    ("cache", "cold, hot, or another state as printed"),
    ("quality", "how far to trust a value: measured, as printed, computed, failed …"),
    ("100 % CPU", "one core"),
];

/// Keys that belong to no command.
const OTHER_KEYS: [(&str, &str); 6] = [
    ("Tab", "the next control, in reading order"),
    ("Arrows", "in a chart from mark to mark, in a list from row to row"),
    ("Enter", "what a click does"),
    ("Right, Left", "on a campaign: show or hide its files"),
    ("Delete", "on a campaign: remove it from the workspace"),
    ("Escape", "close the sheet, clear the selection"),
];

/// Shows the sheet.
pub fn ui(ctx: &egui::Context, state: &mut State) {
    super::show(ctx, state, vec2(860.0, 640.0), ["Keys and words", ""], false, |ui, state, theme| {
        let height = ui.available_height() - 52.0;
        egui::ScrollArea::vertical().auto_shrink(false).max_height(height).show(ui, |ui| {
            super::inner(ui, |ui| {
                ui.columns_const(|[left, right]| {
                    left.spacing_mut().item_spacing.y = 2.0;
                    right.spacing_mut().item_spacing.y = 2.0;
                    left.spacing_mut().interact_size.y = 0.0;
                    right.spacing_mut().interact_size.y = 0.0;
                    keys(left, theme);
                    marks(right, theme);
                    words(right, theme);
                });
            });
        });
        ui.allocate_ui_with_layout(
            vec2(ui.available_width(), 52.0),
            Layout::right_to_left(Align::Center),
            |ui| {
                ui.add_space(20.0);
                if button(ui, theme, ButtonKind::Outline, None, "Close").clicked() {
                    state.act(Action::Sheet(None));
                }
            },
        );
    });
}

fn keys(ui: &mut Ui, theme: &Theme) {
    for menu in Menu::ALL {
        let with_keys: Vec<_> = COMMANDS
            .iter()
            .filter(|command| command.menu == menu)
            .filter_map(|command| Some((command, command.keys?)))
            .collect();
        if with_keys.is_empty() {
            continue;
        }
        kit::label(ui, menu.title(), strong(ui), theme.t1);
        for (command, keys) in with_keys {
            line(ui, theme, &keys_text(&keys), command.text.trim_end_matches('…'), command.help);
        }
        ui.add_space(8.0);
    }
    kit::label(ui, "Everywhere", strong(ui), theme.t1);
    for (keys, text) in OTHER_KEYS {
        line(ui, theme, keys, text, "");
    }
}

fn line(ui: &mut Ui, theme: &Theme, keys: &str, text: &str, help: &str) {
    ui.horizontal(|ui| {
        let width = 104.0 * text_scale(ui);
        let (rect, _) = ui.allocate_exact_size(vec2(width, row_height(ui) - 2.0), Sense::hover());
        crate::widgets::paint_text(
            ui,
            kit::left(rect, 0.0),
            egui::Align2::LEFT_CENTER,
            keys,
            mono(ui),
            theme.t2,
            width,
        );
        let label = ui.add(egui::Label::new(egui::RichText::new(text).font(body(ui)).color(theme.t1)).wrap());
        if !help.is_empty() {
            label.on_hover_text(help);
        }
    });
}

fn marks(ui: &mut Ui, theme: &Theme) {
    kit::label(ui, "Marks", strong(ui), theme.t1);
    let mark = |ui: &mut Ui, marker: Marker, ink: egui::Color32, name: &str, text: &str| {
        ui.horizontal(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(18.0, row_height(ui) - 2.0), Sense::hover());
            crate::painter::marker(ui.painter(), rect.center(), marker, 5.0 * text_scale(ui), ink, false);
            let (rect, _) =
                ui.allocate_exact_size(vec2(112.0 * text_scale(ui), row_height(ui) - 2.0), Sense::hover());
            crate::widgets::paint_text(
                ui,
                kit::left(rect, 0.0),
                egui::Align2::LEFT_CENTER,
                name,
                named(ui),
                theme.t1,
                rect.width(),
            );
            ui.add(egui::Label::new(egui::RichText::new(text).font(small(ui)).color(theme.t2)).wrap());
        });
    };
    for (verdict, text) in VERDICTS {
        let (marker, ink) = kit::verdict_mark(verdict);
        mark(ui, marker, theme.ink(ink), verdict.word(), text);
    }
    mark(ui, Marker::Cross, theme.failed, "failed", "enters no median, ratio or chart unless asked for");
    ui.add_space(2.0);
    let text = "Hollow verdicts stand on fewer than 6 runs: an indication. In charts hollow is cold or published, filled is hot or measured.";
    kit::label(ui, text, small(ui), theme.t3);
    ui.add_space(12.0);
}

fn words(ui: &mut Ui, theme: &Theme) {
    kit::label(ui, "Words", strong(ui), theme.t1);
    for (word, text) in WORDS {
        ui.horizontal(|ui| {
            let (rect, _) =
                ui.allocate_exact_size(vec2(96.0 * text_scale(ui), row_height(ui) - 2.0), Sense::hover());
            crate::widgets::paint_text(
                ui,
                kit::left(rect, 0.0),
                egui::Align2::LEFT_CENTER,
                word,
                named(ui),
                theme.t1,
                rect.width(),
            );
            ui.add(egui::Label::new(egui::RichText::new(text).font(small(ui)).color(theme.t2)).wrap());
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verdict_is_explained() {
        let words: std::collections::BTreeSet<&str> =
            VERDICTS.iter().map(|(verdict, _)| verdict.word()).collect();
        assert_eq!(words.len(), 5);
        assert!(VERDICTS.iter().all(|(_, text)| !text.is_empty()));
    }
}
