//! The badge of a backend, as a picture and as JSON for shields.io.

use serde::Serialize;

use super::model::{Backend, Share};
use crate::Counts;

/// What stands on the left of a badge.
const LABEL: &str = "ONNX conformance";

/// A badge as the endpoint of shields.io reads it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Badge {
    schema_version: u32,
    pub label: &'static str,
    pub message: String,
    color: &'static str,
    /// The widths of both halves in the picture, from estimated widths of letters.
    #[serde(skip)]
    pub widths: [usize; 2],
    /// The colour in the picture.
    #[serde(skip)]
    pub fill: &'static str,
}

impl Badge {
    /// Returns the badge of a backend's newest version.
    pub fn new(backend: &Backend) -> Option<Badge> {
        let version = backend.versions.last()?;
        let counts = &backend.newest(version).facts.verdicts;
        let name =
            if version.name.is_empty() { backend.name.clone() } else { format!("{} {}", backend.name, version.name) };
        let message = format!("{}: {}", crate::text::shorten(&name, 60), Share::right(counts).text());
        let (color, fill) = colour(counts);
        let width = |text: &str| 12 + text.chars().count() * 7;
        Some(Badge { schema_version: 1, label: LABEL, widths: [width(LABEL), width(&message)], message, color, fill })
    }
}

/// Returns the colour for shields.io and for the picture. In the picture, white text is readable on every colour.
fn colour(counts: &Counts) -> (&'static str, &'static str) {
    match Share::right(counts).permille() {
        None => ("lightgrey", "#5b636d"),
        Some(1000) => ("brightgreen", "#17692f"),
        Some(950..) => ("green", "#2b6f3f"),
        Some(800..) => ("yellow", "#7a5a00"),
        Some(_) => ("red", "#a32018"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_colour_of_a_badge_follows_the_share_of_right_answers() {
        for (right, wrong, expected) in [
            (0, 0, ("lightgrey", "#5b636d")),
            (1, 0, ("brightgreen", "#17692f")),
            (9_999, 1, ("green", "#2b6f3f")),
            (950, 50, ("green", "#2b6f3f")),
            (949, 51, ("yellow", "#7a5a00")),
            (800, 200, ("yellow", "#7a5a00")),
            (799, 201, ("red", "#a32018")),
            (0, 1, ("red", "#a32018")),
        ] {
            // Cases that are not supported are not judged.
            let counts = Counts { pass: right, crash: wrong, unsupported: 9_000, ..Counts::default() };
            assert_eq!(colour(&counts), expected, "{right} of {}", right + wrong);
        }
    }
}
