//! What a file is that no format claims, as exactly as can be said, and what to do with it.
//!
//! Used by the driver for its reason; nothing here reads values.

use crate::number::parse_duration;
use crate::text::{Lines, is_wide};

/// Why the file is passed over, one sentence without a full stop.
pub fn reason(bytes: &[u8]) -> String {
    format!("no format claims it: {}", what(bytes))
}

/// What the file is, for people.
pub fn what(bytes: &[u8]) -> String {
    if let Some((_, what)) = MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return (*what).to_owned();
    }
    if is_binary(bytes) {
        return "a binary file".to_owned();
    }
    let head = bytes.get(..HEAD_BYTES).unwrap_or(bytes);
    let lines = Lines::new(head);
    let texts: Vec<&str> =
        lines.starting_at(0).map(|(_, line)| line.text.trim()).filter(|text| !text.is_empty()).collect();
    if texts.is_empty() {
        return "nothing but blanks".to_owned();
    }
    let kind = KINDS.iter().find(|(is_such, _, _)| texts.iter().any(|text| is_such(text)));
    match kind {
        Some((_, what, hint)) => format!("{what}{hint}"),
        None if texts.first().is_some_and(|text| text.starts_with(['{', '['])) => json(&texts),
        None => UNKNOWN_TEXT.to_owned(),
    }
}

/// What a JSON file is by the names of its members.
fn json(texts: &[&str]) -> String {
    let has = |name: &str| texts.iter().any(|text| text.contains(&format!("\"{name}\"")));
    let own = OWN_FILES.iter().find(|(names, _)| names.iter().all(|name| has(name)));
    own.map_or("JSON of no known shape", |(_, what)| what).to_owned()
}

/// Files of the runner beside its logs.
const OWN_FILES: &[(&[&str], &str)] = &[
    (&["version", "operations", "repetitions", "variants"], "a plan; triptych run runs it"),
    (&["version", "builds", "repositories", "variants"], "a lab; triptych run measures in it"),
];

const HEAD_BYTES: usize = 16 * 1024;

const MAGIC: &[(&[u8], &str)] = &[
    (b"SQLite format 3\0", "an SQLite database"),
    (b"\x1f\x8b", "a gzip file; unpack it first"),
    (b"\xfd7zXZ\0", "an xz file; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "a zstd file; unpack it first"),
    (b"BZh", "a bzip2 file; unpack it first"),
    (b"PK\x03\x04", "a zip file; unpack it first"),
    (b"\x96\xd5", "sar's binary data; run `sadf -d FILE -- -u` and open what it prints"),
    (b"\xd5\x96", "sar's binary data; run `sadf -d FILE -- -u` and open what it prints"),
    (b"\xef\xbe\xed\xfe", "atop's binary data; run `atop -r FILE -P PRC` and open what it prints"),
    (b"PERFILE2", "perf's binary data; run `perf stat` for figures"),
    (b"\x89PNG", "a picture"),
    (b"%PDF", "a PDF"),
];

/// A quick test of one line, what a file with such a line is, and what to do with it, if anything.
type Kind = (fn(&str) -> bool, &'static str, &'static str);

const NOT_READ: &str = ", which this version does not read";
const USE_LOG_FORMAT: &str = "; have the server write a log in a LogFormat such as `combined`";
const USE_HEADER: &str =
    "; if ps wrote them, let it print its header (ps -o pid,cputimes,rss,comm) and the time before it";

const KINDS: &[Kind] = &[
    (is_httpd_error, "httpd's error log", ", which has no figures"),
    (|text| text.starts_with("#Fields:"), "a W3C log as IIS writes it", USE_LOG_FORMAT),
    (is_json_access, "an access log in JSON", USE_LOG_FORMAT),
    (is_httpd_access, "an access log in an unknown format", "; give the server's LogFormat"),
    (
        |text| text.starts_with("procs --") || text.starts_with("--procs--") || text.starts_with("proc. --"),
        "output of vmstat without times",
        "; take `vmstat -t`, else nothing says when it was",
    ),
    (
        |text| text.starts_with("avg-cpu:"),
        "output of iostat without times",
        "; take `iostat -t`, else nothing says when it was",
    ),
    (
        is_sysstat,
        "a sysstat report of another kind or with times of an unknown form",
        "; take it with LC_ALL=C",
    ),
    (|text| text.starts_with("<sysstat"), "sadf's XML", "; take `sadf -j` or `sadf -d` instead"),
    (
        |text| text.starts_with("<text ") && text.contains(">Linux "),
        "sadf's picture",
        "; take `sadf -j` or `sadf -d` instead",
    ),
    (
        |text| text.contains("task-clock") || text.contains("\"counter-value\""),
        "output of perf stat",
        " whose columns cannot be told apart; run it with -x\\; or -j, and LC_ALL=C",
    ),
    (is_collectl, "output of collectl", "; take pidstat or sar instead"),
    (
        |text| {
            (text.contains("CPU %") && text.contains("NET I/O"))
                || (text.contains("\"CPUPerc\"") && text.contains("\"MemUsage\""))
        },
        "output of docker stats",
        ", which has no times; run pidstat on the host, or sample the container's cpu.stat",
    ),
    (is_encoded_mail, "a mail in an encoding for transport", "; save its text and open that"),
    (is_pyperf, "pyperf's words", "; write JSON with -o FILE.json and open that, it keeps every value"),
    (|text| text.starts_with("Run on (") && text.contains("CPU"), "Google Benchmark without its table", ""),
    (
        |text| text.starts_with("\"group_id\":") || text.starts_with("{\"group_id\":"),
        "criterion's name of a benchmark",
        "; open estimates.json or sample.json beside it",
    ),
    (
        |text| text.trim_start_matches('{').starts_with("\"benchmarks\":"),
        "JSON of another benchmark tool",
        NOT_READ,
    ),
    (|text| text.starts_with("<?xml") || text.starts_with("<svg"), "XML", NOT_READ),
    (
        |text| text.starts_with("<!DOCTYPE html") || text.starts_with("<html"),
        "a web page",
        "; save it as plain text",
    ),
    (is_times, "output of the shell's `times`", ", which sums up all that the shell ran"),
    (is_headless, "columns of figures without names", USE_HEADER),
    (
        is_bare_times,
        "times without labels, of a TIMEFORMAT, TIMEFMT or time -f",
        "; say what each column is, or print labels as in 'real %e user %U sys %S'",
    ),
];

/// Whether the file is known by its kind, so that its tables are not anybody's to explain.
pub fn is_known(bytes: &[u8]) -> bool {
    is_no_text(bytes) || {
        let what = what(bytes);
        !UNSURE.iter().any(|unsure| what.starts_with(unsure))
    }
}

/// What is said of figures in lines where nothing else is known: a header above them makes them a table.
const UNSURE: &[&str] = &[UNKNOWN_TEXT, "columns of figures without names", "times without labels"];

const UNKNOWN_TEXT: &str = "text without figures in a known form";

/// Whether it is no text at all, so that its lines need not be looked at.
pub fn is_no_text(bytes: &[u8]) -> bool {
    MAGIC.iter().any(|(magic, _)| bytes.starts_with(magic)) || is_binary(bytes)
}

/// Control bytes where text has none. A run of NUL counts once: a rotated log may begin with one.
fn is_binary(bytes: &[u8]) -> bool {
    let start = bytes.iter().position(|byte| *byte != 0).unwrap_or(0);
    let rest = bytes.get(start..).unwrap_or_default();
    let head = rest.get(..HEAD_BYTES).unwrap_or(rest);
    if is_wide(bytes) {
        return false;
    }
    let mut last = 0;
    let mut odd = 0;
    for byte in head {
        let repeated = *byte == 0 && last == 0;
        odd += usize::from(!repeated && matches!(byte, 0..=6 | 14..=26 | 28..=31 | 127));
        last = *byte;
    }
    odd * 50 > head.len() || bytes.first().is_some_and(|first| *first == 0 && head.first() == Some(&0))
}

/// `[Mon Nov 30 08:05:17.496806 2026] [mpm_event:notice] …`
fn is_httpd_error(text: &str) -> bool {
    let days = ["[Mon ", "[Tue ", "[Wed ", "[Thu ", "[Fri ", "[Sat ", "[Sun "];
    days.iter().any(|day| text.starts_with(day)) && text.contains("] [")
}

/// `… [30/Nov/2026:08:05:17 +0000] …` that the reader of access logs did not take
fn is_httpd_access(text: &str) -> bool {
    text.match_indices('[').any(|(at, _)| text.get(at + 1..).is_some_and(is_httpd_time))
        || text.contains(" svn=[")
        || (text.contains(" repo:") && text.contains(" Bytes in "))
}

/// `{"remote_addr":"::1","request":"GET / HTTP/1.1","status":200}`
fn is_json_access(text: &str) -> bool {
    const NAMES: &[&str] = &[
        "\"remote_addr\"",
        "\"remote_ip\"",
        "\"remoteIP\"",
        "\"clientip\"",
        "\"request_uri\"",
        "\"request_method\"",
    ];
    text.starts_with('{') && NAMES.iter().any(|name| text.contains(name))
}

fn is_httpd_time(text: &str) -> bool {
    let mut parts = text.split(['/', ':']);
    let is_number = |part: Option<&str>, length: usize| {
        part.is_some_and(|part| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    is_number(parts.next(), 2)
        && parts.next().is_some_and(|month| month.len() == 3)
        && is_number(parts.next(), 4)
}

/// collectl for the terminal, or `-P` for plots.
fn is_collectl(text: &str) -> bool {
    text.starts_with("waiting for 1 second sample")
        || text.starts_with("#Date Time ")
        || text.starts_with("#<--")
        || text.starts_with("# PROCESS SUMMARY")
        || text.starts_with("# Collectl:")
}

/// `Linux 6.1.0 (host)  11/30/26  _x86_64_  (2 CPU)`
fn is_sysstat(text: &str) -> bool {
    text.starts_with("Linux ") && text.contains(" CPU)")
}

/// `21730 15.5`, `21730  1  0.0 00:00:01 svnserve`: a process id and figures, or a time of CPU.
fn is_headless(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_figure = |word: &&str| {
        word.bytes().any(|byte| byte.is_ascii_digit())
            && word.bytes().all(|byte| byte.is_ascii_digit() || b".,:-".contains(&byte))
    };
    let figures = words.iter().take_while(|word| is_figure(word)).count();
    let is_id = words.first().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    let has_time = words.iter().any(|word| word.matches(':').count() == 2 && is_figure(word));
    is_id && figures >= 2 && (figures == words.len() || (has_time && figures + 1 == words.len()))
}

/// `Content-Transfer-Encoding: quoted-printable`
fn is_encoded_mail(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    lower
        .strip_prefix("content-transfer-encoding:")
        .is_some_and(|encoding| matches!(encoding.trim(), "quoted-printable" | "base64"))
}

/// `Mean +- std dev: 970 ns +- 185 ns`, with the benchmark's name in front where it has one
fn is_pyperf(text: &str) -> bool {
    text.starts_with("WARNING: the benchmark result") || text.contains("Mean +- std dev: ")
}

/// `0m0.002s 0m0.000s`
fn is_times(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.len() == 2 && words.iter().all(|word| word.contains('m') && parse_duration(word).is_some())
}

/// `0m0.20s 0 0.000 0.91%`, `0.11 0.00 0.00 0% 1780kB sleep 0.1`, `0:00.00 3`
fn is_bare_times(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_figure = |word: &&&str| {
        let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
        !digits.is_empty()
            && digits.starts_with(|c: char| c.is_ascii_digit())
            && digits.bytes().all(|byte| byte.is_ascii_digit() || b".,:m".contains(&byte))
    };
    let figures = words.iter().take_while(is_figure).count();
    let has_time = words.iter().take(figures).any(|word| {
        parse_duration(word).is_some() || word.split_once('.').is_some_and(|(_, places)| places.len() > 1)
    });
    figures >= 2 && has_time && words.len() < 20
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_called_by_their_names() {
        for (bytes, expect) in [
            (b"\n  \n".as_slice(), "nothing but blanks"),
            (b"SQLite format 3\0rest", "an SQLite database"),
            (b"\x96\xd5\x75\x21\0\0", "sar's binary data; run `sadf -d FILE -- -u`"),
            (b"\0\x01\x02\x03abc\x04\x05", "a binary file"),
            (b"\0\0\0", "a binary file"),
            (b"\0\0\0some words\n\0\0\0\0\0\0\0\0\0\0\0\0and others that follow the gap in the log, and more of them\n", "text without figures"),
            (b"[Mon Nov 30 08:05:17.496806 2026] [mpm_event:notice] [pid 1] x\n", "httpd's error log"),
            (b"x [30/Nov/2026:08:05:17 +0000] GET / 200 5\n", "an access log in an unknown format; give"),
            (b"#Version: 1.0\n#Fields: date time cs-method\n", "a W3C log as IIS writes it; have the server"),
            (b"{\"time\":1,\"remote_addr\":\"::1\",\"status\":200}\n", "an access log in JSON; have the server"),
            (b"Linux 6.1.0 (host) \t11/30/26 \t_x86_64_\t(2 CPU)\n", "a sysstat report"),
            (b"avg-cpu:  %user\n 1.0\n", "output of iostat without times; take `iostat -t`"),
            (b"procs ---memory---\n", "output of vmstat without times; take `vmstat -t`"),
            (b"<?xml version=\"1.0\"?>\n<!DOCTYPE sysstat>\n<sysstat\n", "sadf's XML; take `sadf -j`"),
            (b"<?xml version=\"1.0\"?>\n<svg>\n<text x=\"0\">Linux 6.18 (vm)\n", "sadf's picture; take `sadf -j`"),
            (b"<?xml version=\"1.0\"?>\n<other/>\n", "XML"),
            (b"#<--------CPU-------->\n#cpu sys inter\n", "output of collectl; take pidstat"),
            (b"CONTAINER ID   NAME   CPU %     MEM USAGE / LIMIT   MEM %   NET I/O\n", "output of docker stats, which has no times; run pidstat"),
            (b"{\"BlockIO\":\"0B / 0B\",\"CPUPerc\":\"393.24%\",\"MemUsage\":\"1MiB / 2GiB\"}\n", "output of docker stats"),
            (b"\xef\xbe\xed\xfe\x01\x02", "atop's binary data; run `atop -r FILE -P PRC`"),
            (b"{\"a\": 1}\n", "JSON of no known shape"),
            (b"{\"version\": 1, \"title\": \"\", \"operations\": [],\n\"variants\": [], \"repetitions\": 3}\n", "a plan;"),
            (b"{\"version\":1,\"builds\":[],\"repositories\":[],\"variants\":[]}\n", "a lab;"),
            (b"# Notes\n[Method](m.md): what it is.\n", "text without figures"),
            (b"119 task-clock 9\n", "output of perf stat"),
            (b"Subject: x\nContent-Transfer-Encoding: Quoted-Printable\n", "a mail in an encoding for transport"),
            (b"21730 15.5\n", "columns of figures without names"),
            (b"18912 1 0.0 2896 00:01 00:00:00 svnserve\n", "columns of figures without names"),
            (b"waiting for 1 second sample...\n", "output of collectl"),
            (b"0m0.002s 0m0.000s\n0m0.000s 0m0.000s\n", "output of the shell's `times`"),
            (b"0m0.000000s 0m0.000000s\n0m0.000000s 0m0.000000s\n", "output of the shell's `times`"),
            (b"0m0.20s 0 0.000 0.91%\n", "times without labels"),
            (b"0.11\t0.00\t0.00\t0%\t1780kB sleep 0.1\n", "times without labels"),
            (b"sleep 0.1\n0.110 0.000 0.002 1kB\n", "times without labels"),
            (b"0:00.00 3\n", "times without labels"),
            (b"H\0i\0 \0a\0l\0l\0\n\0", "text without figures"),
            (b"# Notes\nSome words.\n", "text without figures"),
        ] {
            assert!(what(bytes).starts_with(expect), "{expect}: {}", what(bytes));
        }
    }
}
