//! Mends JSON of sysstat that was cut, or that an old version wrote wrongly, without moving any byte.

use std::borrow::Cow;
use triptych_model::ProblemKind;

/// A text that can be read, and what was done to it.
pub(super) struct Mended<'t> {
    pub text: Cow<'t, str>,
    /// Kind, byte offset, and what was wrong there.
    pub notes: Vec<(ProblemKind, usize, &'static str)>,
    /// Whether a list of reports began with a comma, as `iostat -y` wrote it up to 12.1.
    pub leads_with_comma: bool,
}

const CUT: &str = "the document is cut here; what was complete was kept";
const COMMA: &str = "a comma too many was passed over, as iostat -y wrote it up to 12.1";
const DECIMALS: &str =
    "decimal commas were read as points, as sysstat wrote them up to 11.2 in some languages";

/// Makes a text readable: commas that stand nowhere become blanks, decimal commas points, and a cut
/// text ends behind its last complete member.
pub(super) fn mend(text: &str) -> Mended<'_> {
    if serde_json::from_str::<serde_json::Value>(text.trim_start_matches('\u{feff}')).is_ok() {
        return Mended { text: Cow::Borrowed(text), notes: Vec::new(), leads_with_comma: false };
    }
    let mut scan = Scan { bytes: text.as_bytes().to_vec(), ..Scan::default() };
    scan.run();
    let mut notes = scan.notes;
    let mut bytes = scan.bytes;
    if !scan.open.is_empty() {
        notes.push((ProblemKind::Cut, scan.safe.0.min(text.len().saturating_sub(1)), CUT));
        bytes.truncate(scan.safe.0);
        bytes.extend(scan.safe.1.iter().rev());
    }
    // Only ASCII bytes were replaced, and texts are cut at ASCII bytes.
    match String::from_utf8(bytes) {
        Ok(mended) => Mended { text: Cow::Owned(mended), notes, leads_with_comma: scan.leads_with_comma },
        Err(_) => Mended { text: Cow::Borrowed(text), notes: Vec::new(), leads_with_comma: false },
    }
}

#[derive(Default)]
struct Scan {
    bytes: Vec<u8>,
    /// What closes the brackets that are open.
    open: Vec<u8>,
    /// Behind the last complete value, and what is open there.
    safe: (usize, Vec<u8>),
    notes: Vec<(ProblemKind, usize, &'static str)>,
    leads_with_comma: bool,
}

impl Scan {
    fn run(&mut self) {
        let mut at = 0;
        // The last byte that is no blank.
        let mut last = 0;
        while let Some(byte) = self.bytes.get(at).copied() {
            let next = match byte {
                b'"' => match self.behind_string(at) {
                    Some(end) => end,
                    None => return,
                },
                b'{' | b'[' => {
                    self.open.push(if byte == b'{' { b'}' } else { b']' });
                    self.keep(at + 1);
                    at + 1
                }
                b'}' | b']' => {
                    self.close(at, last);
                    at + 1
                }
                b',' => {
                    self.comma(at, last);
                    at + 1
                }
                _ => at + 1,
            };
            if !byte.is_ascii_whitespace() {
                last = if byte == b'"' { b'"' } else { byte };
            }
            at = next;
        }
    }

    fn keep(&mut self, end: usize) {
        self.safe = (end, self.open.clone());
    }

    fn close(&mut self, at: usize, last: u8) {
        if last == b','
            && let Some(comma) =
                self.bytes.get(..at).and_then(|head| head.iter().rposition(|byte| *byte == b','))
        {
            self.blank(comma);
        }
        if self.open.last() == self.bytes.get(at) {
            self.open.pop();
        }
        self.keep(at + 1);
    }

    /// A comma ends a value, stands within a figure, or has nothing to part.
    fn comma(&mut self, at: usize, last: u8) {
        let digit = |at: Option<usize>| at.and_then(|at| self.bytes.get(at)).is_some_and(u8::is_ascii_digit);
        if matches!(last, b'[' | b'{' | b',') {
            self.leads_with_comma |= last == b'[';
            self.blank(at);
        } else if self.open.last() == Some(&b'}') && digit(at.checked_sub(1)) && digit(Some(at + 1)) {
            if let Some(byte) = self.bytes.get_mut(at) {
                *byte = b'.';
            }
            if !self.notes.iter().any(|(_, _, message)| *message == DECIMALS) {
                self.notes.push((ProblemKind::Malformed, at, DECIMALS));
            }
        } else {
            self.keep(at);
        }
    }

    fn blank(&mut self, at: usize) {
        if let Some(byte) = self.bytes.get_mut(at) {
            *byte = b' ';
        }
        self.notes.push((ProblemKind::Malformed, at, COMMA));
    }

    /// Behind the string that begins here; `None` where it does not end.
    fn behind_string(&self, start: usize) -> Option<usize> {
        let mut at = start + 1;
        loop {
            match self.bytes.get(at)? {
                b'"' => return Some(at + 1),
                b'\\' => at += 2,
                _ => at += 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_mended_without_a_guess() {
        for (text, expect, notes) in [
            ("{\"a\": 1}", "{\"a\": 1}", 0),
            ("{\"a\": [ , {\"b\": 1}]}", "{\"a\": [   {\"b\": 1}]}", 1),
            ("{\"a\": [1, ]}", "{\"a\": [1  ]}", 1),
            ("{\"a\": 64,18, \"b\": 0,50}", "{\"a\": 64.18, \"b\": 0.50}", 1),
            ("{\"a\": 1, \"b\": 2", "{\"a\": 1}", 1),
            (
                "{\"a\": [{\"b\": 1, \"c\": 2}, {\"b\": 3, \"c",
                "{\"a\": [{\"b\": 1, \"c\": 2}, {\"b\": 3}]}",
                1,
            ),
            ("{\"a\": [{\"b\": 1}, {\"b", "{\"a\": [{\"b\": 1}, {}]}", 1),
            ("{\"a\": \"x\\\"", "{}", 1),
            ("{\"a\": [", "{\"a\": []}", 1),
        ] {
            let mended = mend(text);
            assert_eq!((&*mended.text, mended.notes.len()), (expect, notes), "{text}");
            assert!(serde_json::from_str::<serde_json::Value>(&mended.text).is_ok(), "{text}");
        }
        assert!(mend("{\"a\": [ , {\"b\": 1}]}").leads_with_comma);
    }
}
