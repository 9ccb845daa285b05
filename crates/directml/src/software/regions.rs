//! Regions of images: ROI_POOLING, ROI_ALIGN and its gradient.

use super::call::{Call, Dense, Run, Stop, Written, wrong};
use plumbline_cpu::kernels::scatter::indices;
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Run)] = &[
    ("ROI_ALIGN", roi_align),
    ("ROI_ALIGN1", roi_align),
    ("ROI_ALIGN_GRAD", roi_align_grad),
    ("ROI_POOLING", roi_pooling),
];

/// The most samples along one dimension of an output element.
const MOST_SAMPLES: f64 = 65536.0;

/// The largest coordinate of a region that is told from others, so that products of coordinates do not overflow.
const FARTHEST: f64 = 1e15;

/// Returns the rows of a tensor with this number of columns; dimensions of size 1 may be in front.
fn rows<'a>(call: &Call, field: &str, tensor: &'a Dense, columns: usize) -> Result<Vec<&'a [f64]>, Stop> {
    match tensor.sizes.as_slice() {
        [front @ .., _, last] if *last == columns && front.iter().all(|&size| size == 1) => {
            Ok(tensor.data.chunks(columns).collect())
        }
        sizes => wrong(field, format!("Sizes are {sizes:?}, but {} needs rows of {columns}", call.description.name())),
    }
}

/// Takes the largest element of each part of a region, or 0 for an empty part. The corners are rounded and belong to
/// the region.
fn roi_pooling(call: &Call) -> Written {
    let (x, regions, scale) = (call.numbers("InputTensor")?, call.numbers("ROITensor")?, call.float("SpatialScale")?);
    let &[batches, channels, height, width] = x.sizes.as_slice() else { return wrong("InputTensor", "is not 4D") };
    let pooled = call.size_2d("PooledSize")?;
    let regions = rows(call, "ROITensor", &regions, 5)?;
    call.expect("OutputTensor", &[regions.len(), channels, pooled[0], pooled[1]])?;
    let part = |at: usize, corners: [f64; 2], count: usize, extent: usize| {
        // Integers, because a quotient in floating point may lie on the other side of a whole number.
        let [low, high] = corners.map(|corner| (corner * scale).round().clamp(-FARTHEST, FARTHEST) as i128);
        let (at, size, count) = (at as i128, (high - low + 1).max(1), count as i128);
        let place = |place: i128| (place + low).clamp(0, extent as i128) as usize;
        place(at * size / count)..place(((at + 1) * size + count - 1) / count)
    };
    let mut found = Vec::new();
    indices(&call.sizes("OutputTensor")?, |index| {
        let &[region, channel, row, column] = index else { return };
        let &[batch, x1, y1, x2, y2] = regions[region] else { return };
        let batch = (batch.max(0.0) as usize).min(batches - 1);
        let mut most = None;
        for y in part(row, [y1, y2], pooled[0], height) {
            for along in part(column, [x1, x2], pooled[1], width) {
                let element = x.at(&[batch, channel, y, along]);
                most = Some(most.map_or(element, |most: f64| most.max(element)));
            }
        }
        found.push(most.unwrap_or(0.0));
    });
    Ok(vec![call.put("OutputTensor", &found)?])
}

/// The elements that a sample reads, with row, column and weight.
type Sample = Vec<([usize; 2], f64)>;

/// The regions and the attributes of their alignment.
struct Alignment {
    regions: Dense,
    batches: Vec<i64>,
    scales: [f64; 2],
    offsets: [f64; 2],
    samples: [f64; 2],
    image: [usize; 2],
    parts: [usize; 2],
    nearest: bool,
    largest: bool,
}

impl Alignment {
    fn read(call: &Call, image: &[usize], output: &str) -> Result<Alignment, Stop> {
        let &[batches, channels, height, width] = image else { return wrong("InputTensor", "is not 4D") };
        if call.description.uint("AlignRegionsToCorners") == Some(1) {
            // The documentation does not say where samples lie in that case.
            return Err(Refusal::unsupported("no kernel implements AlignRegionsToCorners").into());
        }
        let regions = call.numbers("ROITensor")?;
        let count = rows(call, "ROITensor", &regions, 4)?.len();
        let given = call.integers("BatchIndicesTensor")?;
        if given.len() != count {
            return wrong(
                "BatchIndicesTensor",
                format!("has {} elements, expected {count}, one for each region", given.len()),
            );
        }
        let sizes = call.sizes(output)?;
        let &[_, _, rows, columns] = sizes.as_slice() else { return wrong(output, "is not 4D") };
        call.expect(output, &[count, channels, rows, columns])?;
        let offset = |field: &str, centre| match call.description.operator().field(field) {
            Some(_) => call.float(field),
            None => Ok(centre),
        };
        let samples = ["MinimumSamplesPerOutput", "MaximumSamplesPerOutput"].map(|field| call.uint(field));
        let [least, most] = samples;
        let (least, most) = (least? as f64, most? as f64);
        if most < 1.0 {
            return wrong("MaximumSamplesPerOutput", "is 0, expected at least 1");
        }
        if least > most {
            return wrong("MinimumSamplesPerOutput", format!("is {least}, but MaximumSamplesPerOutput is {most}"));
        }
        if least > MOST_SAMPLES {
            return Err(Refusal::unsupported(format!("MinimumSamplesPerOutput is above {MOST_SAMPLES}")).into());
        }
        let most = most.min(MOST_SAMPLES);
        Ok(Alignment {
            batches: given.into_iter().map(|batch| batch.clamp(0, batches as i64 - 1)).collect(),
            regions,
            scales: [call.float("SpatialScaleY")?, call.float("SpatialScaleX")?],
            offsets: [offset("InputPixelOffset", 0.5)?, offset("OutputPixelOffset", -0.5)?],
            samples: [least.max(1.0), most],
            image: [height, width],
            parts: [rows, columns],
            nearest: call.uint("InterpolationMode")? == 0,
            largest: call.uint("ReductionFunction")? == 7,
        })
    }

    /// Returns the positions along a dimension at which a part of a region is sampled, in elements of the image.
    fn places(&self, region: usize, d: usize, part: usize) -> Vec<f64> {
        let corner = |at: usize| self.regions.data[region * 4 + at] * self.scales[d];
        let (low, high) = (corner(1 - d), corner(3 - d));
        let parts = self.parts[d] as f64;
        let count = ((high - low) / parts).ceil().clamp(self.samples[0], self.samples[1]);
        let step = (high - low) / (parts * count);
        let place = |n: usize| ((part as f64 * count + n as f64) - self.offsets[1]) * step + low - self.offsets[0];
        (0..count as usize).map(place).collect()
    }

    /// Returns the elements around a position along a dimension, with their weights; `None` if the position is more
    /// than one element outside of the image.
    fn neighbours(&self, d: usize, place: f64) -> Option<Vec<(usize, f64)>> {
        let extent = self.image[d] as f64;
        if !(-1.0..=extent).contains(&place) {
            return None;
        }
        let place = place.clamp(0.0, extent - 1.0);
        if self.nearest {
            return Some(vec![((place - 0.5).ceil().max(0.0) as usize, 1.0)]);
        }
        let low = place.floor();
        let next = (low as usize + 1).min(self.image[d] - 1);
        Some(vec![(low as usize, 1.0 - (place - low)), (next, place - low)])
    }

    /// Returns all samples of a part of a region; a sample that lies too far outside of the image is `None`.
    fn each(&self, region: usize, [row, column]: [usize; 2]) -> Vec<Option<Sample>> {
        let (rows, columns) = (self.places(region, 0, row), self.places(region, 1, column));
        let pairs = rows.iter().flat_map(|&y| columns.iter().map(move |&x| (y, x)));
        let sample = |(y, x)| {
            let (ys, xs) = (self.neighbours(0, y)?, self.neighbours(1, x)?);
            Some(ys.iter().flat_map(|&(i, v)| xs.iter().map(move |&(j, w)| ([i, j], v * w))).collect())
        };
        pairs.map(sample).collect()
    }
}

fn roi_align(call: &Call) -> Written {
    let x = call.numbers("InputTensor")?;
    let (alignment, outside) = (Alignment::read(call, &x.sizes, "OutputTensor")?, call.float("OutOfBoundsInputValue")?);
    let mut found = Vec::new();
    indices(&call.sizes("OutputTensor")?, |index| {
        let &[region, channel, row, column] = index else { return };
        let batch = alignment.batches[region] as usize;
        let samples = alignment.each(region, [row, column]);
        let count = samples.len() as f64;
        let value = |sample: Option<Sample>| match sample {
            Some(sample) => sample.into_iter().map(|([i, j], w)| w * x.at(&[batch, channel, i, j])).sum(),
            None => outside,
        };
        let values = samples.into_iter().map(value);
        found.push(match alignment.largest {
            true => values.reduce(f64::max).unwrap_or(f64::NEG_INFINITY),
            false => values.sum::<f64>() / count,
        });
    });
    Ok(vec![call.put("OutputTensor", &found)?])
}

/// Computes the gradient of the image; the gradient of the regions is not supported.
fn roi_align_grad(call: &Call) -> Written {
    if call.has("OutputROIGradientTensor") || !call.has("OutputGradientTensor") {
        return Err(Refusal::unsupported("OutputROIGradientTensor").into());
    }
    let (gradient, sizes) = (call.numbers("InputGradientTensor")?, call.sizes("OutputGradientTensor")?);
    let alignment = Alignment::read(call, &sizes, "InputGradientTensor")?;
    let x = call.optional_numbers("InputTensor")?;
    if alignment.largest && x.is_none() {
        return wrong("InputTensor", "is missing, but ReductionFunction MAX needs it");
    }
    let mut found = Dense { data: vec![0.0; sizes.iter().product()], sizes };
    indices(&gradient.sizes, |index| {
        let &[region, channel, row, column] = index else { return };
        let batch = alignment.batches[region] as usize;
        let mut samples = alignment.each(region, [row, column]);
        let mut part = gradient.at(index) / samples.len() as f64;
        if let (true, Some(x)) = (alignment.largest, &x) {
            let value = |sample: &Option<Sample>| match sample {
                Some(sample) => sample.iter().map(|&([i, j], w)| w * x.at(&[batch, channel, i, j])).sum(),
                None => f64::NEG_INFINITY,
            };
            let best = samples.into_iter().reduce(|best, next| if value(&next) > value(&best) { next } else { best });
            (samples, part) = (best.into_iter().collect(), gradient.at(index));
        }
        for ([i, j], weight) in samples.into_iter().flatten().flatten() {
            let place = found.place(&[batch, channel, i, j]);
            found.data[place] += part * weight;
        }
    });
    Ok(vec![call.put("OutputGradientTensor", &found.data)?])
}
