//! Every action of Subversion 1.6 to 1.14: what is accepted, what is left over, what is refused.

use super::actions::{ACTIONS, Arg};
use super::shared;
use super::values::{Columns, read_arguments, read_one};

/// What becomes of an action: nothing is left, a rest is left, or a required argument is missing.
#[derive(Debug, PartialEq, Eq)]
enum Outcome<'t> {
    Whole,
    Left(&'t str),
    Refused,
    Unknown,
}

use Outcome::{Left, Refused, Unknown, Whole};

fn outcome(text: &str) -> Outcome<'_> {
    let (word, detail) = text.split_once(' ').unwrap_or((text, ""));
    let Some(action) = ACTIONS.iter().find(|action| action.word == word) else { return Unknown };
    let rests = action.forms.iter().filter_map(|form| rest_of(form, detail));
    match rests.min_by_key(|rest| rest.len()) {
        Some("") => Whole,
        Some(rest) => Left(rest),
        None => Refused,
    }
}

fn rest_of<'t>(form: &[Arg], detail: &'t str) -> Option<&'t str> {
    let mut rest = detail;
    for (at, arg) in form.iter().enumerate() {
        rest = if *arg == Arg::Paths {
            let list = rest.strip_prefix('(')?;
            let behind = |end: usize| list.get(end + 1..).map(|rest| rest.strip_prefix(' ').unwrap_or(rest));
            let ends = list.rmatch_indices(')').filter_map(|(end, _)| behind(end));
            let fits = |rest: &&str| read_arguments(&form[at + 1..], rest, &mut Columns::default());
            ends.into_iter().find(fits).or_else(|| behind(list.find(')')?))?
        } else {
            read_one(*arg, rest, &mut Columns::default())?
        };
    }
    Some(rest)
}

#[test]
fn every_action_is_read_in_all_its_forms() {
    for (text, expect) in [
        ("open 2 cap=() / SVN/1.6.9%20(r901367) -", Whole),
        ("open 2 cap=(edit-pipeline svndiff1) /a%20b SVN/1.14.2 my-client%2F1", Whole),
        ("open 2 cap=(depth) /a(b) - -", Whole),
        ("open two cap=() / a -", Refused),
        ("open 2 cap=( / a -", Refused),
        ("open 2 cap=() trunk a -", Refused),
        ("open 2 cap=() / a", Refused),
        ("reparent /a%25b", Whole),
        ("reparent a", Refused),
        ("get-latest-rev", Whole),
        ("get-latest-rev r7", Left("r7")),
        ("get-dated-rev 2026-11-30T08:03:39.382038Z", Whole),
        ("get-dated-rev", Refused),
        ("change-rev-prop r5 svn:log", Whole),
        ("change-rev-prop r5 my%20prop", Whole),
        ("change-rev-prop 5 svn:log", Refused),
        ("change-rev-prop r5", Refused),
        ("rev-prop r5 svn:log", Whole),
        ("rev-prop svn:log", Refused),
        ("rev-proplist r0", Whole),
        ("rev-proplist r5 more", Left("more")),
        ("rev-proplist 5", Refused),
        ("commit r7", Whole),
        ("commit 7", Refused),
        ("commit r", Refused),
        ("commit r+7", Refused),
        ("commit harry r100", Refused),
        ("get-file /a r7", Whole),
        ("get-file /a r-1 text", Whole),
        ("get-file /a r7 props", Whole),
        ("get-file /a r7 text props", Whole),
        ("get-file /a r7 props text", Left("text")),
        ("get-file /a text", Refused),
        ("get-file a r7", Refused),
        ("get-dir / r7", Whole),
        ("get-dir /a r7 text props", Whole),
        ("get-dir /k r27 props text", Left("text")),
        ("get-dir /a", Refused),
        ("checkout-or-export / r6", Whole),
        ("checkout-or-export /a r6 depth=empty", Whole),
        ("checkout-or-export /a r6 depth=files", Whole),
        ("checkout-or-export /a r6 depth=immediates", Whole),
        ("checkout-or-export /a r6 depth=infinity", Whole),
        ("checkout-or-export /a r6 depth=exclude", Whole),
        ("checkout-or-export /a r6 depth=unknown", Refused),
        ("checkout-or-export /a r6 depth=deep", Refused),
        ("checkout-or-export /a r6 infinity", Left("infinity")),
        ("update /a r6", Whole),
        ("update /a r6 depth=files send-copyfrom-args", Whole),
        ("update /a r6 send-copyfrom-args depth=files", Left("depth=files")),
        ("update /a", Refused),
        ("switch /b1 /trunk@6", Whole),
        ("switch /b@1 /tr@unk@6 depth=infinity", Whole),
        ("switch /b1 /trunk", Refused),
        ("switch /b1@4 trunk@6", Refused),
        ("status /a r6", Whole),
        ("status /a r6 depth=immediates", Whole),
        ("status /a r6 props", Left("props")),
        ("status /a", Refused),
        ("diff /a r2:4", Whole),
        ("diff /a r4:2 depth=files ignore-ancestry", Whole),
        ("diff /a@2 /b@4", Whole),
        ("diff /a@2 /b@4 depth=infinity ignore-ancestry", Whole),
        ("diff /a@2 /b@4 ignore-ancestry depth=infinity", Left("depth=infinity")),
        ("diff /a /b", Refused),
        ("diff /a r2", Refused),
        ("get-mergeinfo (/a) explicit", Whole),
        ("get-mergeinfo (/a /b%20c) inherited include-descendants", Whole),
        ("get-mergeinfo () nearest-ancestor", Whole),
        ("get-mergeinfo (/a /b)", Refused),
        ("get-mergeinfo (/a) sideways", Refused),
        ("get-mergeinfo /a inherited", Refused),
        ("log (/a) r1:3", Whole),
        ("log () r3:1", Whole),
        (
            "log (/a /b) r1:3 limit=3 discover-changed-paths strict include-merged-revisions revprops=all",
            Whole,
        ),
        ("log (/a) r1:3 revprops=(svn:log)", Whole),
        ("log (/a) r1:3 strict revprops=(svn:log my%20prop)", Whole),
        ("log (/a) r1:3 limit=x", Left("limit=x")),
        ("log (/a) r1:3 strict limit=3", Left("limit=3")),
        ("log (/a) r1:3 revprops=()", Left("revprops=()")),
        ("log (/a) r1:3 revprops=all more", Left("more")),
        ("log (/a) r1", Refused),
        ("log /a r1:3", Refused),
        ("get-file-revs /a r1:3", Whole),
        ("get-file-revs /a r3:1 include-merged-revisions", Whole),
        ("get-file-revs /a r3", Refused),
        ("get-locations /a@9 (3 4)", Whole),
        ("get-locations /a (3)", Whole),
        ("get-locations /a ()", Whole),
        ("get-locations /a (3) 4", Left("4")),
        ("get-locations /a 3", Refused),
        ("get-locations /a (three)", Refused),
        ("get-location-segments /a@6 r6:-1", Whole),
        ("get-location-segments /a@6 r-1:0", Whole),
        ("get-location-segments /a r6:1", Whole),
        ("get-location-segments /a@6", Refused),
        ("check-path /a@b@7", Whole),
        ("check-path /a", Refused),
        ("check-path a@7", Refused),
        ("stat /@7", Whole),
        ("stat / 7", Refused),
        ("lock (/a)", Whole),
        ("lock (/a /b) steal", Whole),
        ("lock (/a)b.txt /c) steal", Whole),
        ("lock (/a) break", Left("break")),
        ("lock /a steal", Refused),
        ("unlock (/a)", Whole),
        ("unlock (/a (b)) break", Whole),
        ("unlock (/foo) bear", Left("bear")),
        ("unlock /a", Refused),
        ("get-lock /a", Whole),
        ("get-lock a", Refused),
        ("get-locks /a", Whole),
        ("get-locks", Refused),
        ("replay /a r3", Whole),
        ("replay /a%20(b) r3", Whole),
        ("replay /a r3 more", Refused),
        ("replay trunk/a r3", Refused),
        ("replay r3", Refused),
        ("get-deleted-rev", Whole),
        ("get-inherited-props /a r3", Whole),
        ("get-inherited-props /a", Refused),
        ("list /a r6 depth=immediates <ANY>", Whole),
        ("list /a r6 *.txt file 1*", Whole),
        ("list /a r6", Refused),
        ("unknown log line", Unknown),
        ("", Unknown),
    ] {
        assert_eq!(outcome(text), expect, "{text}");
        assert_eq!(shared::read(text).complete, expect == Whole, "{text}");
    }
}

#[test]
fn every_action_has_a_line_above() {
    let text = include_str!("grammar_tests.rs");
    for action in ACTIONS {
        assert!(text.contains(&format!("(\"{}", action.word)), "{}", action.word);
    }
}

#[test]
fn paths_end_where_the_rest_can_be_read() {
    for (text, path, paths) in [
        ("lock (/trunk/a)b.txt)", Some("/trunk/a)b.txt"), r#"["/trunk/a)b.txt"]"#),
        ("lock (/trunk/a)b.txt /f%201) steal", None, r#"["/trunk/a)b.txt","/f 1"]"#),
        ("log (/a) (b) r1:3) r6:0 strict", None, r#"["/a)","(b)","r1:3"]"#),
        ("unlock (/foo) bear", Some("/foo"), r#"["/foo"]"#),
        ("get-mergeinfo (/x(y) /z) inherited", None, r#"["/x(y)","/z"]"#),
    ] {
        assert_eq!(shared::read(text).path.map(|(path, _)| path), path, "{text}");
        let json = shared::arguments(text).get("paths").map(ToString::to_string);
        assert_eq!(json.as_deref(), Some(paths), "{text}");
    }
}

#[test]
fn a_rest_does_not_take_what_was_read_before_it() {
    for (text, path, arguments) in [
        ("diff /foo r9:10 ignore-ancestry ...", "/foo", r#"{"from":9,"ignore_ancestry":true,"to":10}"#),
        ("diff /a@9 /b@10 depth=files x", "/a", r#"{"depth":"files","from":9,"path2":"/b","to":10}"#),
        ("get-dir /k r27 props text", "/k", r#"{"props":true}"#),
        ("get-locations /k@3 (1 2) x", "/k", r#"{"peg":3,"revisions":[1,2]}"#),
    ] {
        let read = shared::read(text);
        assert_eq!((read.path.map(|(path, _)| path), read.complete), (Some(path), false), "{text}");
        assert_eq!(serde_json::Value::from(shared::arguments(text)).to_string(), arguments, "{text}");
    }
}

/// Prints what was made of the lines of a file, for comparison with another parser.
#[test]
#[ignore = "needs a file of actions in SVN_ACTIONS"]
fn outcomes_for_comparison() {
    let file = std::env::var("SVN_ACTIONS").expect("SVN_ACTIONS");
    let text = std::fs::read_to_string(file).expect("a readable file");
    for line in text.lines() {
        let (kind, rest) = match outcome(line) {
            Whole => ("accepted", ""),
            Left(rest) => ("accepted", rest),
            Refused => ("rejected", ""),
            Unknown => ("unknown", ""),
        };
        let read = shared::read(line);
        let json = serde_json::json!({
            "line": line, "kind": kind, "rest": rest, "word": read.word,
            "path": read.path.map(|(path, encoded)| if encoded { shared::decoded(path).into_owned() } else { path.to_owned() }),
            "revision": read.revision, "arguments": shared::arguments(line),
        });
        println!("OURS {json}");
    }
}
