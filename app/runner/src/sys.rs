//! The only place with `unsafe`: what the kernel offers and no safe crate does.
//!
//! `wait4` gives each child's own figures (`getrusage` keeps the maximum over all of them), `mincore`
//! says what lies in memory, and a child is tied to its parent between fork and exec. Used by the
//! local host alone.
#![allow(unsafe_code, reason = "no safe crate offers wait4, mincore or what runs between fork and exec")]

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// How a process ended, and what it and the children that it waited for used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ended {
    /// Its process id.
    pub(crate) pid: u32,
    /// Exit status, negative for a signal.
    pub(crate) status: i32,
    /// User time, nanoseconds in steps of 1000.
    pub(crate) user_ns: u64,
    /// System time, nanoseconds in steps of 1000.
    pub(crate) sys_ns: u64,
    /// Largest resident size of any of them, bytes.
    pub(crate) max_rss: u64,
    /// Bytes they made the disks read.
    pub(crate) read_bytes: u64,
    /// Bytes that they will make the disks write.
    pub(crate) write_bytes: u64,
}

/// Whom to wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whom {
    /// This child.
    Process(u32),
    /// Any child of this process group, adopted ones included.
    Group(u32),
}

/// Reaps a child that has ended; `None` while it lives.
///
/// # Errors
/// `ECHILD`: there is no such child, or it was reaped.
pub(crate) fn reap(whom: Whom) -> io::Result<Option<Ended>> {
    let id = match whom {
        Whom::Process(pid) => i32::try_from(pid).map_err(io::Error::other)?,
        Whom::Group(group) => -i32::try_from(group).map_err(io::Error::other)?,
    };
    let mut status = 0;
    // SAFETY: rusage is plain numbers, for which all zeros are a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    let pid = loop {
        // SAFETY: both pointers are valid for writes while the call lasts.
        let pid = unsafe { libc::wait4(id, &raw mut status, libc::WNOHANG, &raw mut usage) };
        if pid >= 0 {
            break pid;
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    };
    let ended = u32::try_from(pid).ok().filter(|pid| *pid > 0);
    Ok(ended.map(|pid| ended_of(pid, status, &usage)))
}

fn ended_of(pid: u32, status: i32, usage: &libc::rusage) -> Ended {
    let count = |value: libc::c_long| u64::try_from(value).unwrap_or(0);
    let nanos = |time: &libc::timeval| count(time.tv_sec) * 1_000_000_000 + count(time.tv_usec) * 1000;
    let status = if libc::WIFSIGNALED(status) { -libc::WTERMSIG(status) } else { libc::WEXITSTATUS(status) };
    Ended {
        pid,
        status,
        user_ns: nanos(&usage.ru_utime),
        sys_ns: nanos(&usage.ru_stime),
        // KiB on Linux; a block is 512 bytes whatever the file system says.
        max_rss: count(usage.ru_maxrss) * 1024,
        read_bytes: count(usage.ru_inblock) * 512,
        write_bytes: count(usage.ru_oublock) * 512,
    }
}

/// How many pages of a file's first `length` bytes lie in memory.
///
/// Since Linux 5.2 the answer is "all" for who neither owns the file nor may write it.
///
/// # Errors
/// The file cannot be mapped, as those of some special file systems.
pub(crate) fn resident_pages(file: &File, length: u64, page: u64) -> io::Result<u64> {
    let bytes = usize::try_from(length).map_err(io::Error::other)?;
    if bytes == 0 {
        return Ok(0);
    }
    // SAFETY: a fresh mapping at an address of the kernel's choice, which nothing reads or writes:
    // a file that shrinks meanwhile cannot raise SIGBUS.
    let map = unsafe {
        libc::mmap(std::ptr::null_mut(), bytes, libc::PROT_READ, libc::MAP_SHARED, file.as_raw_fd(), 0)
    };
    if map == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    let pages = usize::try_from(length.div_ceil(page.max(1))).unwrap_or(0);
    let mut present = vec![0u8; pages];
    // SAFETY: the range was mapped above, and `present` has one byte for each of its pages.
    let answer = unsafe { libc::mincore(map, bytes, present.as_mut_ptr()) };
    let error = io::Error::last_os_error();
    // SAFETY: unmaps what was mapped above, once.
    let unmapped = unsafe { libc::munmap(map, bytes) };
    debug_assert_eq!(unmapped, 0, "the mapping was ours");
    if answer != 0 {
        return Err(error);
    }
    Ok(present.iter().filter(|page| **page & 1 == 1).count() as u64)
}

/// Makes the child die with the thread that starts it.
///
/// The child's own children do not inherit this: they are ended by process group and token.
pub(crate) fn die_with_parent(command: &mut Command) {
    let parent = rustix::process::getpid().as_raw_pid();
    let tie = move || {
        // SAFETY: two calls that are safe between fork and exec; neither touches memory.
        let failed = unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) } != 0;
        if failed {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: as above. The parent may have died before the signal was asked for.
        if unsafe { libc::getppid() } != parent {
            return Err(io::Error::from_raw_os_error(libc::ESRCH));
        }
        Ok(())
    };
    // SAFETY: the closure allocates nothing and takes no lock.
    unsafe { command.pre_exec(tie) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_child_is_reaped_once_with_its_own_figures() {
        for (script, status) in [("exit 3", 3), ("kill -TERM $$", -15)] {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            die_with_parent(&mut command);
            let pid = command.spawn().expect("started").id();
            let ended = loop {
                match reap(Whom::Process(pid)).expect("ours") {
                    Some(ended) => break ended,
                    None => std::thread::sleep(std::time::Duration::from_millis(1)),
                }
            };
            assert_eq!((ended.pid, ended.status), (pid, status), "{script}");
            assert!(ended.max_rss > 100_000, "{ended:?}");
            let again = reap(Whom::Process(pid)).expect_err("reaped already");
            assert_eq!(again.raw_os_error(), Some(libc::ECHILD));
        }
    }

    #[test]
    fn what_was_just_written_is_resident() {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(&[7; 10_000]).expect("written");
        assert_eq!(resident_pages(&file, 10_000, 4096).expect("mapped"), 3);
        assert_eq!(resident_pages(&file, 0, 4096).expect("nothing to map"), 0);
    }
}
