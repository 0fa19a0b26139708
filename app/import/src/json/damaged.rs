//! Documents that are no whole JSON: cut in the middle, or with words that JSON does not know.
//!
//! A benchmark that is killed leaves its file cut; old Google Benchmark wrote `2%`, and newer ones
//! write `NaN`. What stands before the break is read, and the place of the break is told.

use super::{Kind, Node, Walk};

/// What could be read, and where it breaks off.
#[derive(Debug)]
pub struct Damaged<'t> {
    /// The document as far as it goes; members and elements that are not whole are left out.
    pub root: Node<'t>,
    /// Byte offset of the break; `None` where only words are unknown to JSON.
    pub end: Option<usize>,
}

/// Containers within each other; serde_json stops there too.
const MAX_DEPTH: usize = 120;

/// Reads what it can; `None` where no object or list begins.
///
/// An unknown word such as `NaN` or `2%` becomes a number whose text is that word.
pub fn parse_damaged(text: &str) -> Option<Damaged<'_>> {
    let mut reader = Reader { walk: Walk { text, at: 0 }, end: None };
    if text.starts_with('\u{feff}') {
        reader.walk.at = '\u{feff}'.len_utf8();
    }
    reader.walk.blanks();
    if !matches!(reader.walk.peek(), Some(b'{' | b'[')) {
        return None;
    }
    let root = reader.value(0)?;
    reader.walk.blanks();
    if reader.end.is_none() && reader.walk.peek().is_some() {
        reader.end = Some(reader.walk.at);
    }
    Some(Damaged { root, end: reader.end })
}

struct Reader<'t> {
    walk: Walk<'t>,
    end: Option<usize>,
}

impl<'t> Reader<'t> {
    /// A value; `None` where it is not whole, and then the break is noted.
    fn value(&mut self, depth: usize) -> Option<Node<'t>> {
        self.walk.blanks();
        let offset = self.walk.at;
        let kind = match self.walk.peek() {
            Some(b'{' | b'[') if depth >= MAX_DEPTH => None,
            Some(b'{') => Some(Kind::Object(self.members(depth))),
            Some(b'[') => Some(Kind::Array(self.elements(depth))),
            Some(b'"') => self.walk.string().map(Kind::String),
            Some(_) => self.word(),
            None => None,
        };
        let Some(kind) = kind else {
            self.end.get_or_insert(offset);
            return None;
        };
        Some(Node { kind, offset, text: self.walk.text.get(offset..self.walk.at)? })
    }

    fn word(&mut self) -> Option<Kind<'t>> {
        let start = self.walk.at;
        self.walk.word(Kind::Null)?;
        // A number at the very end may go on.
        self.walk.peek()?;
        let word = self.walk.text.get(start..self.walk.at)?;
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.%".contains(&byte);
        match word {
            "null" => Some(Kind::Null),
            "true" | "false" => Some(Kind::Bool),
            _ => word.bytes().all(is_word).then_some(Kind::Number),
        }
    }

    fn elements(&mut self, depth: usize) -> Vec<Node<'t>> {
        let mut all = Vec::new();
        self.walk.at += 1;
        while self.goes_on(b']', all.is_empty()) {
            match self.value(depth + 1) {
                Some(value) => all.push(value),
                None => break,
            }
        }
        all
    }

    fn members(&mut self, depth: usize) -> Vec<(String, Node<'t>)> {
        let mut all = Vec::new();
        self.walk.at += 1;
        while self.goes_on(b'}', all.is_empty()) {
            let offset = self.walk.at;
            let Some(name) = self.walk.string().filter(|_| self.walk.take(b':').is_some()) else {
                self.end.get_or_insert(offset);
                break;
            };
            match self.value(depth + 1) {
                Some(value) => all.push((name, value)),
                None => break,
            }
        }
        all
    }

    /// Passes over the comma before every element but the first; whether an element follows. The
    /// bracket at the end is taken.
    fn goes_on(&mut self, close: u8, is_first: bool) -> bool {
        if self.end.is_some() {
            return false;
        }
        self.walk.blanks();
        if self.walk.peek() == Some(close) {
            self.walk.at += 1;
            return false;
        }
        if is_first {
            return self.walk.peek().is_some() || self.breaks();
        }
        if self.walk.take(b',').is_none() {
            return self.breaks();
        }
        self.walk.blanks();
        true
    }

    fn breaks(&mut self) -> bool {
        self.end.get_or_insert(self.walk.at);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_stands_before_the_break_is_kept() {
        for (text, expect, end) in [
            (r#"{"a": [1, 2, 3"#, "1 2", Some(13)),
            (r#"{"a": [1, 2, "#, "1 2", Some(13)),
            (r#"{"a": [1, 2], "b"#, "1 2", Some(14)),
            (r#"{"a": [1, 2%, NaN]}"#, "1 2% NaN", None),
            (r#"{"a": [1, 2]} {"#, "1 2", Some(14)),
            (r#"{"a": [1, "x"#, "1", Some(10)),
            (r#"{"a": [1 2], "b": 3}"#, "1", Some(9)),
            (r#"{"a": [1, 2:3], "b": 3}"#, "1", Some(10)),
            ("\u{feff}{\"a\": [1]", "1", Some(12)),
        ] {
            let found = parse_damaged(text).expect("an object");
            let list = found.root.get("a").and_then(Node::elements).unwrap_or_default();
            let words: Vec<_> = list.iter().map(Node::text).collect();
            assert_eq!((words.join(" ").as_str(), found.end), (expect, end), "{text}");
        }
        for text in ["", "  ", "real 1.0", "\"a\""] {
            assert!(parse_damaged(text).is_none(), "{text}");
        }
        assert!(parse_damaged(&"[".repeat(100_000)).is_some_and(|found| found.end.is_some()));
    }

    proptest! {
        #[test]
        fn any_text_ends(text in r#"[\[{][\[\]{}",:0-9a-c\\%ä ]{0,60}"#) {
            parse_damaged(&text);
        }

        #[test]
        fn whole_documents_are_read_alike(text in r#"[\[{][\[\]{}",:0-9a-c ]{0,40}"#) {
            if let Ok(root) = super::super::parse(&text) {
                let found = parse_damaged(&text).expect("a container");
                prop_assert_eq!((found.root, found.end), (root, None));
            }
        }
    }
}
