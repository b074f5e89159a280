//! evenkeel proves that a change to a Helm deployment did not change what Kubernetes would receive,
//! or shows exactly what changed.
//!
//! The rooms, from ground to roof. A room may import the rooms named behind its `<-` and nothing
//! else; `base` and `dialect` are open to all.
//!
//! ```text
//! base        facts of no domain: sides, digests, key paths, problems   <- (nothing)
//! dialect     which Helm is imitated                                    <- base
//! semver      Masterminds semver: versions and constraints              <- (nothing)
//! source      where bytes come from; no meaning attached                <- base
//! yaml        YAML as Go's libraries read and write it                  <- base
//! json        JSON as Go's encoding/json reads and writes it            <- base yaml
//! value       Go's data model, with the history of every value          <- base yaml json
//! template    Go text/template; has never heard of Helm                 <- base value
//! funcs       the functions templates call, one file per family         <- semver yaml json value template
//! chart       a Helm chart read from a source tree                      <- base semver source yaml json value
//! layers      values layering with provenance                           <- semver source yaml json value chart
//! engine      one chart and one stack of layers -> text                 <- semver source yaml json value template funcs chart layers
//! manifest    text -> documents -> canonical form                       <- base yaml
//! compare     two sides -> pairs -> changes                             <- base yaml manifest
//! check       one file per hazard: values, trace, documents, comparison  <- semver source yaml json value template chart layers engine manifest compare
//! plan        evenkeel.yaml -> cells to run                             <- base source yaml engine check
//! baseline    the pinned record kept in baselines/                      <- base yaml manifest
//! report      plain results and their formats                           <- base yaml manifest compare check
//! verify      the main job, readable top to bottom in run.rs            <- all above
//! cli         the command line, the terminal, exit codes                <- all above
//! ```

pub mod base;
pub mod baseline;
pub mod chart;
pub mod check;
pub mod cli;
pub mod compare;
pub mod dialect;
pub mod engine;
pub mod funcs;
pub mod json;
pub mod layers;
pub mod manifest;
pub mod plan;
pub mod report;
pub mod semver;
pub mod source;
pub mod template;
pub mod value;
pub mod verify;
pub mod yaml;
