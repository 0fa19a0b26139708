#!/bin/sh
# How fast a log of svnserve becomes the requests frame, beside other programs on the same machine.
#
# usage: import.sh LOG [MEGABYTES]
#
# LOG, a genuine log, is repeated until it has that many megabytes (200). Measured are our reader (built
# here in release), the whole program where target/release/triptych exists, Subversion's own parser from
# Debian's source package, lnav, polars' CSV reader on the same rows, and wc -l. What is missing is said
# to be. Tools and logs lie in $BENCH_DIR, else in the user's cache; nothing is written to the project.
set -eu

log=${1:?give a log of svnserve} megabytes=${2:-200}
home=$(cd "$(dirname "$0")/../.." && pwd)
work=${BENCH_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/triptych-bench}
mkdir -p "$work"
big=$work/$megabytes.log
slice=$work/slice.log

size() { wc -c < "$1"; }

if [ ! -s "$big" ]; then
    times=$((megabytes * 1000000 / $(size "$log")))
    i=0
    while [ $i -lt "$times" ]; do cat "$log"; i=$((i + 1)); done > "$big"
fi
# What reads a few megabytes a second gets a tenth.
head -c $((megabytes * 100000)) "$big" > "$slice"
cat "$big" "$slice" > /dev/null

# say NAME FILE COMMAND…: runs it, its output aside, and prints MB/s of wall and CPU time and the peak of
# anonymous memory, sampled every 20 ms. The rate is that of FILE, the log, whatever the command reads.
say() {
    name=$1 file=$2
    shift 2
    python3 - "$name" "$(size "$file")" "$@" <<'PYTHON'
import os, resource, subprocess, sys, time
name, size, command = sys.argv[1], int(sys.argv[2]) / 1e6, sys.argv[3:]
best, peak = None, 0
for _ in range(3 if size / 1e3 < 60 else 1):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    with open(os.devnull, "w") as null:
        child = subprocess.Popen(command, stdout=null, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        while child.poll() is None:
            try:
                for line in open(f"/proc/{child.pid}/status"):
                    if line.startswith("RssAnon:"):
                        peak = max(peak, int(line.split()[1]) * 1024)
            except OSError:
                pass
            time.sleep(0.005)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if child.returncode != 0:
        print(f"{name:<34} failed: {child.stderr.read().decode()[-200:].strip()}")
        sys.exit(0)
    best = min(best or (wall, cpu), (wall, cpu))
wall, cpu = best
print(f"{name:<34} {size / wall:8.1f} MB/s wall {size / max(cpu, 0.001):8.1f} MB/s of CPU "
      f"{wall:7.2f} s {cpu:7.2f} s of CPU, {peak / 2**20:7.1f} MiB anonymous")
PYTHON
}

echo "$(nproc) cores, $(size "$big") bytes, $(wc -l < "$big") lines"

( cd "$home" && cargo bench -q -p triptych-import --bench requests --no-run )
ours=$(cd "$home" && cargo bench -p triptych-import --bench requests --no-run 2>&1 | sed -n 's/.*(\(.*\))$/\1/p' | tail -1)
case $ours in /*) ;; *) ours=$home/$ours ;; esac
"$ours" "$big" blocks
say "ours, reader alone" "$big" "$ours" "$big" once
[ ! -x "$home/target/release/triptych" ] ||
    say "ours, triptych import" "$big" "$home/target/release/triptych" import --json "$big"

say "wc -l" "$big" wc -l "$big"

# Subversion's parser: a class to which lines without their heads are given.
parser=$work/svn_server_log_parse.py
if [ ! -s "$parser" ]; then
    ( cd "$work" && mkdir -p apt/lists/partial &&
        for list in /etc/apt/sources.list.d/*.sources; do
            sed 's/^Types: deb$/Types: deb-src/' "$list" > "apt/$(basename "$list")"
        done &&
        apt="apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts=$work/apt -o Dir::State::lists=$work/apt/lists" &&
        $apt update && $apt source --download-only subversion &&
        tar xzOf subversion_*.orig.tar.gz --wildcards '*/tools/server-side/svn_server_log_parse.py' > "$parser"
    ) > /dev/null 2>&1 || rm -f "$parser"
fi
if [ -s "$parser" ]; then
    cat > "$work/parse.py" <<'PYTHON'
import sys, types
# Of the bindings only names of constants are used.
core = types.ModuleType("svn.core")
core.__getattr__ = lambda name: (lambda word: word) if name.endswith("_word") else name
core.__path__ = []
svn = types.ModuleType("svn")
svn.core = core
sys.modules["svn"], sys.modules["svn.core"] = svn, core
sys.path.insert(0, sys.argv[1])
import svn_server_log_parse as theirs
class Parser(theirs.Parser):
    def __getattr__(self, name):
        if name.startswith("handle_"):
            return lambda *arguments: None
        raise AttributeError(name)
parser, failed = Parser(), 0
for line in open(sys.argv[2]):
    words = line.rstrip("\n").split(" ", 5)
    try:
        parser.parse(words[5])
    except Exception:
        failed += 1
print(failed)
PYTHON
    say "svn_server_log_parse.py" "$slice" python3 "$work/parse.py" "$work" "$slice"
else
    echo "svn_server_log_parse.py            not to be had here"
fi

if command -v lnav > /dev/null; then
    mkdir -p "$work/lnav/formats/svnserve"
    cat > "$work/lnav/formats/svnserve/format.json" <<'JSON'
{"$schema": "https://lnav.org/schemas/format-v1.schema.json",
 "svnserve_log": {"title": "svnserve", "description": "svnserve", "timestamp-format": ["%Y-%m-%dT%H:%M:%S.%fZ"],
  "regex": {"line": {"pattern": "^(?<pid>\\d+) (?<timestamp>\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z) (?<host>\\S+) (?<user>\\S+) (?<repository>\\S+) (?<action>\\S+)(?: (?<body>.*))?$"}},
  "value": {"pid": {"kind": "integer"}, "host": {"kind": "string"}, "user": {"kind": "string"},
   "repository": {"kind": "string"}, "action": {"kind": "string"}},
  "sample": [{"line": "1 2026-11-30T08:03:43.388100Z 127.0.0.1 - r get-file /a r1 text"}]}}
JSON
    # Counting is quick; only who asks for the columns makes lnav read the lines.
    say "lnav, all columns asked for" "$slice" lnav -n -I "$work/lnav" -c ";SELECT count(*), sum(pid), \
        max(log_time), count(DISTINCT host), count(DISTINCT user), count(DISTINCT repository), \
        count(DISTINCT action), sum(length(log_body)) FROM svnserve_log" "$slice"
    # What a reader does that fills a frame.
    say "lnav, rows made a table" "$slice" lnav -n -I "$work/lnav" -c ";CREATE TABLE requests AS SELECT \
        log_line, log_time, pid, host, user, repository, action, log_body FROM svnserve_log" "$slice"
else
    echo "lnav                               not installed"
fi

[ -x "$work/venv/bin/python" ] || python3 -m venv "$work/venv" || true
"$work/venv/bin/python" -c 'import polars' 2> /dev/null || "$work/venv/bin/pip" install -q polars || true
if "$work/venv/bin/python" -c 'import polars' 2> /dev/null; then
    "$ours" "$big" csv "$work/rows.csv"
    cat "$work/rows.csv" > /dev/null
    say "polars, the same rows as CSV" "$big" "$work/venv/bin/python" -c \
        "import polars, sys; print(polars.read_csv(sys.argv[1], try_parse_dates=True).shape)" "$work/rows.csv"
    say "polars, times as text" "$big" "$work/venv/bin/python" -c \
        "import polars, sys; print(polars.read_csv(sys.argv[1]).shape)" "$work/rows.csv"
    say "python and polars, started" "$big" "$work/venv/bin/python" -c "import polars"
else
    echo "polars                             not to be had here"
fi
