//! What a line has at all, found in one pass: it tells most readers that the line cannot be theirs.
//!
//! Readers say by [`Signs::any_of`] what their first lines have, the driver finds what each line has, and
//! compares ([`crate::offer`]). Signs only spare work: what a line is, its reader decides.

/// A set of signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signs(u64);

/// The signs that are texts: a character anywhere, or two of which one follows the other; a 0 stands
/// for any digit. Rare ones are of more use than frequent ones.
#[rustfmt::skip]
const TEXTS: &[&str] = &[
    // Times, cells, marks.
    ":", "0:", "0T", "0.", "0 ", "\t", ";-", "[", " (", "*", "<", "+", "=", "_", "--", " -", "-0", "__", "%)", "! ", "  ",
    // Parts of words: PID and TGID, CPU, criterion, sample, run, system, exit, Packing, elapsed, repo:
    "ID", "PU", "cr", "mp", " r", "sy", "xi", " P", "ps", "o:",
    // Labels of svnbench: directories, revisions, Verzeichnisse, kataloger, taken, bytes.
    "ct", "vi", "rz", "ta", "yt",
    // Command lines and failures: time, refused, Caught, Killed, Segmentation, (core, found.
    "im", "fu", "Ca", "Ki", "gm", "(c", ": ", "ou",
];

/// What comes before the texts in the bits of a set.
const FIRST_TEXT: usize = 8;

const _: () = assert!(FIRST_TEXT + TEXTS.len() <= 64);

impl Signs {
    /// Of no line.
    pub const NEVER: Self = Self(0);
    /// Of every line.
    pub const ALWAYS: Self = Self(1);
    /// An ASCII letter.
    pub const LETTER: Self = Self(1 << 1);
    /// A character that is not ASCII.
    pub const HIGH: Self = Self(1 << 2);
    /// A sign of punctuation or a control character that is no blank.
    const MARK: Self = Self(1 << 3);
    /// Nine digits or more at its head.
    pub const LONG: Self = Self(1 << 4);
    /// Figures with something blank between them, and nothing else.
    pub const COLUMNS: Self = Self(1 << 5);
    /// Letters, and what may part cells: punctuation, a tab, more than one blank.
    pub const CELLS: Self = Self(1 << 6);

    /// Two points with two characters between them, as in `8.06.44`.
    pub const DOTS: Self = Self(1 << 7);

    /// Some of [`TEXTS`]; does not compile with others where it is a constant.
    pub const fn any_of(texts: &[&str]) -> Self {
        let mut found = 0;
        let mut at = 0;
        while at < texts.len() {
            found |= bit(texts[at].as_bytes());
            at += 1;
        }
        Self(found)
    }

    /// All of both.
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether one sign is in both.
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// What a line has.
    pub fn of_line(text: &str) -> Self {
        let mut found = 0;
        let mut before = b' ';
        for byte in text.bytes() {
            found |= BEFORE[usize::from(before)] & HERE[usize::from(byte)];
            before = byte;
        }
        let mut signs = Self(found | Self::ALWAYS.0);
        if signs.meets(Self::LETTER) {
            const PARTS: Signs = Signs::any_of(&["  ", "\t"]).or(Signs::MARK).or(Signs::HIGH);
            signs = if signs.meets(PARTS) { signs.or(Self::CELLS) } else { signs };
        } else if !signs.meets(Self::MARK)
            && signs.meets(const { Self::any_of(&["0 ", "\t"]).or(Self::HIGH) })
        {
            signs = signs.or(Self::COLUMNS);
        }
        if signs.meets(const { Self::any_of(&["0."]) }) && has_dots(text) {
            signs = signs.or(Self::DOTS);
        }
        let head = text.trim_ascii_start().bytes().take_while(u8::is_ascii_digit);
        if head.take(9).count() == 9 { signs.or(Self::LONG) } else { signs }
    }
}

fn has_dots(text: &str) -> bool {
    let mut points = memchr::memchr_iter(b'.', text.as_bytes());
    let mut last = points.next();
    points.any(|at| last.replace(at).is_some_and(|last| at - last == 3))
}

const fn bit(text: &[u8]) -> u64 {
    let mut at = 0;
    while at < TEXTS.len() {
        let known = TEXTS[at].as_bytes();
        if known.len() == text.len() && known[0] == text[0] && known[known.len() - 1] == text[text.len() - 1]
        {
            return 1 << (FIRST_TEXT + at);
        }
        at += 1;
    }
    panic!("no sign that is looked for")
}

/// By byte, the signs that this byte allows to end behind it.
static BEFORE: [u64; 256] = before();

/// By byte, the signs that end with it.
static HERE: [u64; 256] = here();

const fn before() -> [u64; 256] {
    let mut signs = [Signs::LETTER.0 | Signs::HIGH.0 | Signs::MARK.0; 256];
    let mut at = 0;
    while at < TEXTS.len() {
        let text = TEXTS[at].as_bytes();
        let mut byte = 0;
        while byte < 256 {
            let is_digit = text[0] == b'0' && (byte as u8).is_ascii_digit();
            if text.len() == 1 || is_digit || byte == text[0] as usize {
                signs[byte] |= bit(text);
            }
            byte += 1;
        }
        at += 1;
    }
    signs
}

const fn here() -> [u64; 256] {
    let mut signs = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        if byte >= 0x80 {
            signs[byte] |= Signs::HIGH.0;
        } else if (byte as u8).is_ascii_alphabetic() {
            signs[byte] |= Signs::LETTER.0;
        } else if !(byte as u8).is_ascii_digit() && !matches!(byte as u8, b' ' | b'\t'..=b'\r') {
            signs[byte] |= Signs::MARK.0;
        }
        byte += 1;
    }
    let mut at = 0;
    while at < TEXTS.len() {
        let text = TEXTS[at].as_bytes();
        let last = text[text.len() - 1];
        signs[last as usize] |= bit(text);
        let mut digit = b'0';
        while last == b'0' && digit <= b'9' {
            signs[digit as usize] |= bit(text);
            digit += 1;
        }
        at += 1;
    }
    signs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn signs_of_lines() {
        for (text, sign, expect) in [
            ("a", Signs::ALWAYS, true),
            ("", Signs::ALWAYS, true),
            ("a", Signs::NEVER, false),
            ("1 a", Signs::LETTER, true),
            ("1 2.5", Signs::LETTER, false),
            ("\u{e4}", Signs::HIGH, true),
            ("  123456789", Signs::LONG, true),
            ("  12345678 9", Signs::LONG, false),
            ("12 3", Signs::COLUMNS, true),
            ("12", Signs::COLUMNS, false),
            ("1 a", Signs::COLUMNS, false),
            ("1 2.5", Signs::COLUMNS, false),
            ("12\t3", Signs::COLUMNS, true),
            ("8.06.44 x", Signs::DOTS, true),
            ("1.5 2.5", Signs::DOTS, false),
            ("1.5.44", Signs::DOTS, false),
            ("1 a", Signs::CELLS, false),
            ("1  a", Signs::CELLS, true),
            ("1\ta", Signs::CELLS, true),
            ("1,2", Signs::CELLS, false),
            ("a--b", Signs::any_of(&["--"]), true),
            ("a-b-", Signs::any_of(&["--"]), false),
            ("run", Signs::any_of(&[" r"]), true),
            ("trunk", Signs::any_of(&[" r", ":"]), false),
        ] {
            assert_eq!(Signs::of_line(text).meets(sign), expect, "{text:?} {sign:?}");
        }
    }

    proptest! {
        #[test]
        fn texts_are_found_wherever_they_stand(text in "[a-zA-Z0-9 :.;\t!%()_*<+=-]{0,12}") {
            let signs = Signs::of_line(&text);
            for known in TEXTS {
                // A blank may be thought to stand ahead of the line.
                let text = if known.len() == 1 { text.clone() } else { format!(" {text}") };
                let digits = |digit: u8| text.contains(&known.replace('0', &digit.to_string()));
                let expect = text.contains(known) || known.contains('0') && (0..10).any(digits);
                prop_assert_eq!(signs.meets(Signs::any_of(&[known])), expect, "{}", known);
            }
        }
    }
}
