//! Queries over the requests of genuine server logs: counts, sessions, gaps, errors and bins.

use std::path::Path;
use std::sync::Arc;
use triptych_import::Readers;
use triptych_store::{
    ActionKind, GapKind, LoadOptions, PathArg, RequestAnswer, RequestColumn, RequestIndex, RequestQuery,
    RowRef, Store, Unwatched, bin_width, load,
};

fn open(paths: &[PathArg]) -> (Store, RequestIndex) {
    let importer = Arc::new(Readers);
    let loaded = load(paths, &*importer, &LoadOptions::default(), &Unwatched).expect("not cancelled");
    let mut store = Store::new(importer);
    store.add(loaded.sources);
    let index = store.request_index(&RequestIndex::default(), &|| false).expect("not given up");
    let index = store.request_clients(&index, &|| false).expect("not given up");
    (store, index)
}

fn samples(names: &[&str]) -> (Store, RequestIndex) {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-data");
    open(&names.iter().map(|name| PathArg::Path(home.join(name))).collect::<Vec<_>>())
}

fn pasted(text: &str) -> (Store, RequestIndex) {
    open(&[PathArg::Pasted { name: "pasted text 1".to_owned(), text: text.to_owned() }])
}

fn answer(index: &RequestIndex, query: &RequestQuery) -> RequestAnswer {
    index.answer(query, &|| false).expect("not given up")
}

/// `get-file 12, open 3`: the values of a facet with their counts.
fn facet(answer: &RequestAnswer, column: RequestColumn) -> String {
    let facet = answer.facets.iter().find(|facet| facet.column == column).expect("a facet");
    let value = |value: &triptych_store::RequestFacetValue| {
        format!(
            "{} {}{}",
            if value.text.is_empty() { "none" } else { &value.text },
            value.count,
            if value.on { "" } else { " off" }
        )
    };
    facet.values.iter().map(value).collect::<Vec<_>>().join(", ")
}

const FORK: &[&str] = &["svnserve/fork-1.14.log"];

#[test]
fn a_genuine_log_is_counted() {
    let (_, index) = samples(FORK);
    let all = answer(&index, &RequestQuery::default());
    assert_eq!(
        (all.all, all.rows.len(), index.rows()),
        (376, 376, 376),
        "two causes are no rows of their own"
    );
    let count = |kind: ActionKind| all.kinds[kind.place()];
    let sum: usize = all.kinds.iter().sum();
    assert_eq!(sum, 376);
    assert_eq!(count(ActionKind::Other), 0, "every action has its kind");
    assert_eq!(count(ActionKind::Error), 7, "five errors and two refusals");
    let opens: usize = facet(&all, RequestColumn::Action)
        .split(", ")
        .find_map(|value| value.strip_prefix("open "))
        .and_then(|count| count.parse().ok())
        .expect("opens");
    assert_eq!(all.sessions.len(), opens, "one session an open line");
    assert_eq!(facet(&all, RequestColumn::Status), "error 5, denied 2");
    assert_eq!(facet(&all, RequestColumn::Client), format!("svn 1.14.2 {opens}"));
}

#[test]
fn errors_are_grouped_by_code_and_text() {
    let (_, index) = samples(FORK);
    let all = answer(&index, &RequestQuery::default());
    let groups: Vec<String> = all
        .errors
        .iter()
        .map(|group| format!("{} {} {} in {}", group.count, group.code, group.text, group.sources))
        .collect();
    assert_eq!(
        groups,
        [
            "1 210005 No repository found in … in 1",
            "2  Authorization failed in 1",
            "1 170001 Authorization failed in 1",
            "2 220003 Invalid authz configuration in 1",
            "1 210004 Malformed network data in 1",
        ]
    );
}

#[test]
fn errors_are_those_of_the_rows_kept() {
    let (_, index) = samples(&["svnserve"]);
    let errors = |query: &RequestQuery| {
        let found = answer(&index, query);
        let count: usize = found.errors.iter().map(|group| group.count).sum();
        assert_eq!(count, found.kinds[ActionKind::Error.place()], "as many as are drawn");
        (count, found.sources_with_errors)
    };
    let (all, logs) = errors(&RequestQuery::default());
    assert!(all > 7 && logs == 3, "{all} in {logs}");
    let fork = index.sources().find(|(_, path, ..)| path.ends_with("fork-1.14.log"));
    let (_, path, ..) = fork.expect("the log");
    let mut query = RequestQuery::default();
    query.only(RequestColumn::Source, path);
    assert_eq!(errors(&query), (7, 1));
    query.only(RequestColumn::Status, "denied");
    assert_eq!(errors(&query), (2, 1));
    query.only(RequestColumn::Action, "commit");
    assert_eq!(errors(&query), (0, 0));
}

#[test]
fn requests_that_failed_are_errors_by_their_status() {
    let (_, index) = samples(&["httpd/access-combined.log"]);
    let found = answer(&index, &RequestQuery::default());
    let mut groups: Vec<_> =
        found.errors.iter().map(|group| (group.status, group.text.as_str(), group.count)).collect();
    groups.sort_unstable();
    assert_eq!(groups, [(Some(401), "Unauthorized", 9), (Some(404), "Not Found", 6)]);
    assert_eq!(found.sources_with_errors, 1);
}

#[test]
fn rows_name_a_process_or_none() {
    for (names, expect) in [(FORK, true), (&["httpd/access-combined.log"][..], false)] {
        let (_, index) = samples(names);
        assert_eq!(answer(&index, &RequestQuery::default()).names_process, expect, "{names:?}");
    }
}

#[test]
fn filters_keep_and_counts_say_what_a_click_would_give() {
    let (_, index) = samples(FORK);
    let mut query = RequestQuery::default();
    query.only(RequestColumn::Action, "commit");
    let commits = answer(&index, &query);
    assert!(commits.rows.len() == 7 && commits.kinds[ActionKind::Write.place()] == commits.rows.len());
    let others = facet(&commits, RequestColumn::Action);
    assert!(
        others.contains("get-latest-rev ") && others.contains(" off"),
        "other actions keep their counts: {others}"
    );
    assert!(commits.revisions.is_some_and(|(low, high)| low < high));
    query.toggle(RequestColumn::Action, "open");
    assert!(answer(&index, &query).rows.len() > commits.rows.len());
    let text = RequestQuery { text: "FILE 1".to_owned(), ..RequestQuery::default() };
    let found = answer(&index, &text);
    assert!(!found.rows.is_empty() && found.rows.len() < 376);
    for place in 0..found.rows.len() {
        let facts = found.rows.get(place).and_then(|row| index.facts(row)).expect("facts");
        let path = facts.path.unwrap_or_default().to_lowercase();
        let error = facts.error.unwrap_or_default().to_lowercase();
        assert!(path.contains("file 1") || error.contains("file 1"), "{path} {error}");
    }
    let (from, to) = answer(&index, &RequestQuery::default()).span.expect("times");
    let middle = from.midpoint(to);
    let halves = [(from, middle), (middle + 1, to)]
        .map(|time| answer(&index, &RequestQuery { time: Some(time), ..RequestQuery::default() }).rows.len());
    assert_eq!(halves[0] + halves[1], 376);
}

#[test]
fn a_session_is_kept_by_its_name() {
    let (store, index) = samples(FORK);
    let all = answer(&index, &RequestQuery::default());
    let longest = all
        .sessions
        .iter()
        .filter_map(|session| index.session(*session))
        .max_by_key(|facts| facts.lines)
        .expect("a session");
    let mut query = RequestQuery::default();
    query.only(RequestColumn::Session, longest.name());
    let kept = answer(&index, &query);
    assert_eq!((kept.rows.len(), kept.sessions.len()), (longest.lines as usize, 1));
    let row = kept.rows.get(1).expect("a second line");
    let details = store.request_details(&index, row, 2).expect("details");
    assert_eq!(details.lines.len(), longest.lines as usize);
    assert!(details.lines.windows(2).all(|pair| pair[0].secs <= pair[1].secs));
    let context = details.context.expect("the file is there");
    assert!(
        context
            .lines
            .iter()
            .any(|(line, text)| *line == details.facts.line && text.contains(&details.facts.action))
    );
    assert_eq!(index.at_line(&longest.path, details.facts.line), Some(row));
}

const TWO: &str = "\
7 2026-11-30T08:00:00.000000Z ::1 - r open 2 cap=(edit-pipeline) /a SVN/1.7.22 -
7 2026-11-30T08:00:00.100000Z ::1 - r get-latest-rev
8 2026-11-30T08:00:00.150000Z ::1 - r open 2 cap=(edit-pipeline) /b SVN/1.14.2%20(x86_64-pc-linux-gnu) -
7 2026-11-30T08:00:01.100000Z ::1 - r diff /a r1:2 ignore-ancestry
8 2026-11-30T08:00:01.200000Z ::1 joe r get-file /b/c%20d r2 text
8 2026-11-30T08:00:03.200000Z ::1 joe r commit r3
9 2026-11-30T08:00:04.000000Z ::1 - - ERR - 0 210002 Network connection closed unexpectedly
7 2026-11-30T08:00:05.000000Z ::1 - r open 2 cap=() /a - -
";

#[test]
fn gaps_count_before_actions_logged_at_their_end() {
    let (_, index) = pasted(TWO);
    let all = answer(&index, &RequestQuery::default());
    let gaps: Vec<String> = all
        .gaps
        .iter()
        .map(|gap| {
            let facts = index.facts(gap.row).expect("facts");
            let side = if gap.kind == GapKind::Before { "before" } else { "after" };
            format!("{} {:.2} {side}", facts.action, gap.secs)
        })
        .collect();
    assert_eq!(gaps, ["commit 2.00 before", "open 1.05 after", "diff 1.00 before", "open 0.10 after",]);
    let facts = index.facts(RowRef { source: 0, row: 4 }).expect("facts");
    assert_eq!((facts.gap, facts.gap_of_next.as_deref()), (None, Some("commit")), "the gap is the commit's");
}

#[test]
fn a_gap_is_of_the_next_line_however_far_that_is() {
    let mut log = "7 2026-11-30T08:00:00.000000Z ::1 - r open 2 cap=() /a - -\n".to_owned();
    for _ in 0..60_000 {
        log.push_str("8 2026-11-30T08:00:01.000000Z ::1 - r get-latest-rev\n");
    }
    log.push_str("7 2026-11-30T08:00:02.000000Z ::1 joe r commit r3\n");
    let (_, index) = pasted(&log);
    let facts = index.facts(RowRef { source: 0, row: 0 }).expect("facts");
    assert_eq!((facts.gap, facts.gap_of_next.as_deref()), (None, Some("commit")), "the gap is the commit's");
}

/// A word of its own for every number; the first letters tell most apart.
fn word(number: usize) -> String {
    let letter = |place: u32| char::from(b"abcdefghijklmnopqrstuvwxyz"[number / 26_usize.pow(place) % 26]);
    (0..4).map(letter).collect()
}

/// Two logs with that many values that no other row has, read.
fn distinct(many: usize) -> RequestIndex {
    let mut log = String::new();
    for row in 0..many {
        let word = word(row);
        let client = format!("7 2026-11-30T08:00:00.000000Z {word}-host {word}-user {word}-repository");
        log.push_str(&format!("{client} open 2 cap=() /{word} {word}-client -\n"));
        log.push_str(&format!("{client} ERR - 0 210002 {word} went wrong\n"));
    }
    let text = |name: &str| PathArg::Pasted { name: name.to_owned(), text: log.clone() };
    open(&[text("pasted text 1"), text("pasted text 2")]).1
}

#[test]
fn many_distinct_values_are_counted_and_can_be_given_up() {
    const MANY: usize = 32_000;
    // Where each value is looked for among all others this takes minutes.
    let index = distinct(MANY);
    let all = answer(&index, &RequestQuery::default());
    for (column, first, count) in [
        (RequestColumn::Host, "aaaa-host", 4),
        (RequestColumn::User, "aaaa-user", 4),
        (RequestColumn::Repository, "aaaa-repository", 4),
        (RequestColumn::Client, "aaaa-client", 2),
    ] {
        let facet = all.facets.iter().find(|facet| facet.column == column).expect("a facet");
        assert_eq!(facet.values.len(), MANY, "{column:?}");
        assert_eq!((facet.values[0].text.as_str(), facet.values[0].count), (first, count), "{column:?}");
    }
    assert_eq!(all.paths[0], ("/aaaa".to_owned(), 2));
    assert_eq!(all.errors.len(), MANY);
    assert!(all.errors.iter().all(|group| (group.count, group.sources) == (2, 2) && group.first.source == 0));
    // Rows are walked through, then values: asked in between, it gives up there too.
    let asked = std::cell::Cell::new(0);
    let give_up = |at: usize| {
        asked.set(0);
        index.answer(&RequestQuery::default(), &|| {
            asked.set(asked.get() + 1);
            asked.get() > at
        })
    };
    let rows = 2 * (2 * MANY).div_ceil(1 << 16);
    assert!(give_up(rows).is_err(), "asked while values are counted");
    assert!(give_up(asked.get() + 100).is_ok());
}

#[test]
fn sessions_begin_with_their_open_line() {
    let (_, index) = pasted(TWO);
    let all = answer(&index, &RequestQuery::default());
    let sessions: Vec<String> = all
        .sessions
        .iter()
        .filter_map(|session| index.session(*session))
        .map(|facts| {
            let client = facts.client.unwrap_or_default();
            let user = facts.user.unwrap_or_default();
            format!("{} {client} {user} {} lines {:.2} s", facts.pid.unwrap_or(0), facts.lines, facts.secs)
        })
        .collect();
    assert_eq!(
        sessions,
        ["7 svn 1.7.22  3 lines 1.10 s", "8 svn 1.14.2 joe 3 lines 3.05 s", "7   1 lines 0.00 s"]
    );
    assert_eq!(facet(&all, RequestColumn::Client), "svn 1.7.22 1, svn 1.14.2 1");
    assert_eq!(facet(&all, RequestColumn::User), "none 6, joe 2");
    let mut query = RequestQuery::default();
    query.only(RequestColumn::Client, "svn 1.7.22");
    assert_eq!(answer(&index, &query).rows.len(), 3);
}

#[test]
fn bins_hold_every_row_and_every_open_session() {
    let (_, index) = pasted(TWO);
    let all = answer(&index, &RequestQuery::default());
    let span = all.span.expect("times");
    let bins = index.bins(&all, span, 1_000_000, &|| false).expect("not given up");
    let actions: Vec<u32> = bins.kinds.iter().map(|kinds| kinds.iter().sum()).collect();
    assert_eq!(actions, [3, 2, 0, 1, 0, 1]);
    assert_eq!(bins.errors, [0, 0, 0, 0, 1, 0]);
    assert_eq!(bins.sessions, [2, 2, 1, 1, 0, 1]);
    assert_eq!(bins.commits.iter().map(|(_, row)| row.row).collect::<Vec<_>>(), [5]);
    let part =
        index.bins(&all, (span.0 + 1_000_000, span.0 + 1_999_999), 1_000_000, &|| false).expect("bins");
    assert_eq!(part.kinds.iter().map(|kinds| kinds.iter().sum::<u32>()).collect::<Vec<_>>(), [2]);
    assert_eq!(bin_width(span.1 - span.0, 10), 1_000_000);
}

#[test]
fn rows_are_found_by_place_and_places_by_row() {
    let (_, index) = samples(&["svnserve"]);
    let mut query = RequestQuery::default();
    query.only(RequestColumn::Action, "get-file");
    for query in [RequestQuery::default(), query] {
        let kept = answer(&index, &query);
        for place in (0..kept.rows.len()).step_by(17) {
            let row = kept.rows.get(place).expect("a row");
            assert_eq!(kept.rows.place(row), Some(place));
        }
        assert_eq!(kept.rows.get(kept.rows.len()), None);
        assert_eq!(kept.rows.place(RowRef { source: 99, row: 0 }), None);
    }
}

#[test]
fn an_index_is_taken_over_where_the_source_is_the_same() {
    let (mut store, index) = samples(FORK);
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-data/svnserve/rotated.log");
    let more =
        load(&[PathArg::Path(home)], &Readers, &LoadOptions::default(), &Unwatched).expect("not cancelled");
    store.add(more.sources);
    let next = store.request_index(&index, &|| false).expect("not given up");
    assert!(next.rows() > index.rows() && !next.knows_clients());
    assert!(store.request_index(&RequestIndex::default(), &|| true).is_err());
}

#[test]
fn a_row_is_carried_over_by_its_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("svnserve.log");
    let read = || open(&[PathArg::Path(folder.path().to_owned())]).1;
    std::fs::write(&path, TWO).expect("writes");
    let before = read();
    let row = RowRef { source: 0, row: 4 };
    let grown = TWO.to_owned() + TWO;
    let cut = TWO.lines().take(4).fold(String::new(), |text, line| text + line + "\n");
    let other = TWO.replace("8 2026", "9 2026");
    for (name, text, expect) in [
        // A source before it takes its number.
        ("a.log", grown.as_str(), Some(RowRef { source: 1, row: 4 })),
        ("z.log", grown.as_str(), Some(row)),
        ("z.log", cut.as_str(), None),
        ("z.log", other.as_str(), None),
    ] {
        std::fs::write(&path, text).expect("writes");
        let beside = folder.path().join(name);
        std::fs::write(&beside, "1 2026-11-30T08:00:00.100000Z ::1 - r get-latest-rev\n").expect("writes");
        assert_eq!(read().carried(&before, row), expect, "{name}");
        std::fs::remove_file(beside).expect("removes");
    }
    std::fs::remove_file(path).expect("removes");
    assert_eq!(read().carried(&before, row), None, "the log is gone");
}

#[test]
fn requests_of_a_run_have_its_load() {
    let (store, index) = samples(&["export-old-new"]);
    let logs: Vec<(u32, Option<(i64, i64)>)> =
        index.sources().map(|(source, _, _, span)| (source, span)).collect();
    assert!(!logs.is_empty(), "the harness kept its server's logs");
    let with_load = logs
        .iter()
        .filter(|(source, span)| span.is_some_and(|span| store.request_load(&[*source], span).is_some()));
    assert!(with_load.count() > 0);
}

#[test]
fn arguments_of_a_long_line_are_whole() {
    let paths: Vec<String> = (0..300).map(|file| format!("/trunk/file-{file}.txt")).collect();
    let line = format!("7 2026-11-30T08:03:39.382038Z ::1 me r lock ({})", paths.join(" "));
    let (store, index) = pasted(&format!("{line}\n"));
    let details = store.request_details(&index, RowRef { source: 0, row: 0 }, 2).expect("details");
    assert_eq!(details.arguments, [("paths".to_owned(), paths.join(", "))]);
}
