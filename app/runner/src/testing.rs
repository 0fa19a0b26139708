//! What tests of several modules share: a real server that ends with the test.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// svnserve on loopback, ended when dropped.
pub struct Svnserve {
    child: Child,
    /// `svn://127.0.0.1:PORT`.
    pub url: String,
}

impl Svnserve {
    /// Serves a directory; the kernel chooses the port.
    pub fn start(root: &Path) -> Self {
        let child = Command::new("svnserve")
            .args(["-d", "--foreground", "--listen-host", "127.0.0.1", "--listen-port", "0", "-r"])
            .arg(root)
            .stdin(Stdio::null())
            .spawn()
            .expect("svnserve is installed");
        let mut server = Self { child, url: String::new() };
        let end = Instant::now() + Duration::from_secs(10);
        while Instant::now() < end {
            if let Some(port) = port(server.child.id()) {
                server.url = format!("svn://127.0.0.1:{port}");
                return server;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("svnserve does not listen");
    }
}

impl Drop for Svnserve {
    fn drop(&mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("reaped");
    }
}

fn port(pid: u32) -> Option<u16> {
    let sockets: Vec<String> = std::fs::read_dir(format!("/proc/{pid}/fd"))
        .ok()?
        .flatten()
        .filter_map(|entry| std::fs::read_link(entry.path()).ok())
        .filter_map(|link| Some(link.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.to_owned()))
        .collect();
    let table = std::fs::read_to_string("/proc/net/tcp").ok()?;
    table.lines().skip(1).find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let listens =
            *words.get(3)? == "0A" && sockets.iter().any(|inode| words.get(9) == Some(&inode.as_str()));
        let (_, port) = words.get(1)?.rsplit_once(':')?;
        listens.then(|| u16::from_str_radix(port, 16).ok())?
    })
}

/// Runs a program that must succeed, and gives its standard output.
pub fn run(program: &str, arguments: &[&str]) -> String {
    let output =
        Command::new(program).args(arguments).env("LC_ALL", "C.UTF-8").output().expect("the program starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {arguments:?}: {stderr}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
