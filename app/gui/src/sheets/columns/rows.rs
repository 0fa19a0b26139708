//! The table of columns: a row a column, with what it holds, what it means, its unit, and what sets its
//! runs apart.

use super::draft::{Table, fits, with_metric};
use crate::panels::kit;
use crate::sheets::form;
use crate::theme::Theme;
use crate::widgets::{mono, named, paint_text, row_height, small, text_scale};
use egui::{Align2, Role, Sense, Ui, WidgetInfo, vec2};
use triptych_model::{
    CELL_UNITS, Key, METRICS, Meaning, Process, Severity, ValueMeaning, column_name, metric_spec,
};

const IGNORED: &str = "ignored";
const VALUE: &str = "value";
const EXIT: &str = "exit status";
const OWN: &str = "as in the cells";

/// Conditions in the order in which tables have them.
const KEYS: [Key; Key::ALL.len()] = [
    Key::Operation,
    Key::Variant,
    Key::Cache,
    Key::Repository,
    Key::Medium,
    Key::Network,
    Key::Threads,
    Key::Repetition,
    Key::Build,
    Key::Format,
    Key::Packed,
    Key::Command,
    Key::Host,
    Key::Campaign,
];

/// Widths of what stands in a row.
struct Widths {
    name: f32,
    holds: f32,
    meaning: f32,
    metric: f32,
    unit: f32,
    key: f32,
    text: f32,
    process: f32,
}

impl Widths {
    fn new(ui: &Ui) -> Self {
        let scale = text_scale(ui);
        Self {
            name: 132.0 * scale,
            holds: 188.0 * scale,
            meaning: 112.0 * scale,
            metric: 116.0 * scale,
            unit: 126.0 * scale,
            key: 100.0 * scale,
            text: 104.0 * scale,
            process: 92.0 * scale,
        }
    }
}

/// Shows the rows; says whether a meaning changed.
pub fn ui(ui: &mut Ui, theme: &Theme, table: &mut Table) -> bool {
    let widths = Widths::new(ui);
    heads(ui, theme, &widths);
    let mut changed = false;
    for column in 0..table.found.header.len() {
        ui.horizontal(|ui| {
            ui.set_min_height(form::line_height(ui));
            ui.spacing_mut().item_spacing.x = 8.0;
            changed |= row(ui, theme, table, column, &widths);
        });
    }
    changed
}

fn heads(ui: &mut Ui, theme: &Theme, widths: &Widths) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        cell(ui, 14.0, "", theme.t3, small(ui));
        for (text, width) in [
            ("column", widths.name),
            ("holds", widths.holds),
            ("means", widths.meaning),
            ("metric", widths.metric),
            ("unit", widths.unit),
            ("of runs with", widths.key),
            ("", widths.text),
            ("process", widths.process),
        ] {
            cell(ui, width, text, theme.t3, small(ui));
        }
    });
}

fn cell(ui: &mut Ui, width: f32, text: &str, ink: egui::Color32, font: egui::FontId) -> egui::Response {
    let (rect, response) = ui.allocate_exact_size(vec2(width, row_height(ui)), Sense::hover());
    if !text.is_empty() {
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
        paint_text(ui, kit::left(rect, 0.0), Align2::LEFT_CENTER, text, font, ink, width);
    }
    response
}

fn row(ui: &mut Ui, theme: &Theme, table: &mut Table, column: usize, widths: &Widths) -> bool {
    let name = column_name(&table.found.header, column);
    let asked = table.asked.get(column).copied().unwrap_or(false);
    let (rect, mark) = ui.allocate_exact_size(vec2(14.0, row_height(ui)), Sense::hover());
    if asked {
        kit::severity_mark(ui, rect.center(), Severity::Warning, theme);
        mark.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{name} is only supposed")));
        mark.on_hover_text("Only supposed: neither header nor cells say it");
    }
    cell(ui, widths.name, &name, theme.t1, named(ui)).on_hover_text(&name);
    let holds = holds(table, column);
    cell(ui, widths.holds, &holds, theme.t3, mono(ui)).on_hover_text(&holds);
    let Some(meaning) = table.meanings.get(column).cloned() else { return false };
    let mut new = choose_meaning(ui, table, column, &name, &meaning, widths.meaning);
    if let Meaning::Value(value) = &meaning {
        new = new.or(value_ui(ui, theme, column, &name, value, widths).map(Meaning::Value));
    }
    match new {
        Some(meaning) => {
            table.set(column, meaning);
            true
        }
        None => false,
    }
}

/// The kind of the cells and the first of them.
fn holds(table: &Table, column: usize) -> String {
    let Some(found) = table.found.columns.get(column) else { return String::new() };
    let mut examples: Vec<&str> = Vec::new();
    for row in &table.found.rows {
        if let Some(cell) =
            row.get(column).filter(|cell| !cell.is_empty() && !examples.contains(&cell.as_str()))
        {
            examples.push(cell);
        }
    }
    examples.truncate(3);
    let kind = found.kind.name();
    if examples.is_empty() { kind.to_owned() } else { format!("{kind}: {}", examples.join(", ")) }
}

fn choose_meaning(
    ui: &mut Ui,
    table: &Table,
    column: usize,
    name: &str,
    meaning: &Meaning,
    width: f32,
) -> Option<Meaning> {
    let shown = match meaning {
        Meaning::Ignored => IGNORED,
        Meaning::Exit => EXIT,
        Meaning::Value(_) => VALUE,
        Meaning::Condition(key) => key.name(),
    };
    let mut options = vec![VALUE, IGNORED, EXIT];
    options.extend(KEYS.map(Key::name));
    let label = format!("Meaning of {name}");
    let choice = form::choose(ui, &label, shown, &options, (("meaning", column), width))?;
    Some(match choice {
        IGNORED => Meaning::Ignored,
        EXIT => Meaning::Exit,
        VALUE => Meaning::Value(table.value_of(column)),
        key => Key::parse(key).map_or(Meaning::Ignored, Meaning::Condition),
    })
}

/// Metric, unit, condition and process of a column of values.
fn value_ui(
    ui: &mut Ui,
    theme: &Theme,
    column: usize,
    name: &str,
    value: &ValueMeaning,
    widths: &Widths,
) -> Option<ValueMeaning> {
    let mut metrics: Vec<&str> = METRICS.iter().map(|spec| spec.name).collect();
    if !metrics.contains(&value.metric.as_str()) {
        metrics.insert(0, &value.metric);
    }
    let label = format!("Metric of {name}");
    let metric = form::choose(ui, &label, &value.metric, &metrics, (("metric", column), widths.metric));
    let unit = unit_ui(ui, column, name, value, widths.unit);
    let apart = apart_ui(ui, theme, column, name, value, widths);
    let process = value.process.to_string();
    let mut processes = vec!["client", "svnserve", "httpd", "system"];
    if !processes.contains(&process.as_str()) {
        processes.push(&process);
    }
    let label = format!("Process of {name}");
    let process = form::choose(ui, &label, &process, &processes, (("process", column), widths.process));
    let process =
        process.map(|process| ValueMeaning { process: Process::from(process.to_owned()), ..value.clone() });
    metric.map(|metric| with_metric(value, metric)).or(unit).or(apart).or(process)
}

fn unit_ui(ui: &mut Ui, column: usize, name: &str, value: &ValueMeaning, width: f32) -> Option<ValueMeaning> {
    let base = metric_spec(&value.metric).map(|spec| spec.unit);
    let symbols = CELL_UNITS.iter().map(|unit| unit.symbol).filter(|symbol| fits(symbol, base));
    let options: Vec<&str> = std::iter::once(OWN).chain(symbols).collect();
    let shown = value.unit.as_deref().unwrap_or(OWN);
    let label = format!("Unit of {name}");
    let choice = form::choose(ui, &label, shown, &options, (("unit", column), width))?;
    let unit = (choice != OWN).then(|| choice.to_owned());
    Some(ValueMeaning { unit, ..value.clone() })
}

/// What sets the runs of this column apart from those of the columns beside it.
fn apart_ui(
    ui: &mut Ui,
    theme: &Theme,
    column: usize,
    name: &str,
    value: &ValueMeaning,
    widths: &Widths,
) -> Option<ValueMeaning> {
    let first = value.conditions.iter().next().map(|(key, text)| (key, text.to_owned()));
    let (key, mut text) = first.unwrap_or((Key::Variant, String::new()));
    let label = format!("Condition of {name}");
    let names: Vec<&str> = KEYS.iter().map(|key| key.name()).collect();
    let chosen = form::choose(ui, &label, key.name(), &names, (("condition", column), widths.key));
    let label = format!("{} of {name}", key.name());
    let typed = form::text(ui, theme, &mut text, &label, "any", widths.text);
    let new = chosen.and_then(Key::parse).unwrap_or(key);
    if !typed && new == key {
        return None;
    }
    if text.is_empty() && new != key {
        // A condition without a value would be forgotten at once; the header is the likeliest one.
        name.clone_into(&mut text);
    }
    let mut changed = value.clone();
    changed.conditions.remove(key);
    if !text.trim().is_empty() {
        changed.conditions.set(new, text.trim());
    }
    Some(changed)
}
