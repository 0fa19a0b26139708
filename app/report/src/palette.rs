//! The tokens of the look as colours, for pictures made without a window.
//!
//! Here are those that a [`crate::Figure`] names; the window takes them over and adds its own.

use crate::figure::Ink;

/// The colours of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    /// `dark`, `light`, `high-contrast`.
    pub id: &'static str,
    /// Whether variants also get their pattern.
    pub patterns: bool,
    surfaces: [&'static str; 3],
    texts: [&'static str; 4],
    lines: [&'static str; 3],
    accents: [&'static str; 2],
    variants: [&'static str; 8],
    processes: [&'static str; 5],
    verdicts: [&'static str; 6],
}

impl Palette {
    /// Dark.
    pub const DARK: Self = Self {
        id: "dark",
        patterns: false,
        surfaces: ["#191E25", "#222933", "#2D3642"],
        texts: ["#E8ECF2", "#B6BFCB", "#8F99A7", "#5D6775"],
        lines: ["#232A33", "#272E38", "#3D4755"],
        accents: ["#93A0FF", "#262C52"],
        variants: ["#94A2B7", "#4FB0F2", "#F0953A", "#E7E2A7", "#8D62D6", "#D29E83", "#77EBD8", "#F7248A"],
        processes: ["#4E9F98", "#CDB27A", "#9C82AC", "#BF8379", "#96D2FB"],
        verdicts: ["#5CDCC0", "#F2748A", "#A9B3C1", "#8F99A7", "#FF6B5E", "#E5BD4F"],
    };

    /// Light, for paper and mails.
    pub const LIGHT: Self = Self {
        id: "light",
        patterns: false,
        surfaces: ["#FFFFFF", "#ECEFF4", "#DCE2EA"],
        texts: ["#151A21", "#3C4652", "#5C6876", "#98A2AF"],
        lines: ["#EBEEF2", "#DBE0E7", "#B4BECB"],
        accents: ["#4450D0", "#E5E8FD"],
        variants: ["#64748A", "#1C7CC7", "#CB6406", "#8F8048", "#4F42CF", "#803115", "#035D49", "#911D90"],
        processes: ["#3E8F88", "#AB8437", "#8A6C9C", "#95411F", "#364F62"],
        verdicts: ["#00736A", "#A8123E", "#56616F", "#5C6876", "#BF2A1E", "#855D00"],
    };

    /// High contrast.
    pub const HIGH_CONTRAST: Self = Self {
        id: "high-contrast",
        patterns: true,
        surfaces: ["#0A0A0A", "#1F1F1F", "#383838"],
        texts: ["#FFFFFF", "#F2F2F2", "#D2D2D2", "#A6A6A6"],
        lines: ["#4A4A4A", "#8C8C8C", "#FFFFFF"],
        accents: ["#FFE14D", "#2E2700"],
        variants: ["#B8C4D6", "#6CC4FF", "#FFA850", "#E7E2A7", "#A988EA", "#D29E83", "#77EBD8", "#FF6BB0"],
        processes: ["#62B8B1", "#DFC588", "#B79CC8", "#D6998E", "#A9DBFF"],
        verdicts: ["#6BF2D4", "#FFA3A3", "#F2F2F2", "#D2D2D2", "#FF9A90", "#FFC247"],
    };

    /// All palettes.
    pub const ALL: [Self; 3] = [Self::DARK, Self::LIGHT, Self::HIGH_CONTRAST];

    /// The palette of that id.
    pub fn of(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|palette| palette.id == id)
    }

    /// The colour of a meaning, as in SVG.
    pub fn color(&self, ink: Ink) -> &'static str {
        let [s2, s3, s4] = self.surfaces;
        let [t1, t2, t3, t4] = self.texts;
        let [grid, line, line2] = self.lines;
        let [accent, accent_ground] = self.accents;
        let [svnserve, client, system, httpd, disk] = self.processes;
        let [faster, slower, same, not_shown, failed, warning] = self.verdicts;
        match ink {
            Ink::S2 => s2,
            Ink::S3 => s3,
            Ink::S4 => s4,
            Ink::T1 => t1,
            Ink::T2 => t2,
            Ink::T3 => t3,
            Ink::T4 => t4,
            Ink::Grid => grid,
            Ink::Line => line,
            Ink::Line2 => line2,
            Ink::Accent => accent,
            Ink::AccentGround => accent_ground,
            Ink::Variant(index) => {
                self.variants.get(usize::from(index) % self.variants.len()).copied().unwrap_or(t3)
            }
            Ink::Svnserve => svnserve,
            Ink::Client => client,
            Ink::System => system,
            Ink::Httpd => httpd,
            Ink::Disk => disk,
            Ink::Faster => faster,
            Ink::Slower => slower,
            Ink::Same => same,
            Ink::NotShown => not_shown,
            Ink::Failed => failed,
            Ink::Warning => warning,
        }
    }
}
