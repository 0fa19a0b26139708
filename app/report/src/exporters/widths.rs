//! Widths of texts where no window measures them: advances of the shipped fonts, without kerning.
//!
//! Numbers only, in thousandths of the size, for printable ASCII; other characters take a mean width.

use crate::figure::Font;

/// Advance of each character from U+0020 to U+007E.
type Advances = [u16; 95];

const REGULAR: Advances = [
    281, 278, 403, 631, 638, 812, 639, 222, 362, 362, 500, 659, 280, 460, 276, 357, 648, 648, 648, 648, 648,
    648, 648, 648, 648, 648, 276, 280, 659, 659, 659, 507, 936, 676, 651, 727, 719, 598, 587, 743, 740, 264,
    543, 652, 562, 889, 753, 761, 635, 761, 639, 638, 642, 741, 676, 949, 642, 665, 625, 362, 357, 362, 469,
    452, 497, 564, 621, 558, 621, 582, 361, 609, 591, 237, 237, 544, 237, 869, 585, 597, 609, 609, 372, 523,
    364, 581, 557, 812, 540, 557, 541, 362, 327, 362, 659,
];

const MEDIUM: Advances = [
    265, 294, 400, 637, 643, 828, 651, 217, 378, 378, 522, 666, 288, 463, 283, 368, 659, 659, 659, 659, 659,
    659, 659, 659, 659, 659, 283, 288, 666, 666, 666, 526, 968, 700, 654, 735, 722, 603, 586, 749, 742, 270,
    552, 664, 564, 898, 747, 768, 639, 768, 645, 643, 651, 738, 700, 978, 666, 685, 639, 378, 368, 378, 475,
    460, 497, 569, 626, 568, 626, 587, 369, 617, 602, 249, 249, 556, 249, 884, 597, 602, 617, 617, 384, 536,
    372, 594, 566, 825, 551, 566, 551, 378, 342, 378, 666,
];

const SEMIBOLD: Advances = [
    248, 309, 396, 643, 649, 844, 663, 213, 393, 393, 543, 673, 295, 466, 290, 379, 670, 670, 670, 670, 670,
    670, 670, 670, 670, 670, 290, 295, 673, 673, 673, 544, 999, 724, 657, 744, 724, 608, 586, 755, 744, 275,
    561, 677, 566, 906, 741, 775, 643, 776, 651, 649, 660, 734, 724, 1007, 690, 705, 653, 393, 379, 393, 481,
    468, 497, 575, 630, 577, 630, 593, 377, 625, 613, 261, 261, 569, 261, 898, 610, 608, 625, 625, 397, 549,
    380, 608, 576, 837, 562, 576, 562, 393, 358, 393, 673,
];

/// Mono: every character alike.
const MONO: u16 = 600;

/// A character that is not in the tables; a narrow space is known, as it stands before every unit.
const OTHER: u16 = 600;
const NARROW_SPACE: u16 = 182;

/// Width of a text in points at text scale 1, within some per cent of what is drawn.
pub fn text_width(text: &str, font: Font) -> f32 {
    let thousandths: u32 = text.chars().map(|character| u32::from(advance(character, font))).sum();
    thousandths as f32 / 1000.0 * font.size()
}

fn advance(character: char, font: Font) -> u16 {
    let advances = match font {
        Font::Mono => return MONO,
        Font::Small | Font::Body => &REGULAR,
        Font::Medium => &MEDIUM,
        Font::Semibold | Font::Figure => &SEMIBOLD,
    };
    if character == crate::numbers::NARROW {
        return NARROW_SPACE;
    }
    let place = (character as usize).checked_sub(0x20);
    place.and_then(|place| advances.get(place)).copied().unwrap_or(OTHER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_tabular_and_words_have_their_width() {
        assert!((text_width("111.11", Font::Body) - text_width("987.65", Font::Body)).abs() < 1e-6);
        assert!((text_width("null-log -v", Font::Mono) - 11.0 * 6.6).abs() < 1e-4);
        assert!(text_width("trunk", Font::Semibold) > text_width("trunk", Font::Body));
        assert!(text_width("7\u{202f}s", Font::Small) < text_width("7 s", Font::Small));
    }
}
