//! The checks. Each check of the device opens it anew, and no check may leave an object behind.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::directml::abi;
use crate::directml::device::{Adapter, Device, DeviceError, Dispatch, Session, Settings};
use crate::directml::packed::{PackError, Packed, RawTensor};
use crate::standin::Standin;
use crate::workers;

type Check = fn(&Bench) -> Result<(), String>;

/// All checks with their names.
const CHECKS: [(&str, Check); 11] = [
    ("an error says why a device cannot be opened", what_cannot_be_opened),
    ("the device reports the facts that its results depend on", facts),
    ("bytes are uploaded and read back", bytes),
    ("DirectML reads descriptions as they were built", descriptions),
    ("temporary and persistent memory of an operator is bound", own_memory),
    ("the device stays usable after it rejects an operator", refusals),
    ("out of memory is an error, and the next run works", out_of_memory),
    ("a device that is lost is opened again", lost),
    ("many runs leak no objects", many),
    ("the processes of a worker end with their host", |_| workers::end_with_their_host()),
    ("the processes of a worker end with their group", |_| workers::end_with_their_group()),
];

/// `DML_TENSOR_DATA_TYPE_FLOAT32`.
const FLOAT32: u32 = 1;

struct Bench {
    library: PathBuf,
    standin: Standin,
}

/// Runs all checks.
pub fn run() -> ExitCode {
    let Some(library) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: plumbline-wine-test STANDIN");
        return ExitCode::from(2);
    };
    let standin = match Standin::load(&library) {
        Ok(standin) => standin,
        Err(reason) => {
            eprintln!("{reason}");
            return ExitCode::from(3);
        }
    };
    let bench = Bench { library, standin };
    match Device::adapters() {
        Ok(names) => println!("the system names these adapters: {}", names.join(", ")),
        Err(reason) => println!("the system lists no adapters: {reason}"),
    }
    let mut failed = 0;
    for (name, check) in CHECKS {
        let result = check(&bench).and_then(|()| bench.quiet());
        // Drop messages that a failed check left behind.
        let _ = bench.standin.said();
        match result {
            Ok(()) => println!("test {name} ... ok"),
            Err(reason) => {
                failed += 1;
                println!("test {name} ... FAILED\n    {reason}");
            }
        }
    }
    println!("{} passed, {failed} failed", CHECKS.len() - failed);
    ExitCode::from(u8::from(failed > 0))
}

/// Returns an error with the expected value if two values differ.
fn equal<T: PartialEq + std::fmt::Debug>(what: &str, found: T, wanted: T) -> Result<(), String> {
    if found == wanted { Ok(()) } else { Err(format!("{what}: found {found:?}, expected {wanted:?}")) }
}

/// Converts an error to text.
fn message(error: impl std::fmt::Display) -> String {
    error.to_string()
}

impl Bench {
    fn settings(&self) -> Settings {
        Settings { library: Some(self.library.clone()), debug: true, ..Settings::default() }
    }

    fn session(&self) -> Result<Session, String> {
        let session = Session::start(self.settings()).map_err(message)?;
        let _ = self.standin.said();
        Ok(session)
    }

    /// Checks that the stand-in reported no mistake, and that no object is left.
    fn quiet(&self) -> Result<(), String> {
        let (lines, alive) = self.standin.said();
        match lines.iter().find(|line| line.starts_with("WRONG")) {
            Some(wrong) => Err(wrong.clone()),
            None => equal("objects left", alive, 0),
        }
    }
}

/// Describes a packed tensor of floats.
fn packed(sizes: &[u32]) -> RawTensor {
    RawTensor {
        data_type: FLOAT32,
        flags: 0,
        sizes: sizes.to_vec(),
        strides: None,
        total_size_in_bytes: 4 * sizes.iter().map(|&size| u64::from(size)).product::<u64>(),
        guaranteed_base_offset_alignment: 0,
    }
}

/// Builds a description from its number, the name of its struct and its fields.
fn operator(
    number: u32,
    name: &str,
    fields: impl FnOnce(&mut Packed) -> Result<&mut Packed, PackError>,
) -> Result<Packed, String> {
    let mut operator = Packed::new(number, name).map_err(message)?;
    fields(&mut operator).map_err(message)?;
    Ok(operator)
}

fn identity(elements: u32) -> Result<Packed, String> {
    operator(1, "DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC", |o| {
        o.tensors("InputTensor", &[packed(&[1, 1, 1, elements])])?;
        o.tensors("OutputTensor", &[packed(&[1, 1, 1, elements])])
    })
}

/// Returns pseudo-random bytes, which are the same in every run.
fn noise(length: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2) + 1;
    let step = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..length).map(step).collect()
}

fn dispatch(
    session: &mut Session,
    operator: &Packed,
    inputs: &[Option<&[u8]>],
    outputs: &[Option<&[u8]>],
) -> Result<Vec<Vec<u8>>, DeviceError> {
    session.run(&Dispatch { operator, inputs, outputs, deadline_seconds: 60 })
}

/// Checks that a copy returns the input's bytes.
fn copies(session: &mut Session, elements: u32, seed: u64) -> Result<(), String> {
    let (there, before) = (noise(4 * elements as usize, seed), vec![0xa5; 4 * elements as usize]);
    let operator = identity(elements)?;
    let answer = dispatch(session, &operator, &[Some(&there)], &[Some(&before)]).map_err(message)?;
    if answer == [there] { Ok(()) } else { Err(format!("the copy of {elements} elements differs from its input")) }
}

fn what_cannot_be_opened(bench: &Bench) -> Result<(), String> {
    let said = |settings: Settings| match Session::start(settings) {
        Ok(_) => Err("the device opened with settings that cannot work".to_owned()),
        Err(error) if !error.could_not_open() => Err(format!("the error is not about opening the device: {error}")),
        Err(error) => Ok(error.to_string()),
    };
    let at = |library: &Path| Settings { library: Some(library.to_owned()), ..bench.settings() };
    let nobody = said(Settings { adapter: Adapter::Name("no such adapter".to_owned()), ..bench.settings() })?;
    let names = Device::adapters().map_err(message)?.join(", ");
    equal(
        "adapter",
        nobody,
        format!("no adapter with Direct3D 12 was found (wanted: `no such adapter`); the adapters are: {names}"),
    )?;
    let missing = said(at(&bench.library.with_file_name("nothing.dll")))?;
    equal("a missing file", missing.contains("nothing.dll cannot be loaded (") && missing.contains("--library"), true)?;
    let folder = said(at(bench.library.parent().unwrap_or(Path::new("."))))?;
    equal("a folder", folder.contains("DirectML.dll cannot be loaded ("), true)?;
    let old = said(at(&bench.library.with_file_name("bcryptprimitives.dll")))?;
    equal(
        "a library without DMLCreateDevice1",
        old.contains("bcryptprimitives.dll is too old and has no DMLCreateDevice1"),
        true,
    )
}

fn facts(bench: &Bench) -> Result<(), String> {
    let session = Session::start(Settings { adapter: Adapter::Index(0), ..bench.settings() }).map_err(message)?;
    let facts = session.device().ok_or("the session has no device")?.facts().clone();
    equal("adapter", Some(&facts.adapter), Device::adapters().map_err(message)?.first())?;
    equal("a NUL in the adapter's name", facts.adapter.contains('\0'), false)?;
    equal("file", facts.library.file_name(), bench.library.file_name())?;
    equal("version", facts.version.as_str(), "0.0.0.1")?;
    equal("digits of the SHA-256", facts.sha256.len(), 64)?;
    // The stand-in refuses a query for feature levels that includes the newest one, as older versions of DirectML
    // refuse levels that they do not know. The device then asks again without that level.
    equal("feature level", facts.feature_level, 0x6300)?;
    equal("types", (1..14).filter(|data_type| facts.supports(*data_type)).count(), 11)?;
    equal("debug layer of DirectML", facts.directml_debug, false)
}

fn bytes(bench: &Bench) -> Result<(), String> {
    let mut session = bench.session()?;
    for (seed, elements) in [1, 3, 64, 4097, 1 << 18, 16 << 20].into_iter().enumerate() {
        copies(&mut session, elements, seed as u64)?;
    }
    // If the operator writes nothing, the output's memory keeps its content.
    let fill = operator(103, "DML_FILL_VALUE_CONSTANT_OPERATOR_DESC", |o| {
        o.tensors("OutputTensor", &[packed(&[1, 1, 2, 3])])?.uint("ValueDataType", FLOAT32)?.scalar("Value", [7; 8])
    });
    let (fill, before) = (fill?, noise(24, 9));
    let answer = dispatch(&mut session, &fill, &[], &[Some(&before)]).map_err(message)?;
    equal("an output that is not written", answer, vec![before])
}

fn descriptions(bench: &Bench) -> Result<(), String> {
    let mut session = bench.session()?;
    let strided = RawTensor { strides: Some(vec![6, 6, 1, 3]), ..packed(&[1, 1, 3, 2]) };
    let row = RawTensor { strides: Some(vec![0, 0, 0, 1]), total_size_in_bytes: 12, ..packed(&[1, 1, 2, 3]) };
    let aligned = RawTensor { guaranteed_base_offset_alignment: 32, ..packed(&[1, 1, 2, 3]) };
    let elu = operator(35, "DML_ACTIVATION_ELU_OPERATOR_DESC", |o| o.float("Alpha", 0.5))?;
    let all: [(Packed, &[usize], usize, &str); 7] = [
        (
            operator(1, "DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC", |o| {
                o.tensors("InputTensor", &[strided])?.tensors("OutputTensor", &[packed(&[1, 1, 3, 2])])?;
                o.scale_bias("ScaleBias", 2.0, -1.0)
            })?,
            &[24],
            24,
            "IDENTITY Input=1[1,1,3,2]/[6,6,1,3]:24 Output=1[1,1,3,2]:24 ScaleBias=2,-1: taken",
        ),
        (
            operator(4, "DML_ELEMENT_WISE_ADD_OPERATOR_DESC", |o| {
                o.tensors("ATensor", &[aligned])?.tensors("BTensor", &[row])?;
                o.tensors("OutputTensor", &[packed(&[1, 1, 2, 3])])
            })?,
            &[24, 12],
            24,
            "ADD A=1[1,1,2,3]:24@32 B=1[1,1,2,3]/[0,0,0,1]:12 Output=1[1,1,2,3]:24: taken",
        ),
        (
            operator(54, "DML_GEMM_OPERATOR_DESC", |o| {
                o.tensors("ATensor", &[packed(&[1, 1, 2, 3])])?.tensors("BTensor", &[packed(&[1, 1, 5, 3])])?;
                o.tensors("OutputTensor", &[packed(&[1, 1, 2, 5])])?.uint("TransB", 1)?;
                o.float("Alpha", 2.0)?.operators("FusedActivation", vec![elu])
            })?,
            &[24, 60, 0],
            40,
            "GEMM A=1[1,1,2,3]:24 B=1[1,1,5,3]:60 C=none Output=1[1,1,2,5]:40 Trans=01 Alpha=2 Beta=0 \
             Fused=(ELU Alpha=0.5): taken",
        ),
        (
            operator(63, "DML_JOIN_OPERATOR_DESC", |o| {
                o.uint("InputCount", 2)?.tensors("InputTensors", &[packed(&[1, 1, 2, 3]), packed(&[1, 1, 4, 3])])?;
                o.tensors("OutputTensor", &[packed(&[1, 1, 6, 3])])?.uint("Axis", 2)
            })?,
            &[24, 48],
            72,
            "JOIN Input=1[1,1,2,3]:24 Input=1[1,1,4,3]:48 Output=1[1,1,6,3]:72 Axis=2: taken",
        ),
        (
            operator(111, "DML_SLICE1_OPERATOR_DESC", |o| {
                o.tensors("InputTensor", &[packed(&[1, 1, 2, 3])])?
                    .tensors("OutputTensor", &[packed(&[1, 1, 1, 2])])?;
                o.uint("DimensionCount", 4)?.uints("InputWindowOffsets", &[0, 0, 1, 0])?;
                o.uints("InputWindowSizes", &[1, 1, 1, 3])?.ints("InputWindowStrides", &[1, 1, 1, -2])
            })?,
            &[24],
            8,
            "SLICE1 Input=1[1,1,2,3]:24 Output=1[1,1,1,2]:8 Offsets=[0,0,1,0] Sizes=[1,1,1,3] Strides=[1,1,1,-2]: taken",
        ),
        (
            operator(66, "DML_UPSAMPLE_2D_OPERATOR_DESC", |o| {
                o.tensors("InputTensor", &[packed(&[1, 1, 2, 3])])?
                    .tensors("OutputTensor", &[packed(&[1, 1, 4, 9])])?;
                o.size_2d("ScaleSize", 3, 2)?.uint("InterpolationMode", 1)
            })?,
            &[24],
            144,
            "UPSAMPLE_2D Input=1[1,1,2,3]:24 Output=1[1,1,4,9]:144 Scale=3x2 Mode=1: taken",
        ),
        (
            operator(103, "DML_FILL_VALUE_CONSTANT_OPERATOR_DESC", |o| {
                let value = (-2i64).to_le_bytes();
                o.tensors("OutputTensor", &[packed(&[1, 1, 1, 2])])?.uint("ValueDataType", 8)?.scalar("Value", value)
            })?,
            &[],
            8,
            "FILL Output=1[1,1,1,2]:8 Value=8:-2: taken",
        ),
    ];
    for (operator, inputs, output, wanted) in all {
        // The layout of the operator's struct is known.
        equal("struct", abi::layout(operator.name()).is_some(), true)?;
        let inputs: Vec<Vec<u8>> = inputs.iter().map(|&length| noise(length, 3)).collect();
        let bound = inputs.iter().map(|bytes| Some(bytes.as_slice()).filter(|b| !b.is_empty())).collect::<Vec<_>>();
        dispatch(&mut session, &operator, &bound, &[Some(&vec![0; output])]).map_err(message)?;
        let lines = bench.standin.said().0;
        equal("description", lines.first().map(String::as_str), Some(wanted))?;
        if let Some(wrong) = lines.iter().find(|line| line.starts_with("WRONG")) {
            return Err(format!("{}: {wrong}", operator.name()));
        }
    }
    Ok(())
}

fn gemm() -> Result<Packed, String> {
    operator(54, "DML_GEMM_OPERATOR_DESC", |o| {
        o.tensors("ATensor", &[packed(&[1, 1, 2, 2])])?.tensors("BTensor", &[packed(&[1, 1, 2, 2])])?;
        o.tensors("CTensor", &[packed(&[1, 1, 2, 2])])?.tensors("OutputTensor", &[packed(&[1, 1, 2, 2])])
    })
}

fn own_memory(bench: &Bench) -> Result<(), String> {
    let settings = Settings { execution_flags: 2, ..bench.settings() };
    let mut session = Session::start(settings).map_err(message)?;
    let _ = bench.standin.said();
    let bytes = noise(16, 4);
    let bound = [Some(bytes.as_slice()); 3];
    dispatch(&mut session, &gemm()?, &bound, &[Some(&[0; 16])]).map_err(message)?;
    let lines = bench.standin.said().0;
    let wanted = ["compiled with flags 2", "initialized", "dispatched with 3 inputs and 1 outputs"];
    equal("the calls", lines.iter().skip(1).map(String::as_str).collect::<Vec<_>>(), wanted.to_vec())
}

fn refusals(bench: &Bench) -> Result<(), String> {
    let mut session = bench.session()?;
    let small = operator(1, "DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC", |o| {
        o.tensors("InputTensor", &[RawTensor { total_size_in_bytes: 20, ..packed(&[1, 1, 2, 3]) }])?;
        o.tensors("OutputTensor", &[packed(&[1, 1, 2, 3])])
    })?;
    let error = dispatch(&mut session, &small, &[Some(&[0; 20])], &[Some(&[0; 24])]).err();
    equal("invalid", matches!(error, Some(DeviceError::Invalid { step: "CreateOperator", .. })), true)?;
    let unknown = operator(7, "DML_ELEMENT_WISE_CEIL_OPERATOR_DESC", |o| {
        o.tensors("InputTensor", &[packed(&[1, 1, 1, 1])])?.tensors("OutputTensor", &[packed(&[1, 1, 1, 1])])
    })?;
    let error = dispatch(&mut session, &unknown, &[Some(&[0; 4])], &[Some(&[0; 4])]).err();
    equal("unsupported", matches!(error, Some(DeviceError::Unsupported { .. })), true)?;
    copies(&mut session, 5, 5)?;
    equal("times lost", session.lost(), 0)
}

fn out_of_memory(bench: &Bench) -> Result<(), String> {
    let mut session = bench.session()?;
    let relu = operator(44, "DML_ACTIVATION_RELU_OPERATOR_DESC", |o| {
        o.tensors("InputTensor", &[packed(&[1, 1, 1, 1])])?.tensors("OutputTensor", &[packed(&[1, 1, 1, 1])])
    })?;
    let error = dispatch(&mut session, &relu, &[Some(&[0; 4])], &[Some(&[0; 4])]).err();
    match error {
        Some(DeviceError::Failed { step: "getting memory", reason }) => println!("    out of memory: {reason}"),
        other => return Err(format!("expected an out-of-memory error, found {other:?}")),
    }
    copies(&mut session, 6, 6)?;
    equal("times lost", session.lost(), 0)
}

fn lost(bench: &Bench) -> Result<(), String> {
    let mut session = bench.session()?;
    // Fewer bytes are bound than the description says. DirectML's binding functions cannot return an error, so DirectML
    // removes the device.
    let operator = identity(100)?;
    let error = dispatch(&mut session, &operator, &[Some(&[0; 396])], &[Some(&[0; 400])]).err();
    equal("removed", matches!(error, Some(DeviceError::Removed { .. })), true)?;
    let wrong: Vec<String> = bench.standin.said().0.into_iter().filter(|line| line.starts_with("WRONG")).collect();
    equal("reported mistakes", wrong, vec!["WRONG: input 0 takes 400 bytes, and 396 are bound".to_owned()])?;
    equal("device", session.device().is_none(), true)?;
    copies(&mut session, 7, 7)?;
    equal("times lost", session.lost(), 1)
}

fn many(bench: &Bench) -> Result<(), String> {
    let mut session = bench.session()?;
    for seed in 0..40 {
        copies(&mut session, 1 + 37 * seed as u32, seed)?;
    }
    Ok(())
}
