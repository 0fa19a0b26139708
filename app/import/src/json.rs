//! JSON values with their places, so that every value of a document can be shown where it stands.
//!
//! serde_json checks the document first and says what is wrong with it; the walk over it then only
//! has to follow a grammar that is known to hold, and gives up instead of guessing where it does not.

mod damaged;

pub use damaged::parse_damaged;

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind<'t> {
    Null,
    Bool,
    Number,
    String(String),
    Array(Vec<Node<'t>>),
    /// Members in their order; a name may come twice, the last one counts.
    Object(Vec<(String, Node<'t>)>),
}

/// A value and the bytes it was read from.
#[derive(Clone, Debug, PartialEq)]
pub struct Node<'t> {
    pub kind: Kind<'t>,
    /// Byte offset of its first character.
    pub offset: usize,
    text: &'t str,
}

impl<'t> Node<'t> {
    /// The member of that name; `None` where there is none or this is no object.
    pub fn get(&self, name: &str) -> Option<&Self> {
        let Kind::Object(members) = &self.kind else { return None };
        members.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// The elements of a list.
    pub fn elements(&self) -> Option<&[Self]> {
        match &self.kind {
            Kind::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// The exact source text.
    pub fn text(&self) -> &'t str {
        self.text
    }
}

/// Why a document cannot be read, and where.
#[derive(Debug, PartialEq)]
pub struct Broken {
    pub line: u32,
    pub column: u32,
    pub message: String,
}

/// Reads a whole document.
///
/// # Errors
/// The first place that is no JSON, in serde_json's words.
pub fn parse(text: &str) -> Result<Node<'_>, Broken> {
    let text_checked = text.strip_prefix('\u{feff}').unwrap_or(text);
    if let Err(error) = serde_json::from_str::<serde_json::Value>(text_checked) {
        return Err(broken(&error));
    }
    let mut walk = Walk { text, at: text.len() - text_checked.len() };
    walk.value().ok_or_else(|| Broken { line: 1, column: 1, message: "unreadable JSON".to_owned() })
}

/// What serde_json says of a text, and where.
pub fn broken(error: &serde_json::Error) -> Broken {
    let number = |count: usize| u32::try_from(count.max(1)).unwrap_or(u32::MAX);
    let message = error.to_string();
    // serde_json repeats the place behind its message.
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(head, _)| head).to_owned();
    Broken { line: number(error.line()), column: number(error.column()), message }
}

/// The member of that name of an object that is known to be JSON; the others are passed over.
pub fn member<'t>(text: &'t str, name: &str) -> Option<Node<'t>> {
    let mut walk = Walk { text, at: 0 };
    walk.take(b'{')?;
    let mut found = None;
    loop {
        walk.blanks();
        match walk.peek()? {
            b'}' => return found,
            b',' => walk.at += 1,
            _ if walk.string()? == name => {
                walk.take(b':')?;
                found = Some(walk.value()?);
            }
            _ => walk.skip()?,
        }
    }
}

struct Walk<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Walk<'t> {
    fn value(&mut self) -> Option<Node<'t>> {
        self.blanks();
        let offset = self.at;
        let kind = match self.peek()? {
            b'{' => Kind::Object(self.list(b'}', |walk| {
                let name = walk.string()?;
                walk.take(b':')?;
                Some((name, walk.value()?))
            })?),
            b'[' => Kind::Array(self.list(b']', Self::value)?),
            b'"' => Kind::String(self.string()?),
            b'n' => self.word(Kind::Null)?,
            b't' | b'f' => self.word(Kind::Bool)?,
            _ => self.word(Kind::Number)?,
        };
        Some(Node { kind, offset, text: self.text.get(offset..self.at)? })
    }

    /// Elements parted by commas between the bracket that stands here and `close`.
    fn list<T>(&mut self, close: u8, mut element: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        self.at += 1;
        let mut all = Vec::new();
        loop {
            self.blanks();
            match self.peek()? {
                byte if byte == close => {
                    self.at += 1;
                    return Some(all);
                }
                b',' if !all.is_empty() => self.at += 1,
                _ => all.push(element(self)?),
            }
        }
    }

    fn string(&mut self) -> Option<String> {
        self.blanks();
        let start = self.at;
        self.pass_string()?;
        serde_json::from_str(self.text.get(start..self.at)?).ok()
    }

    fn pass_string(&mut self) -> Option<()> {
        self.take(b'"')?;
        while self.peek()? != b'"' {
            self.at += if self.peek()? == b'\\' { 2 } else { 1 };
        }
        self.at += 1;
        Some(())
    }

    /// Passes over a colon and a value, up to the comma or bracket behind it.
    fn skip(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            match self.peek()? {
                b'"' => {
                    self.pass_string()?;
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' if depth > 0 => depth -= 1,
                b'}' | b']' | b',' if depth == 0 => return Some(()),
                _ => {}
            }
            self.at += 1;
        }
    }

    fn word(&mut self, kind: Kind<'t>) -> Option<Kind<'t>> {
        let rest = self.text.get(self.at..)?;
        let length = rest.find([',', ']', '}', ' ', '\t', '\r', '\n']).unwrap_or(rest.len());
        self.at += length;
        (length > 0).then_some(kind)
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        self.blanks();
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }
}

/// Finds line and column of a byte offset.
pub struct Places<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Places<'t> {
    /// Finds the lines of a text.
    pub fn new(text: &'t str) -> Self {
        // Behind a line end at the very end there is no line more.
        let breaks = text.match_indices('\n').map(|(at, _)| at + 1).filter(|start| *start < text.len());
        Self { text, starts: std::iter::once(0).chain(breaks).collect() }
    }

    /// Line, from 1; unlike [`Self::of`] it takes no longer in a document of one long line.
    pub fn line_of(&self, offset: usize) -> u32 {
        u32::try_from(self.starts.partition_point(|start| *start <= offset)).unwrap_or(u32::MAX)
    }

    /// Line and column in characters, from 1.
    pub fn of(&self, offset: usize) -> (u32, u32) {
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let head = self.text.get(start..offset).unwrap_or("").trim_end_matches(['\r', '\n']);
        let column = head.chars().count() + 1;
        (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn values_keep_their_text_and_place() {
        let text = "{\"a\\u0062\": [1.50, null,\n  \"x\\\"}\", {}], \"c\": true}";
        let root = parse(text).expect("JSON");
        let list = root.get("ab").and_then(Node::elements).expect("a list");
        let places = Places::new(text);
        let found: Vec<_> = list.iter().map(|node| (node.text(), places.of(node.offset))).collect();
        assert_eq!(found, [("1.50", (1, 14)), ("null", (1, 20)), ("\"x\\\"}\"", (2, 3)), ("{}", (2, 11))]);
        assert_eq!(Places::new("[1\r\n").of(4), (1, 3), "where a cut document ends");
        assert_eq!(list[2].kind, Kind::String("x\"}".to_owned()));
        assert_eq!(root.get("c").map(|node| &node.kind), Some(&Kind::Bool));
    }

    #[test]
    fn one_member_is_found_among_others() {
        let text = r#" {"a": {"b": [1, "}"], "c": 2}, "b" : [1.50, "]"],"d":"x,\"b\":7","e":null}"#;
        for (name, expect) in [
            ("a", Some(r#"{"b": [1, "}"], "c": 2}"#)),
            ("b", Some(r#"[1.50, "]"]"#)),
            ("d", Some(r#""x,\"b\":7""#)),
            ("e", Some("null")),
            ("c", None),
        ] {
            assert_eq!(member(text, name).map(|node| node.text()), expect, "{name}");
        }
        assert_eq!(member("[1]", "a"), None);
        assert_eq!(member(r#"{"a": [1, "#, "b"), None);
    }

    proptest! {
        #[test]
        fn whatever_serde_accepts_is_walked(text in r#"[\[\]{}",:0-9a-c\\ntrue ]{0,40}"#) {
            let known = serde_json::from_str::<serde_json::Value>(&text).is_ok();
            prop_assert_eq!(parse(&text).is_ok(), known);
        }
    }
}
