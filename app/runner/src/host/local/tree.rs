//! What a process and its children have used, at any moment: never less than before, nothing twice.
//!
//! svnserve forks a child for each connection. A living child is asked for its own clock; once it was
//! waited for it stands in the parent's `cutime`, in steps of 10 ms. Of that and of the last readings
//! of the children that went, each may be short, so the larger is taken.

use crate::procfs::{Kept, Pinned, Used, parse_children};
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
    /// Bytes that the disks read for it, where that may be asked.
    pub(super) read_bytes: Option<u64>,
    /// Children that live.
    pub(super) live: u32,
}

/// A process with its children.
pub(super) struct Tree {
    parent: Pinned,
    list: Option<Kept>,
    children: BTreeMap<u32, (Pinned, Used)>,
    /// CPU and system time of children that ended, as last seen.
    gone: (u64, u64),
    last: Total,
}

impl Tree {
    pub(super) fn open(pid: u32) -> io::Result<Self> {
        let parent = Pinned::open(pid)?;
        let first = parent.read().ok_or_else(|| io::Error::from_raw_os_error(libc::ESRCH))?;
        let list = Kept::open(format!("/proc/{pid}/task/{pid}/children")).ok();
        let gone = (first.ended_ns, first.ended_sys_ns);
        Ok(Self { parent, list, children: BTreeMap::new(), gone, last: Total::default() })
    }

    /// The sums now; the last ones once the parent was reaped.
    pub(super) fn read(&mut self) -> Total {
        let Some(parent) = self.parent.read() else { return self.last };
        self.look_for_children();
        let mut total = Total {
            cpu_ns: parent.cpu_ns + self.gone.0.max(parent.ended_ns),
            sys_ns: parent.sys_ns + self.gone.1.max(parent.ended_sys_ns),
            rss: parent.rss,
            read_bytes: parent.read_bytes,
            live: 0,
        };
        for (_, used) in self.children.values() {
            total.cpu_ns += used.cpu_ns + used.ended_ns;
            total.sys_ns += used.sys_ns + used.ended_sys_ns;
            total.rss += used.rss;
            total.read_bytes = total.read_bytes.zip(used.read_bytes).map(|(a, b)| a + b);
            total.live += u32::from(used.lives);
        }
        total.cpu_ns = total.cpu_ns.max(self.last.cpu_ns);
        total.sys_ns = total.sys_ns.max(self.last.sys_ns);
        total.read_bytes = total.read_bytes.max(self.last.read_bytes);
        self.last = total;
        total
    }

    /// Readings of the children there are; those that went are added up.
    fn look_for_children(&mut self) {
        let mut buffer = [0; 4096];
        let text = self.list.as_ref().and_then(|list| list.read(&mut buffer).ok()).unwrap_or("");
        let mut before = std::mem::take(&mut self.children);
        for pid in parse_children(text) {
            let known = before.remove(&pid);
            let again = known.as_ref().and_then(|(pinned, _)| pinned.read());
            match (known, again) {
                (Some((pinned, _)), Some(used)) => {
                    self.children.insert(pid, (pinned, used));
                    continue;
                }
                // Its number is another's now.
                (Some((_, used)), None) => self.add_gone(used),
                (None, _) => {}
            }
            let pinned = Pinned::open(pid).ok();
            if let Some((pinned, used)) = pinned.and_then(|pinned| pinned.read().map(|used| (pinned, used))) {
                self.children.insert(pid, (pinned, used));
            }
        }
        for (_, used) in before.into_values() {
            self.add_gone(used);
        }
    }

    fn add_gone(&mut self, used: Used) {
        self.gone.0 += used.cpu_ns + used.ended_ns;
        self.gone.1 += used.sys_ns + used.ended_sys_ns;
    }
}
