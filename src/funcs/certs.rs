//! Keys and certificates (`sprig/crypto.go`): `genPrivateKey`, `genCA`, `genSelfSignedCert`,
//! `genSignedCert`, their twins with a given key, `buildCustomCert`.
//!
//! What these functions give in a verification is valid and has the shape of Helm's results, but its keys
//! are known to everyone (see `known_keys`): it must never be deployed. A live render makes real keys.
//! Elliptic curves other than P-256 are refused.

use super::der::{self, Reader};
use super::encoding::decode_base64;
use super::go_time::Moment;
use super::keys::PrivateKey;
use super::spec::{Answer, FuncSpec};
use super::zones::Zone;
use crate::dialect::Dialect;
use crate::template::{Call, CallError, Effect, Param};
use crate::value::{Data, Map, MapType, Object, ObjectKind, Text, Value, print};
use num_bigint::BigUint;
use sha1::{Digest, Sha1};
use sha2::Sha256;
use std::net::IpAddr;

/// The functions of this family.
pub static ROWS: &[FuncSpec] = &[
    BUILD_CUSTOM_CERT,
    GEN_CA,
    GEN_CA_WITH_KEY,
    GEN_PRIVATE_KEY,
    GEN_SELF_SIGNED_CERT,
    GEN_SELF_SIGNED_CERT_WITH_KEY,
    GEN_SIGNED_CERT,
    GEN_SIGNED_CERT_WITH_KEY,
];

const CERTIFICATE: Param = Param::Named("sprig.certificate");

/// The size of the RSA keys of certificates.
const BITS: usize = 2048;

const fn random(name: &'static str, params: &'static [Param], body: super::spec::Body) -> FuncSpec {
    FuncSpec::new(name, params, body).effect(Effect::Random)
}

const GEN_PRIVATE_KEY: FuncSpec = random("genPrivateKey", &[Param::Str], |call| {
    let key = match call.text(0).bytes() {
        b"" | b"rsa" => PrivateKey::rsa(call, 4096),
        b"dsa" => PrivateKey::dsa(call),
        b"ecdsa" => PrivateKey::ec(call),
        b"ed25519" => PrivateKey::ed25519(call),
        other => return Ok(Value::from(Text::from([b"Unknown type ", other].concat()))),
    };
    Ok(Value::str(key.to_pem()))
});

const GEN_CA: FuncSpec = random("genCA", &[Param::Str, Param::Int], |call| {
    let key = PrivateKey::rsa(call, BITS);
    authority(call, key)
});

const GEN_CA_WITH_KEY: FuncSpec = random("genCAWithKey", &[Param::Str, Param::Int, Param::Str], |call| {
    let key = given_key(call, 2)?;
    authority(call, key)
});

fn authority(call: &mut Call<'_>, key: PrivateKey) -> Answer {
    let request = Request {
        authority: true,
        ..Request::new(call, None, 1)?
    };
    certificate(&request, &key, None)
}

const GEN_SELF_SIGNED_CERT: FuncSpec = random(
    "genSelfSignedCert",
    &[Param::Str, Param::List, Param::List, Param::Int],
    |call| {
        let key = PrivateKey::rsa(call, BITS);
        certificate(&Request::new(call, Some(1), 3)?, &key, None)
    },
);

const GEN_SELF_SIGNED_CERT_WITH_KEY: FuncSpec = random(
    "genSelfSignedCertWithKey",
    &[Param::Str, Param::List, Param::List, Param::Int, Param::Str],
    |call| {
        let key = given_key(call, 4)?;
        certificate(&Request::new(call, Some(1), 3)?, &key, None)
    },
);

const GEN_SIGNED_CERT: FuncSpec = random(
    "genSignedCert",
    &[Param::Str, Param::List, Param::List, Param::Int, CERTIFICATE],
    |call| {
        let key = PrivateKey::rsa(call, BITS);
        signed(call, &key)
    },
);

const GEN_SIGNED_CERT_WITH_KEY: FuncSpec = random(
    "genSignedCertWithKey",
    &[
        Param::Str,
        Param::List,
        Param::List,
        Param::Int,
        CERTIFICATE,
        Param::Str,
    ],
    |call| {
        let key = given_key(call, 5)?;
        signed(call, &key)
    },
);

fn given_key(call: &Call<'_>, at: usize) -> Result<PrivateKey, CallError> {
    PrivateKey::from_pem(call.text(at).bytes())
        .map_err(|error| CallError::Own(format!("parsing private key: {error}")))
}

fn signed(call: &mut Call<'_>, key: &PrivateKey) -> Answer {
    let part = |name| match &call.arg(4).data {
        Data::Object(object) => object.field(name),
        _ => None,
    };
    let text = |name| match part(name).map(|value| value.data) {
        Some(Data::Str(text)) => text,
        _ => Text::default(),
    };
    let Some((_, content)) = der::unpem(text("Cert").bytes()) else {
        return Err(CallError::own("unable to decode certificate"));
    };
    let Some(parent) = Parent::read(&content) else {
        return Err(CallError::own(
            "error parsing certificate: decodedSignerCert.Bytes: x509: malformed certificate",
        ));
    };
    let signer = PrivateKey::from_pem(text("Key").bytes())
        .map_err(|error| format!("error parsing private key: {error}"))?;
    certificate(&Request::new(call, Some(1), 3)?, key, Some((&parent, &signer)))
}

/// What a certificate shall say.
struct Request {
    name: Vec<u8>,
    addresses: Vec<IpAddr>,
    hosts: Vec<Vec<u8>>,
    start: Moment,
    end: Moment,
    serial: BigUint,
    authority: bool,
    dialect: Dialect,
}

impl Request {
    /// Name, alternative names where there are some, days of validity (`getBaseCertTemplate`).
    fn new(call: &mut Call<'_>, names: Option<usize>, days: usize) -> Result<Request, CallError> {
        let (mut addresses, mut hosts) = (Vec::new(), Vec::new());
        if let Some(at) = names {
            let dialect = call.host.dialect();
            let shown =
                |value: &Value| String::from_utf8_lossy(&print::to_bytes(value, dialect)).into_owned();
            for item in call.list(at).items() {
                let Data::Str(text) = &item.data else {
                    let item = shown(item);
                    return Err(CallError::Own(format!(
                        "error parsing ip: {item} is not a string"
                    )));
                };
                let text = text.lossy();
                let address = text.parse().map_err(|_| format!("error parsing ip: {text}"))?;
                addresses.push(address);
            }
            for item in call.list(at + 1).items() {
                let Data::Str(text) = &item.data else {
                    let item = shown(item);
                    return Err(CallError::Own(format!(
                        "error processing alternate dns name: {item} is not a string"
                    )));
                };
                hosts.push(text.bytes().to_vec());
            }
        }
        let mut serial = [0; 16];
        call.host.random(&mut serial);
        call.host.note_ambient(Effect::Clock);
        let (seconds, nanos) = call.host.ambient().now();
        let start = Moment::new(seconds, nanos, Zone::Utc);
        let span = call.int(days).wrapping_mul(24 * 3600).wrapping_mul(1_000_000_000);
        Ok(Request {
            name: call.text(0).bytes().to_vec(),
            addresses,
            hosts,
            end: start.plus(span),
            start,
            serial: BigUint::from_bytes_be(&serial),
            authority: false,
            dialect: call.host.dialect(),
        })
    }

    /// The distinguished name: a common name, or nothing where that is empty.
    fn subject(&self) -> Result<Vec<u8>, CallError> {
        if self.name.is_empty() {
            return Ok(der::sequence(&[]));
        }
        if std::str::from_utf8(&self.name).is_err() {
            return Err(creating("asn1: string not valid UTF-8"));
        }
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b" '()+,-./:=?".contains(byte);
        let tag = match self.name.iter().all(plain) {
            true => der::PRINTABLE_STRING,
            false => der::UTF8_STRING,
        };
        let pair = der::sequence(&[&[der::OID, 3, 0x55, 4, 3], &der::element(tag, &[&self.name])]);
        Ok(der::sequence(&[&der::element(der::SET, &[&pair])]))
    }

    /// The extensions, in Go's order.
    fn extensions(&self, subject_key: &[u8], authority_key: Option<&[u8]>, nameless: bool) -> Vec<u8> {
        let usage: &[u8] = if self.authority { &[2, 0xa4] } else { &[5, 0xa0] };
        let purpose = |last: u8| der::element(der::OID, &[&[0x2b, 6, 1, 5, 5, 7, 3, last]]);
        let constraints = match self.authority {
            true => der::sequence(&[&[der::BOOLEAN, 1, 0xff]]),
            false => der::sequence(&[]),
        };
        let mut all = vec![
            extension(15, true, &der::element(der::BIT_STRING, &[usage])),
            extension(37, false, &der::sequence(&[&purpose(1), &purpose(2)])),
            extension(19, true, &constraints),
        ];
        if self.authority {
            all.push(extension(
                14,
                false,
                &der::element(der::OCTET_STRING, &[subject_key]),
            ));
        }
        if let Some(key) = authority_key {
            all.push(extension(
                35,
                false,
                &der::sequence(&[&der::element(0x80, &[key])]),
            ));
        }
        let hosts = self.hosts.iter().map(|host| der::element(0x82, &[host]));
        let addresses = self.addresses.iter().map(|address| match address {
            IpAddr::V4(four) => der::element(0x87, &[&four.octets()]),
            IpAddr::V6(six) => match six.to_ipv4_mapped() {
                Some(four) => der::element(0x87, &[&four.octets()]),
                None => der::element(0x87, &[&six.octets()]),
            },
        });
        let names = hosts.chain(addresses).collect::<Vec<_>>().concat();
        if !names.is_empty() {
            all.push(extension(17, nameless, &der::sequence(&[&names])));
        }
        der::element(0xa3, &[&der::sequence(&[&all.concat()])])
    }
}

/// One extension of the arc `2.5.29`.
fn extension(last: u8, critical: bool, content: &[u8]) -> Vec<u8> {
    let critical: &[u8] = if critical { &[der::BOOLEAN, 1, 0xff] } else { &[] };
    der::sequence(&[
        &[der::OID, 3, 0x55, 0x1d, last],
        critical,
        &der::element(der::OCTET_STRING, &[content]),
    ])
}

/// What a signed certificate takes from the one that signs it.
struct Parent {
    subject: Vec<u8>,
    public: Vec<u8>,
    key_id: Option<Vec<u8>>,
}

impl Parent {
    fn read(content: &[u8]) -> Option<Parent> {
        let mut outer = Reader(content).inside(der::SEQUENCE)?;
        let mut inner = outer.inside(der::SEQUENCE)?;
        outer.next(der::SEQUENCE)?;
        outer.next(der::BIT_STRING)?;
        let mut first = inner.any()?;
        if first.tag == 0xa0 {
            first = inner.any()?;
        }
        if first.tag != der::INTEGER {
            return None;
        }
        // Algorithm, issuer, validity.
        for _ in 0..3 {
            inner.next(der::SEQUENCE)?;
        }
        let subject = inner.next(der::SEQUENCE)?.whole.to_vec();
        let public = inner.next(der::SEQUENCE)?.whole.to_vec();
        let mut key_id = None;
        while let Some(more) = inner.any() {
            if more.tag == 0xa3 {
                key_id = key_id_of(more.content);
            }
        }
        Some(Parent {
            subject,
            public,
            key_id,
        })
    }
}

fn key_id_of(extensions: &[u8]) -> Option<Vec<u8>> {
    let mut all = Reader(extensions).inside(der::SEQUENCE)?;
    while let Some(mut one) = all.inside(der::SEQUENCE) {
        let name = one.next(der::OID)?.content;
        let mut value = one.any()?;
        if value.tag == der::BOOLEAN {
            value = one.any()?;
        }
        if name == [0x55, 0x1d, 14] {
            return Some(Reader(value.content).next(der::OCTET_STRING)?.content.to_vec());
        }
    }
    None
}

fn creating(error: &str) -> CallError {
    CallError::Own(format!("error creating certificate: {error}"))
}

/// A certificate for a key, signed by itself or by another (`x509.CreateCertificate`).
fn certificate(request: &Request, key: &PrivateKey, signed_by: Option<(&Parent, &PrivateKey)>) -> Answer {
    let signer = signed_by.map_or(key, |(_, signer)| signer);
    let Some(signer_public) = signer.public() else {
        return Err(creating(
            "x509: certificate private key does not implement crypto.Signer",
        ));
    };
    let Some(public) = key.public() else {
        return Err(creating("x509: unsupported public key type: *dsa.PublicKey"));
    };
    let subject = request.subject()?;
    let (issuer, authority_key) = match signed_by {
        Some((parent, _)) => {
            if parent.public != signer_public.info {
                return Err(creating(
                    "x509: provided PrivateKey doesn't match parent's PublicKey",
                ));
            }
            let other = parent.subject != subject;
            (&parent.subject, parent.key_id.as_deref().filter(|_| other))
        }
        None => (&subject, None),
    };
    // Go 1.25 began to take SHA-256 for the identifier of a key.
    let subject_key = match request.dialect {
        Dialect::V3_19 => Sha1::digest(&public.bits).to_vec(),
        Dialect::V4_3 => Sha256::digest(&public.bits)[..20].to_vec(),
    };
    let algorithm = signer.algorithm();
    let nameless = request.name.is_empty();
    let content = der::sequence(&[
        &der::element(0xa0, &[&[der::INTEGER, 1, 2]]),
        &der::integer(&request.serial),
        &algorithm,
        issuer,
        &der::sequence(&[&time(&request.start)?, &time(&request.end)?]),
        &subject,
        &public.info,
        &request.extensions(&subject_key, authority_key, nameless),
    ]);
    let Some(signature) = signer.sign(&content) else {
        return Err(creating("crypto/rsa: message too long for RSA key size"));
    };
    let whole = der::sequence(&[&content, &algorithm, &der::bits(&signature)]);
    Ok(Value::object(Certificate {
        cert: Text::from(der::pem("CERTIFICATE", &whole)),
        key: Text::from(key.to_pem()),
    }))
}

/// A time with two digits for the year where they suffice.
fn time(moment: &Moment) -> Result<Vec<u8>, CallError> {
    let (tag, layout): (u8, &[u8]) = match moment.civil().year {
        1950..2050 => (der::UTC_TIME, b"060102150405Z"),
        0..10_000 => (der::GENERALIZED_TIME, b"20060102150405Z"),
        _ => return Err(creating("asn1: cannot represent time as GeneralizedTime")),
    };
    Ok(der::element(tag, &[&moment.format(layout)]))
}

const BUILD_CUSTOM_CERT: FuncSpec = FuncSpec::new("buildCustomCert", &[Param::Str, Param::Str], |call| {
    let decoded = |at: usize, what: &str| {
        decode_base64(call.text(at).bytes()).map_err(|_| format!("unable to decode base64 {what}"))
    };
    let cert = decoded(0, "certificate")?;
    let key = decoded(1, "private key")?;
    let Some((_, content)) = der::unpem(&cert) else {
        return Err(CallError::own("unable to decode certificate"));
    };
    if Parent::read(&content).is_none() {
        return Err(CallError::own(
            "error parsing certificate: decodedCert.Bytes: x509: malformed certificate",
        ));
    }
    PrivateKey::from_pem(&key).map_err(|error| format!("error parsing private key: {error}"))?;
    Ok(Value::object(Certificate {
        cert: Text::from(cert),
        key: Text::from(key),
    }))
});

/// `sprig.certificate`
struct Certificate {
    cert: Text,
    key: Text,
}

impl Object for Certificate {
    fn type_name(&self) -> &str {
        "sprig.certificate"
    }

    fn kind(&self) -> ObjectKind {
        ObjectKind::Struct
    }

    fn field(&self, name: &str) -> Option<Value> {
        match name {
            "Cert" => Some(Value::from(self.cert.clone())),
            "Key" => Some(Value::from(self.key.clone())),
            _ => None,
        }
    }

    fn fields(&self) -> Vec<(String, Value)> {
        vec![
            ("Cert".to_owned(), Value::from(self.cert.clone())),
            ("Key".to_owned(), Value::from(self.key.clone())),
        ]
    }

    fn to_json(&self) -> Value {
        let entries = self
            .fields()
            .into_iter()
            .map(|(name, value)| (Text::from(name), value));
        Map::from_entries(MapType::Any, entries).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::funcs::tests::Bench;
    use crate::value::List;

    fn cert(name: &str, args: Vec<Value>) -> Value {
        Bench::default().call(name, args).expect("a certificate")
    }

    fn part(value: &Value, name: &str) -> Text {
        let Data::Object(object) = &value.data else {
            panic!("no object")
        };
        match object.field(name).expect("a field").data {
            Data::Str(text) => text,
            _ => panic!("no text"),
        }
    }

    fn signed_by(ca: &Value) -> Value {
        let names = |name: &str| Value::from(List::new([Value::from(name)]));
        cert(
            "genSignedCert",
            vec![
                Value::from("leaf"),
                names("10.0.0.1"),
                names("a.b"),
                Value::int(3),
                ca.clone(),
            ],
        )
    }

    #[test]
    fn a_certificate_names_its_authority_and_passes_as_given() {
        let ca = cert("genCA", vec![Value::from("root é"), Value::int(365)]);
        let leaf = signed_by(&ca);
        let (_, content) = der::unpem(part(&leaf, "Cert").bytes()).expect("a block");
        let (_, authority) = der::unpem(part(&ca, "Cert").bytes()).expect("a block");
        let issuer = Parent::read(&authority).expect("a certificate");
        assert!(issuer.key_id.is_some());
        let found = memchr::memmem::find_iter(&content, &issuer.subject).count();
        assert_eq!(found, 1);
        let encoded = |name| {
            Value::from(Text::from(crate::value::convert::base64(
                part(&leaf, name).bytes(),
            )))
        };
        cert("buildCustomCert", vec![encoded("Cert"), encoded("Key")]);
    }

    #[test]
    fn keys_read_back() {
        for kind in ["", "dsa", "ecdsa", "ed25519"] {
            let made = Bench::default()
                .call("genPrivateKey", [Value::from(kind)])
                .unwrap();
            let Data::Str(text) = made.data else {
                panic!("no text")
            };
            let key = PrivateKey::from_pem(text.bytes()).expect("a key");
            assert_eq!(key.to_pem(), text.lossy(), "{kind}");
            let given = Bench::default().call(
                "genCAWithKey",
                [Value::from("ca"), Value::int(1), Value::from(text)],
            );
            assert_eq!(given.is_ok(), kind != "dsa", "{kind}");
        }
    }
}
