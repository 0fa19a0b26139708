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

#[test]
fn samples_of_several_logs_stay_apart() {
    let data = read(
        "source,line,run,time,elapsed_secs,process,pid,command,metric,value,unit\n\
         a,1,r,2026-11-30T08:00:01Z,1,svnserve,7,,cpu,50,%\n\
         b,1,r,2026-11-30T08:00:03Z,2,svnserve,7,,cpu,60,%\n\
         a,2,r,2026-11-30T08:00:02Z,2,svnserve,7,,cpu,70,%\n\
         a,3,r,,1,svnserve,7,,cpu,80,%\n\
         a,4,r,,1e300,svnserve,7,,cpu,90,%\n",
    );
    let clocks: Vec<_> = data.series.iter().map(|series| series.clock).collect();
    assert_eq!(clocks, [Clock::Utc, Clock::Utc, Clock::Elapsed]);
    let start = triptych_model::Timestamp::parse("2026-11-30T08:00:00Z").expect("a time").micros();
    let logs: Vec<_> = data.series_logs.iter().map(|log| (log.log, log.start)).collect();
    assert_eq!(logs, [(0, Some(start)), (1, Some(start + 1_000_000)), (0, Some(0))]);
    let samples: Vec<_> = data.samples.iter().map(|sample| (sample.series, sample.value)).collect();
    assert_eq!(samples, [(0, 50.0), (1, 60.0), (0, 70.0), (2, 80.0)]);
    assert_eq!(data.samples[3].time, 1_000_000);
    let told: Vec<_> = data.problems.iter().map(|p| (p.line, p.message.as_str())).collect();
    assert_eq!(told[0], (Some(6), "unreadable elapsed_secs"));
}

#[test]
fn requests_have_the_gaps_runs_and_qualities_of_their_columns() {
    let data = read(
        "source,line,run,time,pid,host,action,gap_before,gap_after,quality\n\
         a,1,,2026-11-30T08:00:00Z,7,::1,open,,1,measured\n\
         b,1,b#1,2026-11-30T08:00:00Z,7,::1,open,,2,measured\n\
         a,2,a#1,2026-11-30T08:00:01Z,7,::1,log,1,,measured+run-guessed\n\
         source,line,run,time,pid,host,action,gap_before,gap_after,quality\n\
         b,2,b#1,2026-11-30T08:00:02Z,7,::2,log,2,,measured+session-guessed\n\
         c,1,b#1,2026-11-30T08:00:03Z,,::1,GET,,,measured\n\
         c,2,,2026-11-30T08:00:04Z,,::1,GET,,,measured\n\
         c,3,,2026-11-30T08:00:05Z,,::1,log,0.5,,measured\n",
    );
    assert_eq!((data.requests.len(), data.not_understood), (7, 0));
    let gaps: Vec<_> =
        (0..7).map(|row| (data.requests.gap_before(row), data.requests.gap_after(row))).collect();
    let none = (None, None);
    let (one, two) = (Some(1.0), Some(2.0));
    assert_eq!(gaps, [(None, one), (None, two), (one, None), (two, None), none, none, none]);
    assert_eq!(data.request_runs, [(0, None), (1, Some(0)), (2, Some(1)), (3, Some(0)), (5, None)]);
    let words: Vec<_> = data.requests.qualities().iter().map(ToString::to_string).collect();
    assert_eq!(words[2..5], ["measured+run-guessed", "measured+session-guessed", "measured"]);
    let told: Vec<_> = data.problems.iter().map(|problem| problem.message.as_str()).collect();
    assert_eq!(told, ["1 gaps were left out: the rows ahead of them are not in the file"]);
}

#[test]
fn lines_and_offsets_are_those_of_the_file() {
    let text = "source,line,run,time,action\r\na,1,,,log\r\n\r\na,2,,,open\r\n";
    let data = read(text);
    for (row, (line, word)) in [(2, "a,1"), (4, "a,2")].into_iter().enumerate() {
        let found = data.requests.row(row).expect("a row");
        assert_eq!((found.line, found.offset), (line, text.find(word).expect("there") as u64), "{row}");
    }
}
