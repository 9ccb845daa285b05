//! The option `--arithmetic`: what an implementation declares about its arithmetic.

use anyhow::Context;
use plumbline_backend::Profile;
use plumbline_oracle::Policy;

/// Returns the profile of an implementation. The option is the name of a table of accuracies, or the path of a JSON
/// file with a profile. Without the option, returns the default profile.
pub fn profile(arithmetic: Option<&str>) -> anyhow::Result<Profile> {
    let Some(arithmetic) = arithmetic else { return Ok(Profile::default()) };
    if !arithmetic.ends_with(".json") {
        return Ok(Profile { accuracy: arithmetic.to_owned(), ..Profile::default() });
    }
    let text = std::fs::read_to_string(arithmetic).with_context(|| format!("cannot read {arithmetic}"))?;
    serde_json::from_str(&text).with_context(|| format!("{arithmetic} is not a profile"))
}

/// Returns the policy of the profile that [`profile`] returns.
pub fn policy(arithmetic: Option<&str>) -> anyhow::Result<Policy> {
    let policy = Policy::new(&profile(arithmetic)?.numerics());
    policy.with_context(|| format!("--arithmetic {}", arithmetic.unwrap_or_default()))
}
