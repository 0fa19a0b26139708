//! What the parts of a matched line say.

use super::action::{self, Action};
use super::log_format::{Field, Layout, Piece};
use super::matcher::Matched;
use super::time::{TimePart, moment};
use crate::formats::svnserve::shared;
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use triptych_model::{Quality, Request};

/// The values of a line as they stand there.
#[derive(Debug, Default)]
pub(super) struct Fields<'t> {
    times: Vec<(&'t TimePart, &'t str)>,
    host: Option<&'t str>,
    forwarded: Option<&'t str>,
    user: Option<&'t str>,
    request: Option<&'t str>,
    method: Option<&'t str>,
    url: Option<&'t str>,
    /// The action, escapes undone; `None` where the request had none.
    pub action: Option<Cow<'t, str>>,
    /// Where the action stands in the line, in bytes.
    pub action_at: usize,
    repository: Option<&'t str>,
    agent: Option<&'t str>,
    status: Option<(&'t str, bool)>,
    bytes_out: Option<(&'t str, bool)>,
    bytes_in: Option<&'t str>,
    /// The number and how many microseconds its unit has.
    duration: Option<(&'t str, i64)>,
    seconds: Option<&'t str>,
    pid: Option<&'t str>,
}

impl<'t> Fields<'t> {
    /// Takes the parts out of a line that fits the layout.
    pub fn of(layout: &'t Layout, matched: &Matched, line: &'t str) -> Self {
        let mut fields = Self::default();
        for (piece, span) in layout.pieces.iter().zip(&matched.spans) {
            let (Piece::Field { field, .. }, Some(text)) = (piece, line.get(span.clone())) else { continue };
            if *field == Field::Action {
                fields.action_at = span.start;
            }
            fields.set(field, text);
        }
        fields
    }

    fn set(&mut self, field: &'t Field, text: &'t str) {
        let given = (text != "-").then_some(text);
        match field {
            Field::Time(part) => self.times.push((part, text)),
            Field::Host | Field::Address => self.host = self.host.or(given),
            Field::Forwarded => self.forwarded = given,
            Field::User => self.user = given.filter(|user| *user != "\"\""),
            Field::Request => self.request = given,
            Field::Method => self.method = given,
            Field::UrlPath => self.url = given,
            Field::Action => self.action = given.map(unescaped),
            Field::RepositoryName => self.repository = given.or(self.repository),
            Field::RepositoryPath => self.repository = self.repository.or(given),
            Field::Agent => self.agent = given,
            Field::Status { last } if *last || self.status.is_none() => {
                self.status = given.map(|text| (text, *last)).or(self.status);
            }
            Field::BytesOut { with_headers }
                if *with_headers || !self.bytes_out.is_some_and(|(_, all)| all) =>
            {
                self.bytes_out = Some((text, *with_headers));
            }
            Field::BytesIn => self.bytes_in = given,
            Field::Duration { micros } if self.duration.is_none_or(|(_, known)| *micros < known) => {
                self.duration = given.map(|text| (text, *micros)).or(self.duration);
            }
            Field::Seconds => self.seconds = given,
            Field::Pid => self.pid = given,
            _ => {}
        }
    }

    /// Seconds, from the finest unit that the line has.
    fn duration(&self) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "exact below 285 years")]
        let counted = self
            .duration
            .and_then(|(text, unit)| Some(text.parse::<i64>().ok()?.checked_mul(unit)? as f64 / 1e6));
        counted.or_else(|| self.seconds?.parse().ok())
    }

    /// Bytes sent; `-` is httpd's word for none.
    fn bytes_out(&self) -> Option<i64> {
        let (text, _) = self.bytes_out?;
        if text == "-" { Some(0) } else { text.parse().ok() }
    }

    /// When the request arrived.
    fn time(&self, duration: Option<f64>, zone: &TimeZone) -> Option<super::time::Moment> {
        let mut moment = moment(&self.times, zone)?;
        if self.times.iter().all(|(part, _)| part.at_end)
            && let Some(secs) = duration
        {
            #[expect(clippy::cast_possible_truncation, reason = "a duration of a request")]
            let micros = (secs * 1e6).round() as i64;
            moment.micros = moment.micros.checked_sub(micros)?;
        }
        Some(moment)
    }

    /// The client's address: the first of a list, which is who asked.
    fn host(&self) -> Option<&'t str> {
        let hosts = self.forwarded.or(self.host)?;
        Some(hosts.split(", ").next().unwrap_or(hosts))
    }

    /// The action of Subversion, else the method and the path of the address.
    pub fn action(&self) -> Action<'_> {
        if let Some(text) = self.action.as_deref() {
            return action::read(text);
        }
        if let Some(request) = self.request {
            let read = read_request(&unescaped(request));
            let odd = if read.is_none() { Quality::MALFORMED } else { Quality::NONE };
            let (method, path) = read.map_or((None, None), |(method, path)| (Some(method), Some(path)));
            return plain(method, path, odd);
        }
        let path = self.url.map(|url| shared::decoded(&unescaped(url)).into_owned());
        plain(self.method.map(str::to_owned), path, Quality::NONE)
    }

    /// Hands the row to `take`; `None` where the line has no time that can be read.
    pub fn with_row<R>(
        &self,
        zone: &TimeZone,
        action: &Action<'_>,
        take: impl FnOnce(Request<'_>) -> R,
    ) -> Option<R> {
        let duration = self.duration();
        let moment = self.time(duration, zone)?;
        let assumed = if moment.zone_assumed { Quality::ZONE_ASSUMED } else { Quality::NONE };
        let number = |text: Option<&str>| text.and_then(|text| text.parse().ok());
        let user = self.user.map(unescaped);
        let repository = self.repository.map(unescaped);
        Some(take(Request {
            time: Some(moment.micros),
            pid: self.pid.and_then(|pid| pid.parse().ok()),
            host: self.host(),
            user: user.as_deref(),
            repository: repository.as_deref().map(shared::decoded).as_deref(),
            action: &action.word,
            path: action.path.as_deref(),
            revision: action.revision,
            duration,
            bytes_in: number(self.bytes_in),
            bytes_out: self.bytes_out(),
            status: number(self.status.map(|(status, _)| status)),
            quality: action.quality.with(assumed),
            ..Request::default()
        }))
    }

    /// The arguments that have no column of their own.
    pub fn arguments(&self) -> Map<String, Value> {
        let mut all = self.action.as_deref().map(action::arguments).unwrap_or_default();
        if let Some(agent) = self.agent {
            all.insert("client".to_owned(), json!(unescaped(agent)));
        }
        all
    }
}

/// A request without an action of Subversion; `-` where not even its method is known.
fn plain(method: Option<String>, path: Option<String>, odd: Quality) -> Action<'static> {
    Action {
        word: method.map_or(Cow::Borrowed("-"), Cow::Owned),
        path: path.map(Cow::Owned),
        revision: None,
        quality: Quality::MEASURED.with(odd),
        expected: None,
    }
}

/// Reads `METHOD /address HTTP/1.1` into the method and the decoded path. What a client without HTTP
/// sends, such as the start of a TLS handshake, is none.
fn read_request(request: &str) -> Option<(String, String)> {
    let (method, rest) = request.split_once(' ')?;
    if method.is_empty() || !method.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'-') {
        return None;
    }
    let address = match rest.rsplit_once(' ') {
        Some((address, version)) if version.starts_with("HTTP/") => address,
        _ => rest,
    };
    let path = address
        .split_once("://")
        .map_or(address, |(_, behind)| behind.find('/').and_then(|slash| behind.get(slash..)).unwrap_or("/"));
    let path = path.split('?').next().unwrap_or(path);
    (!path.is_empty()).then(|| (method.to_owned(), shared::decoded(path).into_owned()))
}

/// Undoes httpd's escapes: `\"`, `\\`, `\b \n \r \t \v` and `\xhh`.
pub(super) fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [byte, tail @ ..] = rest {
        let (plain, tail) = match (byte, tail) {
            (b'\\', [b'x', high, low, behind @ ..]) => match (digit(*high), digit(*low)) {
                (Some(high), Some(low)) => (high * 16 + low, behind),
                _ => (b'\\', tail),
            },
            (b'\\', [mark, behind @ ..]) => match ESCAPES.iter().find(|(letter, _)| letter == mark) {
                Some((_, plain)) => (*plain, behind),
                None => (b'\\', tail),
            },
            _ => (*byte, tail),
        };
        bytes.push(plain);
        rest = tail;
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

const ESCAPES: &[(u8, u8)] = &[
    (b'"', b'"'),
    (b'\\', b'\\'),
    (b'b', 8),
    (b'n', b'\n'),
    (b'r', b'\r'),
    (b't', b'\t'),
    (b'v', 11),
    (b'f', 12),
];

fn digit(letter: u8) -> Option<u8> {
    char::from(letter).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}
