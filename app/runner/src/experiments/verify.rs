//! `svnadmin verify`: reads every revision of the repository itself, without a server.

use super::words::{path, push_flag, push_number, shown};
use super::{Call, Counter, Experiment, ExperimentSpec, OptionKind, OptionSpec, Output};

/// The row of [`super::EXPERIMENTS`].
pub(super) static VERIFY: Verify = Verify;

const CACHE_SIZE: OptionSpec = OptionSpec {
    name: "cache-size",
    label: "Cache size in MB",
    help: "size of svnadmin's own cache (-M); its default, 16 MB, where nothing is said",
    kind: OptionKind::Number(0, 1 << 20, None),
};

const METADATA_ONLY: OptionSpec = OptionSpec {
    name: "metadata-only",
    label: "Metadata only",
    help: "leave file contents out (--metadata-only, Subversion 1.9 and later)",
    kind: OptionKind::Flag(false),
};

static SPEC: ExperimentSpec = ExperimentSpec {
    id: "verify",
    operation: "verify",
    help: "svnadmin verify of the whole repository, without a server",
    program: "svnadmin",
    needs_server: false,
    needs_file: false,
    options: &[CACHE_SIZE, METADATA_ONLY],
};

/// The experiment.
pub(super) struct Verify;

impl Experiment for Verify {
    fn spec(&self) -> &'static ExperimentSpec {
        &SPEC
    }

    fn command(&self, call: &Call<'_>) -> Vec<String> {
        let mut words = vec![path(&call.program), "verify".to_owned(), "-q".to_owned()];
        push_number(&mut words, call, &CACHE_SIZE, "-M");
        push_flag(&mut words, call, &METADATA_ONLY, "--metadata-only");
        words.push(path(&call.copy));
        words
    }

    /// Quiet and sound means silent; the exit status is judged by who calls.
    fn check(&self, output: &Output<'_>) -> Result<Vec<Counter>, String> {
        if output.stdout.trim().is_empty() {
            return Ok(Vec::new());
        }
        Err(format!(
            "svnadmin verify -q had something to say: expected no output, found {}",
            shown(output.stdout)
        ))
    }
}
