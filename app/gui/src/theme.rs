//! The one place where colours are made: tokens by name, for dark, light and high contrast.
//!
//! Widgets read a [`Theme`]; egui's own style is filled from it. egui knows two themes, so high
//! contrast is put into both slots.

use egui::{Color32, CornerRadius, FontFamily, FontId, Margin, Stroke, TextStyle, Vec2};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use triptych_report::{Font, Ink};

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
        Self {
            dark: true,
            patterns: false,
            s0: hex(0x0D_1014),
            s1: hex(0x13_171D),
            s2: hex(0x19_1E25),
            s3: hex(0x22_2933),
            s4: hex(0x2D_3642),
            grid: hex(0x23_2A33),
            line: hex(0x27_2E38),
            line2: hex(0x3D_4755),
            t1: hex(0xE8_ECF2),
            t2: hex(0xB6_BFCB),
            t3: hex(0x8F_99A7),
            t4: hex(0x5D_6775),
            accent: hex(0x93_A0FF),
            accent_ground: hex(0x26_2C52),
            on_accent: hex(0x0D_1014),
            faster: hex(0x5C_DCC0),
            slower: hex(0xF2_748A),
            same: hex(0xA9_B3C1),
            not_shown: hex(0x8F_99A7),
            failed: hex(0xFF_6B5E),
            warning: hex(0xE5_BD4F),
            variants: [
                0x94_A2B7, 0x4F_B0F2, 0xF0_953A, 0xE7_E2A7, 0x8D_62D6, 0xD2_9E83, 0x77_EBD8, 0xF7_248A,
            ]
            .map(hex),
            svnserve: hex(0x4E_9F98),
            client: hex(0xCD_B27A),
            system: hex(0x9C_82AC),
            disk: hex(0x96_D2FB),
            httpd: hex(0xBF_8379),
            scrim: Color32::from_black_alpha(112),
        }
    }

    /// Dark text on light ground.
    pub fn light() -> Self {
        Self {
            dark: false,
            patterns: false,
            s0: hex(0xE4_E8ED),
            s1: hex(0xF3_F5F8),
            s2: hex(0xFF_FFFF),
            s3: hex(0xEC_EFF4),
            s4: hex(0xDC_E2EA),
            grid: hex(0xEB_EEF2),
            line: hex(0xDB_E0E7),
            line2: hex(0xB4_BECB),
            t1: hex(0x15_1A21),
            t2: hex(0x3C_4652),
            t3: hex(0x5C_6876),
            t4: hex(0x98_A2AF),
            accent: hex(0x44_50D0),
            accent_ground: hex(0xE5_E8FD),
            on_accent: hex(0xFF_FFFF),
            faster: hex(0x00_736A),
            slower: hex(0xA8_123E),
            same: hex(0x56_616F),
            not_shown: hex(0x5C_6876),
            failed: hex(0xBF_2A1E),
            warning: hex(0x85_5D00),
            variants: [
                0x64_748A, 0x1C_7CC7, 0xCB_6406, 0x8F_8048, 0x4F_42CF, 0x80_3115, 0x03_5D49, 0x91_1D90,
            ]
            .map(hex),
            svnserve: hex(0x3E_8F88),
            client: hex(0xAB_8437),
            system: hex(0x8A_6C9C),
            disk: hex(0x36_4F62),
            httpd: hex(0x95_411F),
            scrim: Color32::from_black_alpha(112),
        }
    }

    /// White on black, yellow accent, patterns always on.
    pub fn high_contrast() -> Self {
        Self {
            dark: true,
            patterns: true,
            s0: hex(0x00_0000),
            s1: hex(0x00_0000),
            s2: hex(0x0A_0A0A),
            s3: hex(0x1F_1F1F),
            s4: hex(0x38_3838),
            grid: hex(0x4A_4A4A),
            line: hex(0x8C_8C8C),
            line2: hex(0xFF_FFFF),
            t1: hex(0xFF_FFFF),
            t2: hex(0xF2_F2F2),
            t3: hex(0xD2_D2D2),
            t4: hex(0xA6_A6A6),
            accent: hex(0xFF_E14D),
            accent_ground: hex(0x2E_2700),
            on_accent: hex(0x00_0000),
            faster: hex(0x6B_F2D4),
            slower: hex(0xFF_A3A3),
            same: hex(0xF2_F2F2),
            not_shown: hex(0xD2_D2D2),
            failed: hex(0xFF_9A90),
            warning: hex(0xFF_C247),
            variants: [
                0xB8_C4D6, 0x6C_C4FF, 0xFF_A850, 0xE7_E2A7, 0xA9_88EA, 0xD2_9E83, 0x77_EBD8, 0xFF_6BB0,
            ]
            .map(hex),
            svnserve: hex(0x62_B8B1),
            client: hex(0xDF_C588),
            system: hex(0xB7_9CC8),
            disk: hex(0xA9_DBFF),
            httpd: hex(0xD6_998E),
            scrim: Color32::from_black_alpha(160),
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
