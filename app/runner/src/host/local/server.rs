//! A server's life: started on loopback with a port of the kernel's choice, probed until it answers,
//! stopped, and reaped with its whole tree.

use super::child::{Child, GRACE, Output};
use super::client::output;
use super::devices::lies_in_memory;
use super::tree::{Total, Tree};
use super::values::quality_of_cpu;
use super::{io_failure, measured, run_error};
use crate::host::{HostError, Server, ServerEnd, ServerSpec, Watcher};
use crate::plan::ServerMode;
use crate::procfs;
use crate::sys::Ended;
use rustix::process::Signal;
use std::fs;
use std::io::{ErrorKind, Read};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use triptych_model::runlog::MeasuredValue;
use triptych_model::{Process, Quality, Unit};

/// Read access for everybody, whatever the copy's own configuration says: nothing of the lab is changed.
const CONFIG: &str = "[general]\nanon-access = read\nauth-access = none\n";

/// What svnserve says first, whatever its version.
const GREETING: &str = "( success ( ";

/// How long its processes for ended connections may take to go.
const SETTLE: Duration = Duration::from_millis(200);

/// Most of a log or of standard error that is kept.
const MOST_LOG: u64 = 64 << 20;

/// A server that runs.
pub(super) struct Running {
    pub(super) child: Child,
    pub(super) tree: Tree,
    /// Its program, for the name of the series.
    pub(super) program: String,
    outputs: [Output; 2],
    directory: PathBuf,
    log: Option<PathBuf>,
    /// What it had used when the last client started.
    base: Total,
    /// Whether processes for the connections of earlier clients, which ended, are part of that.
    pub(super) is_stepped: bool,
    /// Whether it makes a process for each connection.
    forks: bool,
    /// How clients call it, once it listens.
    address: String,
    /// Whether a client was told to call it.
    was_called: bool,
    /// Processes that it is made of while nobody is connected.
    idle: u32,
}

/// Starts svnserve and waits until it answers; `directory` is made for its files and removed when it ends.
pub(super) fn start(
    spec: &ServerSpec,
    directory: &Path,
    token: &str,
    watcher: &mut dyn Watcher,
) -> Result<(Running, Server), HostError> {
    if !spec.root.is_dir() {
        return Err(HostError::Run(format!("the directory to serve is gone: {}", spec.root.display())));
    }
    fs::create_dir_all(directory).map_err(|error| io_failure("cannot make", directory, &error))?;
    let started = launch(spec, directory.to_owned(), token, watcher);
    if started.is_err() {
        // The caller's clean-up has it too.
        fs::remove_dir_all(directory).ok();
    }
    started
}

fn launch(
    spec: &ServerSpec,
    directory: PathBuf,
    token: &str,
    watcher: &mut dyn Watcher,
) -> Result<(Running, Server), HostError> {
    let config = directory.join("svnserve.conf");
    fs::write(&config, CONFIG).map_err(|error| io_failure("cannot write", &config, &error))?;
    let log = (spec.log && lies_in_memory(&directory)).then(|| directory.join("svnserve.log"));
    let is_refused = spec.log && log.is_none();
    let reserve = is_refused
        .then(|| format!("the server writes no operation log: {} lies on a disk", directory.display()));
    let command = command(spec, &config, log.as_deref());
    let outputs = [output("stdout")?, output("stderr")?];
    let start = Instant::now();
    let child = Child::start(&command, None, token, [&outputs[0], &outputs[1]])?;
    let tree = Tree::open(child.pid).map_err(run_error("the server ended at once"))?;
    let program = command.first().cloned().unwrap_or_default();
    let mut running = Running {
        child,
        tree,
        program,
        outputs,
        directory,
        log,
        base: Total::default(),
        is_stepped: false,
        forks: forks(spec),
        address: String::new(),
        was_called: false,
        idle: 1,
    };
    let end = start + spec.start_limit;
    let port = running.find_port(end, spec, watcher)?;
    running.probe(port, end, spec, watcher)?;
    let ready_after = start.elapsed();
    running.settle();
    let server = Server { port, pid: running.child.pid, command, ready_after, reserve };
    Ok((running, server))
}

/// Whether it makes a process for each connection, and no thread.
fn forks(spec: &ServerSpec) -> bool {
    spec.mode == ServerMode::Fork
        && !spec.options.iter().any(|option| option == "-T" || option == "--threads")
}

/// Ours stand last: of options given twice the last one counts, and a server is always on loopback.
fn command(spec: &ServerSpec, config: &Path, log: Option<&Path>) -> Vec<String> {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let mut command = vec![text(&spec.program)];
    command.extend(spec.options.iter().cloned());
    if spec.mode == ServerMode::Threads {
        command.push("-T".to_owned());
    }
    let ours = ["-d", "--foreground", "--listen-host", "127.0.0.1", "--listen-port", "0", "-r"];
    command.extend(ours.map(str::to_owned));
    command.extend([text(&spec.root), "--config-file".to_owned(), text(config)]);
    if let Some(log) = log {
        command.extend(["--log-file".to_owned(), text(log)]);
    }
    command
}

impl Running {
    /// A client is about to start: what was used so far is not its doing.
    pub(super) fn client_starts(&mut self, base: Total, command: &[String]) {
        self.base = base;
        self.is_stepped = self.forks && self.was_called;
        self.was_called |= command.iter().any(|word| word.contains(&self.address));
    }

    /// Still starting: waits a moment, unless there is a reason to give up.
    fn pause(
        &mut self,
        moment: Duration,
        end: Instant,
        what: &str,
        watcher: &mut dyn Watcher,
    ) -> Result<(), HostError> {
        if watcher.cancelled() {
            return Err(HostError::Cancelled);
        }
        if self.child.wait(moment) {
            let status =
                self.child.reap().map_or_else(|| "unknown".to_owned(), |(ended, _)| status_words(&ended));
            return Err(HostError::Run(format!(
                "the server ended while it started ({status}){}",
                self.words()
            )));
        }
        if Instant::now() >= end {
            return Err(HostError::Run(format!("the server {what}{}", self.words())));
        }
        Ok(())
    }

    fn find_port(
        &mut self,
        end: Instant,
        spec: &ServerSpec,
        watcher: &mut dyn Watcher,
    ) -> Result<u16, HostError> {
        let what = format!("did not listen within {} s", spec.start_limit.as_secs_f64());
        let mut moment = Duration::from_millis(1);
        loop {
            self.idle = self.tree.read().live;
            let pids = std::iter::once(self.child.pid).chain(self.tree.descendants());
            if let Some(port) = pids.into_iter().find_map(procfs::listening_port) {
                self.address = format!("127.0.0.1:{port}/");
                return Ok(port);
            }
            self.pause(moment, end, &what, watcher)?;
            moment = (moment * 2).min(Duration::from_millis(20));
        }
    }

    /// Connects and reads the greeting; what the probe's own process used is seen while it is connected.
    fn probe(
        &mut self,
        port: u16,
        end: Instant,
        spec: &ServerSpec,
        watcher: &mut dyn Watcher,
    ) -> Result<(), HostError> {
        const SLICE: Duration = Duration::from_millis(20);
        let what = format!("did not answer within {} s", spec.start_limit.as_secs_f64());
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let mut heard = Vec::new();
        let mut stream = None;
        loop {
            if stream.is_none() {
                stream = TcpStream::connect_timeout(&address, SLICE).ok();
                heard.clear();
            }
            match stream.as_mut().map(|stream| hear(stream, SLICE, &mut heard)) {
                Some(Heard::More) if heard.len() < GREETING.len() => continue,
                Some(Heard::More) if heard.starts_with(GREETING.as_bytes()) => {
                    self.tree.read();
                    return Ok(());
                }
                Some(Heard::More) => {
                    let heard = String::from_utf8_lossy(&heard).into_owned();
                    return Err(HostError::Run(format!(
                        "port {port} answered {heard:?}, expected svnserve's greeting {GREETING:?}: is {} svnserve?",
                        spec.program.display()
                    )));
                }
                Some(Heard::Nothing) => self.pause(Duration::ZERO, end, &what, watcher)?,
                Some(Heard::End) | None => {
                    stream = None;
                    self.pause(SLICE, end, &what, watcher)?;
                }
            }
        }
    }

    /// Waits until the processes of ended connections are gone, so that their time is the parent's.
    pub(super) fn settle(&mut self) {
        let start = Instant::now();
        while self.tree.read().live > self.idle && start.elapsed() < SETTLE {
            if self.child.wait(Duration::from_millis(1)) {
                return;
            }
        }
    }

    /// What it said, for a sentence.
    fn words(&self) -> String {
        let bytes = self.outputs[1].bytes(2000).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        match text.trim() {
            "" => String::new(),
            text => format!(": {text}"),
        }
    }

    /// Ends it and reaps its tree.
    pub(super) fn stop(mut self) -> ServerEnd {
        let died = self.child.has_ended();
        if !died {
            self.settle();
        }
        let live = self.tree.read().live;
        self.child.signal(Signal::TERM);
        self.child.wait(GRACE);
        // The zombie of the parent still has the figures of the children it waited for.
        let seen = self.tree.read();
        let reaped = self.child.reap();
        let mut end = ServerEnd {
            died,
            stderr: self.outputs[1].bytes(MOST_LOG).unwrap_or_default(),
            ..ServerEnd::default()
        };
        if let Some((leader, adopted)) = reaped {
            end.exit = Some(leader.status);
            // Children that neither their parent nor we waited for were last seen before they ended.
            let is_cut = live > self.idle && adopted.is_empty();
            let quality =
                if is_cut { Quality::MEASURED.with(Quality::INCOMPLETE) } else { Quality::MEASURED };
            end.values = self.values(&leader, &adopted, seen, quality);
        } else {
            end.stderr.extend_from_slice(b"the server cannot be ended even by SIGKILL\n");
        }
        if let Some(log) = &self.log {
            end.log = read_log(log);
        }
        // The caller's clean-up has it too.
        fs::remove_dir_all(&self.directory).ok();
        end
    }

    fn values(&self, leader: &Ended, adopted: &[Ended], seen: Total, quality: Quality) -> Vec<MeasuredValue> {
        let sum = |part: fn(&Ended) -> u64| part(leader) + adopted.iter().map(part).sum::<u64>();
        let cpu = sum(|e| e.user_ns + e.sys_ns).max(seen.cpu_ns).saturating_sub(self.base.cpu_ns);
        let sys = sum(|e| e.sys_ns).saturating_sub(self.base.sys_ns).min(cpu);
        let max_rss = adopted.iter().fold(leader.max_rss, |most, ended| most.max(ended.max_rss));
        let seen_disk = seen.disk.unwrap_or_default();
        let disk = [sum(|e| e.read_bytes).max(seen_disk[0]), sum(|e| e.write_bytes).max(seen_disk[1])];
        // Before the first client it has used nothing that counts.
        let base = if self.base == Total::default() { Some([0, 0]) } else { self.base.disk };
        let of_rss = self.child.quality_of_rss(max_rss);
        let of_cpu = quality.with(quality_of_cpu(self.is_stepped, cpu));
        let value = |metric, unit, value| measured(Process::Svnserve, metric, unit, value, quality);
        let secs =
            |metric, nanos: u64| measured(Process::Svnserve, metric, Unit::Secs, nanos as f64 / 1e9, of_cpu);
        let mut values = vec![
            secs("cpu_time", cpu),
            secs("user", cpu - sys),
            secs("sys", sys),
            measured(Process::Svnserve, "max_rss", Unit::Bytes, max_rss as f64, of_rss.with(quality)),
        ];
        for (metric, base, bytes) in
            base.iter().flat_map(|base| [("read_bytes", base[0], disk[0]), ("write_bytes", base[1], disk[1])])
        {
            values.push(value(metric, Unit::Bytes, bytes.saturating_sub(base) as f64));
        }
        values
    }
}

/// What came of listening for a moment.
enum Heard {
    More,
    Nothing,
    End,
}

fn hear(stream: &mut TcpStream, slice: Duration, heard: &mut Vec<u8>) -> Heard {
    let mut buffer = [0; 256];
    if stream.set_read_timeout(Some(slice)).is_err() {
        return Heard::End;
    }
    match stream.read(&mut buffer) {
        Ok(0) => Heard::End,
        Ok(read) => {
            heard.extend_from_slice(buffer.get(..read).unwrap_or_default());
            Heard::More
        }
        Err(error) => match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => Heard::Nothing,
            _ => Heard::End,
        },
    }
}

fn status_words(ended: &Ended) -> String {
    match ended.status {
        status if status < 0 => format!("signal {}", -status),
        status => format!("exit {status}"),
    }
}

fn read_log(path: &Path) -> Vec<u8> {
    let mut log = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(MOST_LOG).read_to_end(&mut log));
    // An unreadable log is an empty one with its reason in it, not a failed run.
    if let Err(error) = read {
        log.extend_from_slice(format!("{}: {error}\n", path.display()).as_bytes());
    }
    log
}
