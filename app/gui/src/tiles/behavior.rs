//! How tiles lie: the tree with its gaps, tabs and drags; each tile is a header over a body.

use super::scene::{self, Shared};
use super::{Tile, chart_view, header, states};
use crate::panels;
use crate::state::{Snapshot, State};
use crate::theme::{Theme, size};
use crate::widgets;
use egui::{Color32, CornerRadius, Id, Rect, Sense, Stroke, Ui, Vec2, Visuals, WidgetInfo};
use egui_tiles::{EditAction, ResizeState, SimplificationOptions, TabState, TileId, Tiles, Tree, UiResponse};
use std::sync::Arc;
use triptych_report::ChartData;

/// A tile's height where tiles stand in one column.
const COLUMN_HEIGHT: f32 = 320.0;

/// Shows all tiles in the space that is left.
pub fn tiles_ui(ui: &mut Ui, state: &mut State) {
    if state.arrangement.tiles.panes().next().is_none() {
        states::no_tiles(ui, state);
        return;
    }
    let before = changing(ui).then(|| state.snapshot());
    let shared = scene::shared(ui, state);
    // The tree shows itself through a behavior that needs the rest of the state.
    let empty = Tree::empty(Id::unique("tiles"));
    let mut tree = std::mem::replace(&mut state.arrangement.tiles.tree, empty);
    let mut behavior = Shown { state, shared, cursor: None, edited: false, dragging: false };
    if one_column(ui) {
        column(ui, &mut tree, &mut behavior);
    } else {
        tree.ui(&mut behavior, ui);
    }
    let Shown { cursor, edited, dragging, .. } = behavior;
    state.arrangement.tiles.tree = tree;
    keep(ui, state, before, edited, dragging);
    if cursor != state.link.cursor {
        // Tiles that were drawn before the pointed one show the old second until the next frame.
        state.link.cursor = cursor;
        ui.ctx().request_repaint();
    }
}

/// Whether anything can change the arrangement in this frame: a snapshot is not for free.
fn changing(ui: &Ui) -> bool {
    ui.input(|input| {
        input.events.iter().any(|event| {
            !matches!(
                event,
                egui::Event::PointerMoved(_) | egui::Event::MouseMoved(_) | egui::Event::WindowFocused(_)
            )
        })
    })
}

/// Keeps what was before an edit; of a drag or a resize what was before it began.
fn keep(ui: &Ui, state: &mut State, before: Option<Snapshot>, edited: bool, dragging: bool) {
    let id = Id::unique("tiles before the drag");
    let pending = ui.data(|data| data.get_temp::<Arc<Snapshot>>(id));
    if dragging {
        if pending.is_none() {
            let before = ui.data(|data| data.get_temp::<Arc<Snapshot>>(Id::unique("tiles before the press")));
            let before = before.unwrap_or_else(|| Arc::new(state.snapshot()));
            ui.data_mut(|data| data.insert_temp(id, before));
        }
    } else if let Some(pending) = pending {
        if !ui.input(|input| input.pointer.any_down()) {
            ui.data_mut(|data| data.remove::<Arc<Snapshot>>(id));
            if pending.arrangement != state.arrangement {
                state.undo.keep(pending.as_ref().clone());
                state.saved = false;
            }
        }
    } else if edited && let Some(before) = &before {
        state.undo.keep(before.clone());
        state.saved = false;
    }
    if let Some(before) = before
        && ui.input(|input| input.pointer.any_pressed())
    {
        ui.data_mut(|data| data.insert_temp(Id::unique("tiles before the press"), Arc::new(before)));
    }
}

/// At large text or in a narrow window tiles stand below each other and scroll.
fn one_column(ui: &Ui) -> bool {
    let scale = widgets::text_scale(ui);
    scale >= 1.75 || ui.available_width() < 700.0 * scale
}

fn column(ui: &mut Ui, tree: &mut Tree<Tile>, behavior: &mut Shown<'_>) {
    let mut order: Vec<TileId> = Vec::new();
    if let Some(root) = tree.root() {
        in_order(&tree.tiles, root, &mut order);
    }
    let height = (COLUMN_HEIGHT * widgets::text_scale(ui)).min(ui.available_height().max(200.0));
    egui::ScrollArea::vertical().id_salt("tiles").auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = size::GAP;
        for node in order {
            let (rect, _) = ui.allocate_exact_size(Vec2::new(ui.available_width(), height), Sense::hover());
            if let Some(egui_tiles::Tile::Pane(tile)) = tree.tiles.get_mut(node) {
                // A child of its own: a scope would move the column's cursor back to what the tile drew.
                let mut child = ui.new_child(egui::UiBuilder::new().max_rect(rect).id_salt(tile.id));
                behavior.tile(&mut child, tile);
            }
        }
    });
}

fn in_order(tiles: &Tiles<Tile>, node: TileId, order: &mut Vec<TileId>) {
    match tiles.get(node) {
        Some(egui_tiles::Tile::Pane(_)) => order.push(node),
        Some(egui_tiles::Tile::Container(container)) => {
            for child in container.children() {
                in_order(tiles, *child, order);
            }
        }
        None => {}
    }
}

/// The state while the tree shows itself.
struct Shown<'a> {
    state: &'a mut State,
    shared: Shared,
    /// Second under the pointer of a linked tile, found in this frame.
    cursor: Option<f64>,
    edited: bool,
    dragging: bool,
}

impl Shown<'_> {
    /// Header and body of one tile; whether it is being dragged by its header.
    fn tile(&mut self, ui: &mut Ui, tile: &mut Tile) -> bool {
        let theme = self.state.theme.clone();
        let rect = ui.max_rect();
        ui.painter().rect_filled(rect, CornerRadius::same(6), theme.s2);
        ui.shrink_clip_rect(rect);
        let header_height = size::HEADER.max((13.0 * 1.25 * widgets::text_scale(ui) + 12.0).round());
        let head = Rect::from_min_size(rect.min, Vec2::new(rect.width(), header_height));
        let body = Rect::from_min_max(head.left_bottom(), rect.max).shrink2(Vec2::new(8.0, 0.0));
        let body = Rect::from_min_max(body.min, egui::pos2(body.right(), body.bottom() - 2.0));
        let scene = scene::scene(ui, self.state, tile, body.size(), self.shared);
        let drawn = scene.as_ref().and_then(|scene| scene.as_ref().ok());
        let before = tile.clone();
        let dragged = header::ui(ui, self.state, tile, head, drawn);
        let slow = states::is_slow(ui, self.state, tile.id);
        let builder = egui::UiBuilder::new().max_rect(body).id_salt(("body", tile.id));
        ui.scope_builder(builder, |ui| {
            if slow {
                ui.multiply_opacity(0.45);
            }
            match &scene {
                None => states::waiting(ui, self.state, tile.id),
                Some(Err(refusal)) => states::refusal(ui, self.state, tile, refusal),
                Some(Ok(scene)) => self.body(ui, tile, scene, body),
            }
        });
        self.edited |= before != *tile;
        dragged
    }

    fn body(&mut self, ui: &mut Ui, tile: &Tile, scene: &scene::Scene, body: Rect) {
        match &scene.data {
            ChartData::Comparison(comparison) if tile.view == "table" => {
                panels::table::show(ui, self.state, comparison, Id::unique(("table", tile.id)));
            }
            _ => {
                let cursor = chart_view::ui(ui, self.state, tile, scene, body, self.shared);
                self.cursor = self.cursor.or(cursor);
            }
        }
    }
}

/// The name of a view for people.
pub fn view_title(view: &str) -> &str {
    if view == "table" {
        "Table"
    } else {
        triptych_report::chart(view).map_or(view, |chart| chart.spec().title)
    }
}

impl egui_tiles::Behavior<Tile> for Shown<'_> {
    fn pane_ui(&mut self, ui: &mut Ui, _node: TileId, tile: &mut Tile) -> UiResponse {
        if ui.input(|input| input.pointer.any_pressed()) && ui.rect_contains_pointer(ui.max_rect()) {
            self.state.used_tile = Some(tile.id);
        }
        let dragged = self.tile(ui, tile);
        self.dragging |= dragged;
        if dragged { UiResponse::DragStarted } else { UiResponse::None }
    }

    fn tab_title_for_pane(&mut self, tile: &Tile) -> egui::WidgetText {
        view_title(&tile.view).into()
    }

    fn tab_ui(
        &mut self,
        tiles: &mut Tiles<Tile>,
        ui: &mut Ui,
        id: Id,
        node: TileId,
        tab: &TabState,
    ) -> egui::Response {
        let theme = self.state.theme.clone();
        let title = self.tab_title_for_tile(tiles, node).text().to_owned();
        let font = if tab.active { widgets::strong(ui) } else { widgets::body(ui) };
        let ink = if tab.active { theme.t1 } else { theme.t2 };
        let galley = ui.painter().layout_no_wrap(title.clone(), font, ink);
        let (_, rect) = ui.allocate_space(Vec2::new(galley.size().x + 24.0, ui.available_height()));
        let response = ui.interact(rect, id, Sense::click_and_drag()).on_hover_cursor(egui::CursorIcon::Grab);
        response
            .widget_info(|| WidgetInfo::selected(egui::Role::Tab, true, tab.active, format!("{title} tab")));
        if !tab.is_being_dragged {
            let at = egui::pos2(rect.left() + 12.0, rect.center().y - galley.size().y / 2.0);
            ui.painter().galley(at, galley, ink);
            if tab.active {
                let line = Rect::from_min_max(egui::pos2(rect.left(), rect.bottom() - 2.0), rect.max);
                ui.painter().rect_filled(line, CornerRadius::ZERO, theme.accent);
            }
        }
        widgets::focus_ring(ui, &response, rect.shrink(2.0), &theme);
        response
    }

    fn drag_ui(&mut self, tiles: &Tiles<Tile>, ui: &mut Ui, node: TileId) {
        let theme = &self.state.theme;
        let frame =
            egui::Frame::new().fill(theme.s3).stroke(Stroke::new(1.0, theme.line2)).corner_radius(6.0);
        let ink = theme.t1;
        frame.inner_margin(8.0).show(ui, |ui| {
            let text = self.tab_title_for_tile(tiles, node).text().to_owned();
            ui.label(egui::RichText::new(text).color(ink));
        });
    }

    fn gap_width(&self, _style: &egui::Style) -> f32 {
        size::GAP
    }

    fn min_size(&self) -> f32 {
        96.0
    }

    fn tab_bar_height(&self, _style: &egui::Style) -> f32 {
        size::HEADER
    }

    fn tab_bar_color(&self, _visuals: &Visuals) -> Color32 {
        self.state.theme.s1
    }

    fn tab_bar_hline_stroke(&self, _visuals: &Visuals) -> Stroke {
        Stroke::new(1.0, self.state.theme.line)
    }

    fn resize_stroke(&self, _style: &egui::Style, resize: ResizeState) -> Stroke {
        let theme: &Theme = &self.state.theme;
        match resize {
            ResizeState::Idle => Stroke::NONE,
            ResizeState::Hovering => Stroke::new(2.0, theme.line2),
            ResizeState::Dragging => Stroke::new(2.0, theme.accent),
        }
    }

    fn drag_preview_stroke(&self, _visuals: &Visuals) -> Stroke {
        Stroke::new(1.5, self.state.theme.accent)
    }

    fn drag_preview_color(&self, _visuals: &Visuals) -> Color32 {
        self.state.theme.accent_ground
    }

    fn dragged_overlay_color(&self, _visuals: &Visuals) -> Color32 {
        self.state.theme.s1.gamma_multiply(0.6)
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions { all_panes_must_have_tabs: false, ..SimplificationOptions::default() }
    }

    fn on_edit(&mut self, edit: EditAction) {
        match edit {
            EditAction::TileResized | EditAction::TileDragged => self.dragging = true,
            // What was before a drop was kept when the drag began.
            EditAction::TileDropped | EditAction::TabSelected => {}
        }
    }
}
