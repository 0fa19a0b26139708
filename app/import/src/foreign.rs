//! What a file is that no format claims, as exactly as can be said, and what to do with it.
//!
//! Used by the driver for its reason; nothing here reads values.

use crate::text::Lines;

/// Why the file is passed over, one sentence without a full stop.
pub fn reason(bytes: &[u8]) -> String {
    format!("no format claims it: {}", what(bytes))
}

/// What the file is, for people.
pub fn what(bytes: &[u8]) -> &'static str {
    if let Some((_, what)) = MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return what;
    }
    if is_binary(bytes) {
        return "a binary file";
    }
    let head = bytes.get(..HEAD_BYTES).unwrap_or(bytes);
    let lines = Lines::new(head);
    let texts: Vec<&str> =
        lines.starting_at(0).map(|(_, line)| line.text.trim()).filter(|text| !text.is_empty()).collect();
    if texts.is_empty() {
        return "nothing but blanks";
    }
    for (is_such, what) in KINDS {
        if texts.iter().any(|text| is_such(text)) {
            return what;
        }
    }
    "text without figures in a known form"
}

const HEAD_BYTES: usize = 16 * 1024;

const MAGIC: &[(&[u8], &str)] = &[
    (b"SQLite format 3\0", "an SQLite database, which this version does not read"),
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

/// A quick test of one line, and what a file with such a line is.
type Kind = (fn(&str) -> bool, &'static str);

const KINDS: &[Kind] = &[
    (is_httpd_error, "httpd's error log, which has no figures"),
    (is_httpd_access, "an httpd access log, which this version does not read"),
    (is_httpd_operations, "an httpd operation log, which this version does not read"),
    (|text| text.starts_with("top - "), "output of top, which this version does not read"),
    (|text| text.starts_with("procs --"), "output of vmstat, which this version does not read"),
    (|text| text.starts_with("avg-cpu:"), "output of iostat, which this version does not read"),
    (
        is_sysstat,
        "a sysstat report without processes (mpstat, iostat, sar), which this version does not read",
    ),
    (|text| text.starts_with("# hostname;interval;"), "output of sadf, which this version does not read"),
    (
        |text| text.starts_with("Performance counter stats for"),
        "output of perf stat, which this version does not read",
    ),
    (|text| text.starts_with("# started on "), "output of perf stat, which this version does not read"),
    (|text| text.contains("\"counter-value\""), "output of perf stat, which this version does not read"),
    (|text| text.starts_with("# Elapsed time"), "a log of psrecord, which this version does not read"),
    (|text| text.starts_with("===> multitime"), "output of multitime, which this version does not read"),
    (|text| text.starts_with("===> Executing"), "output of multitime, which this version does not read"),
    (
        |text| text.starts_with("waiting for 1 second sample"),
        "output of collectl, which this version does not read",
    ),
    (|text| text.starts_with("#Date Time "), "output of collectl, which this version does not read"),
    (|text| text == "RESET" || text == "SEP", "output of atop, which this version does not read"),
    (|text| text.starts_with("usage_usec "), "a cgroup's cpu.stat, which this version does not read"),
    (
        |text| text.contains("CPU %") && text.contains("NET I/O"),
        "output of docker stats, which this version does not read",
    ),
    (is_ps, "output of ps, which this version does not read"),
    (
        |text| text.starts_with("Timings for "),
        "output of suite1's benchmark.py, which this version does not read",
    ),
    (
        |text| text.starts_with("Compare ") && text.contains(" to "),
        "output of suite1's benchmark.py, which this version does not read",
    ),
    (
        |text| text.starts_with("command,mean,stddev"),
        "hyperfine's CSV; export JSON instead, it keeps every run",
    ),
    (
        |text| text.starts_with("| Command | Mean"),
        "hyperfine's Markdown; export JSON instead, it keeps every run",
    ),
    (
        |text| text.starts_with("\"benchmarks\":") || text.starts_with("{\"benchmarks\""),
        "JSON of another benchmark tool, which this version does not read",
    ),
    (|text| text.starts_with('{') || text.starts_with('['), "JSON of no known shape"),
    (|text| text.matches('\t').count() >= 3, "a table separated by tabs, with unknown columns"),
];

/// NUL or other control bytes where text has none.
fn is_binary(bytes: &[u8]) -> bool {
    let head = bytes.get(..HEAD_BYTES).unwrap_or(bytes);
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return false;
    }
    let odd = head.iter().filter(|byte| matches!(byte, 0..=6 | 14..=26 | 28..=31 | 127)).count();
    odd * 50 > head.len()
}

/// `[Mon Nov 30 08:05:17.496806 2026] [mpm_event:notice] …`
fn is_httpd_error(text: &str) -> bool {
    let days = ["[Mon ", "[Tue ", "[Wed ", "[Thu ", "[Fri ", "[Sat ", "[Sun "];
    days.iter().any(|day| text.starts_with(day)) && text.contains("] [")
}

/// `127.0.0.1 - - [30/Nov/2026:08:05:17 +0000] "GET …`
fn is_httpd_access(text: &str) -> bool {
    text.split_once(" [").is_some_and(|(_, rest)| is_httpd_time(rest) && rest.contains("] \""))
}

/// `[30/Nov/2026:08:05:18 +0000] alice bench commit r1`
fn is_httpd_operations(text: &str) -> bool {
    text.strip_prefix('[').is_some_and(is_httpd_time) || text.contains(" svn=[")
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

/// `Linux 6.1.0 (host)  11/30/26  _x86_64_  (2 CPU)`
fn is_sysstat(text: &str) -> bool {
    text.starts_with("Linux ") && text.contains(" CPU)")
}

fn is_ps(text: &str) -> bool {
    let has = |name: &str| text.split_whitespace().any(|word| word == name);
    has("PID") && (has("COMMAND") || has("CMD")) && (has("TIME") || has("ELAPSED") || has("%CPU"))
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
            (b"[Mon Nov 30 08:05:17.496806 2026] [mpm_event:notice] [pid 1] x\n", "httpd's error log"),
            (b"127.0.0.1 - - [30/Nov/2026:08:05:17 +0000] \"GET / HTTP/1.1\" 200 5\n", "an httpd access log"),
            (b"[30/Nov/2026:08:05:18 +0000] alice bench commit r1\n", "an httpd operation log"),
            (b"top - 08:05:17 up 1 day\n", "output of top"),
            (b"Linux 6.1.0 (host) \t11/30/26 \t_x86_64_\t(2 CPU)\n", "a sysstat report"),
            (b"{\"a\": 1}\n", "JSON of no known shape"),
            (b"# Notes\nSome words.\n", "text without figures"),
        ] {
            assert!(what(bytes).starts_with(expect), "{expect}: {}", what(bytes));
        }
    }
}
