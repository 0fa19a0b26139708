//! Made contents: lines like those of a program, bytes like those of a picture, and edits of both.

use triptych_model::SplitMix;

const WORDS: &[&str] = &[
    "account", "address", "archive", "balance", "binding", "border", "bridge", "buffer", "bundle", "cache",
    "canvas", "carrier", "channel", "chapter", "circle", "client", "cluster", "column", "context", "corner",
    "counter", "cursor", "depth", "digest", "domain", "driver", "editor", "engine", "entry", "error",
    "event", "factor", "field", "filter", "folder", "format", "frame", "gateway", "glyph", "graph", "handle",
    "header", "height", "history", "index", "input", "item", "journal", "kernel", "label", "layer", "layout",
    "ledger", "length", "limit", "line", "locale", "lock", "marker", "margin", "matrix", "medium", "member",
    "message", "metric", "mirror", "module", "moment", "monitor", "network", "node", "number", "object",
    "offset", "option", "order", "output", "owner", "packet", "page", "parser", "path", "pattern", "pixel",
    "pool", "port", "prefix", "process", "profile", "query", "queue", "range", "record", "region", "report",
    "request", "result", "revision", "root", "route", "sample", "scale", "scanner", "schema", "section",
    "segment", "server", "session", "shape", "signal", "socket", "source", "stack", "state", "status",
    "stream", "string", "suffix", "symbol", "table", "target", "thread", "ticket", "token", "trace", "tree",
    "value", "vector", "version", "view", "volume", "weight", "width", "window", "writer", "zone",
];

/// A word.
pub(super) fn word(random: &mut SplitMix) -> &'static str {
    WORDS.get(random.below(WORDS.len())).copied().unwrap_or("word")
}

/// A line of a program, without its end.
pub(super) fn line(random: &mut SplitMix) -> String {
    let (a, b, c, d) = (word(random), word(random), word(random), word(random));
    let number = random.below(100_000);
    match random.below(8) {
        0 => format!("    if ({a}->{b} != {c}_{d})"),
        1 => format!("        return {a}_{b}({c}, {number});"),
        2 => format!("    {a}->{b} = {c}_{d}({a}, &{b}, {number});"),
        3 => format!("/* The {a} of the {b} is kept until {c} and {d} agree. */"),
        4 => format!("static {a}_t *{b}_{c}({a}_t *{d}, size_t {b});"),
        5 => format!("    for ({a} = 0; {a} < {b}_{c}; {a}++)"),
        6 => String::new(),
        _ => format!("    {a}_{b}[{number}] |= {c}.{d} & 0x{number:05x};"),
    }
}

/// A text of so many lines.
pub(super) fn text(random: &mut SplitMix, lines: usize) -> Vec<u8> {
    let mut text = String::with_capacity(lines * 48);
    for _ in 0..lines {
        text.push_str(&line(random));
        text.push('\n');
    }
    text.into_bytes()
}

/// A few lines replaced, inserted or taken out.
pub(super) fn edited(random: &mut SplitMix, old: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(old);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..=random.below(4) {
        let at = random.below(lines.len() + 1);
        let new = line(random);
        let (action, many) = (random.below(4), lines.len() > 20);
        match lines.get_mut(at) {
            Some(_) if action == 0 && many => drop(lines.remove(at)),
            Some(old) if action != 1 => *old = new,
            _ => lines.insert(at, new),
        }
    }
    // An edit always differs, whatever was replaced by its like.
    lines.push(format!("/* {} {} */", word(random), random.next()));
    if lines.len() > 400 {
        lines.drain(..lines.len() - 400);
    }
    lines.join("\n").into_bytes().into_iter().chain([b'\n']).collect()
}

/// Bytes that no compression makes smaller, behind a header that is always the same.
pub(super) fn bytes(random: &mut SplitMix, length: usize) -> Vec<u8> {
    let mut bytes = b"\x89DEMO\r\n\x1a\n".to_vec();
    while bytes.len() < length {
        bytes.extend(random.next().to_le_bytes());
    }
    bytes
}

/// The bytes with a stretch of them overwritten.
pub(super) fn patched(random: &mut SplitMix, old: &[u8]) -> Vec<u8> {
    let mut new = old.to_vec();
    let at = 16 + random.below(old.len().saturating_sub(16));
    let until = new.len().min(at + 1024);
    for place in new.get_mut(at..until).into_iter().flatten() {
        *place = random.next().to_le_bytes()[0];
    }
    new
}
