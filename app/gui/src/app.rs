//! How a frame goes: answers of jobs and wishes of widgets are carried out in `logic`, panels are shown in `ui`.

use crate::action::{Action, Place};
use crate::jobs::{Jobs, Kind};
use crate::state::{Answer, Arrangement, BottomTab, Sheet, Snapshot, State, TileQuery};
use crate::theme::{self, Theme};
use crate::tiles::Tile;
use crate::toasts::{Toast, Toasts};
use crate::workspace::{Content, Saved};
use crate::{
    Options, bars, commands, edits, fonts, menus, open, panels, requests, run, settings, sheets, start,
    tiles, toast_ui, workspace,
};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use triptych_store::Query;

/// How long answers are taken in before a frame is painted.
const DRAIN: Duration = Duration::from_millis(10);

/// The program's window.
pub struct App {
    /// Everything it knows.
    pub(crate) state: State,
    settings_path: Option<PathBuf>,
    applied: Option<Applied>,
    saved_settings: crate::state::Settings,
}

/// What egui's style was last filled from.
#[derive(PartialEq)]
struct Applied {
    theme: Theme,
    text_scale: f32,
    reduce_motion: bool,
}

impl App {
    /// The window with the user's settings; starts reading what it was given.
    pub fn new(ctx: &egui::Context, options: Options) -> Self {
        let settings_path = settings::path();
        let (settings, complaint) = settings_path.as_deref().map(settings::load).unwrap_or_default();
        let mut app = Self::with_settings(ctx, settings);
        app.settings_path = settings_path;
        if let Some(look) = options.look {
            app.state.settings.look = look;
        }
        if let Some(complaint) = complaint {
            app.state.toasts.push(Toast::warning(complaint));
        }
        if !options.paths.is_empty() {
            open::open(&mut app.state, options.paths);
        }
        app
    }

    /// The window with these settings, which are not saved; for tests.
    pub fn with_settings(ctx: &egui::Context, settings: crate::state::Settings) -> Self {
        fonts::install(ctx);
        let waker = ctx.clone();
        let state = State {
            store: Arc::new(open::empty_store()),
            arrangement: Arrangement::default(),
            undo: crate::undo::Undo::default(),
            theme: Theme::of(settings.look, true),
            settings: settings.clone(),
            workspace: None,
            notes: String::new(),
            saved: false,
            watching: crate::watch::Watching::default(),
            jobs: Jobs::new(move || waker.request_repaint_after(Duration::from_millis(10))),
            actions: Vec::new(),
            toasts: Toasts::default(),
            selection: Vec::new(),
            bottom_tab: BottomTab::default(),
            sheet: None,
            palette: None,
            tile_data: std::collections::BTreeMap::new(),
            comparison: Arc::default(),
            comparison_asked: None,
            link: crate::state::Link::default(),
            shown_source: None,
            used_tile: None,
            waiting: std::collections::VecDeque::new(),
            panels: panels::Memory::default(),
            run: crate::run::Run::default(),
            requests: crate::requests::Memory::default(),
            sheets: sheets::Drafts::default(),
        };
        let mut app = Self { state, settings_path: None, applied: None, saved_settings: settings };
        app.apply_theme(ctx);
        app
    }

    /// Reads files as if they had been given as arguments.
    pub fn open(&mut self, paths: Vec<PathBuf>) {
        open::open(&mut self.state, paths);
    }

    /// Whether no work is going on.
    pub fn is_idle(&self) -> bool {
        self.state.jobs.is_idle_but(Kind::Watch) && self.state.actions.is_empty()
    }

    fn apply_theme(&mut self, ctx: &egui::Context) {
        let settings = &self.state.settings;
        let mut theme = Theme::of(settings.look, ctx.system_theme() != Some(egui::Theme::Light));
        theme.patterns |= settings.patterns;
        // Nothing fades while something is measured.
        let reduce_motion = settings.reduce_motion || self.state.run.is_going();
        let wanted = Applied { theme, text_scale: settings.text_scale, reduce_motion };
        if self.applied.as_ref() != Some(&wanted) {
            theme::apply(ctx, &wanted.theme, wanted.text_scale, wanted.reduce_motion);
            self.state.theme = wanted.theme.clone();
            self.applied = Some(wanted);
            ctx.request_repaint();
        }
    }

    /// Carries out what happened since the last frame; paints nothing.
    pub fn work(&mut self, ctx: &egui::Context) {
        let begun = Instant::now();
        while let Some((kind, result)) = self.state.jobs.poll() {
            match result {
                Ok(answer) => take_answer(&mut self.state, answer),
                Err(text) => self.state.toasts.push(Toast::error(sentence(kind, &text))),
            }
            if kind == Kind::Load {
                open::read_next(&mut self.state);
                crate::watch::look_on(&mut self.state);
            }
            if begun.elapsed() > DRAIN {
                ctx.request_repaint();
                break;
            }
        }
        for action in std::mem::take(&mut self.state.actions) {
            perform(&mut self.state, ctx, action);
        }
        run::work(&mut self.state, ctx);
        requests::work(&mut self.state);
        request_comparison(&mut self.state);
        tiles::request_data(&mut self.state);
        self.apply_theme(ctx);
        self.keep_settings();
        if let Some(wait) = self.state.toasts.next_change() {
            ctx.request_repaint_after(wait + Duration::from_millis(20));
        }
    }

    fn keep_settings(&mut self) {
        if self.state.settings != self.saved_settings {
            self.saved_settings = self.state.settings.clone();
            if let Some(path) = &self.settings_path
                && let Err(error) = settings::save(path, &self.saved_settings)
            {
                self.state.toasts.push(Toast::warning(format!("Settings were not saved: {error}")));
                self.settings_path = None;
            }
        }
    }

    /// Shows the window.
    pub fn show(&mut self, ui: &mut egui::Ui) {
        let ctx = ui.ctx().clone();
        let state = &mut self.state;
        if state.sheet.is_none() && state.palette.is_none() {
            commands::listen(state, &ctx);
        }
        take_drops(state, &ctx);
        menus::menu_bar(ui, state);
        bars::status_line(ui, state);
        if state.run.shown {
            run::view::ui(ui, state);
        } else if state.is_empty() {
            start::ui(ui, state);
        } else if requests::is_shown(state) {
            requests::ui(ui, state);
        } else {
            bars::query_bar(ui, state);
            panels_ui(ui, state);
        }
        sheets::ui(&ctx, state);
        crate::palette::ui(&ctx, state);
        toast_ui::toasts(&ctx, state);
        toast_ui::drop_hint(&ctx, state);
        if !state.actions.is_empty() {
            ctx.request_repaint();
        }
    }
}

impl eframe::App for App {
    fn logic(&mut self, ctx: &egui::Context, _frame: &mut eframe::Frame) {
        self.work(ctx);
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.show(ui);
    }

    fn clear_color(&self, _visuals: &egui::Visuals) -> [f32; 4] {
        self.state.theme.s0.to_normalized_gamma_f32()
    }
}

/// Below this width at text scale 1 Details hides until something is selected.
const NARROW: f32 = 1380.0;

/// Below this width at text scale 1 there is room for one panel at a time.
const ONE_PANEL: f32 = 640.0;

/// The panels one at a time, chosen by tabs.
fn one_panel(ui: &mut egui::Ui, state: &mut State) {
    let theme = state.theme.clone();
    let kept = egui::Id::unique("the one panel");
    let mut shown: usize = ui.data(|data| data.get_temp(kept)).unwrap_or(1);
    let frame = egui::Frame::new().fill(theme.s1);
    egui::Panel::top("panels").frame(frame).show_separator_line(true).show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            for (index, name) in ["Sources", "Charts", "Results", "Details"].into_iter().enumerate() {
                if crate::widgets::tab(ui, &theme, name, None, shown == index).clicked() {
                    shown = index;
                }
            }
        });
    });
    ui.data_mut(|data| data.insert_temp(kept, shown));
    let (fill, margin) = if matches!(shown, 0 | 3) { (theme.s1, 0) } else { (theme.s0, 4) };
    let frame = egui::Frame::new().fill(fill).inner_margin(margin);
    egui::CentralPanel::no_frame().frame(frame).show(ui, |ui| match shown {
        0 => left_ui(ui, state),
        1 => tiles::tiles_ui(ui, state),
        2 => bars::bottom(ui, state),
        _ => panels::details::ui(ui, state),
    });
}

/// Side panels, bottom and tiles; sizes by LOOK §7.
fn panels_ui(ui: &mut egui::Ui, state: &mut State) {
    let width = ui.available_width();
    let theme = state.theme.clone();
    let scale = crate::widgets::text_scale(ui);
    if width < ONE_PANEL * scale {
        return one_panel(ui, state);
    }
    let side = |fill| egui::Frame::new().fill(fill).inner_margin(egui::Margin::symmetric(0, 0));
    let free = width / scale.max(1.0);
    let (left, right) = if free >= 2200.0 {
        (280.0, 380.0)
    } else if free >= NARROW {
        (236.0, 300.0)
    } else {
        (208.0, 280.0)
    };
    if state.arrangement.left {
        // Another text size begins with room for it, whatever was dragged at the last one.
        egui::Panel::left(egui::Id::unique(("left", scale.to_bits())))
            .frame(side(theme.s1))
            .default_size((left * scale).min(width * 0.26))
            .size_range((width * 0.2).min(160.0)..=width * 0.3)
            .show_separator_line(false)
            .show(ui, |ui| {
                left_ui(ui, state);
            });
    }
    // In a small window Details takes its room only while it has something to say.
    let wanted = free >= NARROW || !state.selection.is_empty() || state.shown_source.is_some();
    let details = (state.arrangement.details && wanted).then(|| {
        let panel = egui::Panel::right(egui::Id::unique(("right", scale.to_bits())))
            .frame(side(theme.s1))
            .default_size((right * scale).min(width * 0.3))
            .size_range((width * 0.2).min(220.0)..=width * 0.4);
        reserve(ui, panel)
    });
    let gap = egui::Margin::same(4);
    let bottom = state.arrangement.bottom.then(|| {
        let height = ui.available_height();
        let panel = egui::Panel::bottom("bottom")
            .frame(egui::Frame::new().fill(theme.s0).inner_margin(egui::Margin { top: 0, ..gap }))
            .default_size((height * 0.32).clamp(160.0, 300.0))
            .size_range(90.0..=(height * 0.8).max(91.0));
        reserve(ui, panel)
    });
    egui::CentralPanel::no_frame()
        .frame(egui::Frame::new().fill(theme.s0).inner_margin(gap))
        .show(ui, |ui| tiles::tiles_ui(ui, state));
    if let Some(rect) = bottom {
        within(ui, rect, "bottom content", |ui| bars::bottom(ui, state));
    }
    if let Some(rect) = details {
        within(ui, rect, "details content", |ui| panels::details::ui(ui, state));
    }
}

/// A panel whose content comes later, so that Tab walks in reading order: tiles, bottom, Details.
pub(crate) fn reserve(ui: &mut egui::Ui, panel: egui::Panel) -> egui::Rect {
    let filled = panel.show_separator_line(false).show(ui, |ui| {
        let rect = ui.available_rect_before_wrap();
        ui.allocate_rect(rect, egui::Sense::hover());
        rect
    });
    filled.inner
}

/// Shows content in a place that was reserved.
pub(crate) fn within(ui: &mut egui::Ui, rect: egui::Rect, salt: &str, content: impl FnOnce(&mut egui::Ui)) {
    ui.scope_builder(egui::UiBuilder::new().max_rect(rect).id_salt(salt), |ui| {
        ui.set_clip_rect(rect.expand(1.0));
        content(ui);
    });
}

fn left_ui(ui: &mut egui::Ui, state: &mut State) {
    let height = ui.available_height();
    let usual = (height * 0.26).max(140.0);
    egui::Panel::top("sources")
        .frame(egui::Frame::new())
        .resizable(true)
        .default_size(panels::sources::wanted_height(ui, state).min(height * 0.4).max(usual))
        .size_range(80.0..=(height * 0.7).max(81.0))
        .show_separator_line(true)
        .show(ui, |ui| panels::sources::ui(ui, state));
    egui::CentralPanel::no_frame().show(ui, |ui| panels::facets::ui(ui, state));
}

fn take_drops(state: &mut State, ctx: &egui::Context) {
    let (dropped, pasted) = ctx.input(|input| {
        let pasted = input.events.iter().find_map(|event| match event {
            egui::Event::Paste(text) => Some(text.clone()),
            _ => None,
        });
        (input.raw.dropped_files.clone(), pasted)
    });
    let paths: Vec<PathBuf> = dropped
        .into_iter()
        .map(|file| file.path().to_owned())
        .filter(|path| !path.as_os_str().is_empty())
        .collect();
    if !paths.is_empty() {
        state.act(Action::Open(paths));
    }
    if let Some(text) = pasted
        && !ctx.text_edit_focused()
        && state.sheet.is_none()
        && state.palette.is_none()
    {
        state.act(Action::OpenText(text));
    }
}

fn take_answer(state: &mut State, answer: Answer) {
    match answer {
        Answer::Loaded(answer) => open::take_in(state, *answer),
        Answer::Chart(tile, answer) => {
            let data = state.tile_data.entry(tile).or_default();
            data.answer = Some(answer);
            data.version += 1;
        }
        Answer::Comparison(comparison) => state.comparison = comparison,
        Answer::Paths(paths) => open::open(state, paths),
        Answer::SaveAs(path, content) => workspace::write(state, path, content),
        Answer::Saved(path, what) => {
            if what == Saved::Workspace {
                state.workspace = Some(path.clone());
                state.saved = true;
            }
            state.toasts.push(Toast::note(format!("Saved {}", path.display())));
        }
        Answer::Preview(preview) => sheets::previewed(state, *preview),
        Answer::RawLines(lines) => state.panels.lines_read(*lines),
        Answer::RunnerGone => {}
        Answer::Changed(news) => crate::watch::read_news(state, &news),
        Answer::Requests(found) => requests::take(state, *found),
        Answer::RequestClients(generation, index) => requests::take_clients(state, generation, index),
        Answer::RequestBins(version, bins) => requests::take_bins(state, version, bins),
        Answer::RequestDetails(row, details) => requests::take_details(state, row, details),
        Answer::Interrupted(found) => state.sheet = Some(Sheet::Resume { found }),
        Answer::NoChoice(typed) => {
            let toast = Toast::note("No file was chosen. Where no dialog appears, a path can be typed");
            state.toasts.push(toast.offer("Type a path", Action::Sheet(Some(typed))));
        }
    }
}

fn sentence(kind: Kind, text: &str) -> String {
    match kind {
        Kind::Load => format!("Nothing was read: {text}"),
        Kind::Chart(_) => format!("A chart could not be made: {text}"),
        Kind::Dialog => format!("The file dialog failed: {text}"),
        Kind::Save => format!("Not saved: {text}"),
        Kind::Preview => format!("No preview: {text}"),
        Kind::RawLines => format!("The lines were not read again: {text}"),
        Kind::LabFile => format!("The file was not read: {text}"),
        Kind::LabCheck => format!("The lab was not checked: {text}"),
        Kind::Lab => format!("The lab was not made: {text}"),
        Kind::Watch => format!("Watching ended: {text}"),
        Kind::Run => format!("The run ended: {text}"),
        Kind::Requests | Kind::RequestBins => format!("The requests were not counted: {text}"),
        Kind::RequestClients => format!("The clients were not read: {text}"),
        Kind::RequestDetails => format!("The request was not read again: {text}"),
    }
}

/// Asks for the triples of the window's query when it or the store has changed.
fn request_comparison(state: &mut State) {
    let wanted = (state.store.generation(), state.arrangement.query.clone());
    if state.comparison_asked.as_ref() == Some(&wanted) {
        return;
    }
    let (store, query) = (Arc::clone(&state.store), wanted.1.clone());
    state.comparison_asked = Some(wanted);
    state.jobs.start(Kind::Chart(0), move |_| {
        Ok(Answer::Comparison(Arc::new(triptych_report::compare(&store, &query))))
    });
}

/// Carries out one wish.
fn perform(state: &mut State, ctx: &egui::Context, action: Action) {
    match action {
        Action::Command(id) => {
            if let Some(command) = commands::find(id)
                && (command.blocked)(state).is_none()
            {
                (command.run)(state, ctx);
            }
        }
        Action::Open(paths) => open::open(state, paths),
        Action::OpenText(text) => open::open_text(state, text),
        Action::RemoveSource(path) => {
            let mut store = (*state.store).clone();
            let removed = store.sources().iter().find(|source| source.path() == path);
            state.watching.removed.extend(removed.and_then(|source| source.file.clone()));
            store.remove(&path);
            replace_store(state, store);
        }
        Action::Reload(paths) => open::reload_some(state, &paths),
        Action::ReadAs(paths, reading) => open::read_as(state, &paths, &reading),
        Action::ExplainTables { source, tables, remember } => open::explain(state, &source, tables, remember),
        Action::SetQuery(query) => arrange(state, |arrangement| arrangement.query = query),
        Action::ToggleFacet(column, value) => edits::toggle_facet(state, column, &value),
        Action::OnlyFacet(column, value) => edits::only_facet(state, column, value),
        Action::ShowCampaign(name) => {
            let query = edits::campaign_query(&state.arrangement.query, &name);
            state.selection.clear();
            arrange(state, |arrangement| arrangement.query = query);
        }
        Action::Select(runs) => {
            state.shown_source = None;
            state.selection = runs;
        }
        Action::Correct(corrections) => {
            let before = state.snapshot();
            let mut store = (*state.store).clone();
            store.set_corrections(corrections);
            state.undo.keep(before);
            replace_store(state, store);
        }
        Action::AddTile { beside, view, place } => arrange(state, |arrangement| {
            arrangement.tiles.add(Tile::new(0, &view), beside, place);
        }),
        Action::DuplicateTile(id) => duplicate(state, id, false),
        Action::CompareTile(id) => state.sheet = Some(Sheet::Compare { tile: id }),
        Action::CompareWith { tile, query, run } => compare_with(state, tile, query, run),
        Action::CloseTile(id) => arrange(state, |arrangement| arrangement.tiles.close(id)),
        Action::SetTileQuery(id, query) => arrange(state, |arrangement| {
            if let Some(tile) = arrangement.tiles.pane_mut(id) {
                tile.query = query;
            }
        }),
        Action::ToggleLink(id) => arrange(state, |arrangement| {
            if let Some(tile) = arrangement.tiles.pane_mut(id) {
                tile.linked = !tile.linked;
            }
        }),
        Action::Sheet(sheet) => state.sheet = sheet,
        Action::Copy { text, what } => copy(state, text, &what),
        Action::SaveTo { path, content } => workspace::write(state, path, content),
        Action::SaveText { name, text } => workspace::ask(state, name, Content::Text(text)),
        Action::ShowSource { source, line } => {
            state.arrangement.details = true;
            state.shown_source = Some((source, line));
        }
        Action::RunPlan(request) => run::start(state, *request),
        Action::Rerun(runs) => state.sheet = Some(Sheet::Rerun { runs }),
        Action::MakeDemoLab => sheets::make_demo_lab(state),
        Action::Run(wish) => run::wish(state, wish),
        Action::Requests(wish) => requests::wish(state, wish),
    }
}

/// Takes another store in its place, keeping the selection by the runs' ids.
fn replace_store(state: &mut State, store: triptych_store::Store) {
    let ids: Vec<String> =
        state.selection.iter().filter_map(|run| state.store.run(*run).map(|view| view.id)).collect();
    state.selection = ids.iter().filter_map(|id| store.run_index(id)).collect();
    state.store = Arc::new(store);
    state.saved = false;
}

/// Changes the arrangement so that undo can go back.
pub fn arrange(state: &mut State, change: impl FnOnce(&mut Arrangement)) {
    let before = state.snapshot();
    change(&mut state.arrangement);
    if before.arrangement != state.arrangement {
        state.undo.keep(before);
        state.saved = false;
        state.toasts.withdraw_undo();
    }
}

fn restore(state: &mut State, snapshot: Snapshot) {
    state.arrangement = snapshot.arrangement;
    if *state.store.corrections() != snapshot.corrections {
        let mut store = (*state.store).clone();
        store.set_corrections(snapshot.corrections);
        replace_store(state, store);
    }
    state.saved = false;
}

/// One step back.
pub fn undo(state: &mut State) {
    state.toasts.withdraw_undo();
    let now = state.snapshot();
    if let Some(before) = state.undo.undo(now) {
        restore(state, before);
    }
}

/// One step forward.
pub fn redo(state: &mut State) {
    state.toasts.withdraw_undo();
    let now = state.snapshot();
    if let Some(after) = state.undo.redo(now) {
        restore(state, after);
    }
}

fn duplicate(state: &mut State, id: u64, linked: bool) {
    let Some(mut tile) = state.arrangement.tiles.pane(id).cloned() else { return };
    if tile.query == TileQuery::Follow {
        tile.query = TileQuery::Own(Box::new(state.arrangement.query.clone()));
    }
    tile.linked |= linked;
    arrange(state, |arrangement| {
        arrangement.tiles.add(tile, Some(id), Place::Right);
    });
}

/// Puts another selection beside a tile; both then share their axes and cursor.
fn compare_with(state: &mut State, id: u64, query: Box<Query>, run: Option<String>) {
    let Some(mut tile) = state.arrangement.tiles.pane(id).cloned() else { return };
    tile.query = TileQuery::Own(query);
    tile.run = run;
    tile.nth = 0;
    tile.linked = true;
    arrange(state, |arrangement| {
        if let Some(first) = arrangement.tiles.pane_mut(id) {
            first.linked = true;
        }
        arrangement.tiles.add(tile, Some(id), Place::Right);
    });
}

/// Shows a tab of the bottom panel.
pub fn show_bottom(state: &mut State, tab: BottomTab) {
    state.bottom_tab = tab;
    state.arrangement.bottom = true;
}

/// Opens the import sheet for the campaign that is shown.
pub fn import_sheet(state: &mut State) {
    let campaign = edits::shown_campaign(state).unwrap_or_default();
    state.sheet = Some(Sheet::Import { campaign });
}

/// Larger or smaller text, 50 to 300 %.
pub fn scale_text(state: &mut State, steps: i32) {
    let percent = (state.settings.text_scale * 100.0).round() as i32 + steps * 10;
    state.settings.text_scale = percent.clamp(50, 300) as f32 / 100.0;
}

/// Puts text on the clipboard and says so only where a clipboard took it.
fn copy(state: &mut State, text: String, what: &str) {
    match crate::clipboard::set(&text) {
        Ok(()) => state.toasts.push(Toast::note(format!("Copied {what}"))),
        Err(reason) => {
            let toast = Toast::error(format!("Not copied: {reason}"));
            state
                .toasts
                .push(toast.offer("Save as…", Action::SaveText { name: "triptych.txt".to_owned(), text }));
        }
    }
}
