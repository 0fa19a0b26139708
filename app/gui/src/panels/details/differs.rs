//! "What differs": facts of both sides, those that differ first.

use super::content::CellView;
use crate::panels::kit;
use crate::state::State;
use crate::theme::Theme;
use crate::widgets::{body, paint_text, row_height, small, text_scale};
use egui::{Align, Align2, Layout, Role, Sense, Ui, WidgetInfo, vec2};
use triptych_report::{Comparison, Row};
use triptych_store::Difference;

/// Facts of both sides: those that differ, and on request those that do not.
pub fn ui(
    ui: &mut Ui,
    state: &mut State,
    theme: &Theme,
    comparison: &Comparison,
    row: &Row,
    view: &CellView,
) {
    let differing = view.differences.iter().filter(|fact| !fact.equal).count();
    let total = view.differences.len();
    let equal = state.panels.details.equal;
    ui.horizontal(|ui| {
        kit::label(ui, "What differs", egui::FontId::new(small(ui).size, crate::theme::semibold()), theme.t2);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if differing < total {
                let text = if equal { "hide equal" } else { "show equal" };
                if kit::named_link(ui, theme, text, &format!("{text} facts")).clicked() {
                    state.panels.details.equal = !equal;
                }
            }
            kit::label(
                ui,
                format!("{differing} of {}", kit::counted(total, "fact", "facts")),
                small(ui),
                theme.t3,
            );
        });
    });
    ui.spacing_mut().item_spacing.y = 0.0;
    let width = ui.available_width();
    let first = (width * 0.24).max(66.0 * text_scale(ui));
    let second = first + (width - first) / 2.0;
    let (rect, _) = ui.allocate_exact_size(vec2(width, row_height(ui)), Sense::hover());
    for (x, cell) in [(first, view.other), (second, Some(view.cell))] {
        if let Some(name) = cell.and_then(|cell| row.name(cell)) {
            kit::variant_mark(ui, kit::left(rect, x + 5.0), comparison.variant(name), theme);
            paint_text(
                ui,
                kit::left(rect, x + 15.0),
                Align2::LEFT_CENTER,
                name,
                small(ui),
                theme.t2,
                second - first - 20.0,
            );
        }
    }
    let mut facts: Vec<&Difference> = view.differences.iter().filter(|fact| equal || !fact.equal).collect();
    facts.sort_by_key(|fact| fact.equal);
    if facts.is_empty() {
        kit::label(ui, "Nothing that is known of both", body(ui), theme.t3);
    }
    for fact in facts {
        difference(ui, theme, fact, first, second);
    }
    ui.spacing_mut().item_spacing.y = 4.0;
}

fn difference(ui: &mut Ui, theme: &Theme, fact: &Difference, first: f32, second: f32) {
    let height = (19.0 * text_scale(ui)).round();
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let spoken = format!("{}: {}, {}", fact.name, fact.a, fact.b);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &spoken));
    let known = |text: &str| if text.is_empty() { "unknown".to_owned() } else { text.to_owned() };
    let ink = |text: &str| if fact.equal || text.is_empty() { theme.t3 } else { theme.t1 };
    let name = if fact.equal { theme.t3 } else { theme.t2 };
    paint_text(ui, kit::left(rect, 0.0), Align2::LEFT_CENTER, &fact.name, body(ui), name, first - 6.0);
    paint_text(
        ui,
        kit::left(rect, first),
        Align2::LEFT_CENTER,
        &known(&fact.a),
        body(ui),
        ink(&fact.a),
        second - first - 8.0,
    );
    paint_text(
        ui,
        kit::left(rect, second),
        Align2::LEFT_CENTER,
        &known(&fact.b),
        body(ui),
        ink(&fact.b),
        rect.width() - second,
    );
    response.on_hover_text(format!("{}\n{}\n{}", fact.name, known(&fact.a), known(&fact.b)));
}
