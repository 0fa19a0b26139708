//! Sources: the campaigns with their counts and warnings, their files below them, and what is being read.

use super::kit;
use crate::action::Action;
use crate::jobs::Kind;
use crate::state::{Sheet, State};
use crate::theme::{Theme, size};
use crate::widgets::{
    ButtonKind, Icon, body, button, named, paint_icon, paint_text, progress_bar, row_height, small,
    text_scale,
};
use egui::{Align2, Rect, Response, Role, Sense, Ui, Vec2, WidgetInfo, pos2, vec2};
use std::time::Duration;
use triptych_model::Severity;
use triptych_store::{Campaign, Source};

/// One row of the tree.
enum Entry {
    /// Index into the campaigns.
    Campaign(usize),
    /// Index into the campaigns, index of the source.
    File(usize, u32),
    /// Files that no campaign has: how many could not be read.
    Unread(usize),
    /// Files that no format claims, or that are empty.
    Skipped(usize),
}

/// Shows the panel.
pub fn ui(ui: &mut Ui, state: &mut State) {
    let theme = state.theme.clone();
    ui.spacing_mut().item_spacing.y = 0.0;
    header(ui, state, &theme);
    loading(ui, state, &theme);
    let campaigns = state.panels.campaigns(&state.store);
    let entries = entries(state, &campaigns);
    let shown = crate::edits::shown_campaign(state);
    let height = row_height(ui);
    egui::ScrollArea::vertical().id_salt("sources").auto_shrink(false).show_rows(
        ui,
        height,
        entries.len(),
        |ui, range| {
            for entry in entries.get(range).unwrap_or_default() {
                match entry {
                    Entry::Campaign(index) => {
                        if let Some(campaign) = campaigns.get(*index) {
                            campaign_row(
                                ui,
                                state,
                                &theme,
                                campaign,
                                shown.as_deref() == Some(campaign.name.as_str()),
                            );
                        }
                    }
                    Entry::File(index, source) => {
                        if let Some(campaign) = campaigns.get(*index) {
                            file_row(ui, state, &theme, campaign, *source);
                        }
                    }
                    Entry::Unread(count) => {
                        let text = format!("{} not read", kit::counted(*count, "file", "files"));
                        rest_row(ui, state, &theme, &text, Some(Severity::Error));
                    }
                    Entry::Skipped(count) => {
                        let text = format!("{} skipped", kit::counted(*count, "file", "files"));
                        rest_row(ui, state, &theme, &text, None);
                    }
                }
            }
        },
    );
}

/// The height at which no source needs scrolling.
pub fn wanted_height(ui: &Ui, state: &mut State) -> f32 {
    let campaigns = state.panels.campaigns(&state.store);
    let rows = entries(state, &campaigns).len() as f32;
    size::HEADER.max(row_height(ui) + 8.0) + rows * row_height(ui) + size::CELL
}

fn entries(state: &State, campaigns: &[Campaign]) -> Vec<Entry> {
    let mut rows = Vec::new();
    let sources = state.store.sources();
    let mut placed = vec![false; sources.len()];
    for (index, campaign) in campaigns.iter().enumerate() {
        rows.push(Entry::Campaign(index));
        let open = state.panels.open_campaigns.contains(&campaign.name);
        for source in &campaign.sources {
            if let Some(place) = placed.get_mut(*source as usize) {
                *place = true;
            }
            if open {
                rows.push(Entry::File(index, *source));
            }
        }
    }
    let unread = sources
        .iter()
        .zip(&placed)
        .filter(|(source, placed)| !**placed && source.data.error.is_some())
        .count();
    let skipped = sources.iter().filter(|source| source.data.skipped.is_some()).count();
    if unread > 0 {
        rows.push(Entry::Unread(unread));
    }
    if skipped > 0 {
        rows.push(Entry::Skipped(skipped));
    }
    rows
}

fn header(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let height = size::HEADER.max(row_height(ui) + 8.0);
    let width = ui.available_width();
    ui.allocate_ui_with_layout(vec2(width, height), egui::Layout::left_to_right(egui::Align::Center), |ui| {
        ui.set_min_height(height);
        ui.add_space(size::EDGE);
        kit::title(ui, theme, "Sources", "");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.add_space(size::CELL);
            let plus = crate::widgets::icon_button(ui, theme, Icon::Plus, "Add sources", true);
            egui::Popup::menu(&plus).show(|ui| {
                for id in ["open-files", "open-folder", "paste", "type-path", "open-samples"] {
                    let Some(command) = crate::commands::find(id) else { continue };
                    let keys = command.keys.as_ref().map(crate::commands::keys_text).unwrap_or_default();
                    let item = egui::Button::new(command.text).shortcut_text(keys);
                    let response = ui.add(item).on_hover_text(command.help);
                    crate::widgets::focus_ring(ui, &response, response.rect, theme);
                    if response.clicked() {
                        state.act(Action::Command(id));
                        ui.close();
                    }
                }
            });
        });
    });
}

/// What is being read, once it takes long enough to be noticed.
fn loading(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let Some(running) = state.jobs.running(Kind::Load) else { return };
    let wait = Duration::from_millis(200);
    if running.elapsed() < wait {
        ui.ctx().request_repaint_after(wait.saturating_sub(running.elapsed()));
        return;
    }
    let step = running.step();
    let mut cancel = false;
    egui::Frame::new().inner_margin(egui::Margin { left: 12, right: 12, top: 2, bottom: 8 }).show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(8.0, 5.0);
        ui.horizontal(|ui| {
            let text = if step.total > 0 {
                format!(
                    "Reading {} of {}",
                    kit::count(step.done as usize + 1),
                    kit::count(step.total as usize)
                )
            } else {
                "Reading".to_owned()
            };
            kit::label(ui, text, body(ui), theme.t2);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                cancel = button(ui, theme, ButtonKind::Outline, None, "Cancel").clicked();
            });
        });
        let share = step.share();
        progress_bar(ui, theme, ui.available_width(), share);
        let (rect, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), row_height(ui) - 4.0), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &step.what));
        kit::paint_path(ui, kit::left(rect, 0.0), &step.what, theme.t3, rect.width());
    });
    if cancel {
        state.act(Action::Command("cancel"));
    }
}

/// How much a campaign holds, with the word for it.
fn amount(campaign: &Campaign) -> (usize, &'static str, &'static str) {
    if campaign.runs > 0 {
        (campaign.runs, "run", "runs")
    } else if campaign.requests > 0 {
        (campaign.requests, "request", "requests")
    } else {
        (campaign.samples, "sample", "samples")
    }
}

fn campaign_row(ui: &mut Ui, state: &mut State, theme: &Theme, campaign: &Campaign, selected: bool) {
    let (number, one, many) = amount(campaign);
    let mut name = format!("{}, {}", campaign.name, kit::counted(number, one, many));
    for (count, one, many) in
        [(campaign.warnings, "warning", "warnings"), (campaign.errors, "error", "errors")]
    {
        if count > 0 {
            name.push_str(&format!(", {}", kit::counted(count, one, many)));
        }
    }
    let open = state.panels.open_campaigns.contains(&campaign.name);
    let (rect, response) = kit::row(ui, theme, row_height(ui), selected, &name);
    let toggled = fold_icon(ui, theme, rect, campaign, open, response.hovered());
    let ink = if selected { theme.t1 } else { theme.t2 };
    let mut right = rect.right() - size::EDGE;
    let middle = rect.center().y;
    let count = paint_text(
        ui,
        pos2(right, middle),
        Align2::RIGHT_CENTER,
        &kit::count(number),
        small(ui),
        theme.t3,
        200.0,
    );
    right = count.left() - 8.0;
    for (count, severity, colour) in [
        (campaign.warnings, Severity::Warning, theme.warning),
        (campaign.errors, Severity::Error, theme.failed),
    ] {
        if count > 0 {
            let text = paint_text(
                ui,
                pos2(right, middle),
                Align2::RIGHT_CENTER,
                &kit::count(count),
                small(ui),
                colour,
                200.0,
            );
            kit::severity_mark(ui, pos2(text.left() - 9.0 * text_scale(ui), middle), severity, theme);
            right = text.left() - 22.0 * text_scale(ui);
        }
    }
    let left = kit::left(rect, 34.0);
    let font = if selected { named(ui) } else { body(ui) };
    paint_text(ui, left, Align2::LEFT_CENTER, &campaign.name, font, ink, right - left.x);
    if response.clicked() {
        state.act(Action::ShowCampaign(campaign.name.clone()));
    }
    keys(ui, state, &response, campaign, open);
    if toggled || response.double_clicked() {
        fold(state, campaign, !open);
    }
    response.context_menu(|ui| campaign_menu(ui, state, campaign, open));
    response.on_hover_text(&campaign.root);
}

/// The folder or file; under the pointer an arrow that opens the list of files.
fn fold_icon(ui: &mut Ui, theme: &Theme, row: Rect, campaign: &Campaign, open: bool, hovered: bool) -> bool {
    let rect = Rect::from_center_size(kit::left(row, 19.0), Vec2::splat((14.0 * text_scale(ui)).min(20.0)));
    let response =
        ui.interact(rect.expand(4.0), ui.scope_id().with(("fold", &campaign.name)), Sense::click());
    let name = format!("Files of {}", campaign.name);
    response.widget_info(|| WidgetInfo::selected(Role::DisclosureTriangle, true, open, &name));
    let icon = match (hovered || response.hovered() || response.has_focus(), open) {
        (true, false) => Icon::Right,
        (_, true) => Icon::Down,
        (false, false) if campaign.sources.len() == 1 => Icon::File,
        (false, false) => Icon::Folder,
    };
    paint_icon(ui.painter(), rect, icon, theme.t3);
    crate::widgets::focus_ring(ui, &response, rect, theme);
    response.clicked()
}

fn fold(state: &mut State, campaign: &Campaign, open: bool) {
    if open {
        state.panels.open_campaigns.insert(campaign.name.clone());
    } else {
        state.panels.open_campaigns.remove(&campaign.name);
    }
}

/// Right and left unfold and fold, Delete removes.
fn keys(ui: &Ui, state: &mut State, response: &Response, campaign: &Campaign, open: bool) {
    if !response.has_focus() {
        return;
    }
    let filter = egui::EventFilter { horizontal_arrows: true, ..egui::EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let pressed = |key| ui.input(|input| input.key_pressed(key));
    if pressed(egui::Key::ArrowRight) && !open {
        fold(state, campaign, true);
    }
    if pressed(egui::Key::ArrowLeft) && open {
        fold(state, campaign, false);
    }
    if pressed(egui::Key::Delete) {
        remove(state, campaign);
    }
}

fn paths(state: &State, campaign: &Campaign) -> Vec<String> {
    let sources = state.store.sources();
    campaign
        .sources
        .iter()
        .filter_map(|index| sources.get(*index as usize))
        .map(|source| source.path().to_owned())
        .collect()
}

fn remove(state: &mut State, campaign: &Campaign) {
    for path in paths(state, campaign) {
        state.act(Action::RemoveSource(path));
    }
}

/// What an entry of a campaign's menu does; told whether its files are listed.
type Choice = fn(&mut State, &Campaign, bool);

fn campaign_menu(ui: &mut Ui, state: &mut State, campaign: &Campaign, open: bool) {
    let fold_text = if open { "Hide its files" } else { "Show its files" };
    let choices: [(&str, Choice); 6] = [
        ("Files and conditions…", |state, campaign, _| {
            state.act(Action::Sheet(Some(Sheet::Import { campaign: campaign.name.clone() })));
        }),
        ("Rerun…", |state, campaign, _| {
            let query = crate::edits::campaign_query(&triptych_store::Query::default(), &campaign.name);
            state.act(Action::Rerun(state.store.runs(&query)));
        }),
        (fold_text, |state, campaign, open| fold(state, campaign, !open)),
        ("Read again", |state, campaign, _| {
            let paths = paths(state, campaign);
            state.act(Action::Reload(paths));
        }),
        ("Copy the path", |state, campaign, _| {
            state.act(Action::Copy { text: campaign.root.clone(), what: "the path".to_owned() });
        }),
        ("Remove from the workspace", |state, campaign, _| remove(state, campaign)),
    ];
    for (text, run) in choices {
        if ui.button(text).clicked() {
            run(state, campaign, open);
            ui.close();
        }
    }
}

/// What a file gave, for the right end of its row.
fn gave(source: &Source) -> String {
    let data = &source.data;
    let amounts = [
        (data.runs.len(), "run", "runs"),
        (data.samples.len(), "sample", "samples"),
        (data.requests.len(), "request", "requests"),
    ];
    amounts
        .into_iter()
        .find(|(count, ..)| *count > 0)
        .map_or_else(|| "nothing".to_owned(), |(count, one, many)| kit::counted(count, one, many))
}

fn file_row(ui: &mut Ui, state: &mut State, theme: &Theme, campaign: &Campaign, index: u32) {
    let Some(source) = state.store.sources().get(index as usize) else { return };
    let excluded = state.store.corrections().excluded.contains(source.path());
    let severity = if source.data.error.is_some() {
        Some(Severity::Error)
    } else {
        (source.data.warnings() > 0).then_some(Severity::Warning)
    };
    let gave = if excluded { "left out".to_owned() } else { gave(source) };
    let formats = source.data.formats.join(", ");
    let path = source.path().to_owned();
    let shown = kit::tail(&path, &campaign.root).to_owned();
    let (rect, response) = kit::row(ui, theme, row_height(ui), false, &format!("{shown}, {formats}, {gave}"));
    let mut right = rect.right() - size::EDGE;
    if gave != "1 run" {
        let at = pos2(right, rect.center().y);
        right = paint_text(ui, at, Align2::RIGHT_CENTER, &gave, small(ui), theme.t3, 200.0).left() - 8.0;
    }
    if let Some(severity) = severity {
        kit::severity_mark(ui, pos2(right - 6.0, rect.center().y), severity, theme);
        right -= 18.0;
    }
    let ink = if excluded { theme.t4 } else { theme.t2 };
    kit::paint_path(ui, kit::left(rect, 34.0), &shown, ink, right - rect.left() - 34.0);
    if response.clicked() {
        state.act(Action::ShowSource { source: path.clone(), line: 1 });
    }
    response.context_menu(|ui| {
        let toggle = if excluded { "Count it again" } else { "Leave it out" };
        if ui.button(toggle).clicked() {
            let mut corrections = state.store.corrections().clone();
            if !corrections.excluded.remove(&path) {
                corrections.excluded.insert(path.clone());
            }
            state.act(Action::Correct(corrections));
            ui.close();
        }
        if ui.button("Read again").clicked() {
            state.act(Action::Reload(vec![path.clone()]));
            ui.close();
        }
        if ui.button("Copy the path").clicked() {
            state.act(Action::Copy { text: path.clone(), what: "the path".to_owned() });
            ui.close();
        }
        if ui.button("Remove from the workspace").clicked() {
            state.act(Action::RemoveSource(path.clone()));
            ui.close();
        }
    });
    response.on_hover_text(format!("{path}\n{formats}"));
}

/// A quiet row that leads to the problems.
fn rest_row(ui: &mut Ui, state: &mut State, theme: &Theme, text: &str, severity: Option<Severity>) {
    let (rect, response) = kit::row(ui, theme, row_height(ui), false, text);
    if let Some(severity) = severity {
        kit::severity_mark(ui, kit::left(rect, 19.0), severity, theme);
    }
    let ink = if severity.is_some() { theme.failed } else { theme.t3 };
    paint_text(ui, kit::left(rect, 34.0), Align2::LEFT_CENTER, text, small(ui), ink, rect.width() - 46.0);
    if response.clicked() {
        state.act(Action::Command("show-problems"));
    }
    response.on_hover_text("shows why");
}
