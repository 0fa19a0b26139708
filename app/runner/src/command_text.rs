//! Command lines for people: quoted, and without what is random in each run.

use std::path::Path;

/// The last part of a program's path.
pub fn base(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// A path segment as part of a URL (RFC 3986: all but unreserved characters in per cent).
pub fn encode(name: &str) -> String {
    let mut text = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

/// A word as a shell would want it.
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._/:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The command as it is kept with a run: without the port, and without the options that only keep the
/// user's own settings away; the directory it fetches to is called `target`. The whole command is kept
/// beside it as an array.
pub fn shown(command: &[String], target: Option<&Path>, config: &Path) -> String {
    let target = target.map_or_else(String::new, |target| target.to_string_lossy().into_owned());
    let config = config.to_string_lossy();
    let mut words: Vec<String> = Vec::new();
    for (index, word) in command.iter().enumerate() {
        match word.as_str() {
            _ if index == 0 => words.push(quote(base(word))),
            "--config-dir" | "--non-interactive" | "--no-auth-cache" => {}
            other if other == config => {}
            other if !target.is_empty() => words.push(quote(&without_port(other).replace(&target, "target"))),
            other => words.push(quote(&without_port(other))),
        }
    }
    words.join(" ")
}

fn without_port(word: &str) -> String {
    const HOST: &str = "svn://127.0.0.1:";
    match word.split_once(HOST) {
        Some((before, rest)) => {
            let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            format!("{before}svn://127.0.0.1{rest}")
        }
        None => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_random_is_not_shown() {
        let command = [
            "/usr/bin/svnbench",
            "null-log",
            "svn://127.0.0.1:4711/a%20b/trunk",
            "-v",
            "--config-dir",
            "/s/config",
            "--non-interactive",
            "it's",
            "",
            "/s/target-1/tree",
        ];
        let command: Vec<String> = command.map(str::to_owned).to_vec();
        let text = shown(&command, Some(Path::new("/s/target-1")), Path::new("/s/config"));
        assert_eq!(text, r"svnbench null-log svn://127.0.0.1/a%20b/trunk -v 'it'\''s' '' target/tree");
    }

    #[test]
    fn names_become_segments() {
        assert_eq!(encode("fmt6_packed"), "fmt6_packed");
        assert_eq!(encode("a b/ü"), "a%20b%2F%C3%BC");
    }
}
