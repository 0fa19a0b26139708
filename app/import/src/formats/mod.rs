//! The table of formats; a format is one file here and one row of [`FORMATS`].

mod atop;
mod cgroup;
mod counters;
mod criterion;
pub mod exported;
mod gbench;
mod gnu_time;
mod httpd;
mod hyperfine;
mod iostat;
mod jmh;
mod large_dirs;
mod list_arrow;
mod list_columns;
mod list_flat;
mod list_heading;
mod list_note;
mod list_percent;
mod list_prose;
mod list_ratio;
mod list_scaling;
mod list_table;
#[cfg(test)]
mod list_tests;
mod list_wall;
mod multitime;
mod perf;
mod pidstat;
mod proc_stat;
mod ps;
mod psrecord;
mod pyperf;
mod run_log;
mod sadf;
mod sar;
mod shell_time;
mod suite1;
mod svnbench;
mod svnserve;
mod sysstat;
mod sysstat_json;
mod test_log;
mod timedelta;
mod top;
mod verify;
mod vmstat;
mod win_repo_bench;

use crate::format::Format;
use serde_json::{Map, Value};

pub use httpd::check_log_format;
pub use list_table::is_absent;

/// All formats, in the order in which they are asked: the surest and most frequent first.
pub const FORMATS: &[Format] = &[
    Format::Document(&run_log::RUN_LOG),
    Format::Document(&suite1::SUITE1_DATABASE),
    Format::Document(&exported::EXPORTED),
    Format::Document(&hyperfine::HYPERFINE),
    Format::Document(&pyperf::PYPERF),
    Format::Document(&gbench::GOOGLE_BENCHMARK),
    Format::Document(&jmh::JMH),
    Format::Document(&criterion::CRITERION),
    Format::Document(&sysstat_json::SYSSTAT_JSON),
    Format::Lines(&svnserve::Svnserve),
    Format::Lines(&httpd::Httpd),
    Format::Lines(&pidstat::Pidstat),
    Format::Lines(&suite1::SUITE1),
    Format::Lines(&win_repo_bench::WIN_REPO_BENCH),
    Format::Lines(&large_dirs::LARGE_DIRS),
    Format::Lines(&sar::Sar),
    Format::Lines(&iostat::Iostat),
    Format::Lines(&top::Top),
    Format::Lines(&vmstat::Vmstat),
    Format::Lines(&sadf::Sadf),
    Format::Lines(&psrecord::Psrecord),
    Format::Lines(&proc_stat::ProcStat),
    Format::Lines(&ps::Ps),
    Format::Lines(&atop::Atop),
    Format::Lines(&cgroup::Cgroup),
    Format::Lines(&perf::PERF_STAT),
    Format::Lines(&hyperfine::csv::HYPERFINE_CSV),
    Format::Lines(&hyperfine::table::HYPERFINE_TABLE),
    Format::Lines(&hyperfine::terminal::HYPERFINE_TEXT),
    Format::Lines(&multitime::MULTITIME),
    Format::Lines(&list_table::ListTable),
    Format::Lines(&svnbench::SVNBENCH),
    Format::Lines(&gnu_time::GNU_TIME),
    Format::Lines(&shell_time::SHELL_TIME),
    Format::Lines(&verify::SVNADMIN_VERIFY),
    Format::Lines(&gbench::GOOGLE_BENCHMARK_TEXT),
    Format::Lines(&test_log::TEST_LOG),
    // Any other table comes last, after everything that has a format.
    Format::Lines(&crate::tables::TableFormat),
];

/// The arguments of one line of a server log; `None` where it is none.
pub fn request_arguments(line: &str, log_format: Option<&str>) -> Option<Map<String, Value>> {
    svnserve::arguments(line).or_else(|| httpd::arguments(line, log_format))
}

/// The arguments of one line as the tests of the readers compare them; `None` where it has none.
#[cfg(test)]
fn as_json(arguments: Option<Map<String, Value>>) -> Option<String> {
    arguments.filter(|all| !all.is_empty()).map(|all| Value::Object(all).to_string())
}
