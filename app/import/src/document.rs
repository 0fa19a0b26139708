//! What readers of one JSON document share: places, warnings and values with their source text.
//!
//! A document that is cut, or has words unknown to JSON, is read as far as it goes.

use crate::json::{self, Kind, Node, Places};
use crate::number::parse_divided;
use crate::sink::{Sink, measured};
use triptych_model::{Measurement, Problem, ProblemKind, Process, Quality, RunRow, Severity, Unit};

/// A document being read.
pub struct Document<'t, 's, 'p> {
    places: Places<'t>,
    /// Where rows go.
    pub sink: &'s mut Sink<'p>,
    /// What is wrong with it as JSON, for the case that nothing of it can be used.
    broken: Option<json::Broken>,
    expected: &'static str,
}

/// What a number means.
#[derive(Clone, Copy)]
pub struct Meaning<'a> {
    /// Its metric.
    pub metric: &'a str,
    /// The base unit.
    pub unit: Unit,
    /// The printed number divided by this is in the base unit.
    pub divisor: f64,
    /// How many executions it sums up.
    pub executions: Option<u64>,
}

impl<'t, 's, 'p> Document<'t, 's, 'p> {
    /// Reads a text as JSON; `None` where it is none, and then the sink has the reason.
    /// `expected` says what the document should be, for people.
    pub fn open(text: &'t str, sink: &'s mut Sink<'p>, expected: &'static str) -> Option<(Self, Node<'t>)> {
        let mut document = Self { places: Places::new(text), sink, broken: None, expected };
        let broken = match json::parse(text) {
            Ok(root) => return Some((document, root)),
            Err(broken) => broken,
        };
        let Some(damaged) = json::parse_damaged(text) else {
            document.refuse_broken(&broken);
            return None;
        };
        if let Some(end) = damaged.end {
            let line = document.places.line_of(end);
            document.sink.cut(line, "the JSON breaks off here; what stands above is kept", expected);
        }
        document.broken = Some(broken);
        Some((document, damaged.root))
    }

    /// Ends the reading: a damaged document that gave no run is refused.
    pub fn close(mut self) {
        if self.sink.data.runs.is_empty()
            && self.sink.data.error.is_none()
            && let Some(broken) = self.broken.take()
        {
            self.refuse_broken(&broken);
        }
    }

    fn refuse_broken(&mut self, broken: &json::Broken) {
        let message = format!("no complete JSON: {}", broken.message);
        self.error((broken.line, broken.column), ProblemKind::Malformed, message, None);
    }

    /// The document cannot be read: nothing of it is kept.
    pub fn refuse(&mut self, node: &Node<'_>, message: &str) {
        self.error(self.places.of(node.offset), ProblemKind::Malformed, message.to_owned(), None);
    }

    /// The document is known, but not read; `next_step` says what to do instead.
    pub fn decline(&mut self, node: &Node<'_>, message: &str, next_step: &str) {
        self.error(self.places.of(node.offset), ProblemKind::Refused, message.to_owned(), Some(next_step));
    }

    fn error(&mut self, at: (u32, u32), kind: ProblemKind, message: String, next_step: Option<&str>) {
        let path = self.sink.data.path.clone();
        let problem = Problem::new(Severity::Error, kind, path, message)
            .at_line(at.0)
            .at_column(at.1)
            .expected(self.expected);
        self.sink.data.error = Some(match next_step {
            Some(step) => problem.next_step(step),
            None => problem,
        });
    }

    /// Says something that is worth knowing and makes nothing doubtful.
    pub fn note(&mut self, node: &Node<'_>, message: String) {
        let path = self.sink.data.path.clone();
        let line = self.places.line_of(node.offset);
        self.sink.problem(Problem::new(Severity::Note, ProblemKind::Other, path, message).at_line(line));
    }

    /// Line and byte offset of a value.
    pub fn at(&self, node: &Node<'_>) -> (u32, u64) {
        (self.places.line_of(node.offset), node.offset as u64)
    }

    /// A run that begins at a value.
    pub fn run_at(&self, node: &Node<'_>, shared: &RunRow) -> RunRow {
        let (line, offset) = self.at(node);
        RunRow { line, offset, ..shared.clone() }
    }

    /// Warns of a value that is not what it should be.
    pub fn wrong(&mut self, node: &Node<'_>, what: &str, expected: &str) {
        let (line, column) = self.places.of(node.offset);
        self.sink.not_understood(line, column, &format!("unreadable {what}"), node.text(), expected);
    }

    /// The elements of a member; none where it is absent or null, with a warning where it is no list.
    pub fn list<'r>(&mut self, node: &'r Node<'t>, key: &str) -> &'r [Node<'t>] {
        let Some(member) = node.get(key).filter(|member| member.kind != Kind::Null) else { return &[] };
        match member.elements() {
            Some(elements) => elements,
            None => {
                self.wrong(member, key, "a list");
                &[]
            }
        }
    }

    /// The text of a member; `None` where it is absent, with a warning where it is no text.
    pub fn string<'r>(&mut self, node: &'r Node<'t>, key: &str) -> Option<&'r str> {
        let member = node.get(key).filter(|member| member.kind != Kind::Null)?;
        match &member.kind {
            Kind::String(text) => Some(text),
            _ => {
                self.wrong(member, key, "a text");
                None
            }
        }
    }

    /// The count of a member; `None` where it is absent, with a warning where it is no whole number.
    pub fn count(&mut self, node: &Node<'t>, key: &str) -> Option<u64> {
        let member = node.get(key).filter(|member| member.kind != Kind::Null)?;
        let count = count_of(member);
        if count.is_none() {
            self.wrong(member, key, "a whole number");
        }
        count
    }

    /// A value of a run: the number at `node`, with a warning where it cannot be read.
    pub fn measure(&mut self, node: &Node<'_>, run: u32, meaning: Meaning<'_>) {
        let row = self.measurement(node, run, meaning);
        self.sink.measure(row);
    }

    /// The same, not yet written.
    pub fn measurement(&mut self, node: &Node<'_>, run: u32, meaning: Meaning<'_>) -> Measurement {
        let value = divided(node, meaning.divisor);
        let raw: String = node.text().chars().take(200).collect();
        let at = self.at(node);
        let mut row = measured(run, at, Process::Client, meaning.metric, meaning.unit, value, &raw);
        row.executions = meaning.executions;
        if value.is_none() {
            row.quality = row.quality.with(Quality::MALFORMED);
            self.wrong(node, meaning.metric, "a number");
        }
        row
    }
}

/// The finite number that a value is; a text is none.
pub fn number(node: &Node<'_>) -> Option<f64> {
    let number = (node.kind == Kind::Number).then(|| node.text().parse::<f64>().ok()).flatten()?;
    number.is_finite().then_some(number)
}

/// The finite number that a value is, divided so that it is rounded once where the divisor is a power of ten.
pub fn divided(node: &Node<'_>, divisor: f64) -> Option<f64> {
    (node.kind == Kind::Number).then(|| parse_divided(node.text(), divisor)).flatten()
}

/// The whole number that a value is, also where it is written `1e3` or `8.0`.
pub fn count_of(node: &Node<'_>) -> Option<u64> {
    let whole = |value: f64| (value >= 0.0 && value.fract() == 0.0 && value < 9e15).then_some(value);
    number(node).and_then(whole).map(|value| {
        // Checked to be whole, positive and below 2^53.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
        let count = value as u64;
        count
    })
}

/// A value as a fact of a run, for settings.
pub fn fact(node: &Node<'_>) -> serde_json::Value {
    match &node.kind {
        Kind::String(text) => text.clone().into(),
        _ => serde_json::from_str(node.text()).unwrap_or_else(|_| node.text().into()),
    }
}

/// The head of a document as text, without blanks before it.
pub fn head_text(head: &[u8]) -> std::borrow::Cow<'_, str> {
    let start = head.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(head.len());
    String::from_utf8_lossy(head.get(start..).unwrap_or_default())
}

/// The character that the value of a member begins with, at the first place where its name stands.
pub fn member_start(head: &str, name: &str) -> Option<char> {
    let quoted = format!("\"{name}\"");
    let mut rest = head;
    while let Some(at) = rest.find(&quoted) {
        rest = rest.get(at + quoted.len()..)?;
        if let Some(value) = rest.trim_start().strip_prefix(':') {
            return value.trim_start().chars().next();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_seen_in_the_head() {
        for (head, name, expect) in [
            (r#"{"benchmarks": [{"#, "benchmarks", Some('[')),
            (r#"{"benchmarks" :{"a""#, "benchmarks", Some('{')),
            (r#"{"a": "benchmarks", "benchmarks":[1]"#, "benchmarks", Some('[')),
            (r#"{"benchmarks":"#, "benchmarks", None),
            (r#"{"a": 1}"#, "benchmarks", None),
        ] {
            assert_eq!(member_start(head, name), expect, "{head}");
        }
    }

    #[test]
    fn counts_are_whole() {
        for (text, expect) in [
            ("8", Some(8)),
            ("8.0", Some(8)),
            ("1e3", Some(1000)),
            ("-1", None),
            ("0.5", None),
            ("\"8\"", None),
        ] {
            let root = json::parse(text).expect("JSON");
            assert_eq!(count_of(&root), expect, "{text}");
        }
    }
}
