//! The one place where colours are made: tokens by name, for dark, light and high contrast.
//!
//! Widgets read a [`Theme`]; egui's own style is filled from it. egui knows two themes, so high
//! contrast is put into both slots.

use egui::{Color32, CornerRadius, FontFamily, FontId, Margin, Stroke, TextStyle, Vec2};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use triptych_report::{Font, Ink, Palette};

/// Which set of tokens the user wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Look {
    /// Follow the desktop.
    #[default]
    System,
    /// Dark.
    Dark,
    /// Light.
    Light,
    /// High contrast, dark.
    HighContrast,
}

/// All tokens of one look (LOOK §2).
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    /// Whether text is light on dark.
    pub dark: bool,
    /// Whether patterns are always drawn.
    pub patterns: bool,
    /// Window, gaps, source text, wells of fields.
    pub s0: Color32,
    /// Menu, query bar, side panels, status line.
    pub s1: Color32,
    /// Tiles, sheets.
    pub s2: Color32,
    /// Buttons, chips, hovered row, tooltip, palette.
    pub s3: Color32,
    /// Pressed, hovered button, threshold band.
    pub s4: Color32,
    /// Chart grid.
    pub grid: Color32,
    /// Separators.
    pub line: Color32,
    /// Axis base, field outline, tooltip outline.
    pub line2: Color32,
    /// Values, names, titles.
    pub t1: Color32,
    /// Body text.
    pub t2: Color32,
    /// Labels, units, axes, counts.
    pub t3: Color32,
    /// Disabled only, reference line at 1.
    pub t4: Color32,
    /// Selection, focus, cursor, main action, links.
    pub accent: Color32,
    /// Selected row, selected cell.
    pub accent_ground: Color32,
    /// Text on accent.
    pub on_accent: Color32,
    /// Verdict faster.
    pub faster: Color32,
    /// Verdict slower.
    pub slower: Color32,
    /// Verdict same.
    pub same: Color32,
    /// Verdict not shown, too few samples.
    pub not_shown: Color32,
    /// Failed runs.
    pub failed: Color32,
    /// Warnings.
    pub warning: Color32,
    /// Variants by place.
    pub variants: [Color32; 8],
    /// svnserve.
    pub svnserve: Color32,
    /// Client.
    pub client: Color32,
    /// System.
    pub system: Color32,
    /// Disk, cold evidence.
    pub disk: Color32,
    /// httpd.
    pub httpd: Color32,
    /// Behind sheets.
    pub scrim: Color32,
}

/// Spacing and sizes that do not change with the look (LOOK §3).
pub mod size {
    /// Gap between tiles.
    pub const GAP: f32 = 4.0;
    /// Inside cells.
    pub const CELL: f32 = 8.0;
    /// At panel edges.
    pub const EDGE: f32 = 12.0;
    /// In sheets.
    pub const SHEET: f32 = 20.0;
    /// A row of a table or facet at text scale 1.
    pub const ROW: f32 = 22.0;
    /// Tile header and tabs.
    pub const HEADER: f32 = 30.0;
    /// Buttons and fields.
    pub const BUTTON: f32 = 26.0;
    /// Query bar and menu.
    pub const BAR: f32 = 36.0;
    /// Status line.
    pub const STATUS: f32 = 24.0;
}

/// Tokens that only the window has.
struct Own {
    s0: u32,
    s1: u32,
    on_accent: u32,
    scrim: u8,
}

/// A colour of the palette, `#RRGGBB`; one that is not so is shown as a loud red, and a test forbids it.
fn parse(colour: &str) -> Color32 {
    let digits = colour.strip_prefix('#').filter(|digits| digits.len() == 6);
    digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).map_or(Color32::RED, hex)
}

const fn hex(rgb: u32) -> Color32 {
    Color32::from_rgb((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8)
}

impl Theme {
    /// The tokens of a look; [`Look::System`] is given by whether the desktop is dark.
    pub fn of(look: Look, system_dark: bool) -> Self {
        match look {
            Look::Dark => Self::dark(),
            Look::Light => Self::light(),
            Look::HighContrast => Self::high_contrast(),
            Look::System if system_dark => Self::dark(),
            Look::System => Self::light(),
        }
    }

    /// Light text on dark ground.
    pub fn dark() -> Self {
        let own = Own { s0: 0x0D_1014, s1: 0x13_171D, on_accent: 0x0D_1014, scrim: 112 };
        Self::of_palette(&Palette::DARK, true, &own)
    }

    /// Dark text on light ground.
    pub fn light() -> Self {
        let own = Own { s0: 0xE4_E8ED, s1: 0xF3_F5F8, on_accent: 0xFF_FFFF, scrim: 112 };
        Self::of_palette(&Palette::LIGHT, false, &own)
    }

    /// White on black, yellow accent, patterns always on.
    pub fn high_contrast() -> Self {
        let own = Own { s0: 0x00_0000, s1: 0x00_0000, on_accent: 0x00_0000, scrim: 160 };
        Self::of_palette(&Palette::HIGH_CONTRAST, true, &own)
    }

    /// What figures name comes from the palette of pictures, so that window and SVG are the same.
    fn of_palette(palette: &Palette, dark: bool, own: &Own) -> Self {
        let ink = |ink: Ink| parse(palette.color(ink));
        Self {
            dark,
            patterns: palette.patterns,
            s0: hex(own.s0),
            s1: hex(own.s1),
            s2: ink(Ink::S2),
            s3: ink(Ink::S3),
            s4: ink(Ink::S4),
            grid: ink(Ink::Grid),
            line: ink(Ink::Line),
            line2: ink(Ink::Line2),
            t1: ink(Ink::T1),
            t2: ink(Ink::T2),
            t3: ink(Ink::T3),
            t4: ink(Ink::T4),
            accent: ink(Ink::Accent),
            accent_ground: ink(Ink::AccentGround),
            on_accent: hex(own.on_accent),
            faster: ink(Ink::Faster),
            slower: ink(Ink::Slower),
            same: ink(Ink::Same),
            not_shown: ink(Ink::NotShown),
            failed: ink(Ink::Failed),
            warning: ink(Ink::Warning),
            variants: [0, 1, 2, 3, 4, 5, 6, 7].map(|index| ink(Ink::Variant(index))),
            svnserve: ink(Ink::Svnserve),
            client: ink(Ink::Client),
            system: ink(Ink::System),
            disk: ink(Ink::Disk),
            httpd: ink(Ink::Httpd),
            scrim: Color32::from_black_alpha(own.scrim),
        }
    }

    /// The colour of a meaning.
    pub fn ink(&self, ink: Ink) -> Color32 {
        match ink {
            Ink::S2 => self.s2,
            Ink::S3 => self.s3,
            Ink::S4 => self.s4,
            Ink::T1 => self.t1,
            Ink::T2 => self.t2,
            Ink::T3 => self.t3,
            Ink::T4 => self.t4,
            Ink::Grid => self.grid,
            Ink::Line => self.line,
            Ink::Line2 => self.line2,
            Ink::Accent => self.accent,
            Ink::AccentGround => self.accent_ground,
            Ink::Variant(index) => self.variants[usize::from(index) % self.variants.len()],
            Ink::Svnserve => self.svnserve,
            Ink::Client => self.client,
            Ink::System => self.system,
            Ink::Httpd => self.httpd,
            Ink::Disk => self.disk,
            Ink::Faster => self.faster,
            Ink::Slower => self.slower,
            Ink::Same => self.same,
            Ink::NotShown => self.not_shown,
            Ink::Failed => self.failed,
            Ink::Warning => self.warning,
        }
    }

    /// The same colour at 82 % over the tile: areas of load charts.
    pub fn area(&self, ink: Ink) -> Color32 {
        self.s2.lerp_to_gamma(self.ink(ink), 0.82)
    }
}

/// The family of semibold text.
pub fn semibold() -> FontFamily {
    FontFamily::Name("semibold".into())
}

/// The family of medium text.
pub fn medium() -> FontFamily {
    FontFamily::Name("medium".into())
}

/// The font of a role at a text scale.
pub fn font_id(font: Font, scale: f32) -> FontId {
    let family = match font {
        Font::Small | Font::Body => FontFamily::Proportional,
        Font::Medium => medium(),
        Font::Semibold | Font::Figure => semibold(),
        Font::Mono => FontFamily::Monospace,
    };
    FontId::new(font.size() * scale, family)
}

/// Puts the theme and the text scale into egui's style.
pub fn apply(ctx: &egui::Context, theme: &Theme, text_scale: f32, reduce_motion: bool) {
    let style = Arc::new(style(theme, text_scale, reduce_motion));
    ctx.set_style_of(egui::Theme::Dark, Arc::clone(&style));
    ctx.set_style_of(egui::Theme::Light, style);
}

fn style(theme: &Theme, scale: f32, reduce_motion: bool) -> egui::Style {
    let mut style = egui::Style {
        animation_time: if reduce_motion { 0.0 } else { 0.08 },
        visuals: visuals(theme),
        ..egui::Style::default()
    };
    style.text_styles = [
        (TextStyle::Small, FontId::new(11.0 * scale, FontFamily::Proportional)),
        (TextStyle::Body, FontId::new(13.0 * scale, FontFamily::Proportional)),
        (TextStyle::Button, FontId::new(13.0 * scale, FontFamily::Proportional)),
        (TextStyle::Heading, FontId::new(16.0 * scale, semibold())),
        (TextStyle::Monospace, FontId::new(11.0 * scale, FontFamily::Monospace)),
        (TextStyle::Name("figure".into()), FontId::new(24.0 * scale, semibold())),
        (TextStyle::Name("medium".into()), FontId::new(13.0 * scale, medium())),
        (TextStyle::Name("semibold".into()), FontId::new(13.0 * scale, semibold())),
    ]
    .into();
    let spacing = &mut style.spacing;
    spacing.item_spacing = Vec2::new(8.0, 4.0);
    spacing.button_padding = Vec2::new(10.0, 4.0);
    spacing.interact_size.y = size::BUTTON.max(13.0 * scale + 10.0);
    spacing.icon_width = 13.0 * scale;
    spacing.icon_width_inner = 8.0 * scale;
    spacing.window_margin = Margin::same(20);
    spacing.menu_margin = Margin::same(6);
    spacing.scroll = egui::style::ScrollStyle::thin();
    style
}

fn visuals(theme: &Theme) -> egui::Visuals {
    let mut visuals = if theme.dark { egui::Visuals::dark() } else { egui::Visuals::light() };
    // The coverage as it is: egui's own choice for dark grounds makes regular text look medium.
    visuals.text_options.color_transfer_function = egui::epaint::FontColorTransferFunction::Off;
    visuals.panel_fill = theme.s1;
    visuals.window_fill = theme.s2;
    visuals.extreme_bg_color = theme.s0;
    visuals.faint_bg_color = theme.s2;
    visuals.code_bg_color = theme.s0;
    visuals.window_stroke = Stroke::new(1.0, theme.line2);
    visuals.window_corner_radius = CornerRadius::same(8);
    visuals.menu_corner_radius = CornerRadius::same(6);
    visuals.selection.bg_fill = theme.accent_ground;
    visuals.selection.stroke = Stroke::new(1.0, theme.t1);
    visuals.hyperlink_color = theme.accent;
    visuals.warn_fg_color = theme.warning;
    visuals.error_fg_color = theme.failed;
    visuals.weak_text_color = Some(theme.t3);
    visuals.override_text_color = None;
    visuals.text_cursor.stroke = Stroke::new(1.5, theme.accent);
    visuals.striped = false;
    let widgets = &mut visuals.widgets;
    for (widget, fill, text) in [
        (&mut widgets.noninteractive, theme.s2, theme.t2),
        (&mut widgets.inactive, theme.s3, theme.t1),
        (&mut widgets.hovered, theme.s4, theme.t1),
        (&mut widgets.active, theme.s4, theme.t1),
        (&mut widgets.open, theme.s3, theme.t1),
    ] {
        widget.bg_fill = fill;
        widget.weak_bg_fill = fill;
        widget.bg_stroke = Stroke::NONE;
        widget.fg_stroke = Stroke::new(1.0, text);
        widget.expansion = 0.0;
        widget.corner_radius = CornerRadius::same(4);
    }
    widgets.noninteractive.bg_stroke = Stroke::new(1.0, theme.line);
    visuals
}

#[cfg(test)]
mod tests {
    use super::*;

    /// WCAG 2 relative luminance.
    fn luminance(colour: Color32) -> f64 {
        let channel = |value: u8| {
            let share = f64::from(value) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(colour.r()) + 0.7152 * channel(colour.g()) + 0.0722 * channel(colour.b())
    }

    fn contrast(a: Color32, b: Color32) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn every_colour_of_the_palettes_can_be_read() {
        for theme in [Theme::dark(), Theme::light(), Theme::high_contrast()] {
            assert_ne!(theme.t1, Color32::RED);
            assert!(theme.variants.iter().all(|colour| *colour != Color32::RED));
        }
        assert_eq!(parse("#93A0FF"), hex(0x93_A0FF));
        assert_eq!(parse("93A0FF"), Color32::RED);
    }

    #[test]
    fn text_and_marks_keep_their_contrast() {
        for (theme, text_floor) in
            [(Theme::dark(), 4.5), (Theme::light(), 4.5), (Theme::high_contrast(), 7.0)]
        {
            for ground in [theme.s1, theme.s2, theme.s3, theme.accent_ground] {
                for text in
                    [theme.t1, theme.t2, theme.t3, theme.accent, theme.warning, theme.failed, theme.slower]
                {
                    assert!(contrast(text, ground) >= text_floor, "{text:?} on {ground:?}");
                }
            }
            assert!(contrast(theme.on_accent, theme.accent) >= 4.5);
            for mark in theme.variants {
                for ground in [theme.s2, theme.accent_ground] {
                    assert!(contrast(mark, ground) >= 3.0, "{mark:?} on {ground:?}");
                }
            }
            for mark in [theme.svnserve, theme.client, theme.system, theme.disk, theme.httpd] {
                assert!(contrast(mark, theme.s2) >= 3.0, "{mark:?}");
            }
        }
    }
}
