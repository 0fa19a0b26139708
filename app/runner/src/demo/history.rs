//! The history of the demo repository: who changed what when, from a seed alone.
//!
//! Trunk grows, is edited and tidied; branches leave it, are worked on and merged back with
//! svn:mergeinfo, so that `log -g` has something to follow; releases are tagged. The same seed and
//! size give the same stream, byte for byte.

use super::dump::{Dump, Properties};
use super::texts;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::rc::Rc;
use triptych_model::{SplitMix, Timestamp};

/// The path that exports and logs are asked for.
pub(super) const TARGET: &str = "trunk";

/// The file that blames are asked for; every fifth revision edits it.
pub(super) const FILE: &str = "trunk/README";

const AUTHORS: &[&str] = &["ada", "barbara", "grace", "ken", "linus", "niklaus"];

/// How large the history shall be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    /// Revisions; the youngest has this number.
    pub revisions: u64,
    /// Text files that trunk grows to in its first part.
    pub files: usize,
    /// Of every so many new files one is binary.
    pub binary_every: usize,
}

/// UUID of the content of a seed and size.
pub(super) fn uuid(seed: u64, revisions: u64) -> String {
    let mut random = SplitMix::new(seed ^ revisions.rotate_left(32));
    let (a, b) = (random.next(), random.next());
    let (head, middle, tail) = (a >> 32, (a >> 16) & 0xffff, a & 0xfff);
    format!("{head:08x}-{middle:04x}-4{tail:03x}-{:04x}-{:012x}", 0x8000 | (b >> 50), b & 0xffff_ffff_ffff)
}

/// A file of trunk or of a branch.
#[derive(Clone)]
struct File {
    text: Rc<Vec<u8>>,
    binary: bool,
    /// Which file it was, in the order in which they were made.
    made: usize,
}

type Tree = BTreeMap<String, File>;

struct Branch {
    name: String,
    tree: Tree,
    first: u64,
    last: u64,
    changed: BTreeSet<String>,
}

/// Writes the history; `go_on` is asked once a revision with its number.
///
/// # Errors
/// The stream takes no more, or `go_on` said no ([`io::ErrorKind::Interrupted`]).
pub(super) fn write(
    to: &mut dyn Write,
    seed: u64,
    size: Size,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> io::Result<()> {
    let mut history = History {
        random: SplitMix::new(seed),
        size,
        time: 1_393_660_800_000_000,
        trunk: Tree::new(),
        directories: BTreeSet::new(),
        branches: Vec::new(),
        merges: BTreeMap::new(),
        made: 0,
    };
    let mut dump = Dump::begin(to, &uuid(seed, size.revisions))?;
    dump.revision(0, &vec![("svn:date".into(), history.date())])?;
    for revision in 1..=size.revisions {
        if !go_on(revision) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        history.revision(revision, &mut dump)?;
    }
    Ok(())
}

struct History {
    random: SplitMix,
    size: Size,
    /// UTC microseconds.
    time: i64,
    trunk: Tree,
    directories: BTreeSet<String>,
    branches: Vec<Branch>,
    /// Merged branches of trunk and their revisions.
    merges: BTreeMap<String, (u64, u64)>,
    made: usize,
}

impl History {
    fn date(&self) -> Vec<u8> {
        Timestamp(self.time).to_string().into_bytes()
    }

    fn revision(&mut self, revision: u64, dump: &mut Dump<'_>) -> io::Result<()> {
        // Between a minute and nine hours later.
        self.time += 60_000_000 + i64::try_from(self.random.below(32_400)).unwrap_or(0) * 1_000_003;
        let author = AUTHORS.get(self.random.below(AUTHORS.len())).copied().unwrap_or("ada");
        let properties = vec![
            ("svn:author".to_owned(), author.as_bytes().to_vec()),
            ("svn:date".to_owned(), self.date()),
            ("svn:log".to_owned(), self.message()),
        ];
        dump.revision(revision, &properties)?;
        let founding = self.size.revisions / 5;
        match revision {
            1 => self.layout(dump),
            _ if revision <= founding => self.found(revision, founding, dump),
            _ if revision.is_multiple_of(50) => self.branch(revision, dump),
            _ if revision % 50 == 45 => self.merge(revision, dump),
            _ if revision % 50 == 48 => self.drop_branch(dump),
            _ if revision % 50 < 42 && revision % 3 == 1 => self.work_on_branch(revision, dump),
            _ if revision % 100 == 99 => {
                dump.copy("dir", &format!("tags/1.{}", revision / 100), ("trunk", revision - 1))
            }
            _ if revision % 40 == 17 => self.rename(revision, dump),
            _ if revision % 12 == 6 => self.work_on_binary(dump),
            _ if revision % 20 == 11 => self.review(revision, dump),
            _ => self.edit(revision, dump),
        }
    }

    fn message(&mut self) -> Vec<u8> {
        let mut text = String::new();
        for _ in 0..=self.random.below(7) {
            for _ in 0..4 + self.random.below(8) {
                text.push_str(texts::word(&mut self.random));
                text.push(' ');
            }
            text.pop();
            text.push('\n');
        }
        text.into_bytes()
    }

    fn layout(&mut self, dump: &mut Dump<'_>) -> io::Result<()> {
        for path in ["trunk", "branches", "tags"] {
            dump.add_directory(path)?;
        }
        let text = texts::text(&mut self.random, 120);
        self.put(dump, "README", text, false)
    }

    /// Adds its share of the files that trunk begins with.
    fn found(&mut self, revision: u64, founding: u64, dump: &mut Dump<'_>) -> io::Result<()> {
        let until =
            self.size.files * usize::try_from(revision).unwrap_or(1) / usize::try_from(founding).unwrap_or(1);
        while self.made < until {
            self.add(dump)?;
        }
        self.edit_readme(revision, dump)
    }

    /// Adds a file somewhere below trunk; directories are up to nine deep.
    fn add(&mut self, dump: &mut Dump<'_>) -> io::Result<()> {
        self.made += 1;
        let made = self.made;
        let binary = made.is_multiple_of(self.size.binary_every);
        let module = made / 12;
        let mut directory = if binary { "assets".to_owned() } else { "src".to_owned() };
        // The module's directory depends on its number alone, so that its files lie together.
        let mut place = SplitMix::new(module as u64);
        for _ in 0..1 + place.below(4) + place.below(5) * usize::from(module.is_multiple_of(4)) {
            directory = format!("{directory}/{}", texts::word(&mut place));
        }
        let ending =
            if binary { "bin" } else { ["c", "h", "txt", "py"].get(made % 4).copied().unwrap_or("c") };
        let path = format!("{directory}/{}_{made}.{ending}", texts::word(&mut self.random));
        let text = if binary {
            let length = 8_192 + self.random.below(120_000);
            texts::bytes(&mut self.random, length)
        } else {
            let lines = 20 + self.random.below(200);
            texts::text(&mut self.random, lines)
        };
        self.put(dump, &path, text, binary)
    }

    /// Writes a new file of trunk and the directories it needs.
    fn put(&mut self, dump: &mut Dump<'_>, path: &str, text: Vec<u8>, binary: bool) -> io::Result<()> {
        for (at, _) in path.match_indices('/') {
            let directory = path.get(..at).unwrap_or_default();
            if self.directories.insert(directory.to_owned()) {
                dump.add_directory(&format!("trunk/{directory}"))?;
            }
        }
        dump.add_file(&format!("trunk/{path}"), &properties(binary, self.made), &text)?;
        self.trunk.insert(path.to_owned(), File { text: Rc::new(text), binary, made: self.made });
        Ok(())
    }

    fn edit(&mut self, revision: u64, dump: &mut Dump<'_>) -> io::Result<()> {
        self.edit_readme(revision, dump)?;
        if revision.is_multiple_of(7) {
            self.add(dump)?;
        }
        let mut paths = BTreeSet::new();
        for _ in 0..=self.random.below(6) {
            paths.extend(some(&mut self.random, &self.trunk, false));
        }
        for path in paths {
            if let Some(file) = self.trunk.get_mut(&path) {
                file.text = Rc::new(texts::edited(&mut self.random, &file.text));
                dump.change_file(&format!("trunk/{path}"), None, Some(&file.text))?;
            }
        }
        Ok(())
    }

    fn edit_readme(&mut self, revision: u64, dump: &mut Dump<'_>) -> io::Result<()> {
        let readme = self.trunk.get_mut("README").filter(|_| revision.is_multiple_of(4));
        let Some(file) = readme else { return Ok(()) };
        file.text = Rc::new(texts::edited(&mut self.random, &file.text));
        dump.change_file(FILE, None, Some(&file.text))
    }

    /// Many files at once get a property, as when a release is signed off.
    fn review(&mut self, revision: u64, dump: &mut Dump<'_>) -> io::Result<()> {
        let start = self.random.below(self.trunk.len());
        for (path, file) in self.trunk.iter().skip(start).chain(&self.trunk).take(self.trunk.len() / 16) {
            let mut properties = properties(file.binary, file.made);
            properties.push(("demo:reviewed".to_owned(), format!("r{revision}").into_bytes()));
            dump.change_file(&format!("trunk/{path}"), Some(&properties), None)?;
        }
        Ok(())
    }

    fn work_on_binary(&mut self, dump: &mut Dump<'_>) -> io::Result<()> {
        let Some(path) = some(&mut self.random, &self.trunk, true) else { return self.add(dump) };
        let Some(file) = self.trunk.get_mut(&path) else { return Ok(()) };
        file.text = Rc::new(texts::patched(&mut self.random, &file.text));
        dump.change_file(&format!("trunk/{path}"), None, Some(&file.text))
    }

    /// A file gets another name and keeps its history.
    fn rename(&mut self, revision: u64, dump: &mut Dump<'_>) -> io::Result<()> {
        let Some(path) = some(&mut self.random, &self.trunk, false) else { return Ok(()) };
        let Some(file) = self.trunk.remove(&path) else { return Ok(()) };
        let (stem, ending) = path.rsplit_once('.').unwrap_or((&path, "txt"));
        let new = format!("{stem}_r{revision}.{ending}");
        dump.copy("file", &format!("trunk/{new}"), (&format!("trunk/{path}"), revision - 1))?;
        dump.delete(&format!("trunk/{path}"))?;
        self.trunk.insert(new, file);
        Ok(())
    }

    fn branch(&mut self, revision: u64, dump: &mut Dump<'_>) -> io::Result<()> {
        let name = format!("branches/{}-{revision}", texts::word(&mut self.random));
        dump.copy("dir", &name, ("trunk", revision - 1))?;
        let tree = self.trunk.clone();
        self.branches.push(Branch { name, tree, first: revision, last: revision, changed: BTreeSet::new() });
        Ok(())
    }

    fn work_on_branch(&mut self, revision: u64, dump: &mut Dump<'_>) -> io::Result<()> {
        let Some(mut branch) = self.branches.pop() else { return self.edit(revision, dump) };
        let mut paths = BTreeSet::new();
        for _ in 0..=self.random.below(4) {
            paths.extend(some(&mut self.random, &branch.tree, false));
        }
        for path in paths {
            if let Some(file) = branch.tree.get_mut(&path) {
                file.text = Rc::new(texts::edited(&mut self.random, &file.text));
                dump.change_file(&format!("{}/{path}", branch.name), None, Some(&file.text))?;
                branch.changed.insert(path);
            }
        }
        branch.last = revision;
        self.branches.push(branch);
        Ok(())
    }

    /// The branch's edits come to trunk, and trunk says so in svn:mergeinfo.
    fn merge(&mut self, revision: u64, dump: &mut Dump<'_>) -> io::Result<()> {
        let Some(branch) = self.branches.last_mut().filter(|branch| !branch.changed.is_empty()) else {
            return self.edit(revision, dump);
        };
        self.merges.insert(branch.name.clone(), (branch.first, branch.last));
        let lines: Vec<String> =
            self.merges.iter().map(|(name, (first, last))| format!("/{name}:{first}-{last}")).collect();
        dump.change_directory("trunk", &vec![("svn:mergeinfo".to_owned(), lines.join("\n").into_bytes())])?;
        for path in std::mem::take(&mut branch.changed) {
            let (Some(from), Some(to)) = (branch.tree.get(&path), self.trunk.get_mut(&path)) else {
                continue;
            };
            if from.text != to.text {
                to.text = Rc::clone(&from.text);
                dump.change_file(&format!("trunk/{path}"), None, Some(&to.text))?;
            }
        }
        Ok(())
    }

    /// Two branches of three go when they are merged.
    fn drop_branch(&mut self, dump: &mut Dump<'_>) -> io::Result<()> {
        let Some(branch) = self.branches.pop() else { return Ok(()) };
        if self.random.below(3) == 0 { Ok(()) } else { dump.delete(&branch.name) }
    }
}

/// Some file that is binary or is none.
fn some(random: &mut SplitMix, tree: &Tree, binary: bool) -> Option<String> {
    let start = random.below(tree.len());
    let mut around = tree.iter().skip(start).chain(tree.iter().take(start));
    around.find(|(_, file)| file.binary == binary).map(|(path, _)| path.clone())
}

fn properties(binary: bool, made: usize) -> Properties {
    let property = |name: &str, value: &str| (name.to_owned(), value.as_bytes().to_vec());
    match (binary, made % 5) {
        (true, _) => vec![property("svn:mime-type", "application/octet-stream")],
        (false, 4) => vec![property("svn:eol-style", "native"), property("svn:executable", "*")],
        (false, 1) => vec![property("svn:eol-style", "native"), property("svn:keywords", "Id Rev")],
        (false, _) => vec![property("svn:eol-style", "native")],
    }
}
