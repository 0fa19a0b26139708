//! What a process and its children have used, at any moment: never less than before, nothing twice.
//!
//! svnserve forks a child for each connection. A living child is asked for its own clock; once it was
//! waited for it stands in the parent's `cutime`, in steps of 10 ms. Of that and of the last readings
//! of the children that went, each may be short, so the larger is taken.

use crate::procfs::{Kept, Pinned, parse_children};
use std::collections::BTreeMap;
use std::io;

/// Sums over the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Total {
    /// CPU time, nanoseconds.
    pub(super) cpu_ns: u64,
    /// System time of it, in steps of 10 ms.
    pub(super) sys_ns: u64,
    /// Resident bytes; what processes share counts in each.
    pub(super) rss: u64,
    /// Bytes that the disks read and write for it, where that may be asked.
    pub(super) disk: Option<[u64; 2]>,
    /// Processes that live.
    pub(super) live: u32,
}

/// A process with its children and theirs: a server may stand behind a wrapper.
pub(super) struct Tree {
    process: Pinned,
    list: Option<Kept>,
    children: BTreeMap<u32, Tree>,
    /// CPU and system time of children that ended, as last seen.
    gone: (u64, u64),
    last: Total,
}

impl Total {
    /// Bytes that the disks read for it, where that may be asked.
    pub(super) fn read_bytes(&self) -> Option<u64> {
        self.disk.map(|[read, _]| read)
    }
}

impl Tree {
    /// Opens what is read at every tick.
    pub(super) fn open(pid: u32) -> io::Result<Self> {
        let process = Pinned::open(pid)?;
        let list = Kept::open(format!("/proc/{pid}/task/{pid}/children")).ok();
        let mut tree =
            Self { process, list, children: BTreeMap::new(), gone: (0, 0), last: Total::default() };
        match tree.look(true) {
            Some(_) => Ok(tree),
            None => Err(io::Error::from_raw_os_error(libc::ESRCH)),
        }
    }

    /// The sums now; the last ones once it was reaped.
    pub(super) fn read(&mut self) -> Total {
        self.look(true).unwrap_or(self.last)
    }

    /// The same with what the disks did as last read.
    pub(super) fn read_quickly(&mut self) -> Total {
        self.look(false).unwrap_or(self.last)
    }

    /// The processes below it that were seen at the last reading.
    pub(super) fn descendants(&self) -> Vec<u32> {
        let children = self.children.iter();
        children.flat_map(|(pid, child)| std::iter::once(*pid).chain(child.descendants())).collect()
    }

    fn look(&mut self, with_disk: bool) -> Option<Total> {
        let own = self.process.read(with_disk)?;
        let children = self.children_now(with_disk);
        let mut total = Total {
            cpu_ns: own.cpu_ns + self.gone.0.max(own.ended_ns),
            sys_ns: own.sys_ns + self.gone.1.max(own.ended_sys_ns),
            rss: own.rss,
            disk: own.disk,
            live: u32::from(own.lives),
        };
        for child in children {
            total.cpu_ns += child.cpu_ns;
            total.sys_ns += child.sys_ns;
            total.rss += child.rss;
            total.disk = total.disk.zip(child.disk).map(|(a, b)| [a[0] + b[0], a[1] + b[1]]);
            total.live += child.live;
        }
        total.cpu_ns = total.cpu_ns.max(self.last.cpu_ns);
        total.sys_ns = total.sys_ns.max(self.last.sys_ns);
        let disk = total.disk.zip(self.last.disk).map(|(a, b)| [a[0].max(b[0]), a[1].max(b[1])]);
        total.disk = disk.or(total.disk).or(self.last.disk);
        self.last = total;
        Some(total)
    }

    /// The sums of the children there are; those that went are added up.
    fn children_now(&mut self, with_disk: bool) -> Vec<Total> {
        let mut buffer = [0; 4096];
        let text = self.list.as_ref().and_then(|list| list.read(&mut buffer).ok()).unwrap_or("");
        let mut before = std::mem::take(&mut self.children);
        let mut totals = Vec::new();
        for pid in parse_children(text) {
            let mut known = before.remove(&pid);
            let mut total = known.as_mut().and_then(|child| child.look(with_disk));
            if total.is_none() {
                // Its number is another's now, or new.
                self.add_gone(known.take());
                known = Self::open(pid).ok();
                total = known.as_ref().map(|child| child.last);
            }
            totals.extend(total);
            self.children.extend(known.map(|child| (pid, child)));
        }
        for child in before.into_values() {
            self.add_gone(Some(child));
        }
        totals
    }

    fn add_gone(&mut self, child: Option<Self>) {
        if let Some(child) = child {
            self.gone.0 += child.last.cpu_ns;
            self.gone.1 += child.last.sys_ns;
        }
    }
}
