//! What the kernel says of processes, in `/proc`: parsed here once, for the sampler, the server's life
//! cycle, the gate, and the clean-up behind a crash.
//!
//! `stat` steps by 10 ms; the CPU clock of a process counts in nanoseconds, ended threads included.
//! So the total comes from the clock, and `stat` gives the share of system time and the ended children.

use nix::time::ClockId;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Nanoseconds of one step of `/proc/PID/stat`.
fn tick_ns() -> u64 {
    1_000_000_000 / rustix::param::clock_ticks_per_second().max(1)
}

/// The fields of `/proc/PID/stat` that are used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stat {
    /// One letter; `Z` is dead but not reaped.
    pub state: char,
    /// User time in steps.
    pub user: u64,
    /// System time in steps.
    pub sys: u64,
    /// User time of children that were waited for, in steps.
    pub ended_user: u64,
    /// System time of children that were waited for, in steps.
    pub ended_sys: u64,
    /// Start after boot, in steps; with the pid it names a process for good.
    pub start_time: u64,
    /// Resident size, pages.
    pub rss_pages: u64,
}

impl Stat {
    /// Reads one line; the command in parentheses may hold blanks and parentheses itself.
    pub fn parse(line: &str) -> Option<Self> {
        let (_, rest) = line.rsplit_once(')')?;
        let mut fields = rest.split_ascii_whitespace();
        let state = fields.next()?.chars().next()?;
        let mut numbers = [0u64; 21];
        for slot in &mut numbers {
            // Terminal, priority and nice may be negative; none of them is used.
            *slot = u64::try_from(fields.next()?.parse::<i64>().ok()?.max(0)).ok()?;
        }
        let [_, _, _, _, _, _, _, _, _, _, user, sys, ended_user, ended_sys, rest @ ..] = numbers;
        let [_, _, _, _, start_time, _, rss_pages] = rest;
        Some(Self { state, user, sys, ended_user, ended_sys, start_time, rss_pages })
    }

    /// Whether it still runs.
    pub fn lives(&self) -> bool {
        !matches!(self.state, 'Z' | 'X' | 'x')
    }
}

/// `/proc/PID/stat` of a process, if there is one.
pub fn stat(pid: u32) -> Option<Stat> {
    let bytes = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    Stat::parse(&String::from_utf8_lossy(&bytes))
}

/// The number behind `name:` in a table such as `/proc/PID/io` or `/proc/meminfo`.
pub(crate) fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

/// Processes that carry `TRIPTYCH_RUN=token` in their environment and live, with their start times.
///
/// Those of other users cannot be asked and are not among them; dead ones that nobody reaped neither.
pub fn with_token(token: &str) -> Vec<(u32, u64)> {
    let pids = processes().into_iter().filter(|pid| carries(*pid, token));
    pids.filter_map(|pid| Some((pid, stat(pid).filter(Stat::lives)?.start_time))).collect()
}

/// Whether a process has `TRIPTYCH_RUN=token` in its environment.
pub(crate) fn carries(pid: u32, token: &str) -> bool {
    let entry = format!("{TOKEN}={token}");
    std::fs::read(format!("/proc/{pid}/environ"))
        .is_ok_and(|environment| environment.split(|byte| *byte == 0).any(|e| e == entry.as_bytes()))
}

/// The variable by which our processes are known.
pub const TOKEN: &str = "TRIPTYCH_RUN";

/// All process ids, ascending.
pub(crate) fn processes() -> Vec<u32> {
    let mut pids = numbers_in(Path::new("/proc"));
    pids.sort_unstable();
    pids
}

fn numbers_in(directory: &Path) -> Vec<u32> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect()
}

/// A file of the kernel that is kept open and read again and again.
pub(crate) struct Kept(File);

impl Kept {
    pub(crate) fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        File::open(path).map(Self)
    }

    /// Its text now, as far as the buffer goes.
    pub(crate) fn read<'a>(&self, buffer: &'a mut [u8]) -> io::Result<&'a str> {
        let read = self.0.read_at(buffer, 0)?;
        let bytes = buffer.get(..read).unwrap_or_default();
        // A command's own name may be anything; all that is used is ASCII and stands behind it.
        let behind = match std::str::from_utf8(bytes) {
            Ok(text) => return Ok(text),
            Err(_) => bytes.iter().rposition(|byte| *byte == b')').unwrap_or(0),
        };
        std::str::from_utf8(bytes.get(behind..).unwrap_or_default()).map_err(io::Error::other)
    }
}

/// What one process had used when it was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Used {
    /// CPU time of its own, nanoseconds.
    pub(crate) cpu_ns: u64,
    /// System time of it, nanoseconds in steps of 10 ms.
    pub(crate) sys_ns: u64,
    /// CPU time of its children that were waited for, in steps of 10 ms.
    pub(crate) ended_ns: u64,
    /// System time of these.
    pub(crate) ended_sys_ns: u64,
    /// Resident bytes.
    pub(crate) rss: u64,
    /// Bytes that it and the children it waited for made the disks read and write, where it may be asked.
    pub(crate) disk: Option<[u64; 2]>,
    /// Whether it still runs.
    pub(crate) lives: bool,
}

/// A process whose files are kept open.
pub(crate) struct Pinned {
    clock: Option<ClockId>,
    stat: Kept,
    io: Option<Kept>,
}

impl Pinned {
    pub(crate) fn open(pid: u32) -> io::Result<Self> {
        let stat = Kept::open(format!("/proc/{pid}/stat"))?;
        let id = i32::try_from(pid).ok().map(nix::unistd::Pid::from_raw);
        let clock = id.and_then(|id| nix::time::clock_getcpuclockid(id).ok());
        Ok(Self { clock, stat, io: Kept::open(format!("/proc/{pid}/io")).ok() })
    }

    /// Its CPU time, nanoseconds, by its clock alone: the cheapest that can be read. `None` where it has
    /// no clock or was reaped.
    pub(crate) fn cpu_ns(&self) -> Option<u64> {
        let time = self.clock?.now().ok()?;
        Some(u64::try_from(time.tv_sec()).ok()? * 1_000_000_000 + u64::try_from(time.tv_nsec()).ok()?)
    }

    /// What it has used; `None` when it was reaped.
    pub(crate) fn read(&self, with_disk: bool) -> Option<Used> {
        let mut buffer = [0; 1024];
        // `stat` first: it belongs to this very process, the clock to whoever has its number.
        let stat = Stat::parse(self.stat.read(&mut buffer).ok()?)?;
        let (tick, page) = (tick_ns(), rustix::param::page_size() as u64);
        let stepped = (stat.user + stat.sys) * tick;
        let disk = self.io.as_ref().filter(|_| with_disk).and_then(|io| {
            let text = io.read(&mut buffer).ok()?;
            Some([field(text, "read_bytes")?, field(text, "write_bytes")?])
        });
        Some(Used {
            cpu_ns: self.cpu_ns().unwrap_or(stepped),
            sys_ns: stat.sys * tick,
            ended_ns: (stat.ended_user + stat.ended_sys) * tick,
            ended_sys_ns: stat.ended_sys * tick,
            rss: stat.rss_pages * page,
            disk,
            lives: stat.lives(),
        })
    }
}

/// Resident bytes of this process: on Linux a child's largest resident size starts there.
pub(crate) fn own_rss() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

/// The whole machine's time since boot, nanoseconds summed over all cores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MachineTime {
    pub(crate) user_ns: u64,
    pub(crate) sys_ns: u64,
    pub(crate) iowait_ns: u64,
}

impl MachineTime {
    /// Reads the first line of `/proc/stat`; guests are part of `user`, and `steal` is nobody's work here.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let line = text.lines().next()?.strip_prefix("cpu ")?;
        let mut steps = [0u64; 7];
        for (slot, field) in steps.iter_mut().zip(line.split_ascii_whitespace()) {
            *slot = field.parse().ok()?;
        }
        let [user, nice, system, _idle, iowait, irq, softirq] = steps;
        let tick = tick_ns();
        Some(Self {
            user_ns: (user + nice) * tick,
            sys_ns: (system + irq + softirq) * tick,
            iowait_ns: iowait * tick,
        })
    }

    pub(crate) fn busy_ns(self) -> u64 {
        self.user_ns + self.sys_ns
    }
}

/// Children of a process's first thread, dead ones that it did not reap included.
pub(crate) fn parse_children(text: &str) -> impl Iterator<Item = u32> + '_ {
    text.split_ascii_whitespace().filter_map(|word| word.parse().ok())
}

/// The port on which a process listens, found by its own socket inodes: no other can be taken for it.
pub(crate) fn listening_port(pid: u32) -> Option<u16> {
    let inodes = socket_inodes(pid);
    if inodes.is_empty() {
        return None;
    }
    ["tcp", "tcp6"].iter().find_map(|table| {
        // The process's own view: it may live in another network namespace.
        let text = std::fs::read_to_string(format!("/proc/{pid}/net/{table}")).ok()?;
        text.lines().skip(1).filter_map(listener).find(|(_, inode)| inodes.contains(inode)).map(|l| l.0)
    })
}

fn socket_inodes(pid: u32) -> Vec<u64> {
    let Ok(entries) = std::fs::read_dir(format!("/proc/{pid}/fd")) else { return Vec::new() };
    let inode = |entry: io::Result<std::fs::DirEntry>| {
        let link = std::fs::read_link(entry.ok()?.path()).ok()?;
        link.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok()
    };
    entries.filter_map(inode).collect()
}

/// Port and inode of a line of `/proc/net/tcp`, if it is a listening socket.
fn listener(line: &str) -> Option<(u16, u64)> {
    const LISTEN: &str = "0A";
    let mut fields = line.split_ascii_whitespace();
    let (_, port) = fields.nth(1)?.rsplit_once(':')?;
    fields.nth(1).filter(|state| *state == LISTEN)?;
    let inode = fields.nth(5)?.parse().ok()?;
    Some((u16::from_str_radix(port, 16).ok()?, inode))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stat_is_split_behind_the_last_parenthesis() {
        let line = "41 (a (b) c) S 7 41 40 0 -1 4194560 120 9 0 0 12 34 56 78 20 0 1 0 5566 1000 77 18446744073709551615 1 1";
        let stat = Stat::parse(line).expect("read");
        assert_eq!(stat.state, 'S');
        assert_eq!((stat.user, stat.sys, stat.ended_user, stat.ended_sys), (12, 34, 56, 78));
        assert_eq!((stat.start_time, stat.rss_pages), (5566, 77));
        for cut in ["", "41 (sh", "41 (sh) S 1 2 3"] {
            assert_eq!(Stat::parse(cut), None, "{cut:?}");
        }
    }

    #[test]
    fn tables_of_the_kernel() {
        assert_eq!(field("rchar: 6\nread_bytes: 4096\ncancelled_write_bytes: 0\n", "read_bytes"), Some(4096));
        assert_eq!(field("MemAvailable:   123 kB\n", "MemAvailable"), Some(123));
        assert_eq!(field("MemAvailable:   many\n", "MemAvailable"), None);
        let time = MachineTime::parse("cpu  10 1 5 100 7 1 2 3 0 0\ncpu0 1\n").expect("read");
        let tick = tick_ns();
        assert_eq!((time.user_ns, time.sys_ns, time.iowait_ns), (11 * tick, 8 * tick, 7 * tick));
        assert_eq!(MachineTime::parse("intr 5\n"), None);
        let line = "0: 0100007F:8F3B 00000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 297722 1 0";
        assert_eq!(listener(line), Some((0x8f3b, 297_722)));
        assert_eq!(listener(&line.replace(" 0A ", " 01 ")), None, "a connection is no listener");
    }

    #[test]
    fn the_clock_agrees_with_this_process() {
        let pinned = Pinned::open(std::process::id()).expect("it runs");
        let before = pinned.read(true).expect("it runs");
        let mut sum = 0u64;
        let start = std::time::Instant::now();
        while start.elapsed().as_millis() < 30 {
            sum = std::hint::black_box(sum + 1);
        }
        let after = pinned.read(true).expect("it runs");
        assert!(after.cpu_ns >= before.cpu_ns + 5_000_000, "{before:?} {after:?}");
        assert!(after.lives && after.rss > 1_000_000);
    }
}
