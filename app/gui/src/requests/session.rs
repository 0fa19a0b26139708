//! The lines of a session with a tiny bar of time each: where in it the seconds went.

use super::{Wish, rows};
use crate::action::Action;
use crate::panels::kit;
use crate::state::State;
use crate::theme::Theme;
use crate::widgets::{self, mono, small, text_scale};
use egui::{Align2, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};
use triptych_report::{kind_ink, numbers};
use triptych_store::{RequestDetails, SessionLine};

/// Lines that are shown without scrolling.
const VISIBLE: usize = 12;

/// Shows the lines of the session of a row.
pub(super) fn ui(ui: &mut Ui, state: &mut State, theme: &Theme, details: &RequestDetails) {
    let Some(session) = &details.session else { return };
    let words = format!(
        "{}, {}",
        kit::counted(session.lines as usize, "line", "lines"),
        numbers::with_unit(session.secs, triptych_model::Unit::Secs)
    );
    ui.horizontal(|ui| {
        let font = egui::FontId::new(small(ui).size, crate::theme::semibold());
        kit::label(ui, "Its session", font, theme.t2);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            kit::label(ui, words, small(ui), theme.t3);
        });
    });
    let doubt = match (session.guessed, session.opened) {
        (true, _) => Some("guessed by process and host: a threaded server has one pid for all"),
        (false, false) => Some("opened before the log began"),
        (false, true) => None,
    };
    if let Some(doubt) = doubt {
        kit::label(ui, doubt, small(ui), theme.t3);
    }
    let height = (20.0 * text_scale(ui)).round();
    let count = details.lines.len();
    let shown = count.min(VISIBLE) as f32 * height;
    let here = details.lines.iter().position(|line| line.row == details.facts.row).unwrap_or(0);
    let area = egui::ScrollArea::vertical()
        .id_salt(("session", details.facts.row))
        .max_height(shown)
        .min_scrolled_height(shown);
    // The row is in the middle at first.
    let first = here.saturating_sub(VISIBLE / 2) as f32 * height;
    let kept = egui::Id::unique(("session was scrolled", details.facts.row));
    let area = if ui.data(|data| data.get_temp::<bool>(kept)).is_some() {
        area
    } else {
        area.vertical_scroll_offset(first)
    };
    ui.data_mut(|data| data.insert_temp(kept, true));
    ui.spacing_mut().item_spacing.y = 0.0;
    area.auto_shrink([false, true]).show_rows(ui, height, count, |ui, range| {
        for line in details.lines.get(range).unwrap_or_default() {
            row(ui, state, theme, line, details, height);
        }
    });
    if details.lines_before > 0 {
        let text = format!("{} before these", kit::counted(details.lines_before, "line", "lines"));
        kit::label(ui, text, small(ui), theme.t3);
    }
}

fn row(
    ui: &mut Ui,
    state: &mut State,
    theme: &Theme,
    line: &SessionLine,
    details: &RequestDetails,
    height: f32,
) {
    let scale = text_scale(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    let selected = line.row == details.facts.row;
    let name = format!("{:.3} s {}", line.secs, line.action);
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, selected, &name));
    if selected {
        ui.painter().rect_filled(rect, 2.0, theme.accent_ground);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 2.0, theme.s3);
    }
    let ink = if selected { theme.t1 } else { theme.t2 };
    let at = pos2(rect.left() + 6.0, rect.center().y);
    let secs = widgets::paint_text(
        ui,
        at,
        Align2::LEFT_CENTER,
        &format!("{:.3}", line.secs),
        mono(ui),
        if selected { theme.t1 } else { theme.t3 },
        70.0 * scale,
    );
    let left = rect.left() + (58.0 * scale).max(secs.width() + 16.0);
    let bar_left = rect.left() + rect.width() * 0.62;
    let room = bar_left - left - 8.0;
    widgets::paint_text(
        ui,
        pos2(left, rect.center().y),
        Align2::LEFT_CENTER,
        &line.action,
        small(ui),
        ink,
        room,
    );
    bar(ui, theme, line, details, (bar_left, rect.right() - 8.0, rect.center().y), selected);
    widgets::focus_ring(ui, &response, rect.shrink(1.0), theme);
    if response.clicked() {
        state.act(Action::Requests(Wish::Select(Some(line.row))));
    }
}

/// A tick where the line was written, and its gap to or from there.
fn bar(
    ui: &Ui,
    theme: &Theme,
    line: &SessionLine,
    details: &RequestDetails,
    (left, right, y): (f32, f32, f32),
    selected: bool,
) {
    let whole = details.session.as_ref().map_or(0.0, |session| session.secs).max(1e-6);
    let x = |secs: f64| left + (secs / whole).clamp(0.0, 1.0) as f32 * (right - left);
    if line.kind == triptych_store::ActionKind::Error {
        rows::kind_mark(ui, theme, pos2(x(line.secs), y), line.kind);
        return;
    }
    let ink = theme.ink(kind_ink(line.kind));
    if let Some((from, to)) = line.gap {
        let stroke = Stroke::new(2.0, if selected { theme.accent } else { ink });
        ui.painter().hline(x(from)..=x(to), y, stroke);
    }
    let at = ui.painter().round_to_pixel_center(x(line.secs));
    ui.painter().vline(at, y - 4.0..=y + 4.0, Stroke::new(2.0, ink));
}
