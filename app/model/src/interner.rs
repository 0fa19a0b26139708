//! Texts kept once and named by numbers.
//!
//! Logs of servers repeat few texts over millions of rows. All texts lie one behind the other in one
//! string, and a table of half-empty slots finds them: a known text costs one hash and one comparison,
//! a new one its bytes and 24 more. The store keeps conditions so, [`crate::Requests`] its columns.

/// A text kept once and named by a number; 0 is always the absent text.
pub type Symbol = u32;

/// Keeps each text once. Symbol 0 stands for null.
#[derive(Clone, Debug)]
pub struct Interner {
    all: String,
    /// Where the text of each symbol ends in `all`; it begins where the one before it ends.
    ends: Vec<usize>,
    /// Hash and symbol; symbol 0 is a free slot. Their number is a power of two, half of them free.
    slots: Vec<(u32, Symbol)>,
}

impl Default for Interner {
    fn default() -> Self {
        Self { all: String::new(), ends: vec![0], slots: Vec::new() }
    }
}

impl Interner {
    /// The symbol of a text, a new one if it was not seen before.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if 2 * self.ends.len() > self.slots.len() {
            self.grow();
        }
        let hash = hash(text.as_bytes());
        match self.seek(text, hash) {
            Ok(symbol) => symbol,
            Err(free) => {
                let symbol = Symbol::try_from(self.ends.len()).unwrap_or(Symbol::MAX);
                self.all.push_str(text);
                self.ends.push(self.all.len());
                if let Some(slot) = self.slots.get_mut(free) {
                    *slot = (hash, symbol);
                }
                symbol
            }
        }
    }

    /// The symbol of a text that was seen before.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.seek(text, hash(text.as_bytes())).ok()
    }

    /// The text of a symbol; `None` for symbol 0 and unknown ones.
    pub fn get(&self, symbol: Symbol) -> Option<&str> {
        let index = symbol as usize;
        let start = *self.ends.get(index.checked_sub(1)?)?;
        self.all.get(start..*self.ends.get(index)?)
    }

    /// All texts by symbol; the first is the empty text of symbol 0.
    pub fn texts(&self) -> impl ExactSizeIterator<Item = &str> {
        let mut start = 0;
        self.ends.iter().map(move |end| self.all.get(std::mem::replace(&mut start, *end)..*end).unwrap_or(""))
    }

    /// How many symbols there are, symbol 0 included.
    pub fn symbols(&self) -> usize {
        self.ends.len()
    }

    /// Forgets all texts and keeps the room.
    pub fn clear(&mut self) {
        self.all.clear();
        self.ends.truncate(1);
        self.slots.fill((0, 0));
    }

    /// The symbol of a text, or the slot where it belongs.
    fn seek(&self, text: &str, hash: u32) -> Result<Symbol, usize> {
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = hash as usize & mask;
        loop {
            match self.slots.get(at) {
                Some((_, 0)) | None => return Err(at),
                Some((known, symbol)) if *known == hash && self.get(*symbol) == Some(text) => {
                    return Ok(*symbol);
                }
                Some(_) => at = (at + 1) & mask,
            }
        }
    }

    /// Doubles the slots.
    fn grow(&mut self) {
        let size = (2 * self.slots.len()).max(64);
        let old = std::mem::replace(&mut self.slots, vec![(0, 0); size]);
        for (hash, symbol) in old.into_iter().filter(|slot| slot.1 != 0) {
            let mut at = hash as usize & (size - 1);
            while self.slots.get(at).is_some_and(|slot| slot.1 != 0) {
                at = (at + 1) & (size - 1);
            }
            if let Some(slot) = self.slots.get_mut(at) {
                *slot = (hash, symbol);
            }
        }
    }
}

/// Mixes sixteen bytes a step by a multiplication whose halves are folded together, as wyhash and its
/// kin do. Texts are local logs: nobody is served whom a crafted log could keep waiting but its reader.
fn hash(text: &[u8]) -> u32 {
    let (pairs, rest) = text.as_chunks::<16>();
    let mut state = text.len() as u64;
    for pair in pairs {
        state = fold(u128::from_le_bytes(*pair), state);
    }
    let mut last = [0; 16];
    for (to, from) in last.iter_mut().zip(rest) {
        *to = *from;
    }
    state = fold(u128::from_le_bytes(last), state);
    (state ^ (state >> 32)) as u32
}

/// Two odd constants of well mixed bits, the fractional parts of the golden ratio and of √3.
const MIX: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xbb67_ae85_84ca_a73b];

fn fold(bytes: u128, state: u64) -> u64 {
    let (low, high) = (bytes as u64 ^ MIX[0] ^ state, (bytes >> 64) as u64 ^ MIX[1]);
    let product = u128::from(low) * u128::from(high ^ state.rotate_left(32));
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_kept_once() {
        let mut texts = Interner::default();
        assert_eq!((texts.find("a"), texts.get(0), texts.get(1)), (None, None, None));
        let all: Vec<String> =
            (0..5000).map(|number| format!("/trunk/{number}/a rather long name")).collect();
        let symbols: Vec<Symbol> = all.iter().map(|text| texts.intern(text)).collect();
        assert_eq!(symbols, (1..=5000).collect::<Vec<_>>());
        for (text, symbol) in all.iter().zip(&symbols) {
            assert_eq!((texts.intern(text), texts.find(text)), (*symbol, Some(*symbol)));
            assert_eq!(texts.get(*symbol), Some(text.as_str()));
        }
        assert_eq!(texts.texts().skip(1).collect::<Vec<_>>(), all);
        assert_eq!((texts.symbols(), texts.get(5001)), (5001, None));
        let empty = texts.intern("");
        assert_eq!((texts.intern(""), texts.get(empty)), (empty, Some("")));
        texts.clear();
        assert_eq!(
            (texts.symbols(), texts.find("/trunk/1/a rather long name"), texts.intern("b")),
            (1, None, 1)
        );
    }

    #[test]
    fn hashes_of_like_texts_differ() {
        let texts =
            ["", "\0", "\0\0", "a", "b", "/a/0000000000000001", "/a/0000000000000002", "0123456789abcdef"];
        let mut hashes: Vec<u32> = texts.iter().map(|text| hash(text.as_bytes())).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), texts.len());
    }
}
