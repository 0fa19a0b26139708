//! What comes back of exported rows, and what is said of those that do not.

use crate::sink::testing::{read, sample};
use triptych_model::{Clock, Key, Process, Quality, Unit};

#[test]
fn measurements_come_back_with_their_runs() {
    let data = sample("triptych-csv/measurements.csv");
    assert_eq!((data.not_understood, &data.problems, &data.error), (0, &Vec::new(), &None));
    assert_eq!((data.runs.len(), data.measurements.len()), (48, 96));
    assert!(data.says_all);
    let run = &data.runs[0];
    assert_eq!(run.id.as_deref(), Some("list-table/fsfs-format7-2013.txt#1"));
    assert_eq!(run.content.get(Key::Variant), Some("trunk"));
    assert_eq!(run.content.get(Key::Medium), Some("USB"));
    let row = &data.measurements[0];
    assert_eq!((row.metric.as_str(), row.unit, row.line), ("time", Unit::Secs, 2));
    assert_eq!(row.quality, Quality::AS_PRINTED);
    assert!(row.raw.ends_with('s') && row.value.is_some(), "{row:?}");
}

#[test]
fn samples_come_back_in_series() {
    let data = sample("triptych-csv/samples.csv");
    assert_eq!((data.not_understood, data.problems.len()), (0, 0));
    assert!(data.series.len() > 5 && data.samples.len() > data.series.len());
    let bash = Process::from("bash".to_owned());
    let series = data.series.iter().find(|series| series.process == bash).expect("is there");
    assert_eq!((series.clock, series.pid, series.metric.as_str()), (Clock::Utc, Some(21730), "cpu_user"));
}

#[test]
fn requests_come_back_with_arguments() {
    let data = sample("triptych-csv/requests.csv");
    let original = sample("svnserve/svnserve-1.6.9.log");
    assert_eq!((data.not_understood, data.requests.len()), (0, original.requests.len()));
    for row in 0..data.requests.len() {
        let (ours, theirs) =
            (data.requests.row(row).expect("a row"), original.requests.row(row).expect("a row"));
        assert_eq!((ours.time, ours.action, ours.path), (theirs.time, theirs.action, theirs.path));
        assert_eq!((ours.host, ours.revision, ours.quality), (theirs.host, theirs.revision, theirs.quality));
        assert_eq!(data.requests.gap_after(row), original.requests.gap_after(row), "row {row}");
    }
    let line = r#"a.log,3,,2026-11-30T08:03:39.382038Z,7,::1,,bench,log,,,"{""limit"":5}",,,,,,,,measured"#;
    assert_eq!(super::arguments(line).as_deref(), Some(r#"{"limit":5}"#));
    assert_eq!(super::arguments("a,b"), None);
}

#[test]
fn requests_without_a_time_are_of_no_session() {
    let data = read(
        "source,line,run,time,pid,host,action\n\
         a,1,,,7,::1,open\n\
         a,2,,2026-11-30T08:00:00Z,7,::1,log\n\
         a,3,,,7,::1,log\n\
         a,4,,2026-11-30T08:00:01Z,7,::1,log\n",
    );
    assert_eq!((data.requests.len(), data.not_understood), (4, 0));
    assert!((0..4).all(|row| data.requests.gap_before(row).is_none()));
}

#[test]
fn what_cannot_be_read_is_told_and_the_rest_kept() {
    let data = read(
        "source,line,run,process,metric,value,unit,quality,operation\n\
         a,1,a#1,client,real,1.5,s,measured,export\n\
         a,1,a#1,client,user,fast,s,measured,export\n\
         a,1,a#1,client,sys,1,parsec,measured,export\n\
         a,1,,client,sys,1,s,measured,export\n\
         a,1,a#1,client,,1,s,measured,export\n\
         a,1,a#2,client,real,2,s,splendid,export\n",
    );
    let told: Vec<_> = data.problems.iter().map(|p| (p.line, p.message.as_str())).collect();
    assert_eq!(
        told,
        [
            (Some(3), "unreadable value"),
            (Some(4), "unreadable unit"),
            (Some(5), "a row without a run"),
            (Some(6), "a row without a metric"),
            (Some(7), "unreadable quality"),
        ]
    );
    let values: Vec<_> = data.measurements.iter().map(|m| (m.metric.as_str(), m.value)).collect();
    assert_eq!(values, [("real", Some(1.5)), ("user", None), ("real", Some(2.0))]);
    let error = read("source,line,run,colour\n").error.expect("no frame of ours");
    assert!(error.message.contains("header"), "{error}");
}
