//! What every kind of tree has to do alike, run over every kind.

use super::*;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

/// A repository in a folder of its own, driven by the git binary without the user's settings.
pub(super) struct Sandbox {
    folder: tempfile::TempDir,
}

impl Sandbox {
    pub(super) fn new() -> Sandbox {
        let sandbox = Sandbox {
            folder: tempfile::tempdir().unwrap(),
        };
        sandbox.git(&["init", "--quiet", "--initial-branch=main"]);
        sandbox.git(&["config", "core.autocrlf", "false"]);
        sandbox
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn git(&self, arguments: &[&str]) -> String {
        git_in(self.path(), arguments)
    }

    pub(super) fn commit(&self) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", "state"]);
        self.git(&["rev-parse", "HEAD"])
    }

    pub(super) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let place = self.path().join(path);
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::fs::write(place, content).unwrap();
    }

    pub(super) fn repository(&self) -> Repository {
        Repository::discover(self.path()).unwrap()
    }

    pub(super) fn work_tree(&self) -> WorkTree {
        self.repository().work_tree("working tree").unwrap()
    }

    pub(super) fn head(&self) -> GitTree {
        let repository = self.repository();
        let head = repository.resolve("HEAD", None).unwrap();
        repository.tree(&head, format!("baseline {}", head.short))
    }
}

pub(super) fn git_in(place: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .arg("-C")
        .arg(place)
        .args(["-c", "user.name=Test", "-c", "user.email=test@example.com"])
        .args(["-c", "protocol.file.allow=always"])
        .args(arguments)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .output()
        .expect("the tests need git");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_string();
    assert!(
        output.status.success(),
        "git {arguments:?}: {}",
        text(&output.stderr)
    );
    text(&output.stdout)
}

#[derive(Clone, Copy)]
enum Item {
    File(&'static [u8]),
    Executable(&'static [u8]),
    Link(&'static str),
}

type Recipe = &'static [(&'static str, Item)];

fn in_memory(recipe: Recipe) -> MemoryTree {
    recipe
        .iter()
        .fold(MemoryTree::new("memory"), |tree, (path, item)| match item {
            Item::File(content) => tree.file(path, content),
            Item::Executable(content) => tree.executable(path, content),
            Item::Link(target) => tree.link(path, target),
        })
}

fn on_disk(recipe: Recipe, sandbox: &Sandbox) {
    use std::os::unix::fs::{PermissionsExt, symlink};
    for (path, item) in recipe {
        let place = sandbox.path().join(path);
        match item {
            Item::File(content) => sandbox.write(path, content),
            Item::Executable(content) => {
                sandbox.write(path, content);
                std::fs::set_permissions(place, std::fs::Permissions::from_mode(0o755)).unwrap();
            }
            Item::Link(target) => {
                std::fs::create_dir_all(place.parent().unwrap()).unwrap();
                symlink(target, place).unwrap();
            }
        }
    }
}

/// Runs a check over the same content in a tree of every kind.
fn each_kind(recipe: Recipe, check: impl Fn(&dyn SourceTree)) {
    check(&in_memory(recipe));
    let sandbox = Sandbox::new();
    on_disk(recipe, &sandbox);
    check(&sandbox.work_tree());
    check(&DirTree::open(sandbox.path(), "directory").unwrap());
    sandbox.commit();
    check(&sandbox.head());
    check(&sandbox.work_tree());
    // with an index written well after the files, unchanged ones are told by their stat data
    age(&sandbox);
    check(&sandbox.work_tree());
}

/// Makes the files older than the index, as they are in any checkout but the newest.
fn age(sandbox: &Sandbox) {
    std::thread::sleep(std::time::Duration::from_millis(20));
    sandbox.write("aged", "");
    sandbox.git(&["add", "aged"]);
    sandbox.git(&["rm", "--quiet", "--cached", "aged"]);
    std::fs::remove_file(sandbox.path().join("aged")).unwrap();
}

const ORDINARY: Recipe = &[
    ("b.yaml", Item::File(b"b: 1\n")),
    ("b/x", Item::File(b"x")),
    ("b-c", Item::File(b"")),
    ("a/deep/down", Item::File(b"down")),
    ("run.sh", Item::Executable(b"#!/bin/sh\n")),
    ("Z", Item::File(b"z")),
    ("crlf.yaml", Item::File(b"a: 1\r\nb: 2\r\n")),
    ("binary", Item::File(b"\0\xff\r\n")),
    (".hidden", Item::File(b"h")),
    ("link", Item::Link("b.yaml")),
    ("a/up", Item::Link("../b")),
];

#[test]
fn lists_are_sorted_by_bytes_and_do_not_follow_links() {
    each_kind(ORDINARY, |tree| {
        let file = |executable| EntryKind::File { executable };
        let expected = [
            (".hidden", file(false)),
            ("Z", file(false)),
            ("a", EntryKind::Directory),
            ("b", EntryKind::Directory),
            ("b-c", file(false)),
            ("b.yaml", file(false)),
            ("binary", file(false)),
            ("crlf.yaml", file(false)),
            ("link", EntryKind::Symlink("b.yaml".into())),
            ("run.sh", file(true)),
        ];
        let expected: Vec<_> = expected.map(|(name, kind)| (name.to_string(), kind)).into();
        assert_eq!(tree.list("").unwrap(), expected, "{}", tree.label());
        assert_eq!(tree.list("a/up").unwrap(), [("x".into(), file(false))]);
        assert_eq!(tree.entry("a/up/x").unwrap(), Some(file(false)));
        assert_eq!(
            tree.entry("a/up").unwrap(),
            Some(EntryKind::Symlink("../b".into()))
        );
    });
}

#[test]
fn contents_are_bytes() {
    each_kind(ORDINARY, |tree| {
        for (path, item) in ORDINARY {
            if let Item::File(content) | Item::Executable(content) = item {
                assert_eq!(&*tree.read(path).unwrap(), *content, "{}: {path}", tree.label());
            }
        }
        assert_eq!(&*tree.read("link").unwrap(), b"b: 1\n");
        assert_eq!(&*tree.read("a/up/x").unwrap(), b"x");
    });
}

#[test]
fn what_is_not_there_is_told_apart_from_what_cannot_be_read() {
    each_kind(ORDINARY, |tree| {
        assert_eq!(tree.entry("nothing").unwrap(), None);
        assert_eq!(tree.entry("b.yaml/x").unwrap(), None);
        assert!(tree.read("nothing").unwrap_err().missing);
        assert!(tree.list("nothing").unwrap_err().missing);
        assert!(tree.identity("nothing").unwrap_err().missing);
        let error = tree.read("b").unwrap_err();
        assert!(
            !error.missing && error.message.contains("is a directory"),
            "{error}"
        );
        let error = tree.list("b.yaml").unwrap_err();
        assert!(!error.missing && error.message.contains("is a file"), "{error}");
    });
}

#[test]
fn identity_is_the_same_in_every_kind_of_tree() {
    let memory = in_memory(ORDINARY);
    each_kind(ORDINARY, |tree| {
        for path in [
            "",
            "a",
            "a/up",
            "b",
            "b.yaml",
            "link",
            "run.sh",
            "crlf.yaml",
            "a/deep",
        ] {
            let expected = memory.identity(path).unwrap();
            assert_eq!(tree.identity(path).unwrap(), expected, "{}: {path}", tree.label());
        }
        assert_eq!(tree.identity("link").unwrap(), tree.identity("b.yaml").unwrap());
    });
}

#[test]
fn identity_sees_names_modes_contents_and_the_ends_of_links() {
    let base = || {
        MemoryTree::new("test")
            .file("c/a", "1")
            .link("c/l", "../out/f")
            .file("out/f", "x")
    };
    let identity = |tree: MemoryTree| tree.identity("c").unwrap();
    let same = identity(base());
    assert_eq!(identity(base().file("elsewhere", "y")), same);
    assert_ne!(identity(base().file("c/a", "2")), same);
    assert_ne!(identity(base().executable("c/a", "1")), same);
    assert_ne!(identity(base().file("c/b", "1")), same);
    assert_ne!(identity(base().file("out/f", "changed")), same);
    let deep = |content: &str| {
        MemoryTree::new("t")
            .link("c/d", "../o")
            .link("o/l", "../p")
            .file("p", content)
    };
    assert_ne!(identity(deep("1")), identity(deep("2")));
}

const LINKS: Recipe = &[
    ("real/values.yaml", Item::File(b"v: 1\n")),
    ("a/b/values.yaml", Item::Link("../../real/values.yaml")),
    ("a/chain", Item::Link("b/values.yaml")),
    ("a/dir", Item::Link("./b/../../real/")),
    ("dangling", Item::Link("real/other.yaml")),
    ("away", Item::Link("../../etc/passwd")),
    ("absolute", Item::Link("/etc/passwd")),
    ("loop/x", Item::Link("y")),
    ("loop/y", Item::Link("x")),
    ("self/inner", Item::Link("../self")),
    ("through", Item::Link("real/values.yaml/x")),
    ("nested", Item::Link("a/dir/nothing")),
];

#[test]
fn links_are_followed_within_the_tree_and_refused_out_of_it() {
    each_kind(LINKS, |tree| {
        for path in [
            "a/b/values.yaml",
            "a/chain",
            "a/dir/values.yaml",
            "self/inner/inner/inner/../real/values.yaml",
        ] {
            assert_eq!(&*tree.read(path).unwrap(), b"v: 1\n", "{}: {path}", tree.label());
        }
        let cases = [
            ("dangling", "leads to nothing"),
            ("through", "leads to nothing"),
            ("nested", "`nested` -> `a/dir/nothing` leads to nothing"),
            ("away", "leads out of the tree"),
            ("absolute", "leads out of the tree"),
            ("loop/x", "form a loop"),
        ];
        for (path, expected) in cases {
            for error in [tree.read(path).unwrap_err(), tree.identity(path).unwrap_err()] {
                assert!(
                    !error.missing && error.message.contains(expected),
                    "{path}: {error}"
                );
            }
            assert!(matches!(tree.entry(path).unwrap(), Some(EntryKind::Symlink(_))));
        }
        for path in ["a/dir/other.yaml", "a/chain/x", "self/inner/nothing"] {
            assert_eq!(
                tree.entry(path).unwrap(),
                None,
                "behind the link there is nothing: {path}"
            );
            assert!(tree.read(path).unwrap_err().missing);
        }
        assert_eq!(
            tree.entry("a/chain/.").unwrap(),
            Some(EntryKind::File { executable: false })
        );
        let error = tree.identity("self").unwrap_err();
        assert!(error.message.contains("leads back"), "{error}");
        assert!(tree.identity("loop").unwrap_err().message.contains("form a loop"));
    });
}

const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/v1\n\
    oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 5\n";

const STANDINS: Recipe = &[
    ("charts/sub.tgz", Item::File(POINTER)),
    ("secret.yaml", Item::File(b"\0GITCRYPT\0\x12\x34")),
];

#[test]
fn pointers_and_ciphertexts_are_errors_that_say_what_to_do() {
    each_kind(STANDINS, |tree| {
        let error = tree.read("charts/sub.tgz").unwrap_err();
        assert!(error.message.contains("git lfs pull"), "{error}");
        let error = tree.read("secret.yaml").unwrap_err();
        assert!(error.message.contains("git-crypt"), "{error}");
    });
}

#[test]
fn a_large_file_already_fetched_is_read() {
    let sandbox = Sandbox::new();
    on_disk(STANDINS, &sandbox);
    sandbox.commit();
    sandbox.write(
        ".git/lfs/objects/4d/7a/4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393",
        "large",
    );
    assert_eq!(&*sandbox.head().read("charts/sub.tgz").unwrap(), b"large");
    assert_eq!(&*sandbox.work_tree().read("charts/sub.tgz").unwrap(), b"large");
}

#[test]
fn submodules_are_named_where_they_are_in_the_way() {
    let sandbox = Sandbox::new();
    sandbox.write("chart/Chart.yaml", "name: x\n");
    let sha = sandbox.commit();
    sandbox.git(&[
        "update-index",
        "--add",
        "--cacheinfo",
        &format!("160000,{sha},chart/sub"),
    ]);
    sandbox.git(&["commit", "--quiet", "--message", "submodule"]);
    std::fs::create_dir(sandbox.path().join("chart/sub")).unwrap();
    let memory = MemoryTree::new("memory")
        .file("chart/Chart.yaml", "name: x\n")
        .submodule("chart/sub");
    let trees: [&dyn SourceTree; 3] = [&memory, &sandbox.head(), &sandbox.work_tree()];
    for tree in trees {
        assert_eq!(tree.entry("chart/sub").unwrap(), Some(EntryKind::Submodule));
        assert_eq!(tree.list("chart").unwrap().len(), 2);
        assert_eq!(&*tree.read("chart/Chart.yaml").unwrap(), b"name: x\n");
        for error in [
            tree.read("chart/sub/values.yaml").unwrap_err(),
            tree.list("chart/sub").unwrap_err(),
            tree.identity("chart").unwrap_err(),
        ] {
            assert!(error.message.contains("`chart/sub` is a submodule"), "{error}");
        }
    }
}

#[test]
fn a_name_that_is_not_utf8_hurts_only_its_own_directory() {
    use std::os::unix::ffi::OsStrExt;
    let sandbox = Sandbox::new();
    sandbox.write("good/file", "1");
    sandbox.write("bad/file", "1");
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9");
    std::fs::write(sandbox.path().join("bad").join(name), "").unwrap();
    sandbox.commit();
    let directory = DirTree::open(sandbox.path(), "directory").unwrap();
    let trees: [&dyn SourceTree; 3] = [&directory, &sandbox.head(), &sandbox.work_tree()];
    for tree in trees {
        assert_eq!(tree.list("").unwrap().len(), 2);
        assert_eq!(&*tree.read("bad/file").unwrap(), b"1");
        assert!(tree.identity("good").is_ok());
        for error in [tree.list("bad").unwrap_err(), tree.identity("bad").unwrap_err()] {
            assert!(error.message.contains("not UTF-8"), "{error}");
        }
    }
}

#[test]
fn many_threads_read_one_tree() {
    let sandbox = Sandbox::new();
    for number in 0..200 {
        sandbox.write(&format!("d{}/f{number}", number % 10), number.to_string());
    }
    sandbox.commit();
    let trees: [Arc<dyn SourceTree>; 2] = [Arc::new(sandbox.head()), Arc::new(sandbox.work_tree())];
    for tree in trees {
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for number in 0..200 {
                        let read = tree.read(&format!("d{}/f{number}", number % 10)).unwrap();
                        assert_eq!(&*read, number.to_string().as_bytes());
                    }
                    tree.identity("").unwrap();
                });
            }
        });
    }
}
