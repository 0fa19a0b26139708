//! A figure as SVG text under its title, for mails, reports and the PNG exporter.

use super::SvgOptions;
use super::widths::text_width;
use crate::figure::{Align, Figure, Font, Ink, LegendEntry, Marker, Point, Rect, Shape};
use crate::marks;
use crate::palette::Palette;
use std::fmt::Write as _;

/// Height of the title line above the chart.
const HEADER: f32 = 34.0;
/// Height of the legend's own line.
const LEGEND_LINE: f32 = 22.0;
/// Space round the picture.
const MARGIN: f32 = 8.0;

/// The figure as a complete SVG document with title and legend.
pub fn svg(figure: &Figure, options: &SvgOptions<'_>) -> String {
    let width = options.width + 2.0 * MARGIN;
    // Where title and legend would touch, the legend takes a line of its own.
    let title = text_width(options.title, Font::Semibold) + text_width(&figure.subtitle, Font::Body) + 36.0;
    let two_lines = title + legend_width(figure) > options.width;
    let header_height = if two_lines { HEADER + LEGEND_LINE } else { HEADER };
    let height = options.height.max(figure.wanted_height) + header_height + MARGIN;
    let mut pen = Pen { out: String::new(), palette: options.palette };
    pen.write(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n<title>{}</title>\n",
        escaped(&format!("{} {}", options.title, figure.subtitle))
    ));
    if options.palette.patterns {
        pen.patterns();
    }
    pen.rect(Rect { x: 0.0, y: 0.0, w: width, h: height }, Ink::S2);
    header(&mut pen, figure, options, width, two_lines);
    pen.write(format_args!("<g transform=\"translate({MARGIN} {header_height})\">\n"));
    for shape in &figure.shapes {
        pen.shape(shape);
    }
    for target in &figure.targets {
        // An invisible rectangle carries the read-out: viewers show it on hover, screen readers say it.
        let Rect { x, y, w, h } = target.rect;
        pen.write(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" fill=\"none\" pointer-events=\"all\"><title>{}</title></rect>\n",
            escaped(&target.accessible_name())
        ));
    }
    pen.out.push_str("</g>\n</svg>\n");
    pen.out
}

fn legend_width(figure: &Figure) -> f32 {
    figure
        .legend
        .iter()
        .filter(|entry| !entry.hidden)
        .map(|entry| text_width(&entry.name, Font::Body) + 28.0)
        .sum()
}

fn header(pen: &mut Pen<'_>, figure: &Figure, options: &SvgOptions<'_>, width: f32, two_lines: bool) {
    let y = HEADER / 2.0;
    pen.text([MARGIN + 4.0, y], options.title, Font::Semibold, Ink::T1, Align::Min, Align::Center);
    let x = MARGIN + 12.0 + text_width(options.title, Font::Semibold);
    pen.text([x, y], &figure.subtitle, Font::Body, Ink::T3, Align::Min, Align::Center);
    let y = if two_lines { y + LEGEND_LINE } else { y };
    let mut right = width - MARGIN - 4.0;
    for entry in figure.legend.iter().filter(|entry| !entry.hidden).rev() {
        right -= text_width(&entry.name, Font::Body);
        pen.text([right, y], &entry.name, Font::Body, Ink::T2, Align::Min, Align::Center);
        right -= 12.0;
        legend_mark(pen, entry, [right, y]);
        right -= 16.0;
    }
}

fn legend_mark(pen: &mut Pen<'_>, entry: &LegendEntry, at: Point) {
    match entry.marker {
        Some(marker) => pen.mark(at, marker, 4.5, entry.ink, false),
        None => pen.rect(Rect { x: at[0] - 4.5, y: at[1] - 4.5, w: 9.0, h: 9.0 }, entry.ink),
    }
}

struct Pen<'a> {
    out: String,
    palette: &'a Palette,
}

impl Pen<'_> {
    fn write(&mut self, arguments: std::fmt::Arguments<'_>) {
        // Writing into a String cannot fail.
        let _never = self.out.write_fmt(arguments);
    }

    fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Rect { rect, ink, patterned } => {
                self.rect(*rect, *ink);
                if let (true, true, Ink::Variant(index)) = (*patterned, self.palette.patterns, ink) {
                    let Rect { x, y, w, h } = rect;
                    self.write(format_args!(
                        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" fill=\"url(#pattern{})\"/>\n",
                        index % 8
                    ));
                }
            }
            Shape::Outline { rect: Rect { x, y, w, h }, ink, width, radius } => self.write(format_args!(
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" rx=\"{radius}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\"/>\n",
                self.palette.color(*ink)
            )),
            Shape::Line { from, to, width, ink, dashed } => {
                let dash = if *dashed { " stroke-dasharray=\"3 3\"" } else { "" };
                self.write(format_args!(
                    "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{}\" stroke-width=\"{width}\"{dash}/>\n",
                    from[0], from[1], to[0], to[1], self.palette.color(*ink)
                ));
            }
            Shape::Path { points, width, ink } => self.write(format_args!(
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\"/>\n",
                joined(points.iter().copied()),
                self.palette.color(*ink)
            )),
            Shape::Area { columns, ink } => {
                let upper = columns.iter().map(|[x, _, y]| [*x, *y]);
                let lower = columns.iter().rev().map(|[x, y, _]| [*x, *y]);
                self.write(format_args!(
                    "<polygon points=\"{}\" fill=\"{}\" fill-opacity=\"0.82\"/>\n",
                    joined(upper.chain(lower)),
                    self.palette.color(*ink)
                ));
            }
            Shape::Mark { at, marker, radius, ink, hollow } => self.mark(*at, *marker, *radius, *ink, *hollow),
            Shape::Text { at, text, font, ink, align, valign } => {
                self.text(*at, text, *font, *ink, *align, *valign);
            }
        }
    }

    fn rect(&mut self, Rect { x, y, w, h }: Rect, ink: Ink) {
        let fill = self.palette.color(ink);
        self.write(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" fill=\"{fill}\"/>\n"
        ));
    }

    fn mark(&mut self, at: Point, marker: Marker, radius: f32, ink: Ink, hollow: bool) {
        let color = self.palette.color(ink);
        let [x, y] = at;
        let outlined =
            format!("fill=\"{}\" stroke=\"{color}\" stroke-width=\"1.6\"", self.palette.color(Ink::S2));
        let filled = format!("fill=\"{color}\"");
        let style = if hollow { &outlined } else { &filled };
        match marks::outline(marker, at, radius) {
            marks::Outline::Circle => self.write(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" {style}/>\n")),
            marks::Outline::Ring => self.write(format_args!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.2\" stroke-dasharray=\"1.6 1.6\"/>\n"
            )),
            marks::Outline::Polygon(points) => {
                self.write(format_args!("<polygon points=\"{}\" {style} stroke-linejoin=\"round\"/>\n", joined(points.into_iter())));
            }
            marks::Outline::Lines(lines) => {
                for [from, to] in lines {
                    self.write(format_args!(
                        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{color}\" stroke-width=\"1.6\"/>\n",
                        from[0], from[1], to[0], to[1]
                    ));
                }
            }
        }
    }

    fn text(&mut self, [x, y]: Point, text: &str, font: Font, ink: Ink, align: Align, valign: Align) {
        let anchor = match align {
            Align::Min => "start",
            Align::Center => "middle",
            Align::Max => "end",
        };
        // Cap height of Inter is 0.73 of the size; y is the baseline in SVG.
        let size = font.size();
        let baseline = match valign {
            Align::Min => y + 0.97 * size,
            Align::Center => y + 0.36 * size,
            Align::Max => y - 0.24 * size,
        };
        let (family, weight) = match font {
            Font::Small | Font::Body => ("Inter, sans-serif", 400),
            Font::Medium => ("Inter, sans-serif", 500),
            Font::Semibold | Font::Figure => ("Inter, sans-serif", 600),
            Font::Mono => ("JetBrains Mono, monospace", 400),
        };
        self.write(format_args!(
            "<text x=\"{x:.1}\" y=\"{baseline:.1}\" font-family=\"{family}\" font-size=\"{size}\" font-weight=\"{weight}\" fill=\"{}\" text-anchor=\"{anchor}\" xml:space=\"preserve\">{}</text>\n",
            self.palette.color(ink),
            escaped(text)
        ));
    }

    /// The patterns of the variants in the tile's colour, named `pattern0` to `pattern7`.
    fn patterns(&mut self) {
        const TILES: [(f32, &str); 8] = [
            (6.0, ""),
            (6.0, "M0 6L6 0"),
            (6.0, "M0 0L6 6"),
            (5.0, "M0 2.5H5"),
            (5.0, "M2.5 0V5"),
            (5.0, "M0 2.5H5M2.5 0V5"),
            (4.5, "M1.5 2.2H3"),
            (3.5, "M0 3.5L3.5 0"),
        ];
        let color = self.palette.color(Ink::S2);
        self.out.push_str("<defs>\n");
        for (index, (size, path)) in TILES.iter().enumerate() {
            self.write(format_args!(
                "<pattern id=\"pattern{index}\" width=\"{size}\" height=\"{size}\" patternUnits=\"userSpaceOnUse\"><path d=\"{path}\" stroke=\"{color}\" stroke-width=\"1.4\" fill=\"none\"/></pattern>\n"
            ));
        }
        self.out.push_str("</defs>\n");
    }
}

fn joined(points: impl Iterator<Item = Point>) -> String {
    points.map(|[x, y]| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML allows no other control characters, and a name may hold any.
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
