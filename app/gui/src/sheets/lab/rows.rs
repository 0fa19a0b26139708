//! The rows of the lab editor: builds, media, repositories with their copies, variants.

use super::super::choose::{Purpose, Slot};
use super::super::form;
use super::draft::{Draft, Kind, Place, copies};
use super::words;
use crate::panels::kit;
use crate::theme::Theme;
use crate::widgets::{ButtonKind, Icon, button, small, text_scale};
use egui::{Align, Layout, Ui, vec2};
use std::path::PathBuf;
use triptych_model::Severity;

/// Room behind a path for the cross that removes its row.
const BEHIND: f32 = 32.0;

/// What the rows ask of the sheet.
#[derive(Default)]
pub struct Wishes {
    /// The dialog for a path.
    pub choose: Option<(Purpose, PathBuf)>,
    /// A part to be taken away.
    pub remove: Option<Place>,
    /// A part that was renamed, with its name before.
    renamed: Option<(Kind, String, String)>,
}

impl Wishes {
    /// Carries out what concerns the draft.
    pub fn settle(&mut self, draft: &mut Draft) {
        if let Some((kind, before, now)) = self.renamed.take() {
            draft.renamed(kind, &before, &now);
        }
        if let Some(place) = self.remove.take() {
            draft.remove(place);
        }
    }
}

/// What all rows need.
pub struct Rows<'a> {
    /// Colours.
    pub theme: &'a Theme,
    /// What cannot be right, by place.
    pub faults: &'a [(Place, String)],
    /// Whether the desktop's dialogs are on.
    pub dialogs: bool,
    /// What is asked for.
    pub wishes: Wishes,
}

impl Rows<'_> {
    /// What is wrong with a part, below it.
    pub fn faults(&self, ui: &mut Ui, place: Place) {
        for (_, text) in self.faults.iter().filter(|(at, _)| *at == place) {
            form::remark(ui, self.theme, Severity::Error, text, "");
        }
    }

    fn name(&mut self, ui: &mut Ui, kind: Option<Kind>, value: &mut String, name: &str) {
        let before = value.clone();
        let width = (132.0 * text_scale(ui)).min(ui.available_width() * 0.4);
        if form::text(ui, self.theme, value, name, "name", width)
            && let Some(kind) = kind
        {
            self.wishes.renamed = Some((kind, before, value.clone()));
        }
    }

    /// A path that fills the line but for what stands behind it.
    fn path(&mut self, ui: &mut Ui, slot: Slot, value: &mut PathBuf, name: &str) {
        let width = ui.available_width() - BEHIND;
        if form::path(ui, self.theme, value, name, (width, self.dialogs)).choose {
            self.wishes.choose = Some((Purpose::Lab(slot), value.clone()));
        }
    }

    fn cross(&mut self, ui: &mut Ui, place: Place, name: &str) {
        if form::remove(ui, self.theme, name) {
            self.wishes.remove = Some(place);
        }
    }

    /// The same at the right end of the line.
    fn cross_at_end(&mut self, ui: &mut Ui, place: Place, called: &str) {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            self.cross(ui, place, &format!("Remove {called}"));
        });
    }

    /// The button below a list that adds a row.
    fn add(&self, ui: &mut Ui, text: &str) -> bool {
        button(ui, self.theme, ButtonKind::Quiet, Some(Icon::Plus), text).clicked()
    }

    /// Builds of Subversion.
    pub fn builds(&mut self, ui: &mut Ui, draft: &mut Draft) {
        form::section(ui, self.theme, "Builds", "directories that hold svn, svnadmin, svnserve and svnbench");
        for at in 0..draft.lab.builds.len() {
            let Some(build) = draft.lab.builds.get_mut(at) else { continue };
            let called = format!("build {}", at + 1);
            ui.horizontal(|ui| {
                self.name(ui, Some(Kind::Build), &mut build.name, &format!("name of {called}"));
                let name = format!("directory of {called}");
                self.path(ui, Slot::Build(at), &mut build.directory, &name);
                self.cross(ui, Place::Build(at), &format!("Remove {called}"));
            });
            let mut gone = None;
            for (program, path) in &mut build.programs {
                form::row(ui, self.theme, program, |ui| {
                    ui.horizontal(|ui| {
                        let name = format!("{program} of {called}");
                        let width = ui.available_width() - BEHIND;
                        form::path(ui, self.theme, path, &name, (width, false));
                        if form::remove(ui, self.theme, &format!("Use the usual {program} of {called}")) {
                            gone = Some(program.clone());
                        }
                    });
                });
            }
            if let Some(program) = gone {
                build.programs.remove(&program);
            }
            self.faults(ui, Place::Build(at));
        }
        ui.horizontal(|ui| {
            if self.add(ui, "Add a build") {
                draft.add_build();
            }
        });
    }

    /// Disks, RAM disks, shares.
    pub fn media(&mut self, ui: &mut Ui, draft: &mut Draft) {
        form::section(ui, self.theme, "Media", "a directory on each disk that repositories lie on");
        for at in 0..draft.lab.media.len() {
            let Some(medium) = draft.lab.media.get_mut(at) else { continue };
            let called = format!("medium {}", at + 1);
            ui.horizontal(|ui| {
                self.name(ui, Some(Kind::Medium), &mut medium.name, &format!("name of {called}"));
                self.path(ui, Slot::Medium(at), &mut medium.directory, &format!("directory of {called}"));
                self.cross(ui, Place::Medium(at), &format!("Remove {called}"));
            });
            self.faults(ui, Place::Medium(at));
        }
        if self.add(ui, "Add a medium") {
            draft.add_medium();
        }
    }

    /// Contents, each with its copies.
    pub fn repositories(&mut self, ui: &mut Ui, draft: &mut Draft) {
        form::section(ui, self.theme, "Repositories", "a content, and its copies in other formats");
        for at in 0..draft.lab.repositories.len() {
            self.repository(ui, draft, at);
            self.faults(ui, Place::Repository(at));
        }
        if self.add(ui, "Add a repository") {
            draft.add_repository();
        }
    }

    fn repository(&mut self, ui: &mut Ui, draft: &mut Draft, at: usize) {
        let called = format!("repository {}", at + 1);
        let media: Vec<String> = draft.lab.media.iter().map(|medium| medium.name.clone()).collect();
        let Draft { lab, texts, .. } = &mut *draft;
        let Some(repository) = lab.repositories.get_mut(at) else { return };
        ui.horizontal(|ui| {
            self.name(ui, None, &mut repository.name, &format!("name of {called}"));
            let content = match (&repository.uuid, repository.youngest) {
                (Some(uuid), Some(youngest)) => {
                    let short = uuid.split('-').next().unwrap_or_default();
                    format!("{} revisions, {short}…", kit::count(usize::try_from(youngest).unwrap_or(0)))
                }
                _ => "content not read yet".to_owned(),
            };
            kit::label(ui, content, small(ui), self.theme.t3);
            self.cross_at_end(ui, Place::Repository(at), &called);
        });
        let theme = self.theme;
        form::row(ui, theme, "asked for", |ui| {
            let width = ui.available_width();
            let name = format!("path asked for in {called}");
            form::text(
                ui,
                theme,
                &mut repository.target,
                &name,
                "the root, else a path such as trunk",
                width,
            );
        });
        form::row(ui, theme, "file for blame", |ui| {
            let mut file = repository.file.clone().unwrap_or_default();
            let (name, width) = (format!("file for blame of {called}"), ui.available_width());
            let hint = "none, else a path such as trunk/README";
            if form::text(ui, theme, &mut file, &name, hint, width) {
                repository.file = Some(file).filter(|file| !file.is_empty());
            }
        });
        form::row(ui, theme, "also called", |ui| {
            let name = format!("other names of {called}");
            words::names(ui, theme, texts, &name, &mut repository.aliases);
        });
        for index in 0..repository.copies.len() {
            let Some(copy) = repository.copies.get_mut(index) else { continue };
            let of = format!("copy {} of {called}", index + 1);
            ui.horizontal(|ui| {
                self.name(ui, Some(Kind::Copy), &mut copy.name, &format!("name of {of}"));
                let names: Vec<&str> = media.iter().map(String::as_str).collect();
                let shown = if copy.medium.is_empty() { "medium" } else { copy.medium.as_str() };
                let width = 76.0 * text_scale(ui);
                let chosen = form::choose(
                    ui,
                    &format!("medium of {of}"),
                    shown,
                    &names,
                    (("medium", at, index), width),
                );
                if let Some(medium) = chosen {
                    medium.clone_into(&mut copy.medium);
                }
                let before = copy.path.clone();
                self.path(ui, Slot::Copy(at, index), &mut copy.path, &format!("directory of {of}"));
                if copy.path != before {
                    // What is said of it was read elsewhere.
                    (copy.format, copy.packed) = (None, None);
                }
                self.cross(ui, Place::Copy(at, index), &format!("Remove {of}"));
            });
            self.faults(ui, Place::Copy(at, index));
        }
        ui.horizontal(|ui| {
            if button(ui, theme, ButtonKind::Quiet, Some(Icon::Plus), &format!("Add a copy to {called}"))
                .clicked()
            {
                draft.add_copy(at);
            }
        });
        ui.add_space(4.0);
    }

    /// The sides that are compared.
    pub fn variants(&mut self, ui: &mut Ui, draft: &mut Draft) {
        form::section(ui, self.theme, "Variants", "a build with the copies and options of its server");
        for at in 0..draft.lab.variants.len() {
            self.variant(ui, draft, at);
            self.faults(ui, Place::Variant(at));
        }
        if self.add(ui, "Add a variant") {
            draft.add_variant();
        }
        if draft.lab.variants.len() > 1 {
            self.baseline(ui, draft);
        }
    }

    fn variant(&mut self, ui: &mut Ui, draft: &mut Draft, at: usize) {
        let called = format!("variant {}", at + 1);
        let builds: Vec<String> = draft.lab.builds.iter().map(|build| build.name.clone()).collect();
        let copies: Vec<String> = copies(&draft.lab).map(|copy| copy.name.clone()).collect();
        let theme = self.theme;
        let Draft { lab, texts, .. } = &mut *draft;
        let Some(variant) = lab.variants.get_mut(at) else { return };
        ui.horizontal(|ui| {
            self.name(ui, Some(Kind::Variant), &mut variant.name, &format!("name of {called}"));
            kit::label(ui, "build", crate::widgets::body(ui), theme.t3);
            let names: Vec<&str> = builds.iter().map(String::as_str).collect();
            let shown = if variant.build.is_empty() { "build" } else { variant.build.as_str() };
            let width = 120.0 * text_scale(ui);
            if let Some(build) =
                form::choose(ui, &format!("build of {called}"), shown, &names, (("build", at), width))
            {
                build.clone_into(&mut variant.build);
            }
            self.cross_at_end(ui, Place::Variant(at), &called);
        });
        let mut toggled = None;
        form::row(ui, theme, "serves", |ui| {
            form::line(ui, |ui| {
                for copy in &copies {
                    let on = variant.copies.contains(copy);
                    if form::check(ui, theme, on, copy, &format!("{called} serves {copy}")).clicked() {
                        toggled = Some(copy.clone());
                    }
                }
            });
        });
        form::row(ui, theme, "server options", |ui| {
            let name = format!("server options of {called}");
            words::options(ui, theme, texts, &name, &mut variant.options);
        });
        form::row(ui, theme, "also called", |ui| {
            let name = format!("other names of {called}");
            words::names(ui, theme, texts, &name, &mut variant.aliases);
        });
        ui.allocate_space(vec2(0.0, 2.0));
        if let Some(copy) = toggled {
            draft.toggle_copy(at, &copy);
        }
    }

    fn baseline(&self, ui: &mut Ui, draft: &mut Draft) {
        let names: Vec<String> = draft.lab.variants.iter().map(|variant| variant.name.clone()).collect();
        form::row(ui, self.theme, "baseline", |ui| {
            let options: Vec<&str> = names.iter().map(String::as_str).collect();
            let shown = draft.lab.baseline.as_deref().unwrap_or("the first").to_owned();
            let width = 160.0 * text_scale(ui);
            if let Some(name) = form::choose(ui, "baseline", &shown, &options, ("baseline", width)) {
                draft.lab.baseline = Some(name.to_owned());
            }
        });
        self.faults(ui, Place::Lab);
    }
}
