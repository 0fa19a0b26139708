//! A log too large to be held: read in blocks, known by pieces, looked at where it is asked for, plain
//! as packed.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use triptych_import::Readers;
use triptych_store::{LoadOptions, PathArg, Store, Unwatched, load};

/// A genuine log of 378 lines and 376 rows, and how often it is repeated: 34 MB in all.
const LOG: &str = "../../sample-data/svnserve/fork-1.14.log";
const TIMES: usize = 850;

fn store_of(path: PathBuf) -> Store {
    let importer = Arc::new(Readers);
    let loaded = load(&[PathArg::Path(path)], &*importer, &LoadOptions::default(), &Unwatched);
    let mut store = Store::new(importer);
    store.add(loaded.expect("not cancelled").sources);
    store
}

#[test]
fn a_large_log_is_read_and_looked_at_without_being_held() {
    let log = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(LOG)).expect("a sample");
    let whole = log.repeat(TIMES);
    let folder = tempfile::tempdir().expect("a folder");
    let (plain, packed) = (folder.path().join("svnserve.log"), folder.path().join("svnserve.log.gz"));
    std::fs::write(&plain, &whole).expect("written");
    let file = std::fs::File::create(&packed).expect("created");
    let mut gzip = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    gzip.write_all(&whole).and_then(|()| gzip.finish().map(drop)).expect("packed");
    for path in [&plain, &packed] {
        let store = store_of(path.clone());
        let source = &store.sources()[0];
        assert_eq!((source.data.requests.len(), source.data.lines), (376 * TIMES, 378 * TIMES as u64));
        assert_eq!(
            (source.bytes(), source.data.warnings()),
            (whole.len() as u64, 0),
            "{:?}",
            source.data.problems
        );
        assert_eq!(source.sha256.starts_with("sampled-"), *path == plain);
        let context = store.context(0, 378 * 500 + 7, 1).expect("there");
        let lines =
            String::from_utf8_lossy(&log).lines().skip(5).take(3).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(context.lines.iter().map(|line| line.1.clone()).collect::<Vec<_>>(), lines);
        assert!(!context.changed);
    }
    let store = store_of(plain.clone());
    std::fs::OpenOptions::new()
        .append(true)
        .open(&plain)
        .and_then(|mut file| file.write_all(b"x\n"))
        .expect("grown");
    assert!(store.context(0, 1, 0).expect("there").changed);
}
