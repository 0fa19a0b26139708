//! Tests of the reader of hyperfine, against genuine and broken documents.

use super::*;
use crate::sink::testing::{bytes, values};
use triptych_model::{ReadOptions, Silent, SourceData};

fn read(text: &str) -> SourceData {
    let options = ReadOptions::default();
    let mut sink = Sink::new("test.json", &options, &Silent);
    HYPERFINE.read(text.as_bytes(), &mut sink).expect("nobody cancels");
    sink.finish()
}

fn sample(name: &str) -> SourceData {
    let bytes = bytes(&format!("hyperfine/{name}"));
    assert_eq!(HYPERFINE.sniff(&bytes), Confidence::Certain, "{name}");
    read(std::str::from_utf8(&bytes).expect("UTF-8"))
}

#[test]
fn every_execution_of_a_genuine_file() {
    let data = sample("null-export-cold.json");
    assert_eq!(data.runs.len(), 15);
    assert_eq!(data.measurements.len(), 15 + 3 * 2);
    let reals: Vec<f64> =
        data.measurements.iter().filter(|row| row.metric == "real").filter_map(|row| row.value).collect();
    assert_eq!(reals[..5], [1.45796742888, 1.33021588088, 1.38444999088, 1.39216825888, 1.38775977788]);
    let variants: Vec<_> = data.runs.iter().map(|run| run.content.get(Key::Variant).unwrap_or("")).collect();
    assert_eq!(variants[0..6], ["trunk", "trunk", "trunk", "trunk", "trunk", "branch6"]);
    assert_eq!(data.runs[4].content.get(Key::Repetition), Some("5"));
    assert_eq!(data.runs[4].exit, Some(0));
    assert_eq!((data.measurements[0].line, data.measurements[0].raw.as_str()), (13, "1.45796742888"));
    assert_eq!(data.measurements[5].metric, "user_mean");
    assert_eq!((data.measurements[5].value, data.measurements[5].executions), (Some(0.0090505), Some(5)));
    assert_eq!(data.problems, []);
}

#[test]
fn parameters_and_failures_of_genuine_files() {
    let data = sample("null-export-param.json");
    assert_eq!(data.runs.len(), 6);
    let run = &data.runs[0];
    assert_eq!(run.content.get(Key::Operation), Some("null-export"));
    assert_eq!(run.content.get(Key::Build), Some("trunk"));
    assert_eq!(run.content.get(Key::Variant), Some("trunk"));
    let data = sample("with-failure.json");
    assert_eq!(data.runs.len(), 2);
    for run in &data.runs {
        assert_eq!((run.exit, run.failure.as_deref()), (Some(1), Some("exit status 1")));
        assert!(run.quality.has(Quality::FAILED));
    }
}

#[test]
fn aggregates_stand_in_for_missing_times() {
    let data = read(
        r#"{"results":[{"command":"a","mean":0.0,"stddev":null,"median":1.5,"user":0.5,"system":0.25,"min":1,"max":2,"exit_codes":[0,null]}]}"#,
    );
    assert_eq!(
        values(&data, 0),
        [
            "real_mean=0s",
            "real_median=1.5s",
            "real_min=1s",
            "real_max=2s",
            "user_mean=0.5s",
            "sys_mean=0.25s"
        ]
    );
    assert!(data.runs[0].quality.has(Quality::FAILED));
    assert_eq!(data.measurements[0].executions, Some(2));
}

#[test]
fn results_of_one_name_differ_by_their_parameters() {
    for (results, expect) in [
        (
            r#"{"command":"a","times":[1],"parameters":{"n":"1"}},{"command":"a","times":[1],"parameters":{"n":"2"}}"#,
            ["a 1", "a 2"],
        ),
        (
            r#"{"command":"a","times":[1],"parameters":{"n":"1"}},{"command":"b","times":[1],"parameters":{"n":2}}"#,
            ["a", "b"],
        ),
        (
            r#"{"command":"svn co A","times":[1],"parameters":{"n":"1"}},{"command":"svn co A","times":[1],"parameters":{"n":"2","threads":"4"}}"#,
            ["1", "2"],
        ),
    ] {
        let data = read(&format!("{{\"results\":[{results}]}}"));
        let found: Vec<_> = data.runs.iter().map(|run| run.content.get(Key::Variant).unwrap_or("")).collect();
        assert_eq!(found, expect, "{results}");
        assert_eq!(data.problems, [], "{results}");
    }
}

#[test]
fn commands_without_names_differ_by_their_own_words() {
    let variants = |commands: &[&str]| {
        let results: Vec<String> =
            commands.iter().map(|command| format!("{{\"command\":\"{command}\",\"times\":[1]}}")).collect();
        let data = read(&format!("{{\"results\":[{}]}}", results.join(",")));
        data.runs.iter().map(|run| run.content.get(Key::Variant).unwrap_or("").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(variants(&["/a/svn-1.8 co svn://h/x", "/a/svn-1.9 co svn://h/x"]), ["svn-1.8", "svn-1.9"]);
    assert_eq!(variants(&["svn co svn://h/x", "svn co svn://h/y"]), ["svn://h/x", "svn://h/y"]);
    assert_eq!(variants(&["svn co svn://h/x", "svn ci -m x"]), ["", ""]);
    assert_eq!(variants(&["svn co svn://h/x"]), [""]);
}

#[test]
fn exits_that_cannot_be_read_are_no_failure() {
    let data = read(r#"{"results":[{"command":"a","times":[1,2,3],"exit_codes":[null,"0"]}]}"#);
    let failed: Vec<_> = data.runs.iter().map(|run| run.failure.as_deref()).collect();
    assert_eq!(failed, [Some("ended by a signal"), None, None]);
    assert_eq!(data.not_understood, 2);
}

#[test]
fn wrong_values_are_named_and_the_rest_is_kept() {
    let data =
        read("{\"results\": [\n  {\"command\": 7, \"times\": [1.5, \"x\", -1],\n \"exit_codes\": {}},\n 3]}");
    assert_eq!(values(&data, 0), ["real=1.5s"]);
    assert_eq!(values(&data, 1), ["real=?s"]);
    let said: Vec<String> = data.problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "test.json:2:15: warning: unreadable command, found \"7\", expected a text",
            "test.json:3:16: warning: unreadable exit_codes, found \"{}\", expected a list of numbers",
            "test.json:2:33: warning: unreadable real, found \"\\\"x\\\"\", expected a number that is not negative",
            "test.json:2:38: warning: unreadable real, found \"-1\", expected a number that is not negative",
            "test.json:4:2: warning: unreadable result, found \"3\", expected an object with command and times",
        ]
    );
    assert_eq!(data.not_understood, 5);
}

#[test]
fn broken_documents_are_refused_with_their_place() {
    for (text, place, message) in [
        ("{\"results\": [\n{\"command\": \"x\", \"mean\": 1.", "test.json:2:27", "EOF while parsing"),
        ("{\"results\": [\n  oops]}", "test.json:2:3", "expected value"),
        ("{\"results\": 3}", "test.json:1:13", "no list of results"),
        ("[]", "test.json:1:1", "no list of results"),
    ] {
        let error = read(text).error.unwrap_or_else(|| panic!("{text:?} is accepted"));
        assert_eq!(error.place(), place, "{text:?}");
        assert!(error.message.contains(message), "{error}");
    }
    let deep = format!("{{\"results\": {}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(read(&deep).error.is_some());
}

#[test]
fn sniffing() {
    assert_eq!(HYPERFINE.sniff(b"\n{ \"results\": [{\"command\": \"x\", \"mean\": 1"), Confidence::Certain);
    assert_eq!(HYPERFINE.sniff(b"{\"results\": []}"), Confidence::Possible);
    assert_eq!(HYPERFINE.sniff(b"{\"benchmarks\": []}"), Confidence::No);
    assert_eq!(HYPERFINE.sniff(b"$ cat results"), Confidence::No);
}

#[test]
fn one_execution_has_no_deviation() {
    let data = sample("one.json");
    assert_eq!(data.runs.len(), 1);
    assert_eq!(values(&data, 0), ["real=0.052837094040000004s", "user_mean=0.00974444s", "sys_mean=0s"]);
    assert_eq!((data.measurements[1].executions, data.problems.len()), (Some(1), 0));
}

#[test]
fn names_that_come_twice_are_told_apart_by_their_order() {
    let data = sample("names.json");
    let variants: Vec<_> = data.runs.iter().map(|run| run.content.get(Key::Variant).unwrap_or("")).collect();
    assert_eq!(variants[..6], ["a #1", "a #1", "a #1", "a #2", "a #2", "a #2"]);
    assert_eq!(variants.last(), Some(&"b|c \"x\", y"));
}

/// FORMATS.md §2.5: what versions add or leave out.
#[test]
fn members_differ_by_version() {
    for (members, expect) in [
        (
            r#""mean":1.5,"stddev":0.5,"user":0.5,"system":0.25,"min":1,"max":2,"times":[1,2]"#,
            &["real=1s", "user_mean=0.5s", "sys_mean=0.25s"][..],
        ),
        (
            r#""mean":1.5,"times":[1],"exit_codes":[0],"memory_usage_byte":[4096]"#,
            &["real=1s", "max_rss=4096B"],
        ),
        (
            r#""mean":0.0,"stddev":0.0,"median":0.0,"min":0.0,"max":0.0,"exit_codes":[1,1]"#,
            &["real_mean=0s", "real_median=0s", "real_min=0s", "real_max=0s", "real_stddev=0s"],
        ),
    ] {
        let data = read(&format!(r#"{{"results":[{{"command":"svn co A",{members}}}]}}"#));
        assert_eq!(values(&data, 0), expect, "{members}");
        assert_eq!(data.problems, [], "{members}");
    }
}
