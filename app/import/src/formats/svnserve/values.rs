//! Reads the arguments of an action, for the columns in passing and for the JSON object on demand.

use super::actions::Arg;
use super::line::{Head, read_tail, split, word as split_word};
use serde_json::{Map, Value, json};

/// What takes the values of a line.
pub(super) trait Values<'t>: Default {
    /// The one path of the action, encoded or as it is.
    fn path(&mut self, path: &'t str, encoded: bool);
    /// The one revision of the action.
    fn revision(&mut self, revision: i64);
    /// The path was damaged by the server.
    fn corrupt(&mut self);
    /// Any other argument; the value is only made where it is wanted.
    fn set(&mut self, key: &'static str, value: impl FnOnce() -> Value);

    /// Reads `[recursive ]read|write PATH`; the path is not encoded and may hold blanks.
    fn denied(&mut self, text: &'t str) -> bool {
        let bare = text.strip_prefix("recursive ");
        let Some((access, path)) = bare.unwrap_or(text).split_once(' ') else { return false };
        if bare.is_some() {
            self.set("recursive", || json!(true));
        }
        self.set("access", || json!(access));
        self.path(path, false);
        matches!(access, "read" | "write") && !path.is_empty()
    }

    /// Reads `file line code message`.
    fn error(&mut self, text: &'t str) -> bool {
        let mut words = text.splitn(4, ' ');
        let (file, line, code) = (words.next(), words.next(), words.next());
        let (Some(file), Some(line), Some(code)) = (file, line, code) else { return false };
        if file != "-" {
            self.set("file", || json!(file));
            self.set("line", || line.parse::<u64>().map_or(Value::Null, Value::from));
        }
        !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit()) && integer(code).is_some()
    }
}

/// The columns path and revision.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Columns<'t> {
    /// The path as it stands in the line.
    pub path: Option<&'t str>,
    /// Whether it is URI-encoded.
    pub encoded: bool,
    /// The revision.
    pub revision: Option<i64>,
    /// Whether the server damaged the path.
    pub corrupt: bool,
}

impl<'t> Values<'t> for Columns<'t> {
    fn path(&mut self, path: &'t str, encoded: bool) {
        (self.path, self.encoded) = (Some(path), encoded);
    }

    fn revision(&mut self, revision: i64) {
        self.revision = Some(revision);
    }

    fn corrupt(&mut self) {
        self.corrupt = true;
    }

    fn set(&mut self, _key: &'static str, _value: impl FnOnce() -> Value) {}
}

/// The arguments that have no column of their own.
#[derive(Debug, Default)]
struct Object(Map<String, Value>);

impl<'t> Values<'t> for Object {
    fn path(&mut self, _path: &'t str, _encoded: bool) {}

    fn revision(&mut self, _revision: i64) {}

    fn corrupt(&mut self) {}

    fn set(&mut self, key: &'static str, value: impl FnOnce() -> Value) {
        self.0.insert(key.to_owned(), value());
    }
}

/// The arguments of one line; `None` where it is no line of such a log.
pub fn arguments(line: &str) -> Option<Map<String, Value>> {
    let (_, rest) = Head::parse(line.trim_end_matches(['\n', '\r']))?;
    Some(read_tail::<Object>(rest)?.values.0)
}

/// The same as the tests compare it.
#[cfg(test)]
pub fn request_arguments(line: &str) -> Option<String> {
    crate::formats::as_json(arguments(line))
}

/// Reads an action by the form that fits all of it, else by the first whose required arguments are there.
pub(super) fn read_forms<'t, V: Values<'t>>(forms: &[&[Arg]], text: &'t str) -> (bool, V) {
    let mut values = V::default();
    for form in forms {
        values = V::default();
        if read_arguments(form, text, &mut values) {
            return (true, values);
        }
    }
    if let [_, _, ..] = forms {
        for form in forms {
            let mut left = V::default();
            let rest = form.iter().try_fold(text, |rest, arg| read_one(*arg, rest, &mut left));
            if rest.is_some() {
                return (false, left);
            }
        }
    }
    (false, values)
}

/// Reads arguments up to the end of the line; false where they do not follow their grammar.
pub(super) fn read_arguments<'t, V: Values<'t>>(args: &[Arg], text: &'t str, values: &mut V) -> bool {
    let Some((arg, others)) = args.split_first() else { return text.is_empty() };
    if *arg == Arg::Paths {
        return read_paths(others, text, values);
    }
    match read_one(*arg, text, values) {
        Some(rest) => read_arguments(others, rest, values),
        None => false,
    }
}

/// Takes one argument and the blank behind it off the text; an absent optional one takes nothing.
pub(super) fn read_one<'t, V: Values<'t>>(arg: Arg, text: &'t str, values: &mut V) -> Option<&'t str> {
    let (word, rest) = split_word(text);
    match arg {
        Arg::Path => values.path(absolute(word)?, true),
        Arg::PathAtRevision => {
            let (path, revision) = path_at(word)?;
            values.path(path, true);
            values.revision(revision);
        }
        Arg::PathAtPeg => match path_at(word) {
            Some((path, peg)) => {
                values.path(path, true);
                values.set("peg", || json!(peg));
            }
            None => values.path(absolute(word)?, true),
        },
        Arg::PathFrom => {
            let (path, revision) = path_at(word)?;
            values.path(path, true);
            values.set("from", || json!(revision));
        }
        Arg::Path2To | Arg::Path2AtRevision => {
            let (path, revision) = path_at(word)?;
            values.set("path2", || json!(decoded(path, str::to_owned)));
            if arg == Arg::Path2To {
                values.set("to", || json!(revision));
            } else {
                values.revision(revision);
            }
        }
        Arg::Revision => values.revision(integer(word.strip_prefix('r')?)?),
        Arg::Range => {
            let (from, to) = word.strip_prefix('r')?.split_once(':')?;
            let (from, to) = (integer(from)?, integer(to)?);
            values.set("from", || json!(from));
            values.set("to", || json!(to));
        }
        Arg::Inheritance => {
            if !["explicit", "inherited", "nearest-ancestor"].contains(&word) {
                return None;
            }
            values.set("inheritance", || json!(word));
        }
        Arg::Word(key) if !word.is_empty() => values.set(key, || json!(decoded(word, str::to_owned))),
        Arg::Word(_) | Arg::Paths => return None,
        Arg::Flag(..) | Arg::Depth | Arg::Limit | Arg::Revprops => return read_optional(arg, text, values),
        Arg::Replay | Arg::Revisions | Arg::Patterns | Arg::Protocol | Arg::Clients => {
            return read_several(arg, text, values);
        }
    }
    Some(rest)
}

fn read_optional<'t, V: Values<'t>>(arg: Arg, text: &'t str, values: &mut V) -> Option<&'t str> {
    const DEPTHS: &[&str] = &["empty", "files", "immediates", "infinity", "exclude"];
    let (word, rest) = split_word(text);
    match arg {
        Arg::Flag(printed, key) if word == printed => values.set(key, || json!(true)),
        Arg::Depth => match word.strip_prefix("depth=") {
            Some(depth) if DEPTHS.contains(&depth) => values.set("depth", || json!(depth)),
            Some(_) => return None,
            None => return Some(text),
        },
        Arg::Limit => match word.strip_prefix("limit=") {
            Some(limit) => match integer(limit) {
                Some(limit) => values.set("limit", || json!(limit)),
                None => return Some(text),
            },
            None => return Some(text),
        },
        Arg::Revprops => return Some(read_revprops(text, values)),
        _ => return Some(text),
    }
    Some(rest)
}

/// Reads `revprops=all` or `revprops=(name …)`; an empty list is never logged and no such argument.
fn read_revprops<'t, V: Values<'t>>(text: &'t str, values: &mut V) -> &'t str {
    let Some(wanted) = text.strip_prefix("revprops=") else { return text };
    let list = wanted.strip_prefix('(').and_then(|list| list.rsplit_once(')'));
    let rest = match list {
        Some((names, rest)) if !names.is_empty() => {
            values.set("revprops", || decoded_list(names));
            rest
        }
        _ => match wanted.strip_prefix("all") {
            Some(rest) => {
                values.set("revprops", || json!("all"));
                rest
            }
            None => return text,
        },
    };
    rest.strip_prefix(' ').unwrap_or(rest)
}

/// Arguments of several words.
fn read_several<'t, V: Values<'t>>(arg: Arg, text: &'t str, values: &mut V) -> Option<&'t str> {
    match arg {
        Arg::Replay => read_replay(text, values),
        Arg::Revisions => {
            let (numbers, rest) = text.strip_prefix('(')?.split_once(')')?;
            let parsed: Option<Vec<i64>> = numbers.split(' ').map(integer).collect();
            let parsed = if numbers.is_empty() { Vec::new() } else { parsed? };
            values.set("revisions", || json!(parsed));
            Some(rest.strip_prefix(' ').unwrap_or(rest))
        }
        Arg::Patterns => {
            // The log does not escape patterns, so their borders cannot be told from their blanks.
            if text != "<ANY>" && !text.is_empty() {
                values.set("patterns", || json!([text]));
            }
            (!text.is_empty()).then_some("")
        }
        Arg::Protocol => {
            let (protocol, rest) = split(text)?;
            let protocol: u32 = protocol.parse().ok()?;
            let rest = rest.strip_prefix("cap=(")?;
            let mut ends = memchr::memchr_iter(b')', rest.as_bytes());
            let end = ends.find(|end| rest.as_bytes().get(end + 1) == Some(&b' '))?;
            let (words, rest) = (rest.get(..end)?, rest.get(end + 2..)?);
            values.set("protocol", || json!(protocol));
            values.set("capabilities", || decoded_list(words));
            Some(rest)
        }
        Arg::Clients => {
            let (library, program) = text.split_once(' ')?;
            match (library, program) {
                ("-", "-") => {}
                (name, "-") | ("-", name) => values.set("client", || json!(decoded(name, str::to_owned))),
                _ => values.set("client", || {
                    json!([library, program].map(|name| decoded(name, str::to_owned)).join(" "))
                }),
            }
            (!library.is_empty() && !program.contains(' ')).then_some("")
        }
        _ => None,
    }
}

/// Reads `/path rN`. svnserve prints this text through a format, which damages encoded paths: then
/// only the revision at the end can be trusted.
fn read_replay<'t, V: Values<'t>>(text: &'t str, values: &mut V) -> Option<&'t str> {
    let (path, revision) = text.rsplit_once(' ')?;
    // Only the part behind the slash goes through the format.
    absolute(path)?;
    let revision =
        revision.strip_prefix('r').or_else(|| revision.rsplit_once('r').map(|(_, digits)| digits))?;
    values.revision(integer(revision)?);
    if is_encoded(path) {
        values.path(path, true);
    } else {
        values.corrupt();
    }
    Some("")
}

/// Reads `(P P …)` and what follows. Paths may hold parentheses: the last `)` counts behind which the
/// other arguments read to the end; where there is none, the first.
fn read_paths<'t, V: Values<'t>>(others: &[Arg], text: &'t str, values: &mut V) -> bool {
    let Some(list) = text.strip_prefix('(') else { return false };
    let behind = |at: usize| match list.get(at + 1..) {
        Some("") => Some(""),
        Some(rest) => rest.strip_prefix(' '),
        None => None,
    };
    let ends = list.rmatch_indices(')').map(|(at, _)| at);
    let fitting = ends.filter_map(|at| Some((at, behind(at)?)));
    let whole = fitting.into_iter().find(|(_, rest)| read_arguments(others, rest, &mut Columns::default()));
    let (at, rest) = match whole {
        Some(found) => found,
        None => match list.find(')') {
            Some(at) => (at, behind(at).unwrap_or("")),
            None => return false,
        },
    };
    let paths = list.get(..at).unwrap_or("");
    if !paths.contains(' ') && !paths.is_empty() {
        values.path(paths, true);
    }
    values.set("paths", || decoded_list(paths));
    read_arguments(others, rest, values) && whole.is_some()
}

/// An absolute path; svnserve always logs one.
fn absolute(word: &str) -> Option<&str> {
    word.starts_with('/').then_some(word)
}

/// Digits, with a sign where the number is negative: `-1` is no revision or the newest one.
fn integer(text: &str) -> Option<i64> {
    let is_plain = text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
    if is_plain { text.parse().ok() } else { None }
}

fn path_at(word: &str) -> Option<(&str, i64)> {
    let (path, revision) = word.rsplit_once('@')?;
    Some((absolute(path)?, integer(revision)?))
}

fn decoded_list(words: &str) -> Value {
    let words = words.split(' ').filter(|word| !word.is_empty());
    Value::from(words.map(|word| decoded(word, str::to_owned)).collect::<Vec<_>>())
}

/// Whether a text can be the server's encoding of a path.
fn is_encoded(text: &str) -> bool {
    let mut rest = text.as_bytes();
    while let [byte, tail @ ..] = rest {
        rest = match (byte, tail) {
            (b'%', [high, low, tail @ ..]) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => tail,
            (b'%' | b' ', _) => return false,
            _ => tail,
        };
    }
    true
}

/// Hands a text on with `%HH` decoded; as it is where that would not give UTF-8.
pub(super) fn decoded<R>(text: &str, take: impl FnOnce(&str) -> R) -> R {
    if memchr::memchr(b'%', text.as_bytes()).is_none() {
        return take(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [byte, tail @ ..] = rest {
        let (decoded, tail) = match (byte, tail) {
            (b'%', [high, low, behind @ ..]) => match hex(*high, *low) {
                Some(value) => (value, behind),
                None => (b'%', tail),
            },
            _ => (*byte, tail),
        };
        bytes.push(decoded);
        rest = tail;
    }
    match std::str::from_utf8(&bytes) {
        Ok(decoded) => take(decoded),
        Err(_) => take(text),
    }
}

fn hex(high: u8, low: u8) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    Some(digit(high)? * 16 + digit(low)?)
}

/// Adds `CODE message` of an error line to `out`, the escapes of the message undone.
pub(super) fn error_text(detail: &str, out: &mut String) {
    let mut words = detail.splitn(4, ' ').skip(2);
    let (code, message) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    out.push_str(code);
    if !message.is_empty() {
        out.push(' ');
        out.push_str(&unescaped(message));
    }
}

/// Undoes `\b \n \r \t \v \\` and `\xhh`.
fn unescaped(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [byte, tail @ ..] = rest {
        let (plain, tail) = match (byte, tail) {
            (b'\\', [b'x', high, low, behind @ ..]) => match hex(*high, *low) {
                Some(value) => (value, behind),
                None => (b'\\', tail),
            },
            (b'\\', [mark, behind @ ..]) => match mark {
                b'b' => (8, behind),
                b'n' => (b'\n', behind),
                b'r' => (b'\r', behind),
                b't' => (b'\t', behind),
                b'v' => (11, behind),
                b'\\' => (b'\\', behind),
                _ => (b'\\', tail),
            },
            _ => (*byte, tail),
        };
        bytes.push(plain);
        rest = tail;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
