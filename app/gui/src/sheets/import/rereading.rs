//! What the files do not say and readers must know: the LogFormat of access logs, and the zone of local
//! times. A row of the import sheet each, there where some file asks for it. Other corrections change
//! what was read; these read the files again.

use super::draft::Draft;
use super::outcome::Outcome;
use crate::action::{Action, Reading};
use crate::panels::kit;
use crate::state::State;
use crate::theme::Theme;
use crate::widgets::{ButtonKind, body, button_enabled, mono, row_height};
use egui::{Sense, Ui, vec2};
use triptych_import::{Readers, zone_offset, zone_text};
use triptych_model::Importer as _;

/// One thing that can be said.
struct Said {
    /// What the field is called.
    name: &'static str,
    /// One such file and several.
    files: (&'static str, &'static str),
    hint: &'static str,
    button: &'static str,
    /// The files concerned, and what was said of them so far.
    of: fn(&Outcome) -> (&[String], Option<String>),
    /// What the user types.
    field: fn(&mut Typed) -> &mut String,
    /// What a text means, or why it cannot be understood.
    parse: fn(&str) -> Result<Reading, String>,
    /// Nothing said.
    nothing: Reading,
}

/// What the user types in the fields.
#[derive(Clone, Debug, Default)]
pub struct Typed {
    log_format: String,
    zone: String,
}

const SAID: &[Said] = &[
    Said {
        name: "LogFormat",
        files: ("access log", "access logs"),
        hint: "combined, or %h %l %u %t \"%r\" %>s %b %D; empty: by the content",
        button: "Read by this LogFormat",
        of: |outcome| (&outcome.access, outcome.log_format.clone()),
        field: |typed| &mut typed.log_format,
        parse: |text| {
            let wrong = Readers.check_log_format(text).err();
            wrong
                .map_or_else(|| Ok(Reading::LogFormat(Some(text.to_owned()))), |wrong| Err(wrong.to_string()))
        },
        nothing: Reading::LogFormat(None),
    },
    Said {
        name: "Zone",
        files: ("log with local times", "logs with local times"),
        hint: "+01:00, UTC or CET; empty: the zone of this machine",
        button: "Read by this zone",
        of: |outcome| (&outcome.local, outcome.zone.map(zone_text)),
        field: |typed| &mut typed.zone,
        parse: |text| {
            let offset = zone_offset(text);
            offset.map(|secs| Reading::Zone(Some(secs))).ok_or_else(|| {
                format!("{text:?} is no zone; expected an offset such as +01:00, or a name with one meaning such as UTC")
            })
        },
        nothing: Reading::Zone(None),
    },
];

impl Typed {
    /// What was said so far, so that it can be changed.
    pub fn of(outcome: &Outcome) -> Self {
        let mut typed = Self::default();
        for said in SAID {
            *(said.field)(&mut typed) = (said.of)(outcome).1.unwrap_or_default();
        }
        typed
    }
}

impl Said {
    /// What the text in the field asks for.
    fn wanted(&self, typed: &mut Typed) -> Result<Reading, String> {
        match (self.field)(typed).trim() {
            "" => Ok(self.nothing.clone()),
            text => (self.parse)(text),
        }
    }
}

/// How many rows the part has.
pub fn rows(draft: &Draft) -> usize {
    let mut typed = draft.typed.clone();
    let asked = SAID.iter().filter(|said| !(said.of)(&draft.outcome).0.is_empty());
    asked.map(|said| 1 + usize::from(said.wanted(&mut typed).is_err())).sum()
}

/// Shows the rows; reading again is a wish, no correction.
pub fn ui(ui: &mut Ui, state: &mut State, theme: &Theme, draft: &mut Draft) {
    let outcome = std::sync::Arc::clone(&draft.outcome);
    for said in SAID {
        let (files, before) = (said.of)(&outcome);
        if !files.is_empty() {
            row(ui, state, theme, &mut draft.typed, (said, files, before));
        }
    }
}

fn row(
    ui: &mut Ui,
    state: &mut State,
    theme: &Theme,
    typed: &mut Typed,
    (said, files, before): (&Said, &[String], Option<String>),
) {
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
        kit::severity_mark(ui, rect.center(), triptych_model::Severity::Note, theme);
        let count = kit::counted(files.len(), said.files.0, said.files.1);
        let text = kit::label(ui, format!("{} of {count}", said.name), body(ui), theme.t1);
        let edit = egui::TextEdit::singleline((said.field)(typed))
            .hint_text(said.hint)
            .font(mono(ui))
            .desired_width((ui.available_width() - 200.0).max(160.0))
            .margin(vec2(8.0, 4.0));
        kit::field(ui, theme, edit, said.name).labelled_by(text.id);
        let now = before.map_or_else(|| Ok(said.nothing.clone()), |text| (said.parse)(&text));
        let wanted = said.wanted(typed).ok().filter(|wanted| now.as_ref() != Ok(wanted));
        let button = button_enabled(ui, theme, ButtonKind::Outline, None, said.button, wanted.is_some());
        if let Some(wanted) = wanted.filter(|_| button.clicked()) {
            state.act(Action::ReadAs(files.to_vec(), wanted));
        }
    });
    if let Err(error) = said.wanted(typed) {
        ui.horizontal(|ui| {
            ui.set_min_height(row_height(ui));
            ui.add_space(22.0);
            kit::label(ui, error, body(ui), theme.failed);
        });
    }
}
