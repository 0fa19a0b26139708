//! Process roles: who used the CPU, whatever the command was called.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The role of a process.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
pub enum Process {
    /// svnserve, any version, one process or its whole tree.
    Svnserve,
    /// Apache httpd.
    Httpd,
    /// The timed command: svn, svnbench, svnadmin …
    Client,
    /// The whole machine or its kernel.
    System,
    /// A disk by its device name.
    Disk(String),
    /// A process of another role, by its command's name.
    Other(String),
}

impl Process {
    /// The role of a command's name as load logs print it.
    ///
    /// Versions behind the name (`svnserve-1.6.9`) and names cut by the tool (`svnserve-+`) count;
    /// the command's own name stays a fact of the series.
    pub fn from_command(command: &str) -> Self {
        let word = command.split_whitespace().next().unwrap_or("");
        let base = word.rsplit('/').next().unwrap_or(word).trim_start_matches("|__");
        let starts = |name: &str| {
            base.strip_prefix(name).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
        };
        if starts("svnserve") {
            Self::Svnserve
        } else if starts("httpd") || starts("apache2") {
            Self::Httpd
        } else if ["svn", "svnbench", "svnadmin", "svnlook", "svnrdump", "svnsync", "svnmucc"]
            .iter()
            .any(|name| starts(name))
        {
            Self::Client
        } else {
            Self::Other(base.to_owned())
        }
    }
}

impl fmt::Display for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Svnserve => f.write_str("svnserve"),
            Self::Httpd => f.write_str("httpd"),
            Self::Client => f.write_str("client"),
            Self::System => f.write_str("system"),
            Self::Disk(name) => write!(f, "disk:{name}"),
            Self::Other(name) => f.write_str(name),
        }
    }
}

impl From<Process> for String {
    fn from(process: Process) -> Self {
        process.to_string()
    }
}

impl From<String> for Process {
    fn from(text: String) -> Self {
        match text.as_str() {
            "svnserve" => Self::Svnserve,
            "httpd" => Self::Httpd,
            "client" => Self::Client,
            "system" => Self::System,
            other => match other.strip_prefix("disk:") {
                Some(name) => Self::Disk(name.to_owned()),
                None => Self::Other(text),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_of_commands() {
        for (command, role) in [
            ("svnserve", Process::Svnserve),
            ("svnserve-1.6.9", Process::Svnserve),
            ("svnserve-+", Process::Svnserve),
            ("/srv/svn/bin/svnserve -d -T", Process::Svnserve),
            ("svn", Process::Client),
            ("svn-1.6.9", Process::Client),
            ("svnbench-trunk", Process::Client),
            ("apache2", Process::Httpd),
            ("svnfoo", Process::Other("svnfoo".to_owned())),
            ("kworker/0:1", Process::Other("0:1".to_owned())),
        ] {
            assert_eq!(Process::from_command(command), role, "{command}");
            assert_eq!(Process::from(String::from(role.clone())), role);
        }
    }
}
