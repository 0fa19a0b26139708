//! The frames of the genuine logs as polars tables.

use std::path::Path;
use std::sync::Arc;
use triptych_import::Readers;
use triptych_store::{LoadOptions, PathArg, Query, Store, Unwatched, load};

#[test]
fn frames_hold_what_was_read() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-data");
    let paths = ["fsfs-releases", "svnserve", "pidstat"].map(|folder| PathArg::Path(home.join(folder)));
    let importer = Arc::new(Readers);
    let loaded = load(&paths, &*importer, &LoadOptions::default(), &Unwatched).expect("not cancelled");
    let mut store = Store::new(importer);
    store.add(loaded.sources);
    let frames = store.frames().expect("frames");
    let data = || store.sources().iter().map(|source| &source.data);
    assert_eq!(frames.runs.height(), store.runs(&Query::default()).len());
    assert_eq!(frames.measurements.height(), data().map(|data| data.measurements.len()).sum::<usize>());
    assert_eq!(frames.series.height(), data().map(|data| data.series.len()).sum::<usize>());
    assert_eq!(frames.samples.height(), data().map(|data| data.samples.len()).sum::<usize>());
    assert_eq!(frames.requests.height(), data().map(|data| data.requests.len()).sum::<usize>());
    assert!(frames.requests.height() > 100);
    let started = frames.requests.column("time").expect("a column");
    assert_eq!(started.dtype().to_string(), "datetime[μs]");
}
