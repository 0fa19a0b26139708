//! Tables of all shapes: found, proposed, asked about, and read by an answer.

use super::*;
use crate::Readers;
use proptest::prelude::*;
use triptych_model::{Importer, Key, ReadOptions, Silent, SourceData};

fn read_with(text: &str, answers: &[&str], known: &[TableMeaning], format: Option<&str>) -> SourceData {
    let tables = answers.iter().map(|answer| TableMeaning::parse(answer).expect(answer)).collect();
    let format = format.map(str::to_owned);
    let options = ReadOptions { tables, known_tables: known.to_vec(), format, ..ReadOptions::default() };
    Readers.read("times.txt", text.as_bytes(), &options, &Silent).expect("nobody cancels")
}

/// All values as `conditions|metric=value unit "raw"`.
fn facts(data: &SourceData) -> Vec<String> {
    let fact = |row: &triptych_model::Measurement| {
        let run = &data.runs[row.run as usize];
        let conditions: Vec<String> =
            run.content.iter().map(|(key, text)| format!("{}={text}", key.name())).collect();
        let value = row.value.map_or("?".to_owned(), |value| value.to_string());
        format!("{}|{} {}={value}{} {:?}", conditions.join(" "), row.process, row.metric, row.unit, row.raw)
    };
    data.measurements.iter().map(fact).collect()
}

const ANSWER: &str = "operation=operation,trunk=real s variant:trunk,b6=real s variant:b6";

/// The same small table as people and programs write it; the figures without a unit are seconds.
const SHAPES: &[&str] = &[
    "operation  trunk  b6\nnull-log -v  3.5  2.25\nverify       10  8\n",
    "operation    trunk    b6\n------------------------\nnull-log -v    3.5  2.25\nverify          10     8\n",
    "operation trunk b6\nnull-log -v 3.5 2.25\nverify 10 8\n",
    "operation\ttrunk\tb6\nnull-log -v\t3.5\t2.25\nverify\t10\t8\n",
    "operation,trunk,b6\nnull-log -v,3.5,2.25\nverify,10,8\n",
    "\"operation\",\"trunk\",\"b6\"\n\"null-log -v\",\"3.5\",\"2.25\"\n\"verify\",10,8\n",
    "operation;trunk;b6\nnull-log -v;3,5;2,25\nverify;10;8\n",
    "| operation | trunk | b6 |\n|---|--:|--:|\n| null-log -v | 3.5 | 2.25 |\n| verify | 10 | 8 |\n",
    "operation | trunk | b6\n--- | --- | ---\nnull-log -v | 3.5 | 2.25\nverify | 10 | 8\n",
    "+-----------+-------+------+\n| operation | trunk | b6   |\n+-----------+-------+------+\n| null-log -v | 3.5 | 2.25 |\n| verify | 10 | 8 |\n+---+---+---+\n",
    "> operation  trunk  b6\n> null-log -v  3.5  2.25\n> verify       10  8\n",
    "operation  trunk  b6\r\nnull-log -v  3.5  2.25\r\n\r\nverify       10  8\r\n",
];

#[test]
fn one_table_in_all_shapes() {
    for text in SHAPES {
        let data = read_with(text, &[ANSWER], &[], None);
        let values: Vec<(Option<&str>, Option<&str>, Option<f64>)> = data
            .measurements
            .iter()
            .map(|row| {
                let run = &data.runs[row.run as usize].content;
                (run.get(Key::Operation), run.get(Key::Variant), row.value)
            })
            .collect();
        let expect = [
            (Some("null-log -v"), Some("trunk"), Some(3.5)),
            (Some("null-log -v"), Some("b6"), Some(2.25)),
            (Some("verify"), Some("trunk"), Some(10.0)),
            (Some("verify"), Some("b6"), Some(8.0)),
        ];
        assert_eq!(values, expect, "{text}");
        assert_eq!(
            (data.formats.as_slice(), data.is_table, data.not_understood),
            (&["table"][..], true, 0),
            "{text}"
        );
        assert_eq!((&data.skipped, &data.error, data.program_output), (&None, &None, 0), "{text}");
        for row in &data.measurements {
            let line = text.get(row.offset as usize..).and_then(|rest| rest.lines().next()).expect("a line");
            assert!(line.contains(&row.raw), "{text}: {row:?}");
            assert_eq!(text.lines().position(|other| other == line), Some(row.line as usize - 1), "{text}");
        }
    }
}

#[test]
fn nothing_is_read_without_an_answer() {
    for text in SHAPES {
        let data = read_with(text, &[], &[], None);
        assert_eq!((data.runs.len(), data.measurements.len(), data.formats.len()), (0, 0, 0), "{text}");
        let reason = data.skipped.as_deref().expect("is passed over");
        assert!(reason.contains("operation | trunk | b6"), "{reason}");
        assert!(reason.contains("import sheet") && reason.contains("--columns"), "{reason}");
        let problem = data.problems.first().expect("a problem");
        assert_eq!((problem.kind, problem.severity), (ProblemKind::Asked, Severity::Note));
        // What is offered as a start is understood, and fits.
        let offered = reason.split('\'').nth(1).expect("a notation");
        assert!(
            TableMeaning::parse(offered)
                .expect(offered)
                .fits(&["operation", "trunk", "b6"].map(str::to_owned))
        );
        let by_name = read_with(text, &[], &[], Some("table"));
        assert_eq!((by_name.measurements.len(), by_name.skipped.as_ref()), (0, data.skipped.as_ref()));
    }
}

#[test]
fn an_answer_for_other_columns_is_none() {
    let text = SHAPES[0];
    for answer in ["operation=operation,b7=real s", "#4=real s", "x=operation"] {
        let data = read_with(text, &[answer], &[], None);
        assert_eq!((data.measurements.len(), data.skipped.is_some()), (0, true), "{answer}");
    }
    // By place, and under other names than the header's.
    let data = read_with(text, &["#1=command,#3=user s process:svnserve cache:hot"], &[], None);
    assert_eq!(
        facts(&data),
        [
            "command=null-log -v cache=hot|svnserve user=2.25s \"2.25\"",
            "command=verify cache=hot|svnserve user=8s \"8\"",
        ]
    );
    let note = data.problems.iter().find(|one| one.message.contains("were not read")).expect("a note");
    assert_eq!((note.severity, note.message.ends_with(": trunk")), (Severity::Note, true));
}

#[test]
fn an_answer_is_remembered_by_the_header_and_said() {
    let header = ["Operation", "trunk", "b6"].map(str::to_owned);
    let known = TableMeaning { header: header.to_vec(), ..TableMeaning::parse(ANSWER).expect("read") };
    let data = read_with(SHAPES[1], &[], std::slice::from_ref(&known), None);
    assert_eq!(data.measurements.len(), 4);
    let notes: Vec<&str> = data.problems.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(notes, ["the columns mean what you answered for a table with the same header before"]);
    assert_eq!((data.problems[0].line, data.problems[0].severity), (Some(1), Severity::Note));
    // The source's own answer wins.
    let data = read_with(SHAPES[1], &["operation=operation,trunk=user s"], &[known], None);
    assert_eq!(
        facts(&data),
        ["operation=null-log -v|client user=3.5s \"3.5\"", "operation=verify|client user=10s \"10\""]
    );
}

#[test]
fn what_the_cells_say_themselves() {
    let text =
        "what  real  rss  load\nco    3m 1.455s   81M  97%\nup    66ms   1.5 GB  ~40%\nci    n/a   -   -\n";
    let data =
        read_with(text, &["what=operation,real=real,rss=max_rss,load=cpu process:svnserve"], &[], None);
    assert_eq!(
        facts(&data),
        [
            "operation=co|client real=181.455s \"3m 1.455s\"",
            "operation=co|client max_rss=84934656B \"81M\"",
            "operation=co|svnserve cpu=97% \"97%\"",
            "operation=up|client real=0.066s \"66ms\"",
            "operation=up|client max_rss=1500000000B \"1.5 GB\"",
            "operation=up|svnserve cpu=40% \"~40%\"",
            "operation=ci|client real=?s \"n/a\"",
            "operation=ci|client max_rss=?B \"-\"",
            "operation=ci|svnserve cpu=?% \"-\"",
        ]
    );
    assert_eq!((data.runs.len(), data.not_understood), (3, 0));
}

#[test]
fn columns_of_one_metric_are_runs_of_their_own() {
    let text = "op,r1,r2,user\nco,3,4,1\n";
    let data = read_with(text, &["op=operation,r1=real s,r2=real s,user=user s"], &[], None);
    assert_eq!(data.runs.len(), 2);
    let of: Vec<(u32, &str)> = data.measurements.iter().map(|row| (row.run, row.metric.as_str())).collect();
    assert_eq!(of, [(0, "real"), (1, "real"), (0, "user")]);
}

#[test]
fn damaged_rows_and_cells_are_told_and_nothing_else_is_lost() {
    let text = "op,trunk,b6\nco,3.5,oops\nup,1\nci,2.5,1.5\ncut,9";
    let data = read_with(text, &["op=operation,trunk=real s variant:trunk,b6=real s variant:b6"], &[], None);
    let told: Vec<String> = data
        .problems
        .iter()
        .filter(|one| one.severity >= Severity::Warning)
        .map(|one| format!("{} {}", one.place(), one.sentence()))
        .collect();
    assert_eq!(
        told,
        [
            "times.txt:2:8 unreadable cell, found \"oops\", expected a value in s",
            "times.txt:3:1 a line of the table has not one cell for each column, found \"up,1\", expected 3 cells",
            "times.txt:5:1 a line of the table has not one cell for each column, found \"cut,9\", expected 3 cells",
        ]
    );
    assert_eq!(data.not_understood, 3);
    assert_eq!(
        facts(&data),
        [
            "operation=co variant=trunk|client real=3.5s \"3.5\"",
            "operation=co variant=b6|client real=?s \"oops\"",
            "operation=ci variant=trunk|client real=2.5s \"2.5\"",
            "operation=ci variant=b6|client real=1.5s \"1.5\"",
        ]
    );
}

#[test]
fn an_undecidable_number_is_asked_about() {
    let text = "op;trunk\nco;1,234\nup;2,345\n";
    let data = read_with(text, &["op=operation,trunk=real s"], &[], None);
    assert_eq!((data.not_understood, data.measurements[0].value), (2, None));
    assert!(propose(text.as_bytes())[0].asks_decimal);
    for (said, expect) in [("comma", 1.234), ("point", 1234.0)] {
        let data = read_with(text, &[&format!("op=operation,trunk=real s,decimal={said}")], &[], None);
        assert_eq!((data.not_understood, data.measurements[0].value), (0, Some(expect)), "{said}");
    }
}

#[test]
fn proposals_name_kinds_units_and_doubts() {
    let text = "Figures of today\n\nTest        medium   trunk    b6 (s)   share  size   notes\nnull-log    SSD      3.5s     2.25     97%    81M\nverify      SSD      1m 2s    8        100%   90M\n";
    let text = text.replace("81M\n", "81M    -\n").replace("90M\n", "90M    -\n");
    let found = propose(text.as_bytes());
    assert_eq!(found.len(), 1);
    let table = &found[0];
    assert_eq!((table.line, table.count, table.rows[1][2].as_str()), (3, 2, "1m 2s"));
    let columns: Vec<String> = table
        .columns
        .iter()
        .map(|one| {
            format!(
                "{} {} {} {}",
                one.header,
                one.kind.name(),
                one.guess,
                if one.sure { "sure" } else { "asked" }
            )
        })
        .collect();
    assert_eq!(
        columns,
        [
            "Test label operation asked",
            "medium label medium sure",
            "trunk durations time variant:trunk asked",
            "b6 (s) numbers time s variant:b6 asked",
            "share per cent share asked",
            "size sizes size asked",
            "notes empty - sure",
        ]
    );
    let data = read_with(&text, &[], &[table.meaning()], None);
    assert_eq!(
        (data.measurements.len(), data.runs[0].settings["title"].as_str()),
        (8, Some("Figures of today"))
    );
}

#[test]
fn what_is_no_table() {
    for text in [
        "Hello all\nsee the 3 below\nand the 4 there\n",
        "37% apr_file_rename / MoveFileExW\n12% other / thing\n",
        "a b\nc d\ne f\n",
        "# Notes\n\n| what | why |\n|---|---|\n| a | b |\n",
        "It takes > 30 minutes, or\na factor of 2 slower.\nThat is 3, more or less\n",
        "1 2 3\n4 5 6\n",
        "vm\t1\tall\t64.18\nvm\t1\tall\t3.5\n",
        "line 113 28 113 Grid\nline 113 29 114 Grid\n",
        "check(\"a\", 6, \"b\"),\ncheck(\"b\", 7, \"c\"),\n",
        "| crate | needs | verdict |\n|---|---|---|\n| egui | none | yes |\n| toast | 0.36 | no |\n| notify | 0.37 | no |\n",
        "x hot 7.09 / 7.18 = 1.00 : 0.99\nx hot 5.67 / 5.69 = 1.00 : 1.00\n",
        "word,\nword,\n",
        "key: 1\n",
        "a,b\n",
    ] {
        assert_eq!(propose(text.as_bytes()), [], "{text}");
        let data = read_with(text, &[], &[], None);
        assert_eq!(data.problems.last().map(|problem| problem.kind), Some(ProblemKind::Foreign), "{text}");
    }
}

#[test]
fn files_that_are_known_stay_so() {
    for text in [
        "command,mean,stddev,median,user,system,min,max\nsvn co,1.5,0.1,1.5,1.0,0.2,1.4,1.6\n",
        "source,line,run,campaign\nx,1,2,c\n",
        "  PID TTY          TIME CMD\n    1 ?        00:00:01 svnserve\n    2 ?        00:00:01 svnserve\n",
    ] {
        let data = read_with(text, &["#1=operation,#2=time s"], &[], None);
        assert!(data.measurements.is_empty() || data.formats != ["table"], "{text}");
    }
    let mail = "a / b\nhot 2s / 1s = 1.0 : 2.0\n\nop  trunk\nco  3.5\nup  4.5\n";
    assert_eq!(read_with(mail, &["op=operation,trunk=real s"], &[], None).formats, ["list-table"]);
    let forced = read_with(mail, &["op=operation,trunk=real s"], &[], Some("table"));
    assert_eq!(
        (forced.formats.as_slice(), forced.measurements.len(), forced.program_output),
        (&["table"][..], 2, 2)
    );
}

#[test]
fn several_tables_have_answers_of_their_own() {
    let text =
        "op  trunk\nco  3.5\nup  4.5\n\n\nmedium  files\nSSD  12\nUSB  13\n\n\nop  trunk\nci  5\nsw  6\n";
    assert_eq!(propose(text.as_bytes()).len(), 2, "equal headers are one question");
    let data = read_with(text, &["op=operation,trunk=real s"], &[], None);
    assert_eq!(data.measurements.len(), 4);
    let asked = data.problems.iter().filter(|one| one.kind == ProblemKind::Asked).collect::<Vec<_>>();
    assert_eq!((asked.len(), asked[0].line, asked[0].severity), (1, Some(6), Severity::Warning));
    let data = read_with(text, &["op=operation,trunk=real s", "medium=medium,files=files"], &[], None);
    assert_eq!((data.measurements.len(), data.warnings()), (6, 0));
}

#[test]
fn the_servers_times_of_a_genuine_index() {
    let bytes = crate::sink::testing::bytes("table/server-times.tsv");
    let found = propose(&bytes);
    let guess = found[0].meaning().to_string();
    assert_eq!(
        guess,
        "path=operation,command=command,variant=variant,repository=repository,format=format,cache=cache,\
         run=repetition,exit=exit,server_user_secs=time s variant:server_user,server_sys_secs=time s variant:server_sys,\
         server_read_bytes=server_read B"
    );
    let answer = "command=command,variant=variant,repository=repository,format=format,cache=cache,run=repetition,\
                  exit=exit,server_user_secs=user s process:svnserve,server_sys_secs=sys s process:svnserve,\
                  server_read_bytes=read_bytes B process:svnserve";
    let options =
        ReadOptions { tables: vec![TableMeaning::parse(answer).expect("read")], ..ReadOptions::default() };
    let data = Readers.read("server-times.tsv", &bytes, &options, &Silent).expect("nobody cancels");
    assert_eq!(
        (data.runs.len(), data.measurements.len(), data.not_understood, data.warnings()),
        (30, 90, 0, 0)
    );
    let first = &data.runs[0];
    let conditions =
        [Key::Operation, Key::Variant, Key::Cache, Key::Repetition].map(|key| first.content.get(key));
    assert_eq!(conditions, [Some("null-log -v"), Some("branch6"), Some("cold"), Some("1")]);
    let text = String::from_utf8(bytes).expect("UTF-8");
    for (index, line) in text.lines().skip(1).enumerate() {
        let cells: Vec<&str> = line.split('\t').collect();
        let of_run: Vec<f64> =
            data.measurements[3 * index..3 * index + 3].iter().filter_map(|row| row.value).collect();
        let expect: Vec<f64> = cells[9..].iter().map(|cell| cell.parse().expect("a number")).collect();
        assert_eq!(of_run, expect, "{line}");
        let failed = data.runs[index].quality.has(triptych_model::Quality::FAILED);
        assert_eq!((failed, data.runs[index].exit), (cells[8] != "0", cells[8].parse().ok()), "{line}");
    }
    assert_eq!(data.runs.iter().filter(|run| run.failure.is_some()).count(), 1);
}

#[test]
fn a_long_table_takes_linear_time() {
    let mut text = "op,trunk,note\n".to_owned();
    for index in 0..50_000 {
        text.push_str(&format!("co {index},{}.5,x\n", index % 100));
    }
    let data = read_with(&text, &["op=operation,trunk=real s"], &[], None);
    assert_eq!((data.measurements.len(), data.not_understood), (50_000, 0));
    let prose = "and so on, with words, 3 figures and no end\n".repeat(50_000);
    assert_eq!(propose(prose.as_bytes()), []);
    let blank_cells = "word,\n\n".repeat(20_000);
    assert_eq!(propose(blank_cells.as_bytes()), []);
}

proptest! {
    #[test]
    fn any_words_are_read_or_left(words in proptest::collection::vec(proptest::sample::select(WORDS), 0..60)) {
        let text = words.concat();
        let found = propose(text.as_bytes());
        let mut answers: Vec<TableMeaning> = found.iter().map(FoundTable::meaning).collect();
        for answer in &mut answers {
            prop_assert_eq!(&TableMeaning { header: answer.header.clone(), ..TableMeaning::parse(&answer.to_string()).unwrap_or_default() }, &*answer);
        }
        let options = ReadOptions { tables: answers, format: Some(ID.to_owned()), ..ReadOptions::default() };
        let data = Readers.read("x", text.as_bytes(), &options, &Silent).expect("nobody cancels");
        for value in &data.measurements {
            prop_assert!((value.run as usize) < data.runs.len());
            prop_assert!(text.contains(&value.raw), "{:?}", value.raw);
            prop_assert!(value.value.is_none_or(f64::is_finite));
        }
    }

    #[test]
    fn any_bytes_and_any_cut(bytes in proptest::collection::vec(any::<u8>(), 0..200), shape in 0..SHAPES.len(), cut in 0_usize..100) {
        propose(&bytes);
        let text = SHAPES[shape].as_bytes();
        let text = text.get(..cut.min(text.len())).unwrap_or(text);
        let whole = read_with(SHAPES[shape], &[ANSWER], &[], None);
        let options = ReadOptions { tables: vec![TableMeaning::parse(ANSWER).expect("read")], ..ReadOptions::default() };
        let data = Readers.read("x", text, &options, &Silent).expect("nobody cancels");
        // What stands on lines before the last one is the same.
        let last = data.lines as u32;
        for (a, b) in data.measurements.iter().zip(&whole.measurements).filter(|(a, _)| a.line < last) {
            prop_assert_eq!((&a.raw, a.value, a.line), (&b.raw, b.value, b.line));
        }
    }
}

const WORDS: &[&str] = &[
    "op ",
    "trunk  ",
    "b6\t",
    "| ",
    "|",
    ",",
    ";",
    "\n",
    "\n",
    "\r\n",
    "> ",
    "3.5 ",
    "1,234 ",
    "3m 1.455s  ",
    "97% ",
    "81M ",
    "( ",
    "97%)",
    "\"",
    "--- ",
    "n/a ",
    "-",
    "#1",
    "=",
    "real (ms)",
    "\u{e4} ",
    "x",
    "2.5x ",
    "\u{a0}",
    "< ",
    "1e5 ",
];
