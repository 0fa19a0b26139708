//! The embedded fonts: Inter for all text, JetBrains Mono for source text, paths and the list's notation.

use crate::theme::{medium, semibold};
use egui::{FontData, FontDefinitions, FontFamily};
use std::sync::Arc;

const REGULAR: &[u8] = include_bytes!("../../../assets/fonts/Inter-Regular.ttf");
const MEDIUM: &[u8] = include_bytes!("../../../assets/fonts/Inter-Medium.ttf");
const SEMIBOLD: &[u8] = include_bytes!("../../../assets/fonts/Inter-SemiBold.ttf");
const MONO: &[u8] = include_bytes!("../../../assets/fonts/JetBrainsMono-Regular.ttf");

/// Gives egui our four fonts; each family falls back to the other script's so that no glyph both have is lost.
pub fn install(ctx: &egui::Context) {
    let mut fonts = FontDefinitions::empty();
    for (name, bytes, family) in [
        ("inter", REGULAR, FontFamily::Proportional),
        ("inter-medium", MEDIUM, medium()),
        ("inter-semibold", SEMIBOLD, semibold()),
        ("mono", MONO, FontFamily::Monospace),
    ] {
        fonts.font_data.insert(name.to_owned(), Arc::new(FontData::from_static(bytes)));
        fonts.families.insert(family, vec![name.to_owned()]);
    }
    for family in [FontFamily::Proportional, medium(), semibold()] {
        fonts.families.entry(family).or_default().push("mono".to_owned());
    }
    fonts.families.entry(FontFamily::Monospace).or_default().push("inter".to_owned());
    ctx.set_fonts(fonts);
}
