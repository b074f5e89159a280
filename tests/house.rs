//! The rules of the house that a program can check: arrows between rooms, who may use which outside crate, the
//! size of files.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Outside crates that one place alone may use.
const OWNED: &[(&str, &str)] = &[
    ("rayon::", "src/base/par.rs"),
    ("git2::", "src/source/git/"),
    ("walkdir::", "src/source/disk.rs"),
    ("comfy_table::", "src/report/table.rs"),
    ("indicatif::", "src/cli/"),
    ("clap::", "src/cli/"),
];

/// Lines a file may have.
const MOST_LINES: usize = 600;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every source file with its path from the root; test folders and snapshots left out.
fn sources() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(root().join(&folder)).unwrap() {
            let path = folder.join(entry.unwrap().file_name());
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if root().join(&path).is_dir() {
                if name != "tests" && name != "snapshots" {
                    folders.push(path);
                }
            } else if name.ends_with(".rs") && name != "tests.rs" {
                let text = std::fs::read_to_string(root().join(&path)).unwrap();
                found.push((path.to_string_lossy().into_owned(), text));
            }
        }
    }
    // A module that is only there for tests may use what it likes.
    let tests: Vec<String> = found
        .iter()
        .flat_map(|(path, text)| {
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
            text.match_indices("#[cfg(test)]\nmod ").map(move |(at, found)| {
                let name: String = text[at + found.len()..]
                    .chars()
                    .take_while(|c| *c != ';' && *c != ' ')
                    .collect();
                format!("{folder}/{name}.rs")
            })
        })
        .collect();
    found.retain(|(path, _)| !tests.contains(path));
    assert!(found.len() > 50);
    found.sort();
    found
}

/// The text without the test module at its end.
fn without_tests(text: &str) -> &str {
    text.find("#[cfg(test)]\nmod tests {")
        .map_or(text, |at| &text[..at])
}

/// The list of rooms in `lib.rs`: which rooms each may use.
fn arrows() -> BTreeMap<String, BTreeSet<String>> {
    let text = std::fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let mut arrows = BTreeMap::new();
    let mut above: BTreeSet<String> = BTreeSet::new();
    for line in text.lines() {
        let Some((room, uses)) = line.strip_prefix("//! ").and_then(|line| line.split_once("<-")) else {
            continue;
        };
        let room = room.split_whitespace().next().unwrap_or_default().to_owned();
        if !root().join("src").join(&room).exists() && !root().join(format!("src/{room}.rs")).exists() {
            continue;
        }
        let mut allowed: BTreeSet<String> = match uses.trim() {
            "all above" => above.clone(),
            "(nothing)" => BTreeSet::new(),
            uses => uses.split_whitespace().map(str::to_owned).collect(),
        };
        allowed.extend(["base".to_owned(), "dialect".to_owned(), room.clone()]);
        above.insert(room.clone());
        arrows.insert(room, allowed);
    }
    assert!(arrows.len() > 10, "lib.rs lists the rooms");
    arrows
}

#[test]
fn rooms_import_only_what_lib_rs_says() {
    let arrows = arrows();
    let mut faults = Vec::new();
    for (path, text) in sources() {
        let room = path
            .trim_start_matches("src/")
            .split(['/', '.'])
            .next()
            .unwrap()
            .to_owned();
        let Some(allowed) = arrows.get(&room) else {
            assert!(
                ["lib", "main"].contains(&room.as_str()),
                "{path} is in no room that lib.rs lists"
            );
            continue;
        };
        let code: String = without_tests(&text)
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .collect::<Vec<_>>()
            .join("\n");
        for (at, _) in code.match_indices("crate::") {
            let used: String = code[at + 7..]
                .chars()
                .take_while(|c| c.is_ascii_lowercase() || *c == '_')
                .collect();
            if arrows.contains_key(&used) && !allowed.contains(&used) {
                faults.push(format!("{path} uses {used}"));
            }
        }
    }
    faults.dedup();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn outside_crates_have_one_door() {
    let mut faults = Vec::new();
    for (path, text) in sources() {
        for (name, owner) in OWNED {
            if without_tests(&text).contains(name) && !path.starts_with(owner) {
                faults.push(format!("{path} uses {name} which belongs to {owner}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn no_file_is_too_long() {
    let long: Vec<_> = sources()
        .into_iter()
        .filter(|(_, text)| text.lines().count() > MOST_LINES)
        .map(|(path, _)| path)
        .collect();
    assert!(long.is_empty(), "longer than {MOST_LINES} lines: {long:?}");
}

#[test]
fn every_dependency_says_what_it_is_here_for() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let mut in_dependencies = false;
    for line in manifest.lines() {
        if line.starts_with('[') {
            in_dependencies = line.contains("dependencies");
        } else if in_dependencies && line.contains('=') {
            assert!(line.contains(" # "), "{line}");
        }
    }
}
