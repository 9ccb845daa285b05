//! The option `--arithmetic`: what an implementation declares about its arithmetic.

use anyhow::Context;
use plumbline_backend::{Overlay, Profile};
use plumbline_oracle::Policy;

/// Returns the profile of an implementation. The option is the name of a table of accuracies, that of a built-in profile
/// (`directml-half`), or the path of a JSON file with a profile. A table wins over a profile of the same name. Without the
/// option, returns the default profile.
pub fn profile(arithmetic: Option<&str>) -> anyhow::Result<Profile> {
    let Some(arithmetic) = arithmetic else { return Ok(Profile::default()) };
    if !arithmetic.ends_with(".json") {
        let by_table = Profile { accuracy: arithmetic.to_owned(), ..Profile::default() };
        let built_in = Overlay::of_provider(arithmetic).filter(|_| Policy::new(&by_table.numerics()).is_err());
        return Ok(built_in.map_or(by_table, |overlay| overlay.over(&Profile::default())));
    }
    let text = std::fs::read_to_string(arithmetic).with_context(|| format!("cannot read {arithmetic}"))?;
    serde_json::from_str(&text).with_context(|| format!("{arithmetic} is not a profile"))
}

/// Returns the policy of the profile that [`profile`] returns.
pub fn policy(arithmetic: Option<&str>) -> anyhow::Result<Policy> {
    let policy = Policy::new(&profile(arithmetic)?.numerics());
    policy.with_context(|| format!("--arithmetic {}", arithmetic.unwrap_or_default()))
}
