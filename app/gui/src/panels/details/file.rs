//! The raw lines of a run or a problem in their file. A job reads them again; nothing is read in a frame.

use super::super::kit;
use super::super::memory::RawLines;
use super::content::sentence;
use crate::jobs::Kind;
use crate::state::{Answer, State};
use crate::theme::Theme;
use crate::widgets::{mono, text_scale};
use egui::{Align2, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use std::sync::Arc;

/// Lines shown on each side of the one that matters.
const AROUND: u32 = 3;

/// Asks for the lines round one, in a job, unless they were asked for before.
pub fn request(state: &mut State, source: u32, line: u32) {
    let asked = (state.store.generation(), source, line);
    if state.panels.details.asked == Some(asked) {
        return;
    }
    state.panels.details.asked = Some(asked);
    let store = Arc::clone(&state.store);
    state.jobs.start(Kind::RawLines, move |_| {
        Ok(Answer::RawLines(Box::new(RawLines { asked, answer: store.context(source, line, AROUND) })))
    });
}

/// Tabs as the columns they stand for.
fn untabbed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars().take(400) {
        if character == '\t' {
            let column = out.chars().count();
            out.extend(std::iter::repeat_n(' ', 8 - column % 8));
        } else {
            out.push(if character.is_control() { '\u{fffd}' } else { character });
        }
    }
    out
}

/// Shows the lines; room is kept while they are read.
pub fn well(ui: &mut Ui, state: &mut State, theme: &Theme, source: u32, line: u32) {
    request(state, source, line);
    let scale = text_scale(ui);
    let row = (19.0 * scale).round();
    let most = AROUND as usize * 2 + 1;
    let known =
        state.panels.details.lines.clone().filter(|lines| Some(lines.asked) == state.panels.details.asked);
    let count = match known.as_deref() {
        Some(RawLines { answer: Ok(context), .. }) => context.lines.len().clamp(1, most),
        _ => most.min(4),
    };
    let (rect, _) =
        ui.allocate_exact_size(vec2(ui.available_width(), row * count as f32 + 8.0), Sense::hover());
    ui.painter().rect_filled(rect, 3.0, theme.s0);
    match known.as_deref() {
        None => {}
        Some(RawLines { answer: Err(problem), .. }) => {
            let galley = ui.painter().layout(
                sentence(problem),
                crate::widgets::small(ui),
                theme.failed,
                rect.width() - 16.0,
            );
            ui.painter().galley(rect.min + vec2(8.0, 6.0), galley, theme.failed);
        }
        Some(RawLines { answer: Ok(context), .. }) => {
            lines_in(ui, theme, rect, context, &str::to_owned);
        }
    }
}

/// Raw lines in a well of their own; for rows that read their lines themselves.
///
/// `shown` says what of a line is shown where not all has room; the whole line is its name and appears on hover.
pub fn lines(
    ui: &mut Ui,
    theme: &Theme,
    context: &triptych_store::RawContext,
    shown: impl Fn(&str) -> String,
) {
    let row = (19.0 * text_scale(ui)).round();
    let height = row * context.lines.len().max(1) as f32 + 8.0;
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    ui.painter().rect_filled(rect, 3.0, theme.s0);
    lines_in(ui, theme, rect, context, &shown);
}

fn lines_in(
    ui: &mut Ui,
    theme: &Theme,
    rect: egui::Rect,
    context: &triptych_store::RawContext,
    shown: &dyn Fn(&str) -> String,
) {
    let row = (19.0 * text_scale(ui)).round();
    let digits = context.lines.last().map_or(1, |(number, _)| number.to_string().len()) as f32;
    let gutter = 10.0 + digits * ui.fonts_mut(|fonts| fonts.glyph_width(&mono(ui), '0'));
    for (index, (number, text)) in context.lines.iter().enumerate() {
        let top = rect.top() + 4.0 + row * index as f32;
        let place = egui::Rect::from_min_size(pos2(rect.left(), top), vec2(rect.width(), row));
        raw_line(ui, theme, place, gutter, *number, (text, &shown(text)), *number == context.line);
    }
    if context.changed {
        kit::label(ui, "The file changed since it was read", crate::widgets::small(ui), theme.warning);
    }
}

fn raw_line(
    ui: &Ui,
    theme: &Theme,
    rect: egui::Rect,
    gutter: f32,
    number: u32,
    (text, part): (&str, &str),
    shown: bool,
) {
    let response = ui.interact(rect, ui.scope_id().with(("raw line", number)), Sense::hover());
    let text = untabbed(text);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("line {number}: {text}")));
    if shown {
        ui.painter().rect_filled(rect, 0.0, theme.accent_ground);
    }
    let middle = rect.center().y;
    ui.painter().text(
        pos2(rect.left() + gutter - 4.0, middle),
        Align2::RIGHT_CENTER,
        number,
        mono(ui),
        theme.t3,
    );
    let ink = if shown { theme.t1 } else { theme.t2 };
    let room = rect.width() - gutter - 12.0;
    crate::widgets::paint_text(
        ui,
        pos2(rect.left() + gutter + 6.0, middle),
        Align2::LEFT_CENTER,
        &untabbed(part),
        mono(ui),
        ink,
        room,
    );
    if text.len() > 40 {
        response.on_hover_text(egui::RichText::new(text).monospace());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tabs_become_columns() {
        for (text, expect) in
            [("real\t0m1s", "real    0m1s"), ("\t\tx", "                x"), ("a\u{7}b", "a\u{fffd}b")]
        {
            assert_eq!(untabbed(text), expect);
        }
    }
}
