//! The first screen: what a newcomer can do, a look at the sample data, and what was open lately.

use crate::action::Action;
use crate::commands;
use crate::jobs::Kind;
use crate::state::{Recent, State};
use crate::theme::Theme;
use crate::widgets::{self, ButtonKind, Icon};
use egui::{Align2, RichText, Sense, Ui, Vec2};
use triptych_report::Marker;

/// What the entries are: command, icon, words.
const ENTRIES: &[(&str, Icon, &str)] = &[
    ("open-files", Icon::File, "time, svnbench, hyperfine, pidstat, svnserve logs, mails"),
    ("open-folder", Icon::Folder, "every log below it; the path says which build, cache state and run"),
    ("paste", Icon::Copy, "text from the clipboard is a source like any other"),
    ("type-path", Icon::Right, "where no file dialog is available"),
    ("make-demo-lab", Icon::Lab, "a small repository in formats 6, 7 and 8, made here with svnadmin"),
];

/// The entry above which a line separates opening from measuring.
const MEASURING: &str = "make-demo-lab";

/// The published figures of 2013 for `svnadmin verify`, as printed, to show what a triple is.
const EXAMPLE: &[(&str, [f32; 3], [&str; 2])] = &[
    ("USB cold", [270.5, 246.3, 104.4], ["1.10", "2.59"]),
    ("USB hot", [248.0, 191.0, 60.8], ["1.30", "4.08"]),
    ("SSD cold", [66.1, 62.0, 59.4], ["1.07", "1.11"]),
    ("SSD hot", [63.2, 60.0, 57.1], ["1.05", "1.11"]),
];

/// Shows it in the middle of the window.
pub fn ui(ui: &mut Ui, state: &mut State) {
    let theme = state.theme.clone();
    egui::CentralPanel::no_frame().frame(egui::Frame::new().fill(theme.s0)).show(ui, |ui| {
        if state.loading() {
            reading(ui, state, &theme);
            return;
        }
        egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            let two_columns = ui.available_width() >= 1000.0;
            let (left, right, gap) = (528.0_f32, 444.0_f32, 84.0_f32);
            let total = if two_columns { left + gap + right } else { left.min(ui.available_width() - 24.0) };
            let margin = ((ui.available_width() - total) / 2.0).max(12.0);
            ui.add_space(((ui.available_height() - 500.0) * 0.42).max(24.0));
            ui.horizontal_top(|ui| {
                ui.add_space(margin);
                ui.vertical(|ui| {
                    ui.set_width(left.min(total));
                    actions(ui, state, &theme);
                    if !two_columns {
                        ui.add_space(24.0);
                        cards(ui, state, &theme);
                    }
                });
                if two_columns {
                    ui.add_space(gap - 8.0);
                    ui.vertical(|ui| {
                        ui.set_width(right);
                        cards(ui, state, &theme);
                    });
                }
            });
        });
    });
}

/// While the first files are read: where, how far, and a way out.
fn reading(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let Some(step) = state.jobs.running(Kind::Load).map(crate::jobs::Running::step) else { return };
    ui.add_space(ui.available_height() * 0.36);
    ui.vertical_centered(|ui| {
        ui.label(RichText::new("Reading").font(egui::TextStyle::Heading.resolve(ui.style())).color(theme.t1));
        ui.add_space(8.0);
        let share = step.share();
        widgets::progress_bar(ui, theme, 420.0, share);
        ui.add_space(4.0);
        let text = if step.total == 0 {
            step.what
        } else {
            format!("{} of {}  {}", step.done + 1, step.total, step.what)
        };
        ui.label(RichText::new(text).monospace().color(theme.t3));
        ui.add_space(8.0);
        if widgets::button(ui, theme, ButtonKind::Outline, None, "Cancel").clicked() {
            state.act(Action::Command("cancel"));
        }
    });
}

fn actions(ui: &mut Ui, state: &mut State, theme: &Theme) {
    ui.spacing_mut().item_spacing.y = 4.0;
    ui.horizontal(|ui| {
        ui.add_space(14.0);
        ui.vertical(|ui| {
            let font = egui::TextStyle::Name("figure".into()).resolve(ui.style());
            ui.label(RichText::new("Which build is faster, and where?").font(font).color(theme.t1));
            ui.add_space(2.0);
            let text = "Open the logs of a benchmark. Triptych finds the runs in them, puts the builds side by side, and says what the figures prove.";
            ui.add(egui::Label::new(RichText::new(text).color(theme.t2)).wrap());
        });
    });
    ui.add_space(18.0);
    for (index, (id, icon, words)) in ENTRIES.iter().enumerate() {
        if *id == MEASURING {
            ui.add_space(6.0);
            let (rect, _) = ui.allocate_exact_size(Vec2::new(ui.available_width(), 1.0), Sense::hover());
            let across = rect.left() + 14.0..=rect.right() - 14.0;
            ui.painter().hline(across, rect.center().y, egui::Stroke::new(1.0, theme.line));
            ui.add_space(6.0);
        }
        entry(ui, state, theme, (id, *icon, words), index == 0);
    }
}

fn entry(
    ui: &mut Ui,
    state: &mut State,
    theme: &Theme,
    (id, icon, words): (&'static str, Icon, &str),
    main: bool,
) {
    let Some(command) = commands::find(id) else { return };
    let scale = widgets::text_scale(ui);
    let (rect, response) =
        ui.allocate_exact_size(Vec2::new(ui.available_width(), 50.0 * scale.max(1.0)), Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, command.text));
    if main || response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, 4.0, if response.hovered() { theme.s4 } else { theme.s3 });
    }
    let icon_rect =
        egui::Rect::from_center_size(egui::pos2(rect.left() + 22.0, rect.center().y), Vec2::splat(16.0));
    widgets::paint_icon(ui.painter(), icon_rect, icon, if main { theme.accent } else { theme.t2 });
    let left = rect.left() + 48.0;
    let keys = command.keys.as_ref().map(commands::keys_text).unwrap_or_default();
    let keys_rect = key_cap(ui, theme, egui::pos2(rect.right() - 14.0, rect.center().y), &keys);
    let width = keys_rect.left() - left - 12.0;
    widgets::paint_text(
        ui,
        egui::pos2(left, rect.center().y - 1.0),
        Align2::LEFT_BOTTOM,
        command.text,
        widgets::named(ui),
        theme.t1,
        width,
    );
    widgets::paint_text(
        ui,
        egui::pos2(left, rect.center().y + 3.0),
        Align2::LEFT_TOP,
        words,
        widgets::small(ui),
        theme.t3,
        width,
    );
    widgets::focus_ring(ui, &response, rect, theme);
    if response.clicked() {
        state.act(Action::Command(id));
    }
}

/// Keys on a small plate whose right middle is at `at`.
fn key_cap(ui: &Ui, theme: &Theme, at: egui::Pos2, keys: &str) -> egui::Rect {
    let galley = ui.painter().layout_no_wrap(keys.to_owned(), widgets::small(ui), theme.t2);
    let size = galley.size() + Vec2::new(10.0, 6.0);
    let rect = egui::Rect::from_min_size(egui::pos2(at.x - size.x, at.y - size.y / 2.0), size);
    ui.painter().rect_filled(rect, 3.0, theme.s3);
    ui.painter().galley(rect.min + Vec2::new(5.0, 3.0), galley, theme.t2);
    rect
}

fn card(ui: &mut Ui, theme: &Theme, content: impl FnOnce(&mut Ui)) {
    egui::Frame::new().fill(theme.s2).corner_radius(6.0).inner_margin(12.0).show(ui, |ui| {
        ui.set_width(ui.available_width());
        content(ui);
    });
}

fn cards(ui: &mut Ui, state: &mut State, theme: &Theme) {
    card(ui, theme, |ui| sample_card(ui, state, theme));
    if !state.settings.recent.is_empty() {
        ui.add_space(8.0);
        card(ui, theme, |ui| recent_card(ui, state, theme));
    }
}

fn sample_card(ui: &mut Ui, state: &mut State, theme: &Theme) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("Sample data").font(widgets::strong(ui)).color(theme.t1));
        ui.label(RichText::new("four published benchmarks, 2003 to 2013, and genuine logs").color(theme.t3));
    });
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        ui.label(RichText::new("svnadmin verify").font(widgets::named(ui)).color(theme.t1));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.label(RichText::new("trunk / variant").small().color(theme.t3));
        });
    });
    example_bars(ui, theme);
    ui.add_space(12.0);
    ui.horizontal(|ui| {
        if widgets::button(ui, theme, ButtonKind::Main, None, "Open the sample data").clicked() {
            state.act(Action::Command("open-samples"));
        }
    });
}

fn example_bars(ui: &mut Ui, theme: &Theme) {
    let scale = widgets::text_scale(ui);
    let pitch = 34.0 * scale.max(1.0);
    let (rect, _) = ui.allocate_exact_size(
        Vec2::new(ui.available_width(), pitch * EXAMPLE.len() as f32 + 24.0),
        Sense::hover(),
    );
    let (left, right) = (rect.left() + 64.0 * scale, rect.right() - 92.0 * scale);
    let painter = ui.painter();
    let longest =
        EXAMPLE.iter().flat_map(|(_, times, _)| times).fold(0.0_f32, |longest, time| longest.max(*time));
    for (row, (name, times, ratios)) in EXAMPLE.iter().enumerate() {
        let top = rect.top() + pitch * row as f32 + 4.0;
        let middle = top + 13.0;
        painter.text(
            egui::pos2(rect.left(), middle),
            Align2::LEFT_CENTER,
            name,
            widgets::small(ui),
            theme.t2,
        );
        for (index, time) in times.iter().enumerate() {
            let y = top + 9.0 * index as f32;
            let bar = egui::Rect::from_min_size(
                egui::pos2(left, y),
                Vec2::new((right - left) * time / longest, 8.0),
            );
            painter.rect_filled(bar, 0.0, theme.variants[index]);
        }
        let (first, second) = (rect.right() - 46.0 * scale, rect.right());
        painter.text(egui::pos2(first, middle), Align2::RIGHT_CENTER, ratios[0], widgets::body(ui), theme.t2);
        painter.text(
            egui::pos2(second, middle),
            Align2::RIGHT_CENTER,
            ratios[1],
            widgets::strong(ui),
            theme.t1,
        );
    }
    let bottom = rect.top() + pitch * EXAMPLE.len() as f32;
    painter.vline(left - 0.5, rect.top()..=bottom - 2.0, egui::Stroke::new(1.0, theme.line2));
    let mut x = left;
    for (index, name) in ["trunk", "branch6", "branch7"].into_iter().enumerate() {
        let marker = Marker::of_variant(u16::try_from(index).unwrap_or_default());
        crate::painter::marker(
            painter,
            egui::pos2(x + 4.0, bottom + 12.0),
            marker,
            4.0,
            theme.variants[index],
            false,
        );
        let text = painter.text(
            egui::pos2(x + 13.0, bottom + 12.0),
            Align2::LEFT_CENTER,
            name,
            widgets::small(ui),
            theme.t2,
        );
        x = text.right() + 18.0;
    }
    painter.text(
        egui::pos2(rect.right(), bottom + 12.0),
        Align2::RIGHT_CENTER,
        "as printed, seconds",
        widgets::small(ui),
        theme.t3,
    );
}

fn recent_card(ui: &mut Ui, state: &mut State, theme: &Theme) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("Recent").font(widgets::strong(ui)).color(theme.t1));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if widgets::link(ui, theme, "clear").clicked() {
                state.settings.recent.clear();
            }
        });
    });
    let recents: Vec<Recent> = state.settings.recent.iter().take(6).cloned().collect();
    for recent in recents {
        recent_row(ui, state, theme, &recent);
    }
}

fn recent_row(ui: &mut Ui, state: &mut State, theme: &Theme, recent: &Recent) {
    let name = recent.path.file_name().unwrap_or(recent.path.as_os_str()).to_string_lossy().into_owned();
    let parent = recent.path.parent().map(|parent| parent.display().to_string()).unwrap_or_default();
    let (rect, response) = ui.allocate_exact_size(
        Vec2::new(ui.available_width(), 38.0 * widgets::text_scale(ui).max(1.0)),
        Sense::click(),
    );
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Open {name}")));
    if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect.expand2(Vec2::new(6.0, 0.0)), 4.0, theme.s3);
    }
    let icon = if crate::open::is_workspace(&recent.path) {
        Icon::Table
    } else if recent.path.extension().is_some() {
        Icon::File
    } else {
        Icon::Folder
    };
    widgets::paint_icon(
        ui.painter(),
        egui::Rect::from_center_size(egui::pos2(rect.left() + 8.0, rect.center().y), Vec2::splat(14.0)),
        icon,
        theme.t3,
    );
    let summary = ui.painter().text(
        egui::pos2(rect.right(), rect.center().y),
        Align2::RIGHT_BOTTOM,
        &recent.summary,
        widgets::small(ui),
        theme.t2,
    );
    ui.painter().text(
        egui::pos2(rect.right(), rect.center().y + 2.0),
        Align2::RIGHT_TOP,
        ago(recent.opened),
        widgets::small(ui),
        theme.t3,
    );
    let left = rect.left() + 26.0;
    let width = (summary.left() - left - 12.0).min(rect.width() - 140.0);
    widgets::paint_text(
        ui,
        egui::pos2(left, rect.center().y + 1.0),
        Align2::LEFT_BOTTOM,
        &name,
        widgets::named(ui),
        theme.t1,
        width,
    );
    widgets::paint_text(
        ui,
        egui::pos2(left, rect.center().y + 2.0),
        Align2::LEFT_TOP,
        &parent,
        widgets::small(ui),
        theme.t3,
        width,
    );
    if response.clicked() {
        state.act(Action::Open(vec![recent.path.clone()]));
    }
}

/// Relative up to a week, else the number of days.
fn ago(opened: i64) -> String {
    let now =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let secs = i64::try_from(now).unwrap_or(i64::MAX).saturating_sub(opened).max(0);
    match secs {
        0..60 => "just now".to_owned(),
        60..3600 => format!("{} minutes ago", secs / 60),
        3600..86_400 => format!("{} hours ago", secs / 3600),
        86_400..172_800 => "yesterday".to_owned(),
        _ => format!("{} days ago", secs / 86_400),
    }
}
