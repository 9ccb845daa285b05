//! The profile that declares what was found.

use std::fmt::Write as _;

use plumbline_backend::{Identity, Profile};
use plumbline_oracle::{Arithmetic, accuracy_bound};
use plumbline_spec::{CPU_ACCURACY, DEFAULT_ACCURACY, Doubles, Products, Unchecked};
use plumbline_tensor::DType;

use super::{Deviation, FunctionError, Row};

/// A profile that declares what was found, and what was found that no profile should declare.
#[derive(Clone, Debug, PartialEq)]
pub struct Declared {
    /// The profile.
    pub profile: Profile,
    /// The functions whose error no bound should cover: fewer than half of the digits are right.
    pub wrong: Vec<FunctionError>,
}

/// Returns the profile `own` with what was found declared in it. Other keys of `own` stay as they are.
pub fn declared(own: &Profile, rows: &[Row], functions: &[FunctionError]) -> Declared {
    let mut profile = own.clone();
    for deviation in rows.iter().filter_map(|row| row.deviation) {
        match deviation {
            Deviation::FlushesInputs(_) | Deviation::FlushesResults(_) => profile.flush_subnormals = true,
            Deviation::SumsInType => profile.low_precision_accumulation = true,
            Deviation::DoubleAsFloat => profile.double = Doubles::Float,
            Deviation::Products(arithmetic) => profile.products = narrower(profile.products, arithmetic),
            Deviation::Unrepeatable => profile.nondeterministic = true,
            Deviation::UncheckedValues => drop(profile.unchecked.insert(Unchecked::Values)),
            Deviation::QuantizedProducts | Deviation::SomeDoubleAsFloat | Deviation::Special => {}
        }
    }
    if own.accuracy == DEFAULT_ACCURACY && is_rounded_correctly(functions) {
        profile.accuracy = CPU_ACCURACY.to_owned();
    }
    let (wrong, less_accurate): (Vec<_>, Vec<_>) =
        functions.iter().filter(|error| error.ulp > bound(own, error)).cloned().partition(is_wrong);
    for error in less_accurate {
        let ulp = Some((error.ulp * 10.0).ceil() / 10.0);
        let bounds = profile.ulp.entry(error.function.to_owned()).or_default();
        *(if error.dtype == DType::Float { &mut bounds.float } else { &mut bounds.half }) = ulp;
    }
    Declared { profile, wrong }
}

impl Declared {
    /// Returns the profile as TOML, without the keys that have their defaults. What no key declares is in comments.
    pub fn to_toml(&self, identity: &Identity, rows: &[Row]) -> String {
        let Profile {
            flush_subnormals,
            low_precision_accumulation,
            low_precision_products,
            nondeterministic,
            products,
            double,
            accuracy,
            ..
        } = &self.profile;
        let mut text = format!(
            "# What `plumbline profile` found of {identity}.\n\
             # A profile declares what the backend's answers are judged by: keep what the backend is meant to do, and\n\
             # delete what is a fault of it.\n"
        );
        for row in rows.iter().filter(|row| row.deviation.is_some()) {
            let _ = writeln!(text, "# {} {}", row.subject, row.found);
        }
        let flags = [
            ("flush_subnormals", flush_subnormals),
            ("low_precision_accumulation", low_precision_accumulation),
            ("low_precision_products", low_precision_products),
            ("nondeterministic", nondeterministic),
        ];
        for (key, _) in flags.iter().filter(|(_, is_set)| **is_set) {
            let _ = writeln!(text, "{key} = true");
        }
        if *products != Products::Float {
            let _ = writeln!(text, "products = \"{}\"", products.name());
        }
        if *double == Doubles::Float {
            text += "double = \"float\"\n";
        }
        if self.profile.unchecked.contains(&Unchecked::Values) {
            text += "unchecked = [\"values\"]\n";
        }
        if accuracy != DEFAULT_ACCURACY {
            let _ = writeln!(text, "accuracy = \"{accuracy}\"");
        }
        for FunctionError { operator, dtype, ulp, at, .. } in &self.wrong {
            let _ =
                writeln!(text, "# {operator} of {dtype} is off by {ulp:.0} ULP at {at:e}, which no bound should cover");
        }
        if !self.profile.ulp.is_empty() {
            text += "\n# Errors that were measured and are beyond the bounds of opencl-full. No document promises these numbers.\n[ulp]\n";
        }
        for (function, ulp) in &self.profile.ulp {
            let numbers = [("half", ulp.half), ("float", ulp.float), ("double", ulp.double)];
            let numbers: Vec<String> =
                numbers.iter().filter_map(|(kind, ulp)| Some(format!("{kind} = {:.1}", (*ulp)?))).collect();
            let _ = writeln!(text, "{function} = {{ {} }}", numbers.join(", "));
        }
        text
    }
}

/// Returns the format that loses more bits of a number, of a declared one and the one of an arithmetic. If some products
/// are computed in bfloat16 and others in float16, that is bfloat16.
fn narrower(declared: Products, arithmetic: Arithmetic) -> Products {
    let found = match arithmetic {
        Arithmetic::ProductsInTf32 => Products::Tf32,
        Arithmetic::ProductsInFloat16 => Products::Float16,
        Arithmetic::ProductsInBfloat16 => Products::Bfloat16,
        Arithmetic::DoubleAsFloat | Arithmetic::SigmoidByTanh | Arithmetic::SumsInType | Arithmetic::HalvesInFloat => {
            Products::Float
        }
    };
    let order = [Products::Float, Products::Tf32, Products::Float16, Products::Bfloat16];
    let place = |products| order.iter().position(|other| *other == products);
    if place(found) > place(declared) { found } else { declared }
}

/// Returns the bound that a profile has for this function and type.
fn bound(profile: &Profile, error: &FunctionError) -> f64 {
    let own = profile.ulp.get(error.function);
    let own = own.and_then(|ulp| if error.dtype == DType::Float { ulp.float } else { ulp.half });
    own.or_else(|| accuracy_bound(&profile.accuracy, error.function, error.dtype)).unwrap_or(error.bound)
}

/// Returns whether fewer than half of the digits are right, so that the number is another one and not a less accurate
/// one.
fn is_wrong(error: &FunctionError) -> bool {
    let digits = error.dtype.float_format().map_or(0, |format| format.precision());
    error.ulp > 2f64.powi(digits as i32 / 2)
}

/// Returns whether division and square root of float are correctly rounded, as on processors.
fn is_rounded_correctly(functions: &[FunctionError]) -> bool {
    let is_exact = |name: &str| {
        let mut of = functions.iter().filter(|error| error.function == name && error.dtype == DType::Float);
        of.next().is_some_and(|error| error.ulp <= 0.5)
    };
    is_exact("divide") && is_exact("sqrt")
}
