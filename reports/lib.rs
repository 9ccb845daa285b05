//! Templates of the report, and known verdicts of backends.
//!
//! Written by `cargo xtask generate`; not edited by hand.

/// Path below this folder and contents of each file, sorted by path.
pub static FILES: &[(&str, &[u8])] = &[
    ("expectations/onnxruntime.toml", include_bytes!("expectations/onnxruntime.toml")),
    ("expectations/rten.toml", include_bytes!("expectations/rten.toml")),
    ("expectations/tract.toml", include_bytes!("expectations/tract.toml")),
    ("templates/comparison.html", include_bytes!("templates/comparison.html")),
    ("templates/directml.html", include_bytes!("templates/directml.html")),
    ("templates/matrix.html", include_bytes!("templates/matrix.html")),
    ("templates/operator.html", include_bytes!("templates/operator.html")),
    ("templates/overview.html", include_bytes!("templates/overview.html")),
    ("templates/page.html", include_bytes!("templates/page.html")),
    ("templates/report.css", include_bytes!("templates/report.css")),
    ("templates/report.js", include_bytes!("templates/report.js")),
    ("templates/site-backend.html", include_bytes!("templates/site-backend.html")),
    ("templates/site-badge.svg", include_bytes!("templates/site-badge.svg")),
    ("templates/site-chart.html", include_bytes!("templates/site-chart.html")),
    ("templates/site-operator.html", include_bytes!("templates/site-operator.html")),
    ("templates/site-operators.html", include_bytes!("templates/site-operators.html")),
    ("templates/site-overview.html", include_bytes!("templates/site-overview.html")),
    ("templates/site-step.html", include_bytes!("templates/site-step.html")),
    ("templates/site.css", include_bytes!("templates/site.css")),
    ("templates/site.html", include_bytes!("templates/site.html")),
];
