//! Rows of one height, only those on screen: up to many millions, which a scroll area's own places,
//! points in 32 bits, cannot tell apart.
//!
//! The place is kept as a row with its fraction. One row has the tab stop; arrows, pages and the
//! ends walk from there.

use crate::theme::Theme;
use crate::widgets;
use egui::{EventFilter, Id, Key, Rect, Response, Role, Sense, Stroke, Ui, Vec2, WidgetInfo, pos2};

/// Width of the bar at the right edge.
const BAR: f32 = 8.0;

/// What is kept between frames.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Kept {
    /// First row, with its fraction.
    top: f64,
    /// The row with the tab stop.
    stop: usize,
    /// The row that was selected in the last frame, to be scrolled to when it changes.
    selected: Option<usize>,
}

/// A list.
pub(super) struct List<'a> {
    /// What tells it from others.
    pub id: Id,
    /// Its name for screen readers.
    pub name: &'a str,
    /// Rows.
    pub count: usize,
    /// Height of a row.
    pub height: f32,
    /// The selected row.
    pub selected: Option<usize>,
}

impl List<'_> {
    /// Shows the rows; `row` paints one and gives its accessible name. Returns the row clicked or walked to.
    pub fn show(
        &self,
        ui: &mut Ui,
        theme: &Theme,
        mut row: impl FnMut(&mut Ui, usize, Rect) -> String,
    ) -> Option<usize> {
        let area = ui.available_rect_before_wrap();
        ui.allocate_rect(area, Sense::hover());
        let mut kept: Kept = ui.data(|data| data.get_temp(self.id)).unwrap_or_default();
        let visible = f64::from(area.height() / self.height).max(1.0);
        let last = (self.count as f64 - visible).max(0.0);
        let mut chosen = self.walk(ui, &mut kept, visible);
        if self.selected != kept.selected {
            kept.selected = self.selected;
            if let Some(place) = self.selected {
                kept.stop = place;
                kept.top = into_view(kept.top, place, visible);
            }
        }
        if let Some(place) = chosen {
            kept.top = into_view(kept.top, place, visible);
        }
        kept.top = self.wheel(ui, area, kept.top).clamp(0.0, last);
        if last > 0.0 {
            kept.top = self.bar(ui, theme, area, kept.top, visible, last).clamp(0.0, last);
        }
        let right = if last > 0.0 { BAR + 2.0 } else { 0.0 };
        let first = kept.top.floor() as usize;
        let shift = ((kept.top - kept.top.floor()) * f64::from(self.height)) as f32;
        let shown = visible.ceil() as usize + 1;
        let clip = ui.clip_rect().intersect(area);
        let mut child = ui.new_child(egui::UiBuilder::new().max_rect(area).id_salt(self.id));
        child.set_clip_rect(clip);
        for (line, place) in (first..self.count).take(shown).enumerate() {
            let top = area.top() + line as f32 * self.height - shift;
            let rect =
                Rect::from_min_size(pos2(area.left(), top), Vec2::new(area.width() - right, self.height));
            let response = self.row(&mut child, theme, place, rect, place == kept.stop, &mut row);
            if response.clicked() {
                kept.stop = place;
                // From here the arrows go on.
                ui.memory_mut(|memory| memory.request_focus(self.row_id(place)));
                chosen = Some(place);
            }
        }
        ui.data_mut(|data| data.insert_temp(self.id, kept));
        chosen
    }

    fn row_id(&self, place: usize) -> Id {
        self.id.with(("row", place))
    }

    fn row(
        &self,
        ui: &mut Ui,
        theme: &Theme,
        place: usize,
        rect: Rect,
        stop: bool,
        row: &mut impl FnMut(&mut Ui, usize, Rect) -> String,
    ) -> Response {
        let sense = if stop { Sense::click() } else { Sense::CLICK };
        let response = ui.interact(rect.intersect(ui.clip_rect()), self.row_id(place), sense);
        let selected = self.selected == Some(place);
        if selected {
            ui.painter().rect_filled(rect, 0.0, theme.accent_ground);
        } else if response.hovered() {
            ui.painter().rect_filled(rect, 0.0, theme.s3);
        }
        let name = row(ui, place, rect);
        response.widget_info(|| WidgetInfo::selected(Role::Row, true, selected, &name));
        if !selected {
            widgets::focus_ring(ui, &response, rect.shrink(2.0), theme);
        }
        response
    }

    /// Moves the tab stop by the keyboard; gives the row it came to.
    fn walk(&self, ui: &Ui, kept: &mut Kept, visible: f64) -> Option<usize> {
        kept.stop = kept.stop.min(self.count.saturating_sub(1));
        if self.count == 0 || !ui.memory(|memory| memory.has_focus(self.row_id(kept.stop))) {
            return None;
        }
        let arrows = EventFilter { vertical_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(self.row_id(kept.stop), arrows));
        let page = (visible as usize).max(2) - 1;
        let last = self.count - 1;
        let next = ui.input(|input| {
            let pressed = |key| input.key_pressed(key);
            if pressed(Key::ArrowDown) {
                kept.stop + 1
            } else if pressed(Key::ArrowUp) {
                kept.stop.saturating_sub(1)
            } else if pressed(Key::PageDown) {
                kept.stop + page
            } else if pressed(Key::PageUp) {
                kept.stop.saturating_sub(page)
            } else if pressed(Key::Home) {
                0
            } else if pressed(Key::End) {
                last
            } else {
                kept.stop
            }
        });
        let next = next.min(last);
        if next == kept.stop {
            return None;
        }
        kept.stop = next;
        ui.memory_mut(|memory| memory.request_focus(self.row_id(next)));
        Some(next)
    }

    fn wheel(&self, ui: &Ui, area: Rect, top: f64) -> f64 {
        if !ui.rect_contains_pointer(area) {
            return top;
        }
        let moved = ui.input_mut(|input| std::mem::take(&mut input.smooth_scroll_delta)).y;
        top - f64::from(moved / self.height)
    }

    /// The bar at the right: dragging moves, a click goes there.
    fn bar(&self, ui: &Ui, theme: &Theme, area: Rect, top: f64, visible: f64, last: f64) -> f64 {
        let track = Rect::from_min_max(
            pos2(area.right() - BAR - 1.0, area.top() + 2.0),
            area.max - Vec2::new(1.0, 2.0),
        );
        let response = ui.interact(track, self.id.with("bar"), Sense::CLICK | Sense::DRAG);
        let name = format!("Place in {}", self.name);
        response.widget_info(|| WidgetInfo::labeled(Role::ScrollBar, true, &name));
        let share = (visible / self.count as f64) as f32;
        let length = (track.height() * share).clamp(18.0_f32.min(track.height()), track.height());
        let room = track.height() - length;
        let mut top = top;
        if let Some(at) = response.interact_pointer_pos()
            && (response.dragged() || response.clicked())
            && room > 0.0
        {
            top = f64::from((at.y - track.top() - length / 2.0) / room).clamp(0.0, 1.0) * last;
        }
        let place = track.top() + room * (top / last).clamp(0.0, 1.0) as f32;
        let handle = Rect::from_min_size(pos2(track.left() + 2.0, place), Vec2::new(BAR - 3.0, length));
        let lit = response.hovered() || response.dragged();
        ui.painter().rect_filled(handle, 3.0, if lit { theme.t3 } else { theme.s4 });
        if theme.patterns {
            ui.painter().rect_stroke(handle, 3.0, Stroke::new(1.0, theme.line2), egui::StrokeKind::Inside);
        }
        top
    }
}

/// The first row that shows a row whole, as near to what is shown as can be.
fn into_view(top: f64, place: usize, visible: f64) -> f64 {
    let place = place as f64;
    if place < top {
        place
    } else if place + 1.0 > top + visible {
        place + 1.0 - visible
    } else {
        top
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_into_view_with_the_least_move() {
        for (top, place, expect) in
            [(0.0, 3, 0.0), (0.0, 20, 11.0), (15.5, 3, 3.0), (15.5, 16, 15.5), (1e7, 10_000_009, 1e7)]
        {
            assert!((into_view(top, place, 10.0) - expect).abs() < 1e-9, "{top} {place}");
        }
    }
}
