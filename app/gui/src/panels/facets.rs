//! Filters: every condition with its values and counts; the one place beside the query bar that hides data.

use super::kit;
use super::memory::{Counts, variant_place};
use crate::action::Action;
use crate::state::State;
use crate::theme::{Theme, medium, size};
use crate::widgets::{Icon, body, named, paint_check, paint_icon, paint_text, row_height, small, text_scale};
use egui::{Align2, FontId, Rect, Role, Sense, Ui, Vec2, WidgetInfo, pos2, vec2};
use triptych_model::Key;
use triptych_store::{Column, Facet, FacetValue, Filter, Query};

/// Values of a facet that are listed before `show all`.
const FEW: usize = 8;

/// One row of the panel.
enum Entry {
    /// A facet's name.
    Head(usize),
    /// A value of it.
    Value(usize, usize),
    /// How many values are not listed.
    More(usize, usize),
    /// All are listed; fewer again.
    Fewer(usize),
}

/// Shows the panel.
pub fn ui(ui: &mut Ui, state: &mut State) {
    let theme = state.theme.clone();
    ui.spacing_mut().item_spacing.y = 0.0;
    let query = state.arrangement.query.clone();
    let known = state.panels.facets(&state.store, &query);
    let (facets, counts) = &*known;
    header(ui, state, &theme, *counts, &query);
    let entries = entries(state, facets, &query);
    let height = row_height(ui);
    egui::ScrollArea::vertical().id_salt("facets").auto_shrink(false).show_rows(
        ui,
        height,
        entries.len(),
        |ui, range| {
            for entry in entries.get(range).unwrap_or_default() {
                match *entry {
                    Entry::Head(index) => {
                        if let Some(facet) = facets.get(index) {
                            head_row(ui, state, &theme, facet);
                        }
                    }
                    Entry::Value(index, value) => {
                        if let Some(facet) = facets.get(index)
                            && let Some(value) = facet.values.get(value)
                        {
                            value_row(ui, state, &theme, facet.column, value);
                        }
                    }
                    Entry::More(index, hidden) => {
                        more_row(ui, state, &theme, facets.get(index), &format!("show all, {hidden} more"));
                    }
                    Entry::Fewer(index) => more_row(ui, state, &theme, facets.get(index), "show fewer"),
                }
            }
        },
    );
}

/// Facets that say something: several values, or one that is filtered.
fn entries(state: &State, facets: &[Facet], query: &Query) -> Vec<Entry> {
    let mut rows = Vec::new();
    for (index, facet) in facets.iter().enumerate() {
        let filtered = query.filters.iter().any(|filter| filter.column == facet.column);
        if !says_something(facet, filtered) {
            continue;
        }
        let name = facet.column.name();
        rows.push(Entry::Head(index));
        if is_folded(state, name) {
            continue;
        }
        let whole = state.panels.whole_facets.contains(name);
        let long = facet.values.len() > FEW + 2;
        let listed = if long && !whole { FEW } else { facet.values.len() };
        rows.extend((0..listed).map(|value| Entry::Value(index, value)));
        if listed < facet.values.len() {
            rows.push(Entry::More(index, facet.values.len() - listed));
        } else if long {
            rows.push(Entry::Fewer(index));
        }
    }
    rows
}

/// Several values, or one that is filtered. The one campaign shown is marked in the sources already;
/// a quality is worth a row even alone, for most runs have none.
fn says_something(facet: &Facet, filtered: bool) -> bool {
    match facet.column {
        Column::Condition(Key::Campaign) => {
            facet.values.iter().filter(|value| value.on).count() > 1 || facet.values.len() > 1 && !filtered
        }
        Column::Quality => !facet.values.is_empty(),
        _ => facet.values.len() > 1 || filtered,
    }
}

/// Repetitions are folded at first: few people filter them, and there are many.
fn is_folded(state: &State, name: &str) -> bool {
    state.panels.turned_facets.contains(name) != (name == Key::Repetition.name())
}

fn header(ui: &mut Ui, state: &mut State, theme: &Theme, counts: Counts, query: &Query) {
    let text = format!("{} of {} runs", kit::count(counts.shown), kit::count(counts.all));
    if kit::filters_title(ui, theme, &text, &text, !query.filters.is_empty()) {
        state.act(Action::Command("clear-filters"));
    }
}

fn head_row(ui: &mut Ui, state: &mut State, theme: &Theme, facet: &Facet) {
    let name = facet.column.name();
    let folded = is_folded(state, name);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), row_height(ui)), Sense::click());
    response.widget_info(|| {
        WidgetInfo::selected(Role::DisclosureTriangle, true, !folded, format!("{name} filter"))
    });
    let icon = Rect::from_center_size(kit::left(rect, 17.0), Vec2::splat(11.0 * text_scale(ui)));
    paint_icon(ui.painter(), icon, if folded { Icon::Right } else { Icon::Down }, theme.t3);
    let font = FontId::new(small(ui).size, medium());
    paint_text(ui, kit::left(rect, 28.0), Align2::LEFT_CENTER, name, font, theme.t2, rect.width() - 80.0);
    if folded {
        let off = facet.values.iter().filter(|value| !value.on).count();
        let text = if off > 0 {
            format!("{off} of {} off", facet.values.len())
        } else {
            facet.values.len().to_string()
        };
        paint_text(ui, kit::right(rect, size::EDGE), Align2::RIGHT_CENTER, &text, small(ui), theme.t3, 120.0);
    }
    crate::widgets::focus_ring(ui, &response, rect.shrink2(vec2(4.0, 2.0)), theme);
    if response.clicked() && !state.panels.turned_facets.remove(name) {
        state.panels.turned_facets.insert(name);
    }
}

/// What a value is called; an unknown one is said to be.
fn shown(value: &FacetValue) -> &str {
    if value.text.is_empty() { "unknown" } else { &value.text }
}

fn value_row(ui: &mut Ui, state: &mut State, theme: &Theme, column: Column, value: &FacetValue) {
    let text = shown(value);
    let name = format!("{} {text}", column.name());
    let (rect, response) = kit::row_as(ui, theme, row_height(ui), Role::CheckBox, value.on, &name);
    let scale = text_scale(ui);
    paint_check(
        ui,
        theme,
        Rect::from_center_size(kit::left(rect, 12.0 + 6.5 * scale), Vec2::splat(13.0 * scale)),
        value.on,
    );
    let mut x = 12.0 + 13.0 * scale + 8.0;
    if column == Column::Condition(Key::Variant) && !value.text.is_empty() {
        let place = variant_place(state, &value.text);
        kit::variant_mark(ui, kit::left(rect, x + 6.0 * scale), place, theme);
        x += 20.0 * scale;
    } else if column == Column::Quality && value.text == "failed" {
        kit::severity_mark(ui, kit::left(rect, x + 6.0 * scale), triptych_model::Severity::Error, theme);
        x += 20.0 * scale;
    }
    let count = paint_text(
        ui,
        kit::right(rect, size::EDGE),
        Align2::RIGHT_CENTER,
        &kit::count(value.count),
        small(ui),
        if value.count == 0 { theme.t4 } else { theme.t3 },
        120.0,
    );
    let ink = if value.count == 0 {
        theme.t4
    } else if value.on {
        theme.t1
    } else {
        theme.t3
    };
    let only =
        only_link(ui, state, theme, column, value, &response, pos2(count.left() - 10.0, rect.center().y));
    let room = (if only { count.left() - 44.0 } else { count.left() - 8.0 }) - rect.left() - x;
    let font = if column == Column::Condition(Key::Variant) { named(ui) } else { body(ui) };
    paint_text(ui, kit::left(rect, x), Align2::LEFT_CENTER, text, font, ink, room);
    if response.clicked() {
        toggle(state, column, value);
    }
    response.context_menu(|ui| {
        if ui.button(format!("Only {text}")).clicked() {
            state.act(Action::OnlyFacet(column, value.text.clone()));
            ui.close();
        }
        if column == Column::Condition(Key::Variant) && ui.button(format!("Baseline {text}")).clicked() {
            let query = Query { baseline: Some(value.text.clone()), ..state.arrangement.query.clone() };
            state.act(Action::SetQuery(query));
            ui.close();
        }
    });
}

/// Lets a value through or not. A run has several qualities, so they are dropped one by one.
fn toggle(state: &mut State, column: Column, value: &FacetValue) {
    if column != Column::Quality {
        state.act(Action::ToggleFacet(column, value.text.clone()));
        return;
    }
    let mut query = state.arrangement.query.clone();
    let mut dropped: Vec<String> = query
        .filters
        .iter()
        .filter(|filter| filter.column == column && filter.not)
        .flat_map(|filter| filter.values.clone())
        .collect();
    if value.on {
        dropped.push(value.text.clone());
    } else {
        dropped.retain(|word| *word != value.text);
    }
    query.filters.retain(|filter| filter.column != column);
    if !dropped.is_empty() {
        query.filters.push(Filter { column, not: true, values: dropped });
    }
    state.act(Action::SetQuery(query));
}

/// `only`, shown under the pointer and where the keyboard is; says whether it was.
fn only_link(
    ui: &Ui,
    state: &mut State,
    theme: &Theme,
    column: Column,
    value: &FacetValue,
    row: &egui::Response,
    at: egui::Pos2,
) -> bool {
    let id = row.id.with("only");
    let focused = ui.memory(|memory| memory.has_focus(id));
    let name = format!("Only {} {}", column.name(), shown(value));
    if !(row.contains_pointer() || row.has_focus() || focused) {
        return false;
    }
    if kit::link_at(ui, theme, at, "only", &name, id).clicked() {
        state.act(Action::OnlyFacet(column, value.text.clone()));
    }
    true
}

fn more_row(ui: &mut Ui, state: &mut State, theme: &Theme, facet: Option<&Facet>, text: &str) {
    let Some(facet) = facet else { return };
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), row_height(ui)), Sense::hover());
    let x = 12.0 + 13.0 * text_scale(ui) + 8.0;
    let galley_width = ui.painter().layout_no_wrap(text.to_owned(), small(ui), theme.accent).size().x;
    let at = kit::left(rect, x + galley_width);
    let name = format!("{text} of {}", facet.column.name());
    if kit::link_at(ui, theme, at, text, &name, ui.scope_id().with(("more", facet.column.name()))).clicked() {
        let key = facet.column.name();
        if !state.panels.whole_facets.remove(key) {
            state.panels.whole_facets.insert(key);
        }
    }
}
