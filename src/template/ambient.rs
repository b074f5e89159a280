//! Everything a template can see that is not in git: clock, randomness, cluster, DNS. All of it is asked
//! through one trait, so that an answer can be recorded where it is given.

use crate::value::Value;

/// Answers for the functions whose effect is not `Pure`.
pub trait AmbientSource {
    /// The time: seconds since 1970 and nanoseconds.
    fn now(&mut self) -> (i64, u32);

    /// Fills `bytes` for one random call. `seed` names the call (function, arguments, the text of the
    /// action, how often the same call was made before); equal seeds give equal bytes in a verification.
    fn random(&mut self, seed: &[u8], bytes: &mut [u8]);

    /// True where the result may be deployed, so that keys must be real secrets whatever they cost.
    fn is_live(&self) -> bool {
        false
    }

    /// `lookup`: the object or list the cluster would answer; an empty map when there is none.
    fn lookup(&mut self, api_version: &str, kind: &str, namespace: &str, name: &str) -> Value;

    /// `getHostByName`: empty while DNS is off.
    fn host_by_name(&mut self, name: &str) -> String;
}
