//! Lines of `perf stat -j`: an object each. In a comma locale perf writes numbers that are no JSON
//! (`"pcnt-running" : 100,00`); since it puts a blank behind every other comma they can be mended.

use super::{Block, Count};
use crate::json::{self, Kind, Node};
use crate::number::{DecimalMark, parse_scaled};
use crate::sink::Sink;
use crate::text::{Line, Lines};
use triptych_model::Cancelled;

/// Reads the lines from a line on, if it is one.
pub fn read(lines: &Lines<'_>, at: usize, sink: &Sink<'_>) -> Result<Option<Block>, Cancelled> {
    let mut block = Block { end: at, ..Block::default() };
    for (index, line) in lines.starting_at(at) {
        sink.check_at(index, line.offset)?;
        let text = line.text.trim_ascii();
        if !text.starts_with("{\"") || !text.contains("\"counter-value\"") {
            break;
        }
        match count(&line, text) {
            Some(count) if is_again(&block, &count) => break,
            Some(count) => block.counts.push(count),
            None if block.counts.is_empty() => break,
            None => block.wrong.push((
                line.number,
                1,
                text.to_owned(),
                "a JSON object with counter-value and event",
            )),
        }
        block.end = index + 1;
    }
    Ok((!block.counts.is_empty()).then_some(block))
}

fn is_again(block: &Block, count: &Count) -> bool {
    count.time.is_none()
        && block.counts.iter().any(|known| known.event == count.event && known.place == count.place)
}

fn count(line: &Line<'_>, text: &str) -> Option<Count> {
    let mended;
    let object = match json::parse(text) {
        Ok(object) => object,
        Err(_) => {
            mended = mend(text);
            json::parse(&mended).ok()?
        }
    };
    let mut count = Count::at(line);
    count.raw = string(&object, "counter-value")?.to_owned();
    count.mark = mark(&count.raw);
    count.counted = number(&count.raw).is_some();
    if !count.counted && !count.raw.starts_with("<not ") {
        return None;
    }
    count.event = string(&object, "event")?.to_owned();
    count.unit = string(&object, "unit").unwrap_or("").to_owned();
    count.time = object.get("interval").and_then(|node| number(node.text()));
    count.place = place(&object);
    if let Some(group) = string(&object, "cgroup").filter(|group| !group.is_empty()) {
        count.in_group(group);
    }
    count.spread =
        object.get("variance").and_then(|node| Some((number(node.text())?, node.text().to_owned())));
    if string(&object, "metric-unit") == Some("CPUs utilized") && count.place.is_none() {
        let node = object.get("metric-value");
        let load = |text| parse_scaled(text, mark(text), 100, 0);
        count.cores = node.and_then(|node| Some((load(node.text())?, node.text().to_owned())));
    }
    Some(count)
}

fn string<'n>(object: &'n Node<'_>, name: &str) -> Option<&'n str> {
    match &object.get(name)?.kind {
        Kind::String(text) => Some(text),
        _ => None,
    }
}

/// The core, socket, die, node or thread, where perf counts them apart.
fn place(object: &Node<'_>) -> Option<String> {
    if let Some(cpu) = string(object, "cpu") {
        return Some(format!("CPU{}", cpu.trim_start_matches("CPU")));
    }
    let name = ["core", "die", "socket", "node", "thread"].iter().find_map(|name| string(object, name))?;
    Some(name.to_owned())
}

/// perf prints no groups here, so a comma can only be the decimal mark.
fn number(text: &str) -> Option<f64> {
    parse_scaled(text, mark(text), 1, 0)
}

fn mark(text: &str) -> DecimalMark {
    if text.contains(',') { DecimalMark::Comma } else { DecimalMark::Point }
}

/// Puts a point where a comma stands between two digits outside of texts.
fn mend(text: &str) -> String {
    let mut inside = false;
    let bytes = text.as_bytes();
    let is_digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let mended = text.char_indices().map(|(at, c)| {
        inside ^= c == '"';
        let mark = c == ',' && !inside && is_digit(at.checked_sub(1)) && is_digit(Some(at + 1));
        if mark { '.' } else { c }
    });
    mended.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_comma_locales_are_mended() {
        for (text, expect) in [
            (r#"{"a" : 100,00, "b" : 0,5}"#, r#"{"a" : 100.00, "b" : 0.5}"#),
            (r#"{"a" : "1,5", "b" : 1}"#, r#"{"a" : "1,5", "b" : 1}"#),
        ] {
            assert_eq!(mend(text), expect);
        }
    }
}
