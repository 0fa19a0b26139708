//! What each step of the order of formats claims from the fewest lines, and what only looks like it; used by the
//! tests of that order.

/// A text, the formats that claim it, and what the reason says where none does.
pub type Pair = (&'static str, &'static str, &'static [&'static str], &'static str);

pub const FURTHER: &[Pair] = &[
    (
        "httpd's access log, one line",
        "::1 - - [30/Nov/2026:08:05:18 +0000] \"GET / HTTP/1.1\" 200 7\n",
        &["httpd"],
        "",
    ),
    (
        "nginx, whose log has the same shape",
        "192.0.2.7 - alice [30/Nov/2026:08:05:18 +0000] \"GET /a HTTP/1.1\" 200 612 \"-\" \"curl/7.88.1\"\n",
        &["httpd"],
        "",
    ),
    ("httpd's operations, one line", "[30/Nov/2026:08:05:18 +0000] alice bench commit r1\n", &["httpd"], ""),
    (
        "IIS",
        "#Software: Microsoft Internet Information Services 10.0\n#Version: 1.0\n#Date: 2026-11-30 08:05:18\n#Fields: date time s-ip cs-method cs-uri-stem sc-status time-taken\n2026-11-30 08:05:18 ::1 GET /svn 200 15\n",
        &[],
        "W3C log as IIS writes it",
    ),
    ("perf -x", "1.13,msec,task-clock,1130469,100.00,0.011,CPUs utilized\n", &["perf-stat"], ""),
    (
        "perf -x with -r",
        "1.13;msec;task-clock;0.90%;1133963;100.00;0.022;CPUs utilized\n",
        &["perf-stat"],
        "",
    ),
    (
        "perf -j",
        "{\"counter-value\" : \"1.058338\", \"unit\" : \"msec\", \"event\" : \"task-clock\", \"event-runtime\" : 1058338, \"pcnt-running\" : 100.00, \"metric-value\" : 0.010571, \"metric-unit\" : \"CPUs utilized\"}\n",
        &["perf-stat"],
        "",
    ),
    ("figures parted as perf's", "1,2,3,4,5,6\n7,8,9,10,11,12\n", &[], ""),
    ("words parted as perf's", "12,files,read,seen,written,done\n", &[], ""),
    ("a list of purchases", "1.13,kg,apples,red,2.50,EUR\n0.5,kg,pears,green,1.50,EUR\n", &[], ""),
    (
        "sadf -d",
        "# hostname;interval;timestamp;CPU;%user;%idle\nvm;1;2026-11-30 08:00:01 UTC;-1;1.00;99.00\n",
        &["sadf"],
        "",
    ),
    (
        "another table of semicolons",
        "name;interval;timestamp\nvm;1;2026-11-30 08:00:01 UTC\n",
        &["table"],
        "",
    ),
    (
        "psrecord",
        "# Elapsed time   CPU (%)     Real (MB)   Virtual (MB)\n       0.000        0.000        1.000        2.000\n",
        &["psrecord"],
        "",
    ),
    (
        "hyperfine's CSV",
        "command,mean,stddev,median,user,system,min,max\nsvn co,1.5,0.1,1.5,1.0,0.2,1.4,1.6\n",
        &["hyperfine-csv"],
        "",
    ),
    (
        "top",
        "top - 08:06:38 up 1 min,  0 users,  load average: 0.1, 0.1, 0.1\nTasks: 1 total\n\n  PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND\n    7 root      20   0    7692   3172   2900 R   6.7   0.0   0:00.01 svn\n",
        &["top"],
        "",
    ),
    (
        "vmstat -t",
        "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu----- -----timestamp-----\n r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st                 UTC\n 2  0      0 23451548   5072 984080    0    0  7392     0  866  830 53  3 43  1  0 2026-11-30 08:47:07\n",
        &["vmstat"],
        "",
    ),
    (
        "multitime",
        "===> multitime results\n1: svn co A\n            Mean        Std.Dev.    Min         Median      Max\nreal        0.1         0.1         0.1         0.1         0.1\nuser        0.1         0.1         0.1         0.1         0.1\nsys         0.1         0.1         0.1         0.1         0.1\n",
        &["multitime"],
        "",
    ),
    (
        "svnbench",
        "              3 directories\n              7 files\n        135,105 bytes in files\n             40 properties\n            483 bytes in properties\n",
        &["svnbench"],
        "",
    ),
    ("a listing of counts", "3 directories and 7 files\n", &[], ""),
    (
        "GNU time -v",
        "\tCommand being timed: \"svn co A\"\n\tUser time (seconds): 0.10\n\tExit status: 0\n",
        &["gnu-time"],
        "",
    ),
    ("mksh, one line", "    0m00.28s real     0m00.06s user     0m00.00s system\n", &["shell-time"], ""),
    ("zsh, one line", "svn co A  0.07s user 0.00s system 26% cpu 0.264 total\n", &["shell-time"], ""),
    ("csh, one line", "0.001u 0.000s 0:00.30 0.0%\t0+0k 16+0io 1pf+0w\n", &["shell-time"], ""),
    (
        "/proc/PID/stat",
        "7 (svn) S 1 7 7 0 -1 4194368 73 0 0 0 5 6 0 0 20 0 1 0 2280435 16318464 703 18446744073709551615 1\n",
        &["proc-stat"],
        "",
    ),
    ("ps", "  PID     TIME   RSS COMMAND\n    7 00:00:01  2896 svnserve\n", &["ps"], ""),
    ("collectl -P", "#Date Time [CPU]User% [CPU]Nice%\n20261130 08:07:10 5 0\n", &[], "collectl"),
    ("collectl", "waiting for 1 second sample...\n#<--------CPU-------->\n", &[], "collectl"),
    (
        "docker stats",
        "CONTAINER ID   NAME   CPU %     MEM USAGE / LIMIT     MEM %   NET I/O           BLOCK I/O   PIDS\nabc   svn   393.24%   161.9MiB / 7.307GiB   2.16%   3.674MB / 4.539MB   0B / 0B   7\n",
        &[],
        "docker stats",
    ),
    (
        "sadf -j",
        "{\"sysstat\": {\"hosts\": [{\"number-of-cpus\": 1, \"statistics\": [{\"timestamp\": {\"date\": \"2026-11-30\", \"time\": \"08:00:00\", \"utc\": 1, \"interval\": 1}, \"cpu-load\": [{\"cpu\": \"all\", \"user\": 1.5}]}]}]}}",
        &["sysstat-json"],
        "",
    ),
    (
        "criterion's estimates",
        "{\"mean\":{\"confidence_interval\":{\"confidence_level\":0.95,\"lower_bound\":1.0,\"upper_bound\":2.0},\"point_estimate\":1.5,\"standard_error\":0.1},\"median\":{\"confidence_interval\":{\"confidence_level\":0.95,\"lower_bound\":1.0,\"upper_bound\":2.0},\"point_estimate\":1.5,\"standard_error\":0.1},\"median_abs_dev\":{\"confidence_interval\":{\"confidence_level\":0.95,\"lower_bound\":1.0,\"upper_bound\":2.0},\"point_estimate\":1.5,\"standard_error\":0.1},\"slope\":null,\"std_dev\":{\"confidence_interval\":{\"confidence_level\":0.95,\"lower_bound\":1.0,\"upper_bound\":2.0},\"point_estimate\":1.5,\"standard_error\":0.1}}",
        &["criterion"],
        "",
    ),
];
