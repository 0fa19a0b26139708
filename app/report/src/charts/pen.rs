//! Builds a figure shape by shape; what all charts draw alike is drawn here.

use crate::figure::{Align, Figure, Font, Frame, Ink, LegendEntry, Marker, Point, Rect, Shape};
use triptych_analysis::Verdict;

/// Names that the header's legend has room for.
pub(crate) const LEGEND_MOST: usize = 4;

/// A figure under construction.
pub(crate) struct Pen<'f, 'a> {
    pub(crate) frame: &'f Frame<'a>,
    pub(crate) figure: Figure,
}

impl<'f, 'a> Pen<'f, 'a> {
    pub(crate) fn new(frame: &'f Frame<'a>) -> Self {
        Self { frame, figure: Figure { wanted_height: frame.height, ..Figure::default() } }
    }

    /// Points at the text scale.
    pub(crate) fn scaled(&self, points: f32) -> f32 {
        points * self.frame.text_scale
    }

    pub(crate) fn width(&self, text: &str, font: Font) -> f32 {
        (self.frame.measure)(text, font)
    }

    pub(crate) fn shape(&mut self, shape: Shape) {
        self.figure.shapes.push(shape);
    }

    pub(crate) fn rect(&mut self, rect: Rect, ink: Ink) {
        self.shape(Shape::Rect { rect, ink, patterned: false });
    }

    pub(crate) fn line(&mut self, from: Point, to: Point, width: f32, ink: Ink) {
        self.shape(Shape::Line { from, to, width, ink, dashed: false });
    }

    pub(crate) fn mark(&mut self, at: Point, marker: Marker, radius: f32, ink: Ink, hollow: bool) {
        let radius = self.scaled(radius);
        self.shape(Shape::Mark { at, marker, radius, ink, hollow });
    }

    /// A text at its vertical middle.
    pub(crate) fn text(&mut self, at: Point, text: &str, font: Font, ink: Ink, align: Align) {
        if !text.is_empty() {
            self.shape(Shape::Text { at, text: text.to_owned(), font, ink, align, valign: Align::Center });
        }
    }

    /// The text, cut with an ellipsis where it is wider than that.
    pub(crate) fn fitted(&self, text: &str, font: Font, width: f32) -> String {
        if self.width(text, font) <= width {
            return text.to_owned();
        }
        let mut kept: Vec<char> = text.chars().collect();
        while kept.pop().is_some() {
            let cut: String = kept.iter().collect::<String>().trim_end().to_owned() + "…";
            if self.width(&cut, font) <= width {
                return cut;
            }
        }
        String::new()
    }

    /// The marks of verdicts: never without their shape, hollow below six runs.
    pub(crate) fn verdict(&mut self, at: Point, verdict: Verdict, hollow: bool) {
        match verdict {
            Verdict::Faster => self.mark(at, Marker::TriangleUp, 4.0, Ink::Faster, hollow),
            Verdict::Slower => self.mark(at, Marker::TriangleDown, 4.0, Ink::Slower, hollow),
            Verdict::Same => self.mark(at, Marker::TwoBars, 4.0, Ink::Same, false),
            Verdict::NotShown => self.mark(at, Marker::Dot, 1.5, Ink::NotShown, false),
            Verdict::TooFew => self.mark(at, Marker::DashedRing, 3.5, Ink::NotShown, true),
        }
    }

    /// Labels along a line, in order of importance: those that would touch an earlier one are dropped.
    pub(crate) fn labels(&mut self, y: f32, labels: &[(f32, String)], font: Font, ink: Ink) {
        let mut taken: Vec<(f32, f32)> = Vec::new();
        for (x, text) in labels {
            let half = self.width(text, font) / 2.0 + self.scaled(3.0);
            if taken.iter().all(|(from, to)| x + half <= *from || x - half >= *to) {
                taken.push((x - half, x + half));
                self.text([*x, y], text, font, ink, Align::Center);
            }
        }
    }

    /// Sets the legend of variants, at most four; one alone needs none.
    pub(crate) fn variant_legend(&mut self, variants: &[(String, u16)]) {
        if variants.len() < 2 || variants.len() > LEGEND_MOST {
            return;
        }
        let entry = |(name, place): &(String, u16)| LegendEntry {
            name: name.clone(),
            ink: Ink::Variant(*place),
            marker: Some(Marker::of_variant(*place)),
            hidden: self.frame.hidden.contains(name),
        };
        self.figure.legend = variants.iter().map(entry).collect();
    }
}
