//! A drawn chart in points, neutral of any toolkit: the window paints it, the SVG exporter writes it.
//!
//! Colours are meanings ([`Ink`]) that a theme turns into colours. What can be pointed at is a
//! [`Target`], with the text that the read-out shows and the accessible name says.

use triptych_store::RunIndex;

/// A point, x to the right and y down, in points from the figure's top left.
pub type Point = [f32; 2];

/// A rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    /// Left.
    pub x: f32,
    /// Top.
    pub y: f32,
    /// Width.
    pub w: f32,
    /// Height.
    pub h: f32,
}

impl Rect {
    /// Whether the point lies inside.
    pub fn contains(&self, [x, y]: Point) -> bool {
        x >= self.x && x <= self.x + self.w && y >= self.y && y <= self.y + self.h
    }
}

/// A colour by what it means (LOOK: tokens).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ink {
    /// Surface of a tile; also the halo of whiskers.
    S2,
    /// Hovered surface, wells.
    S3,
    /// Threshold band, noise floor.
    S4,
    /// Values and names.
    T1,
    /// Body text.
    T2,
    /// Labels, units, axes.
    T3,
    /// Disabled, reference line at 1.
    T4,
    /// Chart grid.
    Grid,
    /// Separators.
    Line,
    /// Axis base.
    Line2,
    /// Selection, cursor.
    Accent,
    /// Ground of what is selected.
    AccentGround,
    /// Variant by its place in the workspace's order, from 0.
    Variant(u16),
    /// svnserve's area.
    Svnserve,
    /// Client's area.
    Client,
    /// System's area.
    System,
    /// httpd's area.
    Httpd,
    /// Disk, cold evidence.
    Disk,
    /// Verdict faster.
    Faster,
    /// Verdict slower.
    Slower,
    /// Verdict same.
    Same,
    /// Verdict not shown.
    NotShown,
    /// Failed runs.
    Failed,
    /// Warnings.
    Warning,
}

/// Type by its role (LOOK §3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Font {
    /// 11 regular: axes, counts, units.
    Small,
    /// 13 regular.
    Body,
    /// 13 medium: names.
    Medium,
    /// 13 semibold: titles and ratios that carry a verdict.
    Semibold,
    /// 24 semibold: one figure a view.
    Figure,
    /// 11 mono: source text and the list's notation.
    Mono,
}

impl Font {
    /// Size in points at text scale 1.
    pub fn size(self) -> f32 {
        match self {
            Self::Small | Self::Mono => 11.0,
            Self::Body | Self::Medium | Self::Semibold => 13.0,
            Self::Figure => 24.0,
        }
    }
}

/// Which part of a text stands at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Left or top.
    Min,
    /// Middle.
    Center,
    /// Right or bottom.
    Max,
}

/// Shapes of marks. The first eight belong to variants in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Marker {
    /// Variant 1.
    Disc,
    /// Variant 2.
    Square,
    /// Variant 3.
    Diamond,
    /// Variant 4.
    Plus,
    /// Variant 5.
    WideBar,
    /// Variant 6.
    TallBar,
    /// Variant 7.
    HalfDisc,
    /// Variant 8.
    Hourglass,
    /// Verdict faster.
    TriangleUp,
    /// Verdict slower.
    TriangleDown,
    /// Verdict same.
    TwoBars,
    /// Verdict not shown.
    Dot,
    /// Too few samples.
    DashedRing,
    /// Failed.
    Cross,
}

impl Marker {
    /// The marker of a variant by its place; the ninth repeats colour 1 with the next marker.
    pub fn of_variant(index: u16) -> Self {
        const MARKERS: [Marker; 8] = [
            Marker::Disc,
            Marker::Square,
            Marker::Diamond,
            Marker::Plus,
            Marker::WideBar,
            Marker::TallBar,
            Marker::HalfDisc,
            Marker::Hourglass,
        ];
        let round = usize::from(index) / MARKERS.len();
        MARKERS[(usize::from(index) + round) % MARKERS.len()]
    }
}

/// One thing to draw, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A filled rectangle without radius.
    Rect {
        /// Where.
        rect: Rect,
        /// Fill.
        ink: Ink,
        /// Draw the variant's pattern over it where patterns are on.
        patterned: bool,
    },
    /// An outline, for selections.
    Outline {
        /// Where.
        rect: Rect,
        /// Colour.
        ink: Ink,
        /// Width of the line.
        width: f32,
        /// Corner radius.
        radius: f32,
    },
    /// A straight line.
    Line {
        /// From.
        from: Point,
        /// To.
        to: Point,
        /// Width.
        width: f32,
        /// Colour.
        ink: Ink,
        /// Dashed, 3 on 3 off.
        dashed: bool,
    },
    /// A line through points.
    Path {
        /// At least two.
        points: Vec<Point>,
        /// Width.
        width: f32,
        /// Colour.
        ink: Ink,
    },
    /// The area between two lines over the same x, drawn at 82 % over the tile.
    Area {
        /// x, lower y, upper y; steps are two entries with the same x.
        columns: Vec<[f32; 3]>,
        /// Colour.
        ink: Ink,
    },
    /// A marker.
    Mark {
        /// Middle.
        at: Point,
        /// Which.
        marker: Marker,
        /// Half its width.
        radius: f32,
        /// Colour.
        ink: Ink,
        /// Outline only: cold, published, or n below 6.
        hollow: bool,
    },
    /// A text on one line.
    Text {
        /// Where, see the aligns.
        at: Point,
        /// The text.
        text: String,
        /// Type.
        font: Font,
        /// Colour.
        ink: Ink,
        /// Which part of it stands at x.
        align: Align,
        /// Which part of it stands at y.
        valign: Align,
    },
}

/// Something that can be pointed at, clicked, and walked to with the arrow keys.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Where it reacts.
    pub rect: Rect,
    /// What the read-out is headed by.
    pub title: String,
    /// Colour and marker before the title, for variants.
    pub variant: Option<u16>,
    /// Label and value lines of the read-out: value, n, range or interval, ratio, source.
    pub lines: Vec<(String, String)>,
    /// The runs a click selects.
    pub runs: Vec<RunIndex>,
}

impl Target {
    /// The read-out on one line, for screen readers and tests.
    pub fn accessible_name(&self) -> String {
        let mut text = self.title.clone();
        for (label, value) in &self.lines {
            text.push_str(&format!("; {label} {value}"));
        }
        text
    }
}

/// An entry of the legend.
#[derive(Clone, Debug, PartialEq)]
pub struct LegendEntry {
    /// What it stands for.
    pub name: String,
    /// Colour.
    pub ink: Ink,
    /// Marker; `None`: a square swatch.
    pub marker: Option<Marker>,
    /// Whether the user hid it.
    pub hidden: bool,
}

/// A plot whose x axis is time and can be linked, panned and zoomed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeAxis {
    /// The plot's area.
    pub rect: Rect,
    /// Seconds at its left edge.
    pub from: f64,
    /// Seconds at its right edge.
    pub to: f64,
    /// Seconds of the whole run, for the strip below.
    pub whole: f64,
    /// The strip below the plot that shows the full run and the range.
    pub strip: Rect,
}

/// A drawn chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// What the tile's header says behind the chart's name (`svnserve 1.6.9, all_packed, 1st run`).
    pub subtitle: String,
    /// For the tile's header, at most 4 entries; more stand in the chart's margin.
    pub legend: Vec<LegendEntry>,
    /// In order of drawing.
    pub shapes: Vec<Shape>,
    /// In reading order.
    pub targets: Vec<Target>,
    /// Present in charts over time.
    pub time: Option<TimeAxis>,
    /// Height the chart would like to have, where it is more than it was given (then it scrolls).
    pub wanted_height: f32,
}

/// What a chart is laid out for.
pub struct Frame<'a> {
    /// Width in points.
    pub width: f32,
    /// Height in points.
    pub height: f32,
    /// Text scale, 1 is 100 %; [`Frame::measure`] already applies it.
    pub text_scale: f32,
    /// Width of a text in points at the text scale.
    pub measure: &'a dyn Fn(&str, Font) -> f32,
    /// Runs that are selected.
    pub selected: &'a [RunIndex],
    /// Names of legend entries that are hidden.
    pub hidden: &'a [String],
    /// Seconds shown, for charts over time; `None`: chosen by the chart.
    pub range: Option<(f64, f64)>,
    /// Top of the vertical axis in its unit, where linked tiles share it.
    pub top: Option<f64>,
}
