//! The parts of the plan's form: operations with their options, lists from the lab, numbers.

use super::super::form::{self, Texts};
use super::draft::{Draft, List};
use crate::panels::kit;
use crate::theme::Theme;
use crate::widgets::{body, small, text_scale};
use egui::Ui;
use serde_json::Value;
use triptych_runner::experiments::{EXPERIMENTS, ExperimentSpec, OptionKind, OptionSpec};
use triptych_runner::lab::Lab;
use triptych_runner::plan::{Cache, Operation, Plan, Restart, ServerMode};

const MIB: f64 = 1_048_576.0;

/// Most seconds of a limit: a week, longer than any benchmark.
const WEEK: f64 = 604_800.0;

/// What is timed.
pub fn operations(ui: &mut Ui, theme: &Theme, draft: &mut Draft) {
    let mut change = None;
    for experiment in EXPERIMENTS {
        let spec = experiment.spec();
        let found: Vec<usize> = draft
            .plan
            .operations
            .iter()
            .enumerate()
            .filter(|(_, operation)| operation.experiment == spec.id)
            .map(|(index, _)| index)
            .collect();
        if found.is_empty() && operation_line(ui, theme, spec, false, spec.operation) {
            change = Some(Change::Add(spec.id));
        }
        for (nth, index) in found.iter().enumerate() {
            let name =
                if nth == 0 { spec.operation.to_owned() } else { format!("{} {}", spec.operation, nth + 1) };
            if operation_line(ui, theme, spec, true, &name) {
                change = Some(Change::Remove(*index));
            }
            if let Some(operation) = draft.plan.operations.get_mut(*index) {
                let last = nth + 1 == found.len();
                if options(ui, theme, &mut draft.texts, operation, spec, (&name, last)) {
                    change = Some(Change::Add(spec.id));
                }
            }
        }
    }
    let foreign = |operation: &Operation| {
        !EXPERIMENTS.iter().any(|experiment| experiment.spec().id == operation.experiment)
    };
    for (index, operation) in draft.plan.operations.iter().enumerate().filter(|(_, it)| foreign(it)) {
        let name = format!("{}, not known here", operation.experiment);
        if form::check(ui, theme, true, &name, &operation.experiment).clicked() {
            change = Some(Change::Remove(index));
        }
    }
    match change {
        Some(Change::Add(id)) => draft.add_operation(id),
        Some(Change::Remove(index)) => draft.remove_operation(index),
        None => {}
    }
}

enum Change {
    Add(&'static str),
    Remove(usize),
}

/// A check box with what the experiment is; says whether it was clicked.
fn operation_line(ui: &mut Ui, theme: &Theme, spec: &ExperimentSpec, on: bool, name: &str) -> bool {
    form::line(ui, |ui| {
        let clicked = form::check(ui, theme, on, spec.operation, name).clicked();
        let help = egui::RichText::new(spec.help).font(small(ui)).color(theme.t3);
        ui.add(egui::Label::new(help).truncate());
        clicked
    })
}

/// The options of an operation below it; says whether it shall be timed once more, with others.
fn options(
    ui: &mut Ui,
    theme: &Theme,
    texts: &mut Texts,
    operation: &mut Operation,
    spec: &ExperimentSpec,
    (name, last): (&str, bool),
) -> bool {
    let mut again = false;
    if spec.options.is_empty() {
        return false;
    }
    ui.horizontal(|ui| {
        ui.add_space(21.0 * text_scale(ui));
        ui.vertical(|ui| {
            form::line(ui, |ui| {
                for option in spec.options {
                    one_option(ui, theme, texts, operation, option, name);
                }
                if last && !operation.options.is_empty() {
                    let text = "also with other options";
                    again = kit::named_link(ui, theme, text, &format!("{name} {text}")).clicked();
                }
            });
        });
    });
    again
}

fn one_option(
    ui: &mut Ui,
    theme: &Theme,
    texts: &mut Texts,
    operation: &mut Operation,
    option: &OptionSpec,
    name: &str,
) {
    let called = format!("option {} of {name}", option.name);
    match option.kind {
        OptionKind::Flag(usual) => {
            let on = operation.options.get(option.name).and_then(Value::as_bool).unwrap_or(usual);
            let response = form::check(ui, theme, on, option.label, &called);
            if response.clicked() {
                keep(operation, option.name, (on == usual).then_some(Value::Bool(!on)));
            }
            response.on_hover_text(option.help);
        }
        OptionKind::Number(low, high, usual) => {
            let set = operation.options.get(option.name).and_then(Value::as_i64);
            let on = set.is_some();
            let response = form::check(ui, theme, on, option.label, &called);
            if response.clicked() {
                let begin = usual.unwrap_or(low);
                keep(operation, option.name, (!on).then(|| Value::from(begin)));
                texts.forget(&called);
            }
            response.on_hover_text(option.help);
            if let Some(mut value) = set
                && form::number(ui, theme, texts, &format!("{called}, value"), &mut value, (low..=high, ""))
            {
                keep(operation, option.name, Some(Value::from(value)));
            }
        }
    }
}

/// Only what differs from the default stands in a plan.
fn keep(operation: &mut Operation, name: &str, value: Option<Value>) {
    match value {
        Some(value) => {
            operation.options.insert(name.to_owned(), value);
        }
        None => {
            operation.options.remove(name);
        }
    }
}

/// Repositories, variants and media: check boxes of what the lab has, and of what the plan alone names.
pub fn lists(ui: &mut Ui, theme: &Theme, draft: &mut Draft, lab: Option<&Lab>) {
    for list in List::ALL {
        let (label, one) = list.words();
        let known = lab.map(|lab| list.known(lab)).unwrap_or_default();
        let chosen = list.of(&draft.plan).clone();
        let foreign = chosen.iter().filter(|name| !known.contains(name));
        let mut toggled = None;
        form::row(ui, theme, label, |ui| {
            form::line(ui, |ui| {
                for name in known.iter().chain(foreign) {
                    let in_lab = known.contains(name);
                    let text = if in_lab { name.clone() } else { format!("{name}, not in the lab") };
                    let on = chosen.contains(name);
                    if form::check(ui, theme, on, &text, &format!("{one} {name}")).clicked() {
                        toggled = Some(name.clone());
                    }
                }
                if known.is_empty() && chosen.is_empty() {
                    let text = match lab {
                        Some(_) => format!("the lab has no {one}"),
                        None => "to be chosen when there is a lab".to_owned(),
                    };
                    kit::label(ui, text, body(ui), theme.t3);
                }
            });
        });
        if let Some(name) = toggled {
            draft.toggle(list, &name, lab);
        }
    }
    let mut toggled = None;
    form::row(ui, theme, "cache", |ui| {
        form::line(ui, |ui| {
            for cache in Cache::ALL {
                let on = draft.plan.caches.contains(&cache);
                let response = form::check(ui, theme, on, cache.name(), &format!("cache {}", cache.name()));
                if response.clicked() {
                    toggled = Some(cache);
                }
                response.on_hover_text(cache_help(cache));
            }
        });
    });
    if let Some(cache) = toggled {
        draft.toggle_cache(cache);
    }
}

fn cache_help(cache: Cache) -> &'static str {
    match cache {
        Cache::Cold => "nothing of the repository is in memory",
        Cache::Hot => "the operating system has it, the server is new",
        Cache::HotServer => "the same server answered it before",
    }
}

/// How often, and by which order.
pub fn counts(ui: &mut Ui, theme: &Theme, draft: &mut Draft) {
    let Draft { plan, texts, .. } = draft;
    form::row(ui, theme, "repetitions", |ui| {
        form::number(
            ui,
            theme,
            texts,
            "repetitions",
            &mut plan.repetitions,
            (1..=10_000, "runs of each cell"),
        );
    });
    form::row(ui, theme, "warm-ups", |ui| {
        let unit = "uncounted runs before a hot one, at least one";
        form::number(ui, theme, texts, "warm-ups", &mut plan.warm_ups, (0..=1_000, unit));
    });
    form::row(ui, theme, "seed", |ui| {
        form::number(ui, theme, texts, "seed", &mut plan.seed, (0..=u64::MAX, "same seed, same order"));
    });
    form::row(ui, theme, "samples", |ui| {
        let unit = "a second, of CPU, memory and disk";
        form::number(ui, theme, texts, "samples a second", &mut plan.sample_hz, (1..=100, unit));
    });
}

/// How svnserve is run.
pub fn server(ui: &mut Ui, theme: &Theme, plan: &mut Plan) {
    form::row(ui, theme, "mode", |ui| {
        form::line(ui, |ui| {
            for (mode, text, help) in [
                (ServerMode::Fork, "a process for each connection", "svnserve's default"),
                (ServerMode::Threads, "threads (-T)", "its caches outlive a connection"),
            ] {
                let response = form::radio(ui, theme, plan.server.mode == mode, text, text);
                if response.clicked() {
                    plan.server.mode = mode;
                }
                response.on_hover_text(help);
            }
        });
    });
    form::row(ui, theme, "started for", |ui| {
        form::line(ui, |ui| {
            for (restart, text, help) in [
                (Restart::Run, "each run", "no run finds what another left in the server"),
                (Restart::Cell, "each cell", "the second run finds the server's own caches filled"),
            ] {
                let name = format!("server started for {text}");
                let response = form::radio(ui, theme, plan.server.restart == restart, text, &name);
                if response.clicked() {
                    plan.server.restart = restart;
                }
                response.on_hover_text(help);
            }
        });
    });
    form::row(ui, theme, "log", |ui| {
        let response =
            form::check(ui, theme, !plan.server.no_log, "keep the server's operation log", "operation log");
        if response.clicked() {
            plan.server.no_log = !plan.server.no_log;
        }
        response.on_hover_text("it lies in memory and costs a line an action");
    });
}

/// When a run is given up.
pub fn limits(ui: &mut Ui, theme: &Theme, draft: &mut Draft) {
    let Draft { plan, texts, .. } = draft;
    let limits = &mut plan.limits;
    form::row(ui, theme, "longest run", |ui| {
        form::number(ui, theme, texts, "longest run", &mut limits.run_secs, (0.001..=WEEK, "s"));
    });
    form::row(ui, theme, "longest start", |ui| {
        let unit = "s until the server answers";
        form::number(ui, theme, texts, "longest start", &mut limits.start_secs, (0.001..=WEEK, unit));
    });
    form::row(ui, theme, "most output", |ui| {
        let mut mib = limits.output_bytes as f64 / MIB;
        let unit = "MiB that a client may print";
        if form::number(ui, theme, texts, "most output", &mut mib, (0.001..=1_000_000.0, unit)) {
            limits.output_bytes = (mib * MIB).round() as u64;
        }
    });
}
