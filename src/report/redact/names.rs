//! Which names say that their value is a secret. Drawn to hide too much rather than too little, but not so much
//! that a person can no longer see what a Deployment says.

/// Words that make a name sensitive wherever they stand in it.
const WORDS: &[&str] = &[
    "apikey",
    "credential",
    "credentials",
    "passphrase",
    "passwd",
    "password",
    "passwords",
    "privatekey",
    "pwd",
    "secretkey",
    "token",
    "tokens",
];

/// Words before `key` that make the two a secret.
const KEYS: &[&str] = &[
    "access",
    "account",
    "admin",
    "api",
    "application",
    "auth",
    "encryption",
    "license",
    "master",
    "private",
    "secret",
    "session",
    "shared",
    "signing",
    "ssh",
    "storage",
];

/// Words before `secret` that tell a secret itself from the name of a Secret.
const SECRETS: &[&str] = &[
    "access", "app", "client", "consumer", "cookie", "hmac", "jwt", "session", "shared", "signing", "webhook",
];

/// Last words of names that say something about a secret without being one.
const ABOUT: &[&str] = &[
    "alg",
    "algorithm",
    "audience",
    "backend",
    "bytes",
    "class",
    "count",
    "days",
    "dir",
    "directory",
    "disabled",
    "enable",
    "enabled",
    "endpoint",
    "expiration",
    "expires",
    "expiry",
    "field",
    "file",
    "filename",
    "format",
    "header",
    "hours",
    "issuer",
    "kind",
    "length",
    "limit",
    "method",
    "minutes",
    "mode",
    "mount",
    "name",
    "names",
    "namespace",
    "path",
    "policy",
    "prefix",
    "provider",
    "ref",
    "reference",
    "required",
    "role",
    "rotation",
    "seconds",
    "service",
    "size",
    "store",
    "suffix",
    "timeout",
    "ttl",
    "type",
    "uri",
    "url",
    "version",
];

/// Names under which a Secret holds what is no secret by itself: not looked for elsewhere.
const IDENTITIES: &[&str] = &[
    "bucket",
    "ca",
    "cert",
    "crt",
    "database",
    "db",
    "dbname",
    "email",
    "endpoint",
    "host",
    "hostname",
    "issuer",
    "name",
    "namespace",
    "port",
    "region",
    "type",
    "url",
    "user",
    "username",
];

/// True when an environment variable, or a ConfigMap entry that becomes one, is a secret by its name.
pub(super) fn is_secret_variable(name: &str) -> bool {
    let words = words(name);
    let Some(last) = words.last() else { return false };
    if ABOUT.contains(&last.as_str()) {
        return false;
    }
    words.len() > 1 && matches!(last.as_str(), "key" | "keys" | "pass")
        || words
            .iter()
            .any(|word| matches!(word.as_str(), "secret" | "secrets"))
        || has_sensitive_word(&words)
}

/// True when a key of any mapping, or a command line flag, is a secret by its name.
pub(super) fn is_secret_key(name: &str) -> bool {
    let words = words(name);
    let Some(last) = words.last() else { return false };
    if ABOUT.contains(&last.as_str()) {
        return false;
    }
    // `passwordKey` names an entry of a Secret, `secretKey` is one.
    if last == "key" || last == "keys" {
        return ends_with_pair(&words, KEYS);
    }
    last == "secret" && ends_with_pair(&words, SECRETS) || has_sensitive_word(&words)
}

/// True when a key of a Secret holds an identity rather than a secret.
pub(super) fn is_identity(name: &str) -> bool {
    words(name)
        .last()
        .is_some_and(|last| IDENTITIES.contains(&last.as_str()))
}

/// True when a value cannot be a secret whatever its name: nothing, a switch, a reference, a template; and for
/// names that count tokens, a number.
pub(super) fn is_harmless(name: &str, value: &str) -> bool {
    let value = value.trim();
    let counts = words(name).iter().any(|word| word == "tokens" || word == "token");
    is_blank_or_switch(value) || is_reference(value) || counts && value.parse::<f64>().is_ok()
}

/// True for nothing and for the spellings of yes and no.
pub(super) fn is_blank_or_switch(value: &str) -> bool {
    value.is_empty()
        || [
            "true", "false", "yes", "no", "on", "off", "none", "null", "~", "nil", "0", "1",
        ]
        .iter()
        .any(|word| value.eq_ignore_ascii_case(word))
}

/// True for `$(VAR)`, `$VAR`, `${VAR}`, `{{ .. }}`, `<placeholder>`, `%s` and `***`.
pub(super) fn is_reference(value: &str) -> bool {
    let closed = |open: &str, close: char| {
        value
            .strip_prefix(open)
            .is_some_and(|rest| rest.find(close) == Some(rest.len() - close.len_utf8()))
    };
    closed("$(", ')')
        || closed("${", '}')
        || closed("<", '>')
        || value.starts_with("{{") && value.ends_with("}}")
        || value.starts_with("[redacted ")
        || value == "%s"
        || value.strip_prefix('$').is_some_and(|rest| {
            !rest.is_empty() && rest.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_')
        })
        || value.bytes().all(|c| c == b'*')
}

fn has_sensitive_word(words: &[String]) -> bool {
    words.iter().any(|word| WORDS.contains(&word.as_str()))
        || words
            .windows(2)
            .any(|pair| pair[1] == "key" && KEYS.contains(&pair[0].as_str()))
}

fn ends_with_pair(words: &[String], before: &[&str]) -> bool {
    words.len() > 1 && before.contains(&words[words.len() - 2].as_str())
}

/// `DB_PASSWORD`, `dbPassword`, `db-password` and `db.password` are all `db password`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let chars: Vec<char> = name.chars().collect();
    for (index, &c) in chars.iter().enumerate() {
        if !c.is_alphanumeric() {
            words.push(String::new());
            continue;
        }
        let before = index.checked_sub(1).map(|index| chars[index]);
        let after = chars.get(index + 1);
        // A capital opens a word after a small letter, or as the last capital of a run: `DBPassword`.
        let opens = c.is_uppercase()
            && before.is_some_and(|before| {
                !before.is_uppercase() || after.is_some_and(|after| after.is_lowercase())
            });
        if opens {
            words.push(String::new());
        }
        words
            .last_mut()
            .expect("the list starts with one word")
            .extend(c.to_lowercase());
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_as_people_write_them() {
        assert_eq!(words("DB_PASSWORD"), ["db", "password"]);
        assert_eq!(words("dbPassword"), ["db", "password"]);
        assert_eq!(words("postgresql.db-password"), ["postgresql", "db", "password"]);
        assert_eq!(words("DBPassword"), ["db", "password"]);
        assert_eq!(words("--"), Vec::<String>::new());
    }

    #[test]
    fn variables() {
        for name in [
            "PASSWORD",
            "DB_PASS",
            "POSTGRES_PASSWORD",
            "HF_TOKEN",
            "CLIENT_SECRET",
            "OPENAI_API_KEY",
            "S3_KEY",
            "AWS_ACCESS_KEY_ID",
            "WEBUI_SECRET_KEY",
            "PGPASSWORD_CREDENTIALS",
        ] {
            assert!(is_secret_variable(name), "{name}");
        }
        for name in [
            "PASSWORD_FILE",
            "SECRET_NAME",
            "TOKEN_URL",
            "KEYCLOAK_URL",
            "KEY",
            "PASSWORD_MIN_LENGTH",
            "MONKEY",
            "COMPASS",
            "DATABASE_URL",
            "",
        ] {
            assert!(!is_secret_variable(name), "{name}");
        }
    }

    #[test]
    fn keys() {
        for name in [
            "password",
            "adminPassword",
            "apiKey",
            "clientSecret",
            "authToken",
            "secretKey",
            "x-api-key",
        ] {
            assert!(is_secret_key(name), "{name}");
        }
        for name in [
            "secretName",
            "existingSecret",
            "imagePullSecret",
            "key",
            "passwordKey",
            "tokenExpirationSeconds",
            "secret",
            "serviceAccountName",
        ] {
            assert!(!is_secret_key(name), "{name}");
        }
    }

    #[test]
    fn harmless_values() {
        assert!(is_harmless("MAX_TOKENS", "4096"));
        assert!(!is_harmless("PASSWORD", "123456"));
        assert!(is_harmless("ALLOW_EMPTY_PASSWORD", "yes"));
        assert!(is_harmless("DB_PASSWORD", "$(PGPASSWORD)"));
        assert!(!is_harmless("DB_PASSWORD", "$(A)hunter2)"));
        assert!(!is_harmless("DB_PASSWORD", "$ecret!"));
    }
}
