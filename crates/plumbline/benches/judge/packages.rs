//! Models out of pip packages, each with drawn inputs.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use plumbline_tensor::{DType, Tensor, Value};

/// silero-vad: finds speech in 32 ms of sound.
pub fn vad(folder: &Path) -> anyhow::Result<()> {
    let sound = floats(&[1, 576], -0.1..0.1)?;
    let state = Tensor::zeros(DType::Float, vec![2, 1, 128])?;
    place(
        folder,
        ("silero-vad", "6.2.3"),
        "silero_vad/data/silero_vad.onnx",
        vec![sound, state, Tensor::from_i64(16000)],
    )
}

/// PP-OCRv4's classifier of directions: whether a line of text is upside down.
pub fn cls(folder: &Path) -> anyhow::Result<()> {
    place_ocr(folder, "ch_ppocr_mobile_v2.0_cls_infer.onnx", [48, 192])
}

/// PP-OCRv4's recognition of a line of text of this width.
pub fn rec(folder: &Path, width: usize) -> anyhow::Result<()> {
    place_ocr(folder, "ch_PP-OCRv4_rec_infer.onnx", [48, width])
}

/// PP-OCRv4's detection of text in an image.
pub fn det(folder: &Path) -> anyhow::Result<()> {
    place_ocr(folder, "ch_PP-OCRv4_det_infer.onnx", [640, 640])
}

/// Magika: tells what type a file has, by 2,048 of its bytes.
pub fn magika(folder: &Path) -> anyhow::Result<()> {
    let mut random = fastrand::Rng::with_seed(0);
    let bytes: Vec<i128> = (0..2048).map(|_| random.i128(0..256)).collect();
    let bytes = Tensor::from_i128s(DType::Int32, vec![1, 2048], &bytes)?;
    place(folder, ("magika", "1.0.3"), "magika/models/standard_v3_3/model.onnx", vec![bytes])
}

fn place_ocr(folder: &Path, file: &str, [height, width]: [usize; 2]) -> anyhow::Result<()> {
    let image = floats(&[1, 3, height, width], -1.0..1.0)?;
    let path = format!("rapidocr_onnxruntime/models/{file}");
    place(folder, ("rapidocr-onnxruntime", "1.4.4"), &path, vec![image])
}

fn floats(shape: &[usize], range: std::ops::Range<f32>) -> anyhow::Result<Tensor> {
    let mut random = fastrand::Rng::with_seed(0);
    let mut number = || range.start + random.f32() * (range.end - range.start);
    let values: Vec<f32> = (0..shape.iter().product()).map(|_| number()).collect();
    Ok(Tensor::from_f32s(shape.to_vec(), &values)?)
}

/// Copies a model out of a package into a folder, and writes its inputs.
fn place(folder: &Path, package: (&str, &str), path: &str, inputs: Vec<Tensor>) -> anyhow::Result<()> {
    let unpacked = unpacked(package)?;
    std::fs::create_dir_all(folder)?;
    let inputs: Vec<Value> = inputs.into_iter().map(Value::Tensor).collect();
    super::write_inputs(folder, &inputs)?;
    std::fs::copy(unpacked.join(path), folder.join("model.onnx"))
        .with_context(|| format!("{} has no {path}", package.0))?;
    Ok(())
}

/// Returns the folder with the files of a package, which pip downloads the first time.
fn unpacked((package, version): (&str, &str)) -> anyhow::Result<PathBuf> {
    let folder = super::folder().join("packages").join(format!("{package}-{version}"));
    if folder.is_dir() {
        return Ok(folder);
    }
    let python = std::env::var("PLUMBLINE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let wheels = tempfile::tempdir()?;
    let run = |command: &mut Command| -> anyhow::Result<()> {
        let output = command.output().with_context(|| format!("cannot start {python}"))?;
        if !output.status.success() {
            bail!("{python}: {}", String::from_utf8_lossy(&output.stderr).trim());
        }
        Ok(())
    };
    let pip = ["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest"];
    run(Command::new(&python).args(pip).arg(wheels.path()).arg(format!("{package}=={version}")))?;
    let wheel = std::fs::read_dir(wheels.path())?.next().context("pip downloaded no file")??.path();
    // Unpacked under another name, which only a whole package loses.
    let partial = folder.with_extension("partial");
    run(Command::new(&python).args(["-m", "zipfile", "-e"]).arg(wheel).arg(&partial))?;
    Ok(std::fs::rename(&partial, &folder).map(|()| folder)?)
}
