//! The rules of the tree, as tests: who may depend on whom, and what may stand where.
//!
//! They are few and cheap, and each says what to do where it fails. `app/docs/ARCHITECTURE.md` says why.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What may lie at the top besides dotfiles.
const TOP: &[&str] =
    &["Cargo.lock", "Cargo.toml", "LICENSE", "README.md", "app", "assets", "packaging", "sample-data"];

/// Which crates of ours a crate may use. What is missing here may not exist.
const ARROWS: &[(&str, &[&str])] = &[
    ("triptych-model", &[]),
    ("triptych-import", &["triptych-model"]),
    ("triptych-analysis", &["triptych-model"]),
    ("triptych-store", &["triptych-model"]),
    ("triptych-runner", &["triptych-model"]),
    ("triptych-report", &["triptych-model", "triptych-analysis", "triptych-store"]),
    (
        "triptych-gui",
        &[
            "triptych-model",
            "triptych-import",
            "triptych-analysis",
            "triptych-store",
            "triptych-report",
            "triptych-runner",
        ],
    ),
    (
        "triptych",
        &[
            "triptych-model",
            "triptych-import",
            "triptych-analysis",
            "triptych-store",
            "triptych-report",
            "triptych-runner",
            "triptych-gui",
        ],
    ),
];

/// What tests of a crate may use on top of that.
const TEST_ARROWS: &[(&str, &[&str])] =
    &[("triptych-report", &["triptych-import"]), ("triptych-store", &["triptych-import"])];

/// Crates of others, by the beginning of their name, and the only crates of ours that may name them.
const CONFINED: &[(&str, &[&str])] = &[
    ("polars", &["triptych-store"]),
    ("eframe", &["triptych-gui"]),
    ("egui", &["triptych-gui"]),
    ("epaint", &["triptych-gui"]),
    ("rfd", &["triptych-gui"]),
    ("winit", &["triptych-gui"]),
    ("clap", &["triptych"]),
    ("csv", &["triptych-import"]),
    ("encoding_rs", &["triptych-import"]),
    ("flate2", &["triptych-store"]),
    ("lzma-rust2", &["triptych-store"]),
    ("rusqlite", &["triptych-import"]),
    ("zip", &["triptych-store"]),
    ("zstd", &["triptych-store"]),
    ("libc", &["triptych-runner"]),
    ("nix", &["triptych-runner"]),
    ("rustix", &["triptych-runner"]),
];

/// Where each of these may stand in sources; texts are put together so that this file does not find itself.
const PLACES: &[(&[&str], &[&str], &str)] = &[
    (
        &["unsafe {", "unsafe fn", "unsafe impl", "unsafe extern", "(unsafe_code"],
        &["app/runner/src/sys.rs"],
        "unsafe code",
    ),
    (
        &[
            "Color32::from_",
            "Color32::WHITE",
            "Color32::BLACK",
            "Color32::GRAY",
            "Color32::RED",
            "Rgba::from_",
        ],
        &["app/gui/src/theme.rs", "app/gui/src/theme/"],
        "a colour made",
    ),
    (
        &["thread::Builder", "thread::spawn", "thread::scope", "rayon::"],
        &["app/gui/src/jobs.rs", "app/import/src/parallel.rs", "app/runner/"],
        "a thread started",
    ),
    (
        &["std::fs", "std::net", "std::process", "std::env::", "File::open", "println!(", "print!("],
        &["app/gui/", "app/store/", "app/triptych/", "app/runner/"],
        "input or output",
    ),
];

/// Where colours may stand as `#RRGGBB`.
const HEX_COLOURS: &[&str] = &["app/gui/src/theme.rs", "app/gui/src/theme/", "app/report/src/palette.rs"];

/// Licences that the program may be linked with; MPL-2.0 asks for changes to its own files only.
const LICENCES: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "OFL-1.1",
    "Ubuntu-font-1.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
    "bzip2-1.0.6",
];

fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("app/triptych lies two below the top").to_owned()
}

/// All files below a folder of the tree, as paths relative to the top with `/`, in order.
fn files(folder: &str) -> Vec<String> {
    let (root, mut found, mut open) = (root(), Vec::new(), vec![PathBuf::from(folder)]);
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(root.join(&folder)).expect("a folder").flatten() {
            let path = folder.join(entry.file_name());
            if entry.path().is_dir() {
                open.push(path);
            } else {
                found.push(path.to_str().expect("a plain name").replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

fn rust_files() -> Vec<String> {
    files("app").into_iter().filter(|path| path.ends_with(".rs")).collect()
}

fn text(path: &str) -> String {
    let bytes = std::fs::read(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The part of a source file that is shipped: without the tests at its end, and without comments.
fn shipped(path: &str) -> String {
    let all = text(path);
    let code = all.split("\n#[cfg(test)]").next().unwrap_or_default();
    code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

fn none(faults: &[String], advice: &str) {
    assert!(faults.is_empty(), "{advice}:\n  {}", faults.join("\n  "));
}

fn metadata() -> serde_json::Value {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version=1", "--offline", "--locked"])
        .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
        .current_dir(root())
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo writes JSON")
}

/// The crates of ours: name, and the names and kinds of what they depend on.
fn our_crates() -> BTreeMap<String, Vec<(String, bool)>> {
    let metadata = metadata();
    let ours: BTreeSet<&str> = metadata["workspace_members"]
        .as_array()
        .expect("members")
        .iter()
        .filter_map(|id| id.as_str())
        .collect();
    let packages = metadata["packages"].as_array().expect("packages").iter();
    packages
        .filter(|package| ours.contains(package["id"].as_str().expect("an id")))
        .map(|package| {
            let dependencies = package["dependencies"].as_array().expect("dependencies").iter();
            let dependencies = dependencies
                .map(|one| {
                    (one["name"].as_str().expect("a name").to_owned(), one["kind"].as_str() == Some("dev"))
                })
                .collect();
            (package["name"].as_str().expect("a name").to_owned(), dependencies)
        })
        .collect()
}

#[test]
fn nothing_else_lies_at_the_top() {
    let faults: Vec<String> = std::fs::read_dir(root())
        .expect("the top")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| !name.starts_with('.') && name != "target" && !TOP.contains(&name.as_str()))
        .collect();
    none(&faults, "The top level is fixed (TOP in this file); find these a place below it");
}

#[test]
fn crates_depend_along_the_arrows_only() {
    let table = |rows: &[(&str, &'static [&'static str])], name: &str| {
        rows.iter().find(|(known, _)| *known == name).map(|(_, may)| *may)
    };
    let mut faults = Vec::new();
    for (name, dependencies) in our_crates() {
        let Some(may) = table(ARROWS, &name) else {
            faults.push(format!("{name} is in no row of ARROWS"));
            continue;
        };
        let in_tests = table(TEST_ARROWS, &name).unwrap_or_default();
        for (dependency, dev) in dependencies {
            let ours = dependency.starts_with("triptych");
            let allowed =
                may.contains(&dependency.as_str()) || (dev && in_tests.contains(&dependency.as_str()));
            if ours && !allowed {
                faults.push(format!("{name} uses {dependency}"));
            }
        }
    }
    none(&faults, "Arrows go one way (ARROWS in this file)");
}

#[test]
fn crates_of_others_stay_where_they_belong() {
    let mut faults = Vec::new();
    for (name, dependencies) in our_crates() {
        for (dependency, _) in dependencies {
            let confined = CONFINED.iter().find(|(prefix, _)| dependency.starts_with(prefix));
            if confined.is_some_and(|(_, homes)| !homes.contains(&name.as_str())) {
                faults.push(format!("{name} names {dependency}"));
            }
        }
    }
    none(&faults, "Only one crate names each of these (CONFINED in this file)");
}

#[test]
fn every_dependency_is_justified_and_has_a_licence_we_can_ship() {
    let architecture = text("app/docs/ARCHITECTURE.md");
    let mut faults: Vec<String> = our_crates()
        .into_values()
        .flatten()
        .map(|(dependency, _)| dependency)
        .filter(|name| !name.starts_with("triptych") && !architecture.contains(&format!("| `{name}` |")))
        .map(|name| format!("{name} has no line in app/docs/ARCHITECTURE.md"))
        .collect();
    for package in metadata()["packages"].as_array().expect("packages") {
        let licence = package["license"].as_str().unwrap_or_default();
        if !can_ship(licence) {
            faults.push(format!("{} is under {licence:?}", package["name"]));
        }
    }
    none(&faults, "Dependencies need a reason and a licence");
}

/// Whether an expression such as `(MIT OR Apache-2.0) AND Unicode-3.0` leaves a choice among [`LICENCES`].
fn can_ship(expression: &str) -> bool {
    let expression = expression.replace(['(', ')'], "").replace('/', " OR ");
    !expression.is_empty()
        && expression.split(" AND ").all(|part| part.split(" OR ").any(|one| LICENCES.contains(&one.trim())))
}

#[test]
fn licences_are_chosen_rightly() {
    for (expression, expect) in [
        ("MIT OR Apache-2.0", true),
        ("MIT/Apache-2.0", true),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("GPL-3.0", false),
        ("MIT AND GPL-3.0", false),
        ("GPL-3.0 OR MIT", true),
        ("", false),
    ] {
        assert_eq!(can_ship(expression), expect, "{expression}");
    }
}

#[test]
fn what_is_dangerous_stands_in_its_place() {
    let mut faults = Vec::new();
    for path in rust_files().iter().filter(|path| path.contains("/src/") && !path.ends_with("tests.rs")) {
        let code = shipped(path);
        for (words, homes, what) in PLACES {
            if homes.iter().any(|home| path.starts_with(home)) {
                continue;
            }
            faults.extend(
                words
                    .iter()
                    .filter(|word| code.contains(*word))
                    .map(|word| format!("{path}: {what}: {word}")),
            );
        }
        if !HEX_COLOURS.iter().any(|home| path.starts_with(home)) {
            faults.extend(hex_colours(&code).map(|colour| format!("{path}: the colour {colour}")));
        }
    }
    none(&faults, "These have their own places (PLACES and HEX_COLOURS in this file)");
}

fn hex_colours(code: &str) -> impl Iterator<Item = &str> {
    code.match_indices("\"#")
        .filter_map(|(at, _)| code.get(at + 1..at + 8))
        .filter(|word| word.bytes().skip(1).all(|byte| byte.is_ascii_hexdigit()))
}

#[test]
fn every_source_file_says_what_it_is() {
    let faults: Vec<String> =
        rust_files().into_iter().filter(|path| !text(path).starts_with("//!")).collect();
    none(&faults, "Open these files with //! (what, why, who uses it)");
}

#[test]
fn every_format_has_its_samples_and_every_sample_its_origin() {
    let readme = text("sample-data/README.md");
    let mut homeless: BTreeSet<String> = files("sample-data")
        .iter()
        .filter_map(|path| {
            path.strip_prefix("sample-data/")?.split_once('/').map(|(folder, _)| folder.to_owned())
        })
        .collect();
    let mut faults: Vec<String> = homeless
        .iter()
        .filter(|folder| !readme.contains(&format!("| `{folder}/` |")))
        .map(|folder| format!("sample-data/README.md does not say where {folder}/ comes from"))
        .collect();
    for format in triptych_import::FORMATS {
        let spec = format.spec();
        let first = spec.samples.split('/').next().unwrap_or_default();
        if !root().join("sample-data").join(spec.samples).is_dir()
            || files(&format!("sample-data/{first}")).is_empty()
        {
            faults.push(format!("{} has no file in sample-data/{}", spec.id, spec.samples));
        }
        homeless.remove(first);
    }
    homeless.retain(|folder| {
        !readme.lines().any(|line| line.starts_with(&format!("| `{folder}/` | campaign |")))
    });
    faults.extend(
        homeless
            .into_iter()
            .map(|folder| format!("sample-data/{folder} belongs to no format and is no campaign")),
    );
    none(&faults, "A row of FORMATS and its folder come and go together");
}

#[test]
fn sample_data_stays_small() {
    let size: u64 =
        files("sample-data").iter().map(|path| root().join(path).metadata().expect("a file").len()).sum();
    assert!(size < 3_000_000, "sample-data has {size} bytes; every clone carries them");
}

#[test]
fn nothing_tells_of_the_machine_it_was_written_on() {
    let machine =
        [["/ro", "ot/"], ["/wo", "rk/"], ["/Us", "ers/"], ["/home/", "user"]].map(|parts| parts.concat());
    let mut faults = Vec::new();
    // Genuine logs keep what their tools wrote.
    let checked = ["app", "packaging", ".ci"].into_iter().flat_map(files);
    for path in checked.chain(["README.md", "Cargo.toml", "sample-data/README.md"].map(str::to_owned)) {
        if [".png", ".ttf"].iter().any(|end| path.ends_with(end)) {
            continue;
        }
        for (index, line) in text(&path).lines().enumerate() {
            if machine.iter().any(|word| line.contains(word)) || has_mail_address(line) {
                faults.push(format!("{path}:{}: {line}", index + 1));
            }
        }
    }
    none(&faults, "No paths of one machine and no mail addresses");
}

/// Whether a line holds a name, the sign, and a host with a top-level domain.
fn has_mail_address(line: &str) -> bool {
    line.match_indices('@').any(|(at, _)| {
        let name = line[..at].chars().next_back().is_some_and(|c| c.is_ascii_alphanumeric());
        let host: String = line[at + 1..]
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-'))
            .collect();
        let tld = host.trim_end_matches('.').rsplit_once('.').map(|(_, tld)| tld);
        name && tld.is_some_and(|tld| tld.len() >= 2 && tld.chars().all(|c| c.is_ascii_alphabetic()))
    })
}

#[test]
fn mail_addresses_are_recognised() {
    let at = '@';
    for (line, expect) in [
        (format!("someone{at}example.org"), true),
        (format!("<a.b{at}example.org>."), true),
        (format!("/trunk{at}1234"), false),
        (format!("svn://host/trunk{at}1.9"), false),
        (format!("{at}example.org"), false),
        ("no".to_owned(), false),
    ] {
        assert_eq!(has_mail_address(&line), expect, "{line}");
    }
}

#[test]
fn fonts_and_the_program_carry_their_licences() {
    assert!(text("LICENSE").contains("Apache License"));
    for path in files("assets/fonts").iter().filter(|path| path.ends_with(".ttf")) {
        let family = path.rsplit('/').next().and_then(|name| name.split('-').next()).expect("a family");
        let licence = text(&format!("assets/fonts/{family}-OFL.txt"));
        assert!(licence.contains("SIL OPEN FONT LICENSE Version 1.1"), "{path}");
    }
}

#[test]
fn desktops_know_the_program_by_one_id() {
    let id = triptych_gui::APP_ID;
    let desktop = text(&format!("packaging/{id}.desktop"));
    let metainfo = text(&format!("packaging/{id}.metainfo.xml"));
    for (file, expect) in [
        (&desktop, format!("\nIcon={id}\n")),
        (&desktop, format!("\nStartupWMClass={id}\n")),
        (&metainfo, format!("<id>{id}</id>")),
        (&metainfo, format!("<launchable type=\"desktop-id\">{id}.desktop</launchable>")),
        (&metainfo, format!("<icon type=\"stock\">{id}</icon>")),
    ] {
        assert!(file.contains(&expect), "{expect:?} is missing");
    }
}

#[test]
fn the_readme_lists_the_formats() {
    let output = Command::new(env!("CARGO_BIN_EXE_triptych"))
        .args(["formats", "--as", "markdown"])
        .output()
        .expect("the program starts");
    let table = String::from_utf8(output.stdout).expect("text");
    assert!(table.lines().count() > 2, "{table}");
    assert!(text("README.md").contains(&table), "README.md does not have this table; put it there:\n{table}");
}
