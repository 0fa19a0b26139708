//! Words of a script: quoted, with variables in them where marks stand.

use crate::command_text::quote;

/// Where a variable of the script stands in a word. The characters are private ones that no path has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// Directory of the variant's programs.
    Bin,
    /// Directory of the repository's copy.
    Copy,
    /// The last part of it.
    CopyName,
    /// The server's port.
    Port,
    /// A directory in memory.
    Scratch,
}

impl Mark {
    const ALL: [(Self, char); 5] = [
        (Self::Bin, '\u{F7D0}'),
        (Self::Copy, '\u{F7D1}'),
        (Self::CopyName, '\u{F7D2}'),
        (Self::Port, '\u{F7D3}'),
        (Self::Scratch, '\u{F7D4}'),
    ];

    /// The mark as text.
    pub(super) fn text(self) -> String {
        Self::ALL.iter().filter(|(mark, _)| *mark == self).map(|(_, letter)| *letter).collect()
    }

    fn of(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, known)| *known == letter).map(|(mark, _)| mark)
    }
}

/// A word with its marks replaced by what `variable` gives, quoted so that only those are expanded.
pub(super) fn word(text: &str, variable: impl Fn(Mark) -> String) -> String {
    if !text.chars().any(|letter| Mark::of(letter).is_some()) {
        return quote(text);
    }
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match Mark::of(letter) {
            Some(mark) => quoted.push_str(&variable(mark)),
            None => {
                if matches!(letter, '"' | '$' | '`' | '\\') {
                    quoted.push('\\');
                }
                quoted.push(letter);
            }
        }
    }
    quoted.push('"');
    quoted
}

/// The name of a variable: other letters than the shell's become `_`, with their sum behind so that
/// `a-b` and `a.b` stay apart.
pub(super) fn variable(kind: &str, label: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric();
    let name: String = label.chars().map(|letter| if plain(letter) { letter } else { '_' }).collect();
    let odd = label.chars().filter(|letter| !plain(*letter) && *letter != ' ');
    let sum = odd.fold(0u32, |sum, letter| sum.wrapping_mul(31).wrapping_add(u32::from(letter)));
    if sum == 0 { format!("{kind}_{name}") } else { format!("{kind}_{name}_{sum:x}") }
}
