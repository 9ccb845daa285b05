//! Writes the descriptions of all exercises as models of DxDispatch, and runs these.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use plumbline_directml::dxdispatch::{check, npy, operator_json, read_operator, run_model, write_model};
use plumbline_directml::execution::Buffers;
use plumbline_directml::software::{Device, DeviceError, SoftwareDevice};
use plumbline_directml::{Binding, OperatorDescription};
use plumbline_spec::directml::{FeatureLevel, TensorDataType::Float32};

use super::machine::{Layout, run};
use super::{Draft, NOT_THERE, families};

/// A device that writes each operator as a model, and runs the model.
struct Written {
    level: FeatureLevel,
    models: AtomicUsize,
}

impl Device for Written {
    fn feature_level(&self) -> FeatureLevel {
        self.level
    }

    fn dispatch(
        &self,
        description: &OperatorDescription,
        buffers: &mut [Vec<u8>],
        inputs: &[Option<Binding>],
        outputs: &[Option<Binding>],
    ) -> Result<(), DeviceError> {
        let name = description.name();
        assert_eq!(read_operator(&operator_json(description)).as_ref(), Ok(description), "{name}");
        let part = |binding: &Binding| {
            let start = binding.offset as usize;
            buffers[binding.buffer][start..start + binding.size_in_bytes as usize].to_vec()
        };
        let inputs = inputs.iter().map(|binding| binding.as_ref().map(part)).collect();
        let model = write_model(description, &Buffers { inputs, in_place: None });
        let checked = check(&model.json, self.level);
        assert_eq!((&checked.findings[..], checked.dispatches), (&[][..], 1), "{name}: {:#}", model.json);
        let number = self.models.fetch_add(1, Ordering::Relaxed);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("written-{}", std::process::id()));
        let folder = folder.join(format!("{name}-{number}"));
        std::fs::create_dir_all(&folder).unwrap();
        model.files.iter().for_each(|(file, bytes)| std::fs::write(folder.join(file), bytes).unwrap());
        let ran = run_model(&model.json, &folder, &SoftwareDevice::new(self.level));
        std::fs::remove_dir_all(&folder).unwrap();
        let ran = ran.unwrap_or_else(|error| panic!("{name}: {error}: {:#}", model.json));
        let content = |file: &str| {
            let (_, content) = ran.written.iter().find(|(target, _)| target == Path::new(file)).unwrap();
            npy::read(content).unwrap().bytes
        };
        for file in &model.unchanged {
            assert_eq!(content(file), npy::read(&model.files[file]).unwrap().bytes, "{name}: {file}");
        }
        for (output, binding) in model.outputs.iter().zip(outputs) {
            let (Some(output), Some(binding)) = (output, binding) else { continue };
            let (after, before) = (content(&output.file), npy::read(&model.files[&output.file]).unwrap().bytes);
            let total = output.tensor.total_size_in_bytes as usize;
            assert_eq!(after[total..], before[total..], "{name}: {}", output.file);
            // Bytes between the elements are those of the model, and not those of the buffer.
            let bits = output.tensor.data_type.bits().unwrap() as usize;
            for place in output.tensor.places() {
                let (start, end) = (place * bits / 8, (place * bits + bits).div_ceil(8));
                let there = binding.offset as usize;
                buffers[binding.buffer][there + start..there + end].copy_from_slice(&after[start..end]);
            }
        }
        Ok(())
    }
}

#[test]
fn every_operator_can_be_written_and_run_as_a_model() {
    let mut count = 0;
    for exercise in families().into_iter().flat_map(|(_, lists)| lists).flatten() {
        for entry in exercise.blocks() {
            // A tensor without a table of types is described as FLOAT32.
            let rows =
                entry.block.tensors.iter().filter(|row| !NOT_THERE.contains(&(exercise.name, row.name.as_str())));
            for row in rows.take(1) {
                let data_type = row.data_types.as_ref().and_then(|all| all.last().copied()).unwrap_or(Float32);
                let dimensions = row.dimension_counts.min;
                let Some(description) = entry.description(&row.name, data_type, dimensions) else { continue };
                for layout in [Layout::Packed, Layout::Gaps, Layout::Repeated] {
                    let mut draft = Draft::new(description.clone(), &format!("{} {}", exercise.name, entry.level));
                    (exercise.shape)(&mut draft);
                    let device = Written { level: entry.level, models: AtomicUsize::new(0) };
                    if let Err(said) = run(&device, draft, layout, exercise.evaluate) {
                        panic!("{} at {} {data_type} {layout:?}: {said}", exercise.name, entry.level);
                    }
                    count += device.models.into_inner();
                }
            }
        }
    }
    println!("{count} models were written, checked and run");
    assert!(count > 500, "{count}");
}
