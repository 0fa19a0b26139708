//! Times of day for axes and tables, UTC: what the servers' logs print, cut to what a reader needs.

use triptych_model::Timestamp;

/// `2026-11-30T08:32:24.461687Z` in its parts.
fn parts(micros: i64) -> Option<(String, String)> {
    let text = Timestamp(micros).to_string();
    let (date, time) = text.split_once('T')?;
    Some((date.to_owned(), time.trim_end_matches('Z').to_owned()))
}

/// `08:32:24.461687`: the time of day with six decimals, as the log has it.
pub fn exact(micros: i64) -> String {
    parts(micros).map(|(_, time)| time).unwrap_or_default()
}

/// `2026-11-30`.
pub fn date(micros: i64) -> String {
    parts(micros).map(|(date, _)| date).unwrap_or_default()
}

/// The time of day with as many decimals as steps of this many microseconds need: `08:32:24.5`, `08:32`
/// where whole minutes are enough, the date where days are.
pub fn stepped(micros: i64, step: i64) -> String {
    let Some((date, time)) = parts(micros) else { return String::new() };
    let cut = |digits: usize| time.get(..digits.min(time.len())).unwrap_or(&time).to_owned();
    match step {
        86_400_000_000.. => date.get(5..).unwrap_or(&date).to_owned(),
        60_000_000.. => cut(5),
        1_000_000.. => cut(8),
        100_000.. => cut(10),
        _ => cut(12),
    }
}

/// `08:32:24 to 08:33:20`, with the decimals that tell the two apart, with dates where the days differ.
pub fn span(from: i64, to: i64) -> String {
    let step = match (to - from).abs() {
        0..10_000_000 => 1_000,
        _ => 1_000_000,
    };
    let text = |micros| stepped(micros, step);
    if date(from) == date(to) {
        format!("{} to {}", text(from), text(to))
    } else {
        format!("{} {} to {} {}", date(from), text(from), date(to), text(to))
    }
}

/// `0.5 s`, `20 ms`, `5 min`, `1 h`, `7 days`: widths of bins and steps of axes.
pub fn width(micros: i64) -> String {
    let narrow = crate::numbers::NARROW;
    let shown = |value: f64, unit: &str| format!("{}{narrow}{unit}", trimmed(value));
    match micros {
        86_400_000_000.. => {
            shown(micros as f64 / 86_400e6, if micros < 172_800_000_000 { "day" } else { "days" })
        }
        3_600_000_000.. => shown(micros as f64 / 3_600e6, "h"),
        60_000_000.. => shown(micros as f64 / 60e6, "min"),
        100_000.. => shown(micros as f64 / 1e6, "s"),
        _ => shown(micros as f64 / 1e3, "ms"),
    }
}

fn trimmed(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_cut_to_their_step() {
        let at = Timestamp::parse("2026-11-30T08:32:24.461687Z").expect("a time").micros();
        assert_eq!(exact(at), "08:32:24.461687");
        for (step, expect) in [
            (1_000, "08:32:24.461"),
            (500_000, "08:32:24.4"),
            (2_000_000, "08:32:24"),
            (60_000_000, "08:32"),
            (86_400_000_000, "11-30"),
        ] {
            assert_eq!(stepped(at, step), expect);
        }
        assert_eq!(span(at, at + 55_600_000), "08:32:24 to 08:33:20");
        assert_eq!(span(at, at + 500_000), "08:32:24.461 to 08:32:24.961");
        assert_eq!(span(at, at + 86_400_000_000), "2026-11-30 08:32:24 to 2026-12-01 08:32:24");
    }

    #[test]
    fn widths_have_their_unit() {
        for (micros, expect) in [
            (500_000, "0.5 s"),
            (20_000, "20 ms"),
            (300_000_000, "5 min"),
            (3_600_000_000, "1 h"),
            (604_800_000_000, "7 days"),
        ] {
            assert_eq!(width(micros).replace(crate::numbers::NARROW, " "), expect);
        }
    }
}
