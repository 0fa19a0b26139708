//! How far to trust a value: a set of words, joined by `+` where there are several.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A set of quality words.
///
/// An empty set is no claim at all and never leaves a reader: every row has at least one word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Quality(u32);

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident $word:literal),* $(,)?) => {
        words!(@consts 0u32; $($(#[$doc])* $name),*);
        /// All words in the order they are printed.
        const WORDS: &[(Quality, &str)] = &[$((Quality::$name, $word)),*];
    };
    (@consts $bit:expr; $(#[$doc:meta])* $name:ident $(, $($rest:tt)*)?) => {
        impl Quality {
            $(#[$doc])*
            pub const $name: Self = Self(1 << ($bit));
        }
        $(words!(@consts $bit + 1; $($rest)*);)?
    };
    (@consts $bit:expr;) => {};
}

words! {
    /// A tool measured it and wrote it down.
    MEASURED "measured",
    /// A person printed it in a mail or a table.
    AS_PRINTED "as-printed",
    /// Triptych made it from other values.
    COMPUTED "computed",
    /// Part of the record is missing.
    INCOMPLETE "incomplete",
    /// Printed figures contradict each other.
    INCONSISTENT "inconsistent",
    /// The run failed; it enters no median, minimum, ratio or chart.
    FAILED "failed",
    /// Called cold, but the cache held it.
    NOT_COLD "not-cold",
    /// Called hot, but the disk was read.
    NOT_HOT "not-hot",
    /// Other work shared the machine.
    BUSY_HOST "busy-host",
    /// The line does not follow its grammar.
    MALFORMED "malformed",
    /// An action word that no known version writes.
    UNKNOWN_ACTION "unknown-action",
    /// The path in the log was damaged by the server that wrote it.
    CORRUPT_PATH "corrupt-path",
    /// An action name of Subversion 1.4 or before.
    PRE_1_5 "pre-1.5",
    /// The session was guessed, the log does not name it.
    SESSION_GUESSED "session-guessed",
    /// Which run this belongs to was guessed from the order.
    RUN_GUESSED "run-guessed",
    /// The source names no time zone; one was assumed.
    ZONE_ASSUMED "zone-assumed",
    /// A debug or maintainer build.
    DEBUG_BUILD "debug-build",
}

impl Quality {
    /// No word.
    pub const NONE: Self = Self(0);

    /// Both sets together.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all words of `other` are in this set.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The words in their order.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        WORDS.iter().filter(move |(quality, _)| self.has(*quality)).map(|(_, word)| *word)
    }

    /// Reads words joined by `+`.
    ///
    /// # Errors
    /// The first word that is none of ours.
    pub fn parse(text: &str) -> Result<Self, String> {
        text.split('+').filter(|word| !word.is_empty()).try_fold(Self::NONE, |all, word| {
            WORDS
                .iter()
                .find(|(_, known)| *known == word)
                .map(|(quality, _)| all.with(*quality))
                .ok_or_else(|| format!("unknown quality {word:?}"))
        })
    }
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, word) in self.words().enumerate() {
            if index > 0 {
                f.write_str("+")?;
            }
            f.write_str(word)?;
        }
        Ok(())
    }
}

impl From<Quality> for String {
    fn from(quality: Quality) -> Self {
        quality.to_string()
    }
}

impl TryFrom<String> for Quality {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_its_own_bit_and_reads_back() {
        let mut all = Quality::NONE;
        for (quality, word) in WORDS {
            assert_eq!(all.0 & quality.0, 0, "{word} shares a bit");
            all = all.with(*quality);
            assert_eq!(Quality::parse(word), Ok(*quality));
        }
        assert_eq!(Quality::parse(&all.to_string()), Ok(all));
        assert!(Quality::parse("measured+nonsense").is_err());
    }
}
