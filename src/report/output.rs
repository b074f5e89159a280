//! `--output FORMAT=FILE`: several files from one run, each written whole or not at all.

use super::model::Report;
use super::{FORMATS, Format, Style};
use crate::base::{Problem, atomic};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One file to write.
#[derive(Clone)]
pub struct Output {
    /// In which format.
    pub format: &'static Format,
    /// Where.
    pub file: PathBuf,
}

impl Output {
    /// Reads `FORMAT=FILE`.
    ///
    /// # Errors
    /// When there is no such format or no file behind the `=`.
    pub fn parse(text: &str) -> Result<Output, Problem> {
        let formats = || {
            let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
            names.join(", ")
        };
        let Some((name, file)) = text.split_once('=') else {
            return Err(
                Problem::new(format!("--output {text}: not of the form FORMAT=FILE"))
                    .remedy(format!("formats: {}", formats())),
            );
        };
        let Some(format) = super::format(name) else {
            let nearest = FORMATS
                .iter()
                .map(|format| (strsim::osa_distance(name, format.name), format.name))
                .min()
                .filter(|(distance, _)| *distance <= 2);
            return Err(
                Problem::new(format!("--output {text}: there is no format `{name}`")).remedy(match nearest {
                    Some((_, nearest)) => format!("did you mean `{nearest}`?"),
                    None => format!("formats: {}", formats()),
                }),
            );
        };
        if file.is_empty() {
            return Err(Problem::new(format!("--output {text}: the file is missing"))
                .remedy(format!("{name}=report.{name}")));
        }
        Ok(Output {
            format,
            file: PathBuf::from(file),
        })
    }
}

/// What would go wrong with these files, looked at before the work begins.
pub fn check(outputs: &[Output]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut taken: BTreeMap<&Path, &str> = BTreeMap::new();
    for output in outputs {
        let (name, file) = (output.format.name, output.file.as_path());
        if let Some(other) = taken.insert(file, name) {
            problems.push(
                Problem::new(format!(
                    "--output {name}={0}: {other} goes to the same file",
                    file.display()
                ))
                .remedy("name one file per format"),
            );
        } else if file.is_dir() {
            problems.push(
                Problem::new(format!("--output {name}={0}: {0} is a directory", file.display())).remedy(
                    format!(
                        "name a file: {name}={}",
                        file.join(format!("report.{name}")).display()
                    ),
                ),
            );
        } else if let Some(parent) = file.parent().filter(|parent| !parent.as_os_str().is_empty())
            && parent.exists()
            && !parent.is_dir()
        {
            problems.push(Problem::new(format!(
                "--output {name}={}: {} is not a directory",
                file.display(),
                parent.display()
            )));
        }
    }
    problems
}

/// Writes every file, making missing directories; one that fails does not keep the others from being written.
///
/// # Errors
/// A problem for each file that could not be written.
pub fn write(report: &Report, outputs: &[Output]) -> Result<(), Vec<Problem>> {
    let mut problems = check(outputs);
    if problems.is_empty() {
        for output in outputs {
            let written = atomic::write(&output.file, atomic::Existing::Replace, |out| {
                (output.format.write)(report, &Style::plain(), out)
            });
            if let Err(error) = written {
                problems.push(Problem::new(format!(
                    "--output {}={}: cannot write the report: {error}",
                    output.format.name,
                    output.file.display()
                )));
            }
        }
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    fn message(text: &str) -> String {
        Output::parse(text).map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn bad_requests_say_what_would_be_good() {
        assert!(message("json").contains("FORMAT=FILE"));
        assert!(message("jsn=a").contains("did you mean `json`?"));
        assert!(message("pdf=a").contains("formats: "));
        assert!(message("json=").contains("the file is missing"));
        assert_eq!(Output::parse("json=a=b").unwrap().file, PathBuf::from("a=b"));
    }

    #[test]
    fn every_problem_is_told_and_nothing_is_written() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.json");
        let output = |path: &Path| Output::parse(&format!("json={}", path.display())).unwrap();
        let outputs = [output(&file), output(&file), output(dir.path())];
        let problems = write(&sample::rich(), &outputs).unwrap_err();
        assert_eq!(problems.len(), 2);
        assert!(problems[0].message.contains("same file"));
        assert!(problems[1].message.contains("is a directory"));
        assert!(!file.exists());
    }

    #[test]
    fn several_files_from_one_run() {
        let dir = tempfile::tempdir().unwrap();
        let outputs: Vec<Output> = FORMATS
            .iter()
            .map(|format| Output {
                format,
                file: dir.path().join("new/deep").join(format.name),
            })
            .collect();
        write(&sample::rich(), &outputs).unwrap();
        write(&sample::rich(), &outputs).unwrap();
        for output in &outputs {
            assert!(std::fs::metadata(&output.file).unwrap().len() > 0);
        }
        let files = std::fs::read_dir(dir.path().join("new/deep")).unwrap().count();
        assert_eq!(files, FORMATS.len(), "a temporary file is left");
    }

    #[test]
    fn the_table_of_formats_is_sorted() {
        assert!(FORMATS.iter().map(|format| format.name).is_sorted());
    }
}
