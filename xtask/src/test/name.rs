//! The steps of `cargo xtask test`, and what each needs.

/// A step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Name {
    /// A Python with the packages onnx and mpmath.
    Python,
    /// ONNX's published cases.
    Suite,
    /// The library of ONNX Runtime.
    Onnxruntime,
    /// A browser for the report's tests.
    Chromium,
    /// `DirectML.h`, and what goes with it.
    Headers,
    /// A compiler that checks for Windows.
    Cross,
    /// Wine, and what links for it.
    Emulator,
    /// cargo fmt --check
    Format,
    /// Clippy over the workspace, warnings are errors; it compiles the tests if they are to run
    Clippy,
    /// The workspace for Windows: types and lints
    Windows,
    /// The device of Windows under Wine, on a stand-in for DirectML
    Wine,
    /// cargo test over the workspace, examples included
    Tests,
    /// specs/ against the onnx package
    Specifications,
    /// reports/behaviour against what the oracle computes
    Behaviour,
    /// ONNX's published cases on the oracle and every available backend
    Published,
    /// A smoke run on every available backend
    Smoke,
}

/// In the order in which they run.
pub const ALL: [Name; 16] = [
    Name::Python,
    Name::Suite,
    Name::Onnxruntime,
    Name::Chromium,
    Name::Headers,
    Name::Cross,
    Name::Emulator,
    Name::Format,
    Name::Clippy,
    Name::Windows,
    Name::Wine,
    Name::Tests,
    Name::Specifications,
    Name::Behaviour,
    Name::Published,
    Name::Smoke,
];

/// Those that run beside the others, one after the other, and what prepares only them.
pub const BESIDE: [Name; 4] = [Name::Cross, Name::Emulator, Name::Windows, Name::Wine];

impl Name {
    /// What has to have been done before; a step without it is not run.
    pub fn needs(self) -> &'static [Name] {
        match self {
            Name::Specifications => &[Name::Python],
            Name::Suite => &[Name::Python],
            Name::Published => &[Name::Suite],
            Name::Windows => &[Name::Cross],
            Name::Wine => &[Name::Cross, Name::Emulator, Name::Headers],
            _ => &[],
        }
    }

    /// What else it makes use of; without it some of it is skipped.
    pub fn uses(self) -> &'static [Name] {
        match self {
            Name::Tests => &[Name::Python, Name::Suite, Name::Onnxruntime, Name::Chromium, Name::Headers],
            Name::Published | Name::Smoke => &[Name::Onnxruntime],
            _ => &[],
        }
    }

    /// What stays untested where this step is not done.
    pub fn without(self) -> &'static str {
        match self {
            Name::Python => {
                "specs/ against the onnx package, kernels against function bodies, correctly rounded answers, and the published cases"
            }
            Name::Suite => "the oracle on ONNX's published cases, and their reading and writing",
            Name::Onnxruntime => "the ONNX Runtime backend",
            Name::Chromium => "the compatibility report in a browser",
            Name::Headers => "the structs of DirectML against its header",
            Name::Cross | Name::Windows => "the code that is compiled only for Windows",
            Name::Emulator | Name::Wine => "how Windows opens a device, uploads to it, reads from it and loses it",
            _ => "this step",
        }
    }

    /// Whether it prepares others and tests nothing itself.
    pub fn prepares(self) -> bool {
        use Name::*;
        matches!(self, Python | Suite | Onnxruntime | Chromium | Headers | Cross | Emulator)
    }

    /// In CI everything has to be there, but for the browser.
    pub fn may_be_missing(self, ci: bool) -> bool {
        !ci || self == Name::Chromium
    }
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&format!("{self:?}").to_lowercase())
    }
}
