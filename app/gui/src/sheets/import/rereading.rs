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
    /// The files concerned.
    of: fn(&Outcome) -> &[String],
    /// What was said of them so far, of each.
    before: fn(&Outcome) -> Vec<Reading>,
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
        of: |outcome| &outcome.access,
        before: |outcome| outcome.log_formats.iter().cloned().map(Reading::LogFormat).collect(),
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
        of: |outcome| &outcome.local,
        before: |outcome| outcome.zones.iter().copied().map(Reading::Zone).collect(),
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
            let known = (said.before)(outcome).iter().filter_map(text_of).next();
            *(said.field)(&mut typed) = known.unwrap_or_default();
        }
        typed
    }
}

/// As it is typed; `None` where nothing was said.
fn text_of(reading: &Reading) -> Option<String> {
    match reading {
        Reading::LogFormat(format) => format.clone(),
        Reading::Zone(offset) => offset.map(zone_text),
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
    let asked = SAID.iter().filter(|said| !(said.of)(&draft.outcome).is_empty());
    asked.map(|said| 1 + usize::from(said.wanted(&mut typed).is_err())).sum()
}

/// Shows the rows; reading again is a wish, no correction.
pub fn ui(ui: &mut Ui, state: &mut State, theme: &Theme, draft: &mut Draft) {
    let outcome = std::sync::Arc::clone(&draft.outcome);
    for said in SAID {
        if !(said.of)(&outcome).is_empty() {
            row(ui, state, theme, &mut draft.typed, (said, &outcome));
        }
    }
}

fn row(ui: &mut Ui, state: &mut State, theme: &Theme, typed: &mut Typed, (said, outcome): (&Said, &Outcome)) {
    let files = (said.of)(outcome);
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
        let before = (said.before)(outcome);
        let is_news = |wanted: &Reading| before.iter().any(|known| known != wanted);
        let wanted = said.wanted(typed).ok().filter(is_news);
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
