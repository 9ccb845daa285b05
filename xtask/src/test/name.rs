//! The steps of `cargo xtask test`, and what each needs.

/// A step of `cargo xtask test`, in the order of the summary. Each comes after those that it needs or uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Name {
    /// Sets up a Python with the packages that tests need.
    Python,
    /// Fetches ONNX's published cases.
    Suite,
    /// Fetches the library of ONNX Runtime.
    Onnxruntime,
    /// Installs a browser for the tests of the report.
    Chromium,
    /// Fetches `DirectML.h` and the headers that it includes.
    Headers,
    /// Sets up a compiler that checks code for Windows.
    Cross,
    /// Sets up Wine and a linker for Windows.
    Emulator,
    /// Checks the format of every Rust file, as cargo fmt --check does
    Format,
    /// Runs clippy on the workspace with warnings as errors; also compiles the tests if they run
    Clippy,
    /// Checks types and lints of the workspace for Windows
    Windows,
    /// Tests the Windows device under Wine, with a stand-in for DirectML
    Wine,
    /// Runs all tests of the workspace, including those of its examples
    Tests,
    /// Packs, as `cargo publish` does, every crate that can be published, and compiles the packed crates
    Packages,
    /// Compares specs/ with the onnx package
    Specifications,
    /// Runs ONNX's published cases on the oracle and the default backends
    Published,
    /// Runs the smoke profile on the default backends
    Smoke,
    /// Tests whether backends of some operators that are wrong on purpose are noticed
    Mutants,
}

/// The steps that run after all steps that prepare others: one after the other, in parallel with the remaining steps.
pub const BESIDE: [Name; 3] = [Name::Windows, Name::Wine, Name::Packages];

impl Name {
    /// Returns the steps that must succeed before this one; otherwise this step is not run.
    pub fn needs(self) -> &'static [Name] {
        match self {
            Name::Specifications => &[Name::Python],
            Name::Suite => &[Name::Python],
            Name::Published => &[Name::Suite],
            Name::Windows => &[Name::Cross, Name::Emulator],
            Name::Wine => &[Name::Cross, Name::Emulator, Name::Headers],
            _ => &[],
        }
    }

    /// Returns further steps that this one uses; without them, a part of it is skipped.
    pub fn uses(self) -> &'static [Name] {
        match self {
            Name::Tests => &[Name::Python, Name::Suite, Name::Onnxruntime, Name::Chromium, Name::Headers],
            Name::Published | Name::Smoke => &[Name::Onnxruntime],
            _ => &[],
        }
    }

    /// Returns whether this step needs or uses another one, directly or through further steps.
    pub fn requires(self, other: Name) -> bool {
        self.needs().iter().chain(self.uses()).any(|name| *name == other || name.requires(other))
    }

    /// Describes what is not tested if this step is not run.
    pub fn without(self) -> &'static str {
        match self {
            Name::Python => {
                "specs/ against the onnx package, kernels against function bodies, correctly rounded answers, the published cases, and the Python package"
            }
            Name::Suite => "the oracle on ONNX's published cases, and how these are read and written",
            Name::Onnxruntime => "the ONNX Runtime backend",
            Name::Chromium => "the compatibility report in a browser",
            Name::Headers => "the structs of DirectML against its header",
            Name::Cross | Name::Emulator | Name::Windows => "the code that is compiled only for Windows",
            Name::Wine => "how the DirectML device on Windows is opened, written to, read from and lost",
            _ => "what this step checks",
        }
    }

    /// Returns whether the step only prepares others.
    pub fn prepares(self) -> bool {
        use Name::*;
        matches!(self, Python | Suite | Onnxruntime | Chromium | Headers | Cross | Emulator)
    }

    /// Returns whether the run may succeed although this step was not run. In CI, this holds only for the browser.
    pub fn may_be_missing(self, ci: bool) -> bool {
        !ci || self == Name::Chromium
    }
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&format!("{self:?}").to_lowercase())
    }
}
