//! Packed logs opened as if they lay there unpacked: gzip, xz and zstd streams, and zip archives.
//!
//! What a file is shows in its first bytes, never in its name. Everything is a stream, so that a log
//! of gigabytes that was rotated and packed is never whole in memory. Used by the loader, and by
//! whoever reads a source again.

use lzma_rust2::XzReader;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use zip::{CompressionMethod, ZipArchive};

/// How a file is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    /// One stream.
    Stream(Stream),
    /// A zip archive of files.
    Archive,
}

/// The kinds of packed streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    Gzip,
    Xz,
    Zstd,
}

const MAGIC: &[(&[u8], Packing)] = &[
    (b"\x1f\x8b", Packing::Stream(Stream::Gzip)),
    (b"\xfd7zXZ\0", Packing::Stream(Stream::Xz)),
    (b"\x28\xb5\x2f\xfd", Packing::Stream(Stream::Zstd)),
    (b"PK\x03\x04", Packing::Archive),
    // An archive without files.
    (b"PK\x05\x06", Packing::Archive),
];

/// Endings that packing adds to a name.
const ENDINGS: &[&str] = &[".gz", ".xz", ".zst", ".zip"];

/// A log packed within a packed log is met; a file that unpacks into itself without end is no log.
const DEEPEST: usize = 3;

/// What an xz stream may ask for as its dictionary, KiB; `xz -9` takes 64 MiB.
const XZ_MEMORY_KIB: u32 = 256 * 1024;

/// How the bytes of that head are packed, if they are.
pub(crate) fn packing(head: &[u8]) -> Option<Packing> {
    MAGIC.iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, packing)| *packing)
}

/// How a file is packed, if it is.
///
/// # Errors
/// It cannot be read.
pub(crate) fn packing_of(file: &Path) -> io::Result<Option<Packing>> {
    let mut head = Vec::with_capacity(8);
    File::open(file)?.take(8).read_to_end(&mut head)?;
    Ok(packing(&head))
}

/// A path without the ending that packing gave it: `svnserve.log.1.gz` is a `svnserve.log.1`.
pub(crate) fn plain_name(path: &str) -> &str {
    ENDINGS.iter().find_map(|ending| path.strip_suffix(ending)).unwrap_or(path)
}

/// The names of the files in a zip archive, hidden ones left out, in the archive's order.
///
/// # Errors
/// It cannot be read or is damaged.
pub(crate) fn members(file: &Path) -> io::Result<Vec<String>> {
    let mut archive = ZipArchive::new(BufReader::new(File::open(file)?))?;
    let mut names = Vec::new();
    for index in 0..archive.len() {
        let member = archive.by_index_raw(index)?;
        let name = member.name()?.into_owned();
        let hidden = name.split('/').any(|part| part.starts_with('.') && part != ".." || part == "__MACOSX");
        if member.is_file() && !hidden {
            names.push(name);
        }
    }
    Ok(names)
}

/// The unpacked bytes of a file, or of the member of that name where it is a zip archive.
///
/// # Errors
/// It cannot be read, is damaged, encrypted, or packed by a method that is not known.
pub(crate) fn open(file: &Path, member: Option<&str>) -> io::Result<Box<dyn Read + Send>> {
    let file = File::open(file)?;
    match member {
        Some(name) => unpacked(member_of(file, name)?),
        None => unpacked(Box::new(file)),
    }
}

/// Takes all packing off a stream; one that is not packed comes back as it was.
///
/// # Errors
/// Its head cannot be read.
pub(crate) fn unpacked(stream: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
    let mut stream = stream;
    for _ in 0..DEEPEST {
        let mut buffered = BufReader::with_capacity(64 * 1024, stream);
        let kind = packing(buffered.fill_buf()?);
        stream = match kind {
            Some(Packing::Stream(Stream::Gzip)) => Box::new(flate2::bufread::MultiGzDecoder::new(buffered)),
            Some(Packing::Stream(Stream::Xz)) => {
                Box::new(XzReader::new_mem_limit(buffered, true, XZ_MEMORY_KIB))
            }
            Some(Packing::Stream(Stream::Zstd)) => {
                Box::new(zstd::stream::read::Decoder::with_buffer(buffered)?)
            }
            Some(Packing::Archive) | None => return Ok(Box::new(buffered)),
        };
    }
    Ok(stream)
}

/// The bytes of one member, read from where they lie in the archive.
fn member_of(file: File, name: &str) -> io::Result<Box<dyn Read + Send>> {
    let mut archive = ZipArchive::new(BufReader::new(file))?;
    let (start, length, method, sum) = {
        let index = archive.index_for_name(name).ok_or_else(|| gone(name))?;
        let member = archive.by_index_raw(index)?;
        if member.encrypted() {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "it is encrypted"));
        }
        let start = member.data_start().ok_or_else(|| gone(name))?;
        (start, member.compressed_size(), member.compression(), member.crc32())
    };
    let mut file = archive.into_inner();
    file.seek(SeekFrom::Start(start))?;
    let bytes = file.take(length);
    match method {
        CompressionMethod::Stored => Ok(Box::new(Checked::new(bytes, sum))),
        CompressionMethod::Deflated => {
            Ok(Box::new(Checked::new(flate2::bufread::DeflateDecoder::new(bytes), sum)))
        }
        other => {
            let message = format!("it is packed by {other}, which this version does not read");
            Err(io::Error::new(io::ErrorKind::Unsupported, message))
        }
    }
}

fn gone(name: &str) -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, format!("the archive has no {name} any more"))
}

/// Compares the sum of all bytes with the one the archive keeps.
struct Checked<R> {
    inner: R,
    sum: flate2::Crc,
    expected: u32,
}

impl<R> Checked<R> {
    fn new(inner: R, expected: u32) -> Self {
        Self { inner, sum: flate2::Crc::new(), expected }
    }
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        if count == 0 && !buffer.is_empty() && self.sum.sum() != self.expected {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "its checksum does not fit"));
        }
        self.sum.update(buffer.get(..count).unwrap_or_default());
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Write as _};
    use zip::write::{SimpleFileOptions, ZipWriter};

    const TEXT: &[u8] = b"real\t0m1.500s\nuser\t0m0.100s\nsys\t0m0.200s\n";

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        writer.write_all(bytes).expect("packs");
        writer.finish().expect("packs")
    }

    /// `xz -9` of [`TEXT`] by XZ Utils 5.4.
    const XZ: &[u8] = include_bytes!("../tests/data/time.txt.xz");

    fn read(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        unpacked(Box::new(Cursor::new(bytes.to_vec())))?.read_to_end(&mut text)?;
        Ok(text)
    }

    #[test]
    fn streams_are_known_by_their_heads_and_read_whole() {
        let zstd = zstd::encode_all(TEXT, 3).expect("packs");
        let twice = gzip(&gzip(TEXT));
        let members = [gzip(&TEXT[..10]), gzip(&TEXT[10..])].concat();
        for packed in [gzip(TEXT), zstd, XZ.to_vec(), twice, members, TEXT.to_vec()] {
            assert_eq!(read(&packed).expect("unpacks"), TEXT, "{packed:?}");
        }
        assert_eq!(read(b"").expect("an empty file is no error"), b"");
    }

    #[test]
    fn what_is_cut_is_an_error_behind_what_came_before() {
        let long: Vec<u8> = (0..20_000_u32).flat_map(|n| format!("{n} ").into_bytes()).collect();
        for packed in [gzip(&long), zstd::encode_all(long.as_slice(), 3).expect("packs"), XZ.to_vec()] {
            let cut = &packed[..packed.len() - packed.len() / 4];
            assert!(read(cut).is_err());
        }
        let mut stream = unpacked(Box::new(Cursor::new(gzip(&long)[..20_000].to_vec()))).expect("begins");
        let mut text = Vec::new();
        assert!(stream.read_to_end(&mut text).is_err());
        assert!(text.len() > 10_000 && long.starts_with(&text));
    }

    fn archive(files: &[(&str, &[u8])], method: CompressionMethod) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        let mut writer = ZipWriter::new(&mut file);
        for (name, bytes) in files {
            writer
                .start_file(*name, SimpleFileOptions::default().compression_method(method))
                .expect("starts");
            writer.write_all(bytes).expect("writes");
        }
        writer.finish().expect("ends");
        file
    }

    #[test]
    fn an_archive_is_a_folder_of_files() {
        let packed = gzip(TEXT);
        let files: &[(&str, &[u8])] =
            &[("runs/a.txt", TEXT), ("runs/.hidden", b"x"), ("b.txt.gz", &packed), ("__MACOSX/b", b"x")];
        for method in [CompressionMethod::Deflated, CompressionMethod::Stored] {
            let file = archive(files, method);
            assert_eq!(packing_of(file.path()).expect("reads"), Some(Packing::Archive));
            assert_eq!(members(file.path()).expect("lists"), ["runs/a.txt", "b.txt.gz"]);
            for name in ["runs/a.txt", "b.txt.gz"] {
                let mut text = Vec::new();
                open(file.path(), Some(name)).expect("opens").read_to_end(&mut text).expect("reads");
                assert_eq!(text, TEXT, "{name}");
            }
            let error = open(file.path(), Some("gone")).err().expect("is not there");
            assert_eq!(error.kind(), io::ErrorKind::NotFound);
        }
        assert_eq!(members(archive(&[], CompressionMethod::Stored).path()).expect("lists"), [""; 0]);
    }

    #[test]
    fn a_member_that_was_changed_does_not_pass() {
        let file = archive(&[("a.txt", TEXT)], CompressionMethod::Stored);
        let mut bytes = std::fs::read(file.path()).expect("reads");
        let at = bytes.windows(4).position(|four| four == b"real").expect("is stored");
        bytes[at] = b'R';
        std::fs::write(file.path(), bytes).expect("writes");
        let mut text = Vec::new();
        let error = open(file.path(), Some("a.txt")).expect("opens").read_to_end(&mut text);
        assert_eq!(error.map_err(|error| error.kind()), Err(io::ErrorKind::InvalidData));
    }

    #[test]
    fn names_lose_what_packing_added() {
        for (name, expect) in [
            ("a/svnserve.log.1.gz", "a/svnserve.log.1"),
            ("x.txt.zst", "x.txt"),
            ("gz", "gz"),
            ("a.zip/b", "a.zip/b"),
        ] {
            assert_eq!(plain_name(name), expect);
        }
    }
}
