//! `urlParse` and `urlJoin`: Go's `net/url`, which is neither WHATWG nor quite RFC 3986. Go 1.27 (Helm 4.3)
//! looks harder at hosts than Go 1.24 (Helm 3.19).

use super::ip_literal;
use super::spec::{Answer, FuncSpec};
use crate::dialect::Dialect;
use crate::template::{Call, CallError, Param};
use crate::value::quote::quote_str;
use crate::value::types::kind_name;
use crate::value::{Data, Map, MapType, Text, Value};

/// The functions of this family.
pub static ROWS: &[FuncSpec] = &[URL_JOIN, URL_PARSE];

/// A URL taken apart; all parts are decoded but for the query and the opaque part.
#[derive(Default)]
struct Url {
    scheme: Vec<u8>,
    opaque: Vec<u8>,
    user: Option<UserInfo>,
    host: Vec<u8>,
    path: Vec<u8>,
    query: Vec<u8>,
    fragment: Vec<u8>,
}

struct UserInfo {
    name: Vec<u8>,
    password: Option<Vec<u8>>,
}

/// Which part of a URL is written or read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Path,
    Host,
    Zone,
    User,
    Fragment,
}

const URL_PARSE: FuncSpec = FuncSpec::new("urlParse", &[Param::Str], |call| {
    let url = parse(call.text(0).bytes(), call.host.dialect())
        .map_err(|error| CallError::own(format!("unable to parse url: {error}")))?;
    let hostname = hostname(&url.host).to_vec();
    let user = url.user.as_ref().map(written_user).unwrap_or_default();
    let entries = [
        ("fragment", url.fragment),
        ("host", url.host),
        ("hostname", hostname),
        ("opaque", url.opaque),
        ("path", url.path),
        ("query", url.query),
        ("scheme", url.scheme),
        ("userinfo", user),
    ];
    let entries = entries.map(|(name, bytes)| (Text::from(name), Value::from(Text::from(bytes))));
    Ok(Value::from(Map::from_sorted(MapType::Any, entries.into())))
});

const URL_JOIN: FuncSpec = FuncSpec::new("urlJoin", &[Param::Map], url_join);

fn url_join(call: &mut Call<'_>) -> Answer {
    let map = call.map(0);
    let mut url = Url {
        scheme: part_of(map, "scheme")?,
        host: part_of(map, "host")?,
        path: part_of(map, "path")?,
        query: part_of(map, "query")?,
        opaque: part_of(map, "opaque")?,
        fragment: part_of(map, "fragment")?,
        user: None,
    };
    let user = part_of(map, "userinfo")?;
    if !user.is_empty() {
        let text = [b"proto://", &user[..], b"@host"].concat();
        let parsed = parse(&text, call.host.dialect())
            .map_err(|error| CallError::own(format!("unable to parse userinfo in dict: {error}")))?;
        url.user = parsed.user;
    }
    Ok(Value::from(Text::from(written(&url))))
}

/// A string of the map; nothing where the key is absent.
fn part_of(map: &Map, key: &str) -> Result<Vec<u8>, CallError> {
    match map.get(key.as_bytes()) {
        None => Ok(Vec::new()),
        Some(Value {
            data: Data::Str(text),
            ..
        }) => Ok(text.bytes().to_vec()),
        Some(value) if value.is_nil() => Err(CallError::own(
            "runtime error: invalid memory address or nil pointer dereference",
        )),
        Some(value) => Err(CallError::own(format!(
            "unable to parse {key} key, must be of type string, but {} found",
            kind_name(&value)
        ))),
    }
}

/// `url.Parse`.
fn parse(text: &[u8], dialect: Dialect) -> Result<Url, String> {
    let (before, fragment) = cut(text, b'#');
    let told = |url: &[u8], error: String| format!("parse {}: {error}", quote_str(url));
    let mut url = parse_before_fragment(before, dialect).map_err(|error| told(before, error))?;
    url.fragment = unescape(fragment, Part::Fragment).map_err(|error| told(text, error))?;
    Ok(url)
}

/// The text before and behind the first `mark`; all and nothing where there is none.
fn cut(text: &[u8], mark: u8) -> (&[u8], &[u8]) {
    match memchr::memchr(mark, text) {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, &[]),
    }
}

fn parse_before_fragment(text: &[u8], dialect: Dialect) -> Result<Url, String> {
    if text.iter().any(|&byte| byte < b' ' || byte == 0x7f) {
        return Err("net/url: invalid control character in URL".to_owned());
    }
    let mut url = Url::default();
    if text == b"*" {
        url.path = text.to_vec();
        return Ok(url);
    }
    let (scheme, rest) = split_scheme(text)?;
    url.scheme = scheme.to_ascii_lowercase();
    let (mut rest, query) = cut(rest, b'?');
    url.query = query.to_vec();
    if !rest.starts_with(b"/") {
        if !url.scheme.is_empty() {
            url.opaque = rest.to_vec();
            return Ok(url);
        }
        if cut(rest, b'/').0.contains(&b':') {
            return Err("first path segment in URL cannot contain colon".to_owned());
        }
    }
    if rest.starts_with(b"//") && (!url.scheme.is_empty() || !rest.starts_with(b"///")) {
        let authority_end = memchr::memchr(b'/', &rest[2..]).map_or(rest.len(), |at| at + 2);
        let authority = &rest[2..authority_end];
        (url.user, url.host) = parse_authority(authority, &url.scheme, dialect)?;
        rest = &rest[authority_end..];
    }
    url.path = unescape(rest, Part::Path)?;
    Ok(url)
}

fn split_scheme(text: &[u8]) -> Result<(&[u8], &[u8]), String> {
    for (at, &byte) in text.iter().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => {}
            b'0'..=b'9' | b'+' | b'-' | b'.' if at > 0 => {}
            b':' if at == 0 => return Err("missing protocol scheme".to_owned()),
            b':' => return Ok((&text[..at], &text[at + 1..])),
            _ => break,
        }
    }
    Ok((&[], text))
}

fn parse_authority(
    authority: &[u8],
    scheme: &[u8],
    dialect: Dialect,
) -> Result<(Option<UserInfo>, Vec<u8>), String> {
    let Some(at) = memchr::memrchr(b'@', authority) else {
        return Ok((None, parse_host(authority, scheme, dialect)?));
    };
    let host = parse_host(&authority[at + 1..], scheme, dialect)?;
    let user = &authority[..at];
    let lawful = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(byte);
    if !user.iter().all(lawful) {
        return Err("net/url: invalid userinfo".to_owned());
    }
    let (name, password) = cut(user, b':');
    let password = if user.contains(&b':') {
        Some(password)
    } else {
        None
    };
    let name = unescape(name, Part::User)?;
    let password = password.map(|text| unescape(text, Part::User)).transpose()?;
    Ok((Some(UserInfo { name, password }), host))
}

/// `host[:port]`, where the host may be an address in brackets.
fn parse_host(host: &[u8], scheme: &[u8], dialect: Dialect) -> Result<Vec<u8>, String> {
    let strict = dialect.checks_url_hosts();
    let bracket = memchr::memrchr(b'[', host);
    if strict && bracket.is_some_and(|at| at > 0) {
        return Err("invalid IP-literal".to_owned());
    }
    if host.starts_with(b"[") {
        let close = memchr::memrchr(b']', host).ok_or("missing ']' in host")?;
        check_port(&host[close + 1..])?;
        let zone = memchr::memmem::find(&host[..close], b"%25");
        let name = match zone {
            Some(zone) => {
                let mut name = unescape(&host[1..zone], Part::Host)?;
                name.extend(unescape(&host[zone..close], Part::Zone)?);
                name
            }
            None => unescape(&host[1..close], Part::Host)?,
        };
        let port = unescape(&host[close + 1..], Part::Host)?;
        if strict {
            ip_literal::check(&name)?;
        }
        return Ok([b"[", &name[..], b"]", &port[..]].concat());
    }
    // Only these two schemes have a single host.
    let one_host = strict && matches!(scheme, b"http" | b"https");
    let colon = if one_host {
        memchr::memchr(b':', host)
    } else {
        memchr::memrchr(b':', host)
    };
    if let Some(colon) = colon {
        check_port(&host[colon..])?;
    }
    unescape(host, Part::Host)
}

/// Nothing, or a colon and digits.
fn check_port(port: &[u8]) -> Result<(), String> {
    match port {
        [] => Ok(()),
        [b':', digits @ ..] if digits.iter().all(u8::is_ascii_digit) => Ok(()),
        _ => Err(format!("invalid port {} after host", quote_str(port))),
    }
}

/// `URL.Hostname`: without port and brackets.
fn hostname(host: &[u8]) -> &[u8] {
    let mut name = host;
    if let Some(colon) = memchr::memrchr(b':', host)
        && check_port(&host[colon..]).is_ok()
    {
        name = &host[..colon];
    }
    match name {
        [b'[', inner @ .., b']'] => inner,
        _ => name,
    }
}

/// True when Go writes the byte as `%XX` in this part.
fn must_escape(byte: u8, part: Part) -> bool {
    match byte {
        _ if byte.is_ascii_alphanumeric() => false,
        b'-' | b'_' | b'.' | b'~' => false,
        b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'=' | b':' | b'[' | b']'
        | b'<' | b'>' | b'"'
            if matches!(part, Part::Host | Part::Zone) =>
        {
            false
        }
        b'$' | b'&' | b'+' | b',' | b'/' | b':' | b';' | b'=' | b'?' | b'@' => match part {
            Part::Path => byte == b'?',
            Part::User => matches!(byte, b'@' | b'/' | b'?' | b':'),
            Part::Fragment => false,
            Part::Host | Part::Zone => true,
        },
        b'!' | b'(' | b')' | b'*' => part != Part::Fragment,
        _ => true,
    }
}

fn escape(text: &[u8], part: Part) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for &byte in text {
        if must_escape(byte, part) {
            out.extend_from_slice(format!("%{byte:02X}").as_bytes());
        } else {
            out.push(byte);
        }
    }
    out
}

fn unescape(text: &[u8], part: Part) -> Result<Vec<u8>, String> {
    let host = matches!(part, Part::Host | Part::Zone);
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let byte = text[at];
        if byte != b'%' {
            if host && byte.is_ascii() && must_escape(byte, part) {
                return Err(format!("invalid character {} in host name", quote_str(&[byte])));
            }
            out.push(byte);
            at += 1;
            continue;
        }
        let code = &text[at..text.len().min(at + 3)];
        let bad = || format!("invalid URL escape {}", quote_str(code));
        let &[_, high, low] = code else {
            return Err(bad());
        };
        let value = hex(high)
            .zip(hex(low))
            .map(|(high, low)| high << 4 | low)
            .ok_or_else(bad)?;
        let percent = code == b"%25";
        let refused = match part {
            // ASCII must stand for itself in a host.
            Part::Host => value < 0x80 && !percent,
            Part::Zone => !percent && value != b' ' && must_escape(value, Part::Host),
            _ => false,
        };
        if refused {
            return Err(bad());
        }
        out.push(value);
        at += 3;
    }
    Ok(out)
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit)
        .to_digit(16)
        .and_then(|value| u8::try_from(value).ok())
}

fn written_user(user: &UserInfo) -> Vec<u8> {
    let mut out = escape(&user.name, Part::User);
    if let Some(password) = &user.password {
        out.push(b':');
        out.extend(escape(password, Part::User));
    }
    out
}

/// `URL.String`.
fn written(url: &Url) -> Vec<u8> {
    let mut out = Vec::new();
    if !url.scheme.is_empty() {
        out.extend_from_slice(&url.scheme);
        out.push(b':');
    }
    if url.opaque.is_empty() {
        let has_host = !url.host.is_empty() || url.user.is_some();
        if has_host || !url.scheme.is_empty() && !url.path.is_empty() {
            out.extend_from_slice(b"//");
        }
        if let Some(user) = &url.user {
            out.extend(written_user(user));
            out.push(b'@');
        }
        out.extend(escape(&url.host, Part::Host));
        let path = if url.path == b"*" {
            url.path.clone()
        } else {
            escape(&url.path, Part::Path)
        };
        if !url.host.is_empty() && path.first().is_some_and(|&first| first != b'/') {
            out.push(b'/');
        }
        // A colon in the first segment would read as a scheme.
        if out.is_empty() && cut(&path, b'/').0.contains(&b':') {
            out.extend_from_slice(b"./");
        }
        out.extend(path);
    } else {
        out.extend_from_slice(&url.opaque);
    }
    if !url.query.is_empty() {
        out.push(b'?');
        out.extend_from_slice(&url.query);
    }
    if !url.fragment.is_empty() {
        out.push(b'#');
        out.extend(escape(&url.fragment, Part::Fragment));
    }
    out
}
