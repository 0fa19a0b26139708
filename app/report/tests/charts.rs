//! Every chart of the table drawn from genuine figures: as text for snapshots, as SVG for the eye.

mod common;

use triptych_report::{
    CHARTS, ChartData, EXPORTERS, Export, Figure, Font, Frame, Palette, Shape, SvgOptions, chart, exporter,
    svg, text_width,
};

fn frame<'a>(
    width: f32,
    height: f32,
    selected: &'a [u32],
    measure: &'a dyn Fn(&str, Font) -> f32,
) -> Frame<'a> {
    Frame { width, height, text_scale: 1.0, measure, selected, hidden: &[], range: None, top: None }
}

/// The figure on lines: texts, marks and targets, rounded to whole points.
fn dump(figure: &Figure) -> String {
    let mut out = format!("subtitle {:?}, wanted height {:.0}\n", figure.subtitle, figure.wanted_height);
    for entry in &figure.legend {
        out += &format!("legend {} {:?} {:?}\n", entry.name, entry.ink, entry.marker);
    }
    for shape in &figure.shapes {
        out += &match shape {
            Shape::Rect { rect, ink, .. } => {
                format!("rect {:.0} {:.0} {:.0} {:.0} {ink:?}\n", rect.x, rect.y, rect.w, rect.h)
            }
            Shape::Outline { rect, ink, .. } => {
                format!("outline {:.0} {:.0} {:.0} {:.0} {ink:?}\n", rect.x, rect.y, rect.w, rect.h)
            }
            Shape::Line { from, to, ink, dashed, .. } => {
                format!(
                    "line {:.0} {:.0} {:.0} {:.0} {ink:?}{}\n",
                    from[0],
                    from[1],
                    to[0],
                    to[1],
                    if *dashed { " dashed" } else { "" }
                )
            }
            Shape::Path { points, ink, .. } => format!("path of {} {ink:?}\n", points.len()),
            Shape::Area { columns, ink } => format!("area of {} {ink:?}\n", columns.len()),
            Shape::Mark { at, marker, ink, hollow, .. } => {
                format!(
                    "mark {:.0} {:.0} {marker:?} {ink:?}{}\n",
                    at[0],
                    at[1],
                    if *hollow { " hollow" } else { "" }
                )
            }
            Shape::Text { at, text, font, ink, .. } => {
                format!("text {:.0} {:.0} {text:?} {font:?} {ink:?}\n", at[0], at[1])
            }
        };
    }
    for target in &figure.targets {
        let rect = target.rect;
        out += &format!(
            "target {:.0} {:.0} {:.0} {:.0} {} runs {:?}\n",
            rect.x,
            rect.y,
            rect.w,
            rect.h,
            target.accessible_name(),
            target.runs
        );
    }
    if let Some(time) = figure.time {
        out += &format!("time {:.2} to {:.2} of {:.2}\n", time.from, time.to, time.whole);
    }
    out
}

/// The data that each kind of chart is drawn from; a new kind fails here until it has some.
fn data(id: &str) -> ChartData {
    match id {
        "cpu-load" => ChartData::Load(common::load().into()),
        "triples" | "cold-hot" | "distribution" => ChartData::Comparison(common::format7().into()),
        "requests" => ChartData::Requests(common::requests().into()),
        other => panic!("no data for the chart {other}"),
    }
}

/// Runs of `null-log -v, hot, branch7`.
const SELECTED: [u32; 4] = [85, 86, 87, 88];

fn size(id: &str) -> (f32, f32) {
    match id {
        "triples" => (548.0, 268.0),
        "cold-hot" => (322.0, 268.0),
        "cpu-load" => (440.0, 178.0),
        "requests" => (640.0, 380.0),
        _ => (548.0, 300.0),
    }
}

#[test]
fn figures_of_all_charts() {
    for kind in CHARTS {
        let spec = kind.spec();
        let (width, height) = size(spec.id);
        let figure = kind.figure(&data(spec.id), &frame(width, height, &SELECTED, &text_width));
        insta::assert_snapshot!(spec.id, dump(&figure));
    }
}

#[test]
fn every_chart_survives_any_size_and_says_what_its_targets_are() {
    for kind in CHARTS {
        let id = kind.spec().id;
        for (width, height) in
            [(1.0, 1.0), (120.0, 60.0), (239.0, 500.0), (300.0, 150.0), (900.0, 260.0), (2400.0, 1400.0)]
        {
            for scale in [0.5, 1.0, 3.0] {
                let measure = |text: &str, font: Font| text_width(text, font) * scale;
                let frame = Frame { text_scale: scale, ..frame(width, height, &[], &measure) };
                let figure = kind.figure(&data(id), &frame);
                assert!(figure.wanted_height >= height, "{id} {width}x{height}");
                assert!(!figure.targets.is_empty(), "{id} {width}x{height}: nothing to point at");
                for target in &figure.targets {
                    assert!(!target.title.is_empty() && !target.lines.is_empty(), "{id}");
                    // Requests need not belong to a run.
                    assert!(!target.runs.is_empty() || id == "requests", "{id}");
                    assert!(target.rect.w.is_finite() && target.rect.y.is_finite(), "{id}");
                }
            }
        }
    }
}

#[test]
fn a_bar_says_its_value_interval_and_source() {
    let kind = chart("triples").expect("in the table");
    let figure = kind.figure(&data("triples"), &frame(548.0, 268.0, &[], &text_width));
    let name = figure
        .targets
        .iter()
        .map(triptych_report::Target::accessible_name)
        .find(|name| name.starts_with("branch7, null-log -v, hot"))
        .expect("the bar is there");
    for part in [
        "median of 4 12.84\u{202f}s",
        "runs 11.95 to 13.46\u{202f}s",
        "ratio to trunk 0.39, 95\u{202f}% 0.37 to 0.42",
        "verdict slower, an indication",
        "failed 1",
        "source branch7-hot-r1.txt:2 and 3 more",
    ] {
        assert!(name.contains(part), "{part} is not in {name}");
    }
}

#[test]
fn hidden_variants_have_no_bars_and_stay_in_the_legend() {
    let kind = chart("triples").expect("in the table");
    let hidden = ["branch6".to_owned()];
    let frame = Frame { hidden: &hidden, ..frame(548.0, 268.0, &[], &text_width) };
    let figure = kind.figure(&data("triples"), &frame);
    assert!(figure.targets.iter().all(|target| !target.title.starts_with("branch6")));
    assert_eq!(figure.legend.iter().filter(|entry| entry.hidden).count(), 1);
}

#[test]
fn the_stack_under_the_cursor() {
    let load = common::load();
    let at: Vec<(String, f64)> = load.at(7.6).into_iter().map(|(_, name, value)| (name, value)).collect();
    assert_eq!(
        at,
        [
            ("svnserve user".to_owned(), 86.0),
            ("client user".to_owned(), 49.0),
            ("sys of both".to_owned(), 29.0)
        ]
    );
    assert!(load.at(18.5).is_empty(), "after the last sample");
}

#[test]
fn dense_samples_become_one_mean_and_peak_a_column() {
    let data = common::dense(200_000);
    let kind = chart("cpu-load").expect("in the table");
    let figure = kind.figure(&ChartData::Load(data.into()), &frame(440.0, 178.0, &[], &text_width));
    let areas: Vec<usize> = figure
        .shapes
        .iter()
        .filter_map(|shape| if let Shape::Area { columns, .. } = shape { Some(columns.len()) } else { None })
        .collect();
    assert_eq!(areas.len(), 1, "no gap where there is none");
    assert!(areas[0] <= 880, "{areas:?}");
    let peaks =
        figure.shapes.iter().any(|shape| matches!(shape, Shape::Path { ink: triptych_report::Ink::T3, .. }));
    assert!(peaks, "a peak line");
    let read_out = figure.targets[0].accessible_name();
    assert!(
        read_out.contains("mean of the stack 50\u{202f}%") && read_out.contains("peak 100\u{202f}%"),
        "{read_out}"
    );
}

#[test]
fn pictures_of_all_charts() {
    assert!(
        matches!(exporter("svg").map(|exporter| exporter.export), Some(Export::Figure(_)))
            && EXPORTERS.len() == 5
    );
    let pictures = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut all: Vec<(String, &'static str, ChartData, f32, f32)> = CHARTS
        .iter()
        .map(|kind| kind.spec().id)
        .map(|id| (id.to_owned(), id, data(id), size(id).0, size(id).1))
        .collect();
    let published = ChartData::Comparison(common::published().into());
    all.push(("triples-2013".into(), "triples", published.clone(), 720.0, 300.0));
    all.push(("cold-hot-2013".into(), "cold-hot", published, 340.0, 300.0));
    all.push(("triples-narrow".into(), "triples", data("triples"), 300.0, 300.0));
    all.push(("triples-wide".into(), "triples", data("triples"), 1100.0, 400.0));
    all.push(("triples-tiny".into(), "triples", data("triples"), 200.0, 100.0));
    all.push((
        "triples-threads".into(),
        "triples",
        ChartData::Comparison(common::scaling().into()),
        400.0,
        260.0,
    ));
    let many = ChartData::Comparison(common::many().into());
    all.push(("triples-many".into(), "triples", many.clone(), 560.0, 300.0));
    all.push(("cold-hot-many".into(), "cold-hot", many, 340.0, 300.0));
    all.push((
        "cpu-load-dense".into(),
        "cpu-load",
        ChartData::Load(common::dense(200_000).into()),
        440.0,
        178.0,
    ));
    all.push(("cpu-load-range".into(), "cpu-load", data("cpu-load"), 440.0, 178.0));
    all.push(("triples-200".into(), "triples", data("triples"), 900.0, 500.0));
    all.push(("cold-hot-200".into(), "cold-hot", data("cold-hot"), 500.0, 500.0));
    for (name, id, data, width, height) in all {
        let scale = if name.ends_with("-200") { 2.0 } else { 1.0 };
        let measure = |text: &str, font: Font| text_width(text, font) * scale;
        let range = name.ends_with("-range").then_some((2.0, 9.5));
        let frame = Frame { text_scale: scale, range, ..frame(width, height, &SELECTED, &measure) };
        let figure = chart(id).expect("in the table").figure(&data, &frame);
        for palette in &Palette::ALL {
            let options =
                SvgOptions { title: chart(id).expect("in the table").spec().title, width, height, palette };
            let text = svg(&figure, &options);
            assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"), "{name}");
            assert_eq!(text.matches("<title>").count(), figure.targets.len() + 1, "{name}");
            std::fs::write(pictures.join(format!("{name}-{}.svg", palette.id)), text)
                .expect("the build's own directory");
        }
    }
}

#[test]
fn each_campaign_of_a_mixed_chart_has_panels_of_its_own() {
    let mut groups = common::format7_groups();
    groups.extend(common::published_groups());
    let mixed = triptych_report::from_groups(groups, &common::query("trunk"), &common::colours());
    let kind = chart("triples").expect("in the table");
    let figure = kind.figure(&ChartData::Comparison(mixed.into()), &frame(548.0, 268.0, &[], &text_width));
    let place = |wanted: &str| {
        let at = figure.shapes.iter().find_map(|shape| match shape {
            Shape::Text { text, at, .. } if text == wanted => Some(at[1]),
            _ => None,
        });
        at.unwrap_or_else(|| panic!("{wanted} has no heading"))
    };
    let (measured, published) = (place("fsfs-format7"), place("fsfs-format7-2013.txt"));
    let second = measured.max(published);
    for target in &figure.targets {
        let is_published = target.title.contains("USB") || target.title.contains("SSD");
        let belongs_below = is_published == (published > measured);
        assert_eq!(target.rect.y > second, belongs_below, "{}", target.title);
    }
}

#[test]
fn an_outlier_stands_below_the_top_of_its_axis() {
    use triptych_model::{Conditions, Key};
    let cells = vec![
        common::cell("trunk", 0, &[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 9.0]),
        common::cell("branch7", 9, &[1.0, 1.1]),
    ];
    let group = common::group(Conditions::new().with(Key::Operation, "export"), Key::Variant, cells);
    let comparison = triptych_report::from_groups(vec![group], &common::query("trunk"), &common::colours());
    let kind = chart("triples").expect("in the table");
    let data = ChartData::Comparison(comparison.into());
    let figure = kind.figure(&data, &frame(900.0, 400.0, &[], &text_width));
    let dots = figure.shapes.iter().filter_map(|shape| match shape {
        Shape::Mark { at, radius, .. } if *radius < 2.0 => Some(at[1]),
        _ => None,
    });
    let highest = dots.fold(f32::INFINITY, f32::min);
    assert!(highest.is_finite() && highest > 28.0, "the title ends at 28, the highest dot is at {highest}");
}
