//! Packaged charts (`pkg/chart/loader/archive/archive.go`). Archives are untrusted: paths that leave the
//! chart and sizes beyond Helm's bounds are refused before anything is kept.

use super::tree::ChartFile;
use flate2::read::MultiGzDecoder;
use std::io::Read;

/// Bytes of one file after decompression.
const MOST_FILE_BYTES: u64 = 5 * 1024 * 1024;
/// Bytes of all files of one archive after decompression.
const MOST_CHART_BYTES: u64 = 100 * 1024 * 1024;
/// Entries of one archive. Helm has no such bound; a real chart stays far below it.
pub(super) const MOST_ENTRIES: usize = 100_000;
/// Bytes of a whole archive after decompression, with what is skipped in it: headers, long names, folders.
const MOST_STREAM_BYTES: u64 = 3 * MOST_CHART_BYTES;

/// Ends with an error where a small archive unfolds into a huge stream.
struct Bounded<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.inner.read(buffer)?;
        match self.left.checked_sub(read as u64) {
            Some(left) => self.left = left,
            None => return Err(std::io::Error::other(STREAM_TOO_LARGE)),
        }
        Ok(read)
    }
}

const STREAM_TOO_LARGE: &str = "the chart archive holds more than 300 MiB, skipped entries included";

/// The files of a packaged chart, without the first element of their paths.
///
/// # Errors
/// Helm's text for what it refuses.
pub fn unpack(bytes: &[u8]) -> Result<Vec<ChartFile>, String> {
    let mut archive = tar::Archive::new(Bounded {
        inner: MultiGzDecoder::new(bytes),
        left: MOST_STREAM_BYTES,
    });
    let mut files = Vec::new();
    let mut left = MOST_CHART_BYTES;
    for (count, entry) in archive.entries().map_err(go_io_error)?.enumerate() {
        let entry = entry.map_err(go_io_error)?;
        if count >= MOST_ENTRIES {
            return Err(format!("chart archive has more than {MOST_ENTRIES} entries"));
        }
        let kind = entry.header().entry_type();
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let skipped = kind.is_pax_global_extensions() || kind.is_pax_local_extensions();
        if kind.is_dir() || path.ends_with('/') || skipped {
            continue;
        }
        let name = chart_path(&path)?;
        let size = entry.size();
        if size > left {
            return Err(format!(
                "decompressed chart is larger than the maximum size {MOST_CHART_BYTES}"
            ));
        }
        if size > MOST_FILE_BYTES {
            let quoted = crate::value::quote::quote_str(path.as_bytes());
            return Err(format!(
                "decompressed chart file {quoted} is larger than the maximum file size {MOST_FILE_BYTES}"
            ));
        }
        let mut data = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
        entry.take(size).read_to_end(&mut data).map_err(go_io_error)?;
        left -= data.len() as u64;
        if (data.len() as u64) < size || left == 0 {
            return Err(format!(
                "decompressed chart is larger than the maximum size {MOST_CHART_BYTES}"
            ));
        }
        files.push(ChartFile {
            name,
            data: without_bom(&data).into(),
        });
    }
    if files.is_empty() {
        return Err("no files in chart archive".to_owned());
    }
    Ok(files)
}

/// True when the bytes begin as gzip does.
pub fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b, 0x08])
}

/// The bytes without a leading UTF-8 byte order mark.
pub fn without_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes)
}

/// The path of an entry within the chart.
fn chart_path(path: &str) -> Result<String, String> {
    let delimiter = if path.contains('\\') { '\\' } else { '/' };
    let (first, rest) = path.split_once(delimiter).unwrap_or((path, ""));
    let rest = rest.replace(delimiter, "/");
    if rest.starts_with('/') {
        return Err("chart illegally contains absolute paths".to_owned());
    }
    let name = clean(&rest);
    if name == "." {
        let quoted = crate::value::quote::quote_str(path.as_bytes());
        return Err(format!(
            "chart illegally contains content outside the base directory: {quoted}"
        ));
    }
    if name.starts_with("..") {
        return Err("chart illegally references parent directory".to_owned());
    }
    let mut chars = name.chars();
    if chars.next().is_some_and(|c| c.is_ascii_alphabetic()) && chars.as_str().starts_with(":/") {
        return Err("chart contains illegally named files".to_owned());
    }
    if first == "Chart.yaml" {
        return Err("chart yaml not in base directory".to_owned());
    }
    Ok(name)
}

/// Go's `path.Clean` of a relative path.
fn clean(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    if parts.is_empty() {
        ".".to_owned()
    } else {
        parts.join("/")
    }
}

/// The texts of Go's gzip and tar readers for the faults people meet.
fn go_io_error(error: std::io::Error) -> String {
    match error.kind() {
        _ if error.to_string().contains(STREAM_TOO_LARGE) => STREAM_TOO_LARGE.to_owned(),
        std::io::ErrorKind::UnexpectedEof => "unexpected EOF".to_owned(),
        _ if error.to_string().contains("gzip") => "gzip: invalid header".to_owned(),
        _ => "archive/tar: invalid tar header".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn paths_stay_within_the_chart() {
        assert_eq!(
            chart_path("c/templates/./a.yaml"),
            Ok("templates/a.yaml".to_owned())
        );
        assert_eq!(
            chart_path("c\\templates\\a.yaml"),
            Ok("templates/a.yaml".to_owned())
        );
        assert!(chart_path("c/../../etc/passwd").is_err());
        assert!(chart_path("c//etc/passwd").is_err());
        assert!(chart_path("c/c:/x").is_err());
        assert!(chart_path("Chart.yaml").is_err());
    }

    proptest! {
        #[test]
        fn any_bytes_end_in_an_answer(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = unpack(&bytes);
        }
    }
}
