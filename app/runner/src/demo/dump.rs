//! Writes a dump stream, the public form that `svnadmin load` reads (version 2: whole texts, no deltas).

use std::io::{self, Write};

/// Properties by name, in order.
pub(super) type Properties = Vec<(String, Vec<u8>)>;

/// Writes records to a stream.
pub(super) struct Dump<'a> {
    to: &'a mut dyn Write,
}

impl<'a> Dump<'a> {
    /// Begins a stream.
    pub(super) fn begin(to: &'a mut dyn Write, uuid: &str) -> io::Result<Self> {
        write!(to, "SVN-fs-dump-format-version: 2\n\nUUID: {uuid}\n\n")?;
        Ok(Self { to })
    }

    /// A revision; its nodes follow.
    pub(super) fn revision(&mut self, number: u64, properties: &Properties) -> io::Result<()> {
        writeln!(self.to, "Revision-number: {number}")?;
        self.content(Some(properties), None)
    }

    /// A new directory.
    pub(super) fn add_directory(&mut self, path: &str) -> io::Result<()> {
        writeln!(self.to, "Node-path: {path}\nNode-kind: dir\nNode-action: add")?;
        self.content(Some(&Vec::new()), None)
    }

    /// New properties of a directory.
    pub(super) fn change_directory(&mut self, path: &str, properties: &Properties) -> io::Result<()> {
        writeln!(self.to, "Node-path: {path}\nNode-kind: dir\nNode-action: change")?;
        self.content(Some(properties), None)
    }

    /// A copy of a directory or file with its history.
    pub(super) fn copy(&mut self, kind: &str, path: &str, from: (&str, u64)) -> io::Result<()> {
        writeln!(self.to, "Node-path: {path}\nNode-kind: {kind}\nNode-action: add")?;
        write!(self.to, "Node-copyfrom-rev: {}\nNode-copyfrom-path: {}\n\n\n", from.1, from.0)
    }

    /// A new file.
    pub(super) fn add_file(&mut self, path: &str, properties: &Properties, text: &[u8]) -> io::Result<()> {
        writeln!(self.to, "Node-path: {path}\nNode-kind: file\nNode-action: add")?;
        self.content(Some(properties), Some(text))
    }

    /// A new text, new properties, or both, of a file.
    pub(super) fn change_file(
        &mut self,
        path: &str,
        properties: Option<&Properties>,
        text: Option<&[u8]>,
    ) -> io::Result<()> {
        writeln!(self.to, "Node-path: {path}\nNode-kind: file\nNode-action: change")?;
        self.content(properties, text)
    }

    /// The end of a file or directory.
    pub(super) fn delete(&mut self, path: &str) -> io::Result<()> {
        write!(self.to, "Node-path: {path}\nNode-action: delete\n\n\n")
    }

    fn content(&mut self, properties: Option<&Properties>, text: Option<&[u8]>) -> io::Result<()> {
        let block = properties.map(block);
        let mut length = 0;
        if let Some(block) = &block {
            length += block.len();
            writeln!(self.to, "Prop-content-length: {}", block.len())?;
        }
        if let Some(text) = text {
            length += text.len();
            writeln!(self.to, "Text-content-length: {}", text.len())?;
        }
        write!(self.to, "Content-length: {length}\n\n")?;
        self.to.write_all(&block.unwrap_or_default())?;
        self.to.write_all(text.unwrap_or_default())?;
        self.to.write_all(b"\n\n")
    }
}

fn block(properties: &Properties) -> Vec<u8> {
    let mut block = Vec::new();
    for (name, value) in properties {
        block.extend(format!("K {}\n{name}\nV {}\n", name.len(), value.len()).into_bytes());
        block.extend(value);
        block.push(b'\n');
    }
    block.extend(b"PROPS-END\n");
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_have_the_lengths_of_their_parts() {
        let mut text = Vec::new();
        let mut dump = Dump::begin(&mut text, "u").expect("written");
        dump.revision(1, &vec![("svn:log".into(), b"\xc3\xa4\n".to_vec())]).expect("written");
        dump.add_file("a", &Vec::new(), b"one\n").expect("written");
        dump.delete("b").expect("written");
        let expect = "SVN-fs-dump-format-version: 2\n\nUUID: u\n\nRevision-number: 1\nProp-content-length: 30\nContent-length: 30\n\nK 7\nsvn:log\nV 3\nä\n\nPROPS-END\n\n\nNode-path: a\nNode-kind: file\nNode-action: add\nProp-content-length: 10\nText-content-length: 4\nContent-length: 14\n\nPROPS-END\none\n\n\nNode-path: b\nNode-action: delete\n\n\n";
        assert_eq!(String::from_utf8(text).expect("text"), expect);
    }
}
