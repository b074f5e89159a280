//! Canaries planted in every kind of place; none may come out.

use super::*;
use crate::report::sample::node;

fn id(kind: &str) -> DocumentId {
    DocumentId {
        group: "".into(),
        version: "v1".into(),
        kind: kind.into(),
        namespace: None,
        name: "x".into(),
    }
}

fn mask(documents: &[&str]) -> Mask {
    let mut known = KnownSecrets::new();
    for document in documents {
        known.document(&node(document));
    }
    Redactor::with_key([7; 32], false).mask(known)
}

/// Everything a format could print of a value, and its debug form.
fn printed(shown: &Shown) -> String {
    format!("{shown:?}")
}

fn whole(mask: &Mask, kind: &str, document: &str) -> String {
    let root = node(document);
    printed(&mask.value(&id(kind), Some(&root), &KeyPath::root(), &root))
}

fn field(mask: &Mask, kind: &str, document: &str, path: &str) -> String {
    let root = node(document);
    let path = KeyPath::parse(path).unwrap();
    let value = path.0.iter().fold(&root, |node, step| match step {
        Step::Key(key) => node.get(key).unwrap(),
        Step::Index(index) => &node.items()[*index],
        Step::Element { key, value } => node
            .items()
            .iter()
            .find(|item| item.get(key).and_then(Node::as_str) == Some(value))
            .unwrap(),
    });
    printed(&mask.value(&id(kind), Some(&root), &path, value))
}

const SECRET: &str = r#"{"kind":"Secret","metadata":{"name":"db","annotations":
    {"kubectl.kubernetes.io/last-applied-configuration":"{\"password\":\"CANARY-1\"}"}},
    "data":{"password":"Q0FOQVJZLTI=","n":4242},"stringData":{"conf":"a\nCANARY-3\nb","empty":""}}"#;

#[test]
fn values_of_secrets_are_masked_and_keys_are_not() {
    let text = whole(&mask(&[]), "Secret", SECRET);
    for canary in ["CANARY", "Q0FOQVJZ", "4242"] {
        assert!(!text.contains(canary), "{text}");
    }
    for key in ["password", "conf", "empty"] {
        assert!(text.contains(key), "{text}");
    }
    for path in [
        "data",
        "data.password",
        "data.n",
        "stringData.conf",
        "metadata.annotations",
    ] {
        let text = field(&mask(&[]), "Secret", SECRET, path);
        assert!(
            !text.contains("CANARY") && !text.contains("Q0FO") && !text.contains("4242"),
            "{path}: {text}"
        );
    }
    assert!(!field(&mask(&[]), "Secret", SECRET, "stringData.empty").contains("redacted"));
    assert!(!field(&mask(&[]), "Secret", SECRET, "metadata.name").contains("redacted"));
}

#[test]
fn secrets_inside_other_objects_are_masked() {
    let list = format!(r#"{{"kind":"List","items":[{SECRET}]}}"#);
    for text in [
        whole(&mask(&[]), "List", &list),
        field(&mask(&[]), "List", &list, "items[0].data.password"),
        field(&mask(&[]), "List", &list, "items[0].stringData"),
    ] {
        assert!(!text.contains("CANARY") && !text.contains("Q0FO"), "{text}");
    }
    let embedded = r#"{"kind":"ConfigMap","data":{"x.yaml":"apiVersion: v1\nkind: Secret\nstringData:\n  a: CANARY-1\n"}}"#;
    assert!(!whole(&mask(&[]), "ConfigMap", embedded).contains("CANARY"));
}

const POD: &str = r#"{"kind":"Deployment","spec":{"containers":[{"name":"a","image":"postgres:15",
    "args":["--db-password","CANARY-1","--api-key=CANARY-2","--log-level=debug"],
    "env":[{"name":"DB_PASSWORD","value":"CANARY-3"},{"name":"URL","value":"postgres://u:CANARY-4@db/x"},
           {"name":"LOG_LEVEL","value":"debug"},{"name":"MAX_TOKENS","value":"4096"}]}]}}"#;

#[test]
fn literals_under_telling_names_are_masked_however_the_path_names_them() {
    let mask = mask(&[]);
    let text = whole(&mask, "Deployment", POD);
    assert!(!text.contains("CANARY"), "{text}");
    for shown in ["postgres:15", "debug", "4096", "postgres://u:[redacted "] {
        assert!(text.contains(shown), "{shown}: {text}");
    }
    for path in [
        "spec.containers[name=a].env[name=DB_PASSWORD].value",
        "spec.containers[0].env[0].value",
        "spec.containers[0].env[0]",
        "spec.containers[0].args[1]",
        "spec.containers[0].args[2]",
    ] {
        let text = field(&mask, "Deployment", POD, path);
        assert!(!text.contains("CANARY"), "{path}: {text}");
    }
    // Without the document the path alone still tells.
    let path = KeyPath::parse("spec.containers[0].env[name=DB_PASSWORD].value").unwrap();
    let shown = mask.value(&id("Deployment"), None, &path, &node("\"CANARY\""));
    assert!(!printed(&shown).contains("CANARY"));
}

#[test]
fn a_secret_is_masked_wherever_else_it_occurs() {
    let secret = r#"{"kind":"Secret","metadata":{"name":"db"},"data":{"password":"aHVudGVyMg==","user":"cG9zdGdyZXM=","weak":"cG9zdGdyZXM=","root-password":"cm9vdHBhc3N3b3Jk","own":"Y2hhdC1hcHA="}}"#;
    let pod = r#"{"kind":"Deployment","metadata":{"name":"chat-app"},"spec":{"dsn":"x:hunter2!","pw":"hunter2","b64":"aHVudGVyMg==",
        "image":"postgres:15","engine":"postgres","app":"chat-app"}}"#;
    let mask = mask(&[secret, pod]);
    let script = r#"{"kind":"ConfigMap","data":{"x":"requirepass rootpassword\nmysql -u root -prootpassword\nrootpasswords","y":"rootpassword"}}"#;
    let text = whole(&mask, "ConfigMap", script);
    assert!(
        !text.contains("requirepass rootpassword") && !text.contains("-prootpassword"),
        "{text}"
    );
    assert!(text.contains("rootpasswords"), "{text}");
    let text = whole(&mask, "Deployment", pod);
    assert!(
        !text.contains("hunter2") && !text.contains("aHVudGVyMg"),
        "{text}"
    );
    // A plain word is hidden as a whole value only, a name of an object nowhere.
    assert!(
        text.contains("postgres:15") && !text.contains("\"postgres\""),
        "{text}"
    );
    assert!(text.contains("chat-app"), "{text}");
    let error = mask.text("error calling atoi: parsing \"hunter2\": invalid syntax, near postgres");
    assert!(error.is_redacted());
    assert!(
        !error.as_str().contains("hunter2") && !error.as_str().contains("postgres"),
        "{error}"
    );
    let path = mask.path(&KeyPath::parse("spec.list[name=hunter2].x").unwrap());
    assert!(!path.to_string().contains("hunter2"));
}

#[test]
fn what_values_say_is_masked_in_errors() {
    let mut known = KnownSecrets::new();
    known.values(&node(
        r#"{"auth":{"password":"CANARY-1","user":"chat"},"tokens":["CANARY-2"]}"#,
    ));
    known.expression("image.tag=v1,db.adminPassword=CANARY-3,x=y");
    known.unreadable("kind: Secret\ndata:\n  a: Q0FOQVJZLTQ=\n  b: 'CANARY-5'\n");
    let mask = Redactor::with_key([7; 32], false).mask(known);
    let error = mask.text("cannot parse CANARY-1, CANARY-2, CANARY-3, CANARY-4 or CANARY-5 of chat:v1");
    assert!(
        !error.as_str().contains("CANARY") && error.as_str().contains("chat:v1"),
        "{error}"
    );
}

#[test]
fn equal_secrets_have_equal_stand_ins_within_a_run_only() {
    let shown = |redactor: &Redactor, value: &str| {
        let mask = redactor.mask(KnownSecrets::new());
        let path = KeyPath::root().key("data").key("a");
        match mask.value(
            &id("Secret"),
            None,
            &path,
            &Node::new(NodeKind::Str(value.into())),
        ) {
            Shown::Masked(stand_in) => stand_in.hex().to_owned(),
            other => panic!("{other:?}"),
        }
    };
    let one = Redactor::new(false);
    assert_eq!(shown(&one, "a"), shown(&one, "a"));
    assert_ne!(shown(&one, "a"), shown(&one, "b"));
    assert_ne!(shown(&one, "a"), shown(&Redactor::new(false), "a"));
    assert_eq!(shown(&one, "a").len(), 8);
}

#[test]
fn raw_values_are_kept_only_for_a_terminal_that_asked() {
    let root = node(SECRET);
    let path = KeyPath::root().key("data").key("password");
    let value = path.0.iter().fold(&root, |node, step| match step {
        Step::Key(key) => node.get(key).unwrap(),
        _ => node,
    });
    let right = ShowSecrets::on_terminal(true, true).unwrap();
    for (keep, expected) in [(false, None), (true, Some("Q0FOQVJZLTI="))] {
        let mask = Redactor::with_key([1; 32], keep).mask(KnownSecrets::new());
        let Shown::Masked(stand_in) = mask.value(&id("Secret"), Some(&root), &path, value) else {
            panic!("not masked");
        };
        assert_eq!(stand_in.reveal(right).and_then(Node::as_str), expected);
        assert!(!format!("{stand_in:?}").contains("Q0FO"));
        let text = mask.text("token=CANARY1");
        assert_eq!(text.reveal(right).contains("CANARY"), keep);
        assert!(!format!("{text:?}").contains("CANARY"));
    }
    assert!(ShowSecrets::on_terminal(true, false).is_none());
    assert!(ShowSecrets::on_terminal(false, true).is_none());
}
