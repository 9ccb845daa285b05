// Over 400 lines: the kernel stands beside the tests that compare it with answers worked out by hand.
use crate::families::pooling::maximum;
use crate::families::reduce::mean_of;
use crate::families::sampling::{Cell, cells, divided, interpolated_in_any};
use crate::prelude::*;

/// The largest `output_height`, `output_width` and `sampling_ratio` that the oracle computes with.
const LARGEST_SIZE: i64 = 1 << 20;

/// Divides each region of interest into parts, samples each part with linear interpolation, and returns the average or
/// maximum of the samples.
///
/// Version 10 does not shift coordinates (`coordinate-shift`); version 16 adds `coordinate_transformation_mode`.
/// Constraints: four dimensions (`rank-four`), regions (`rois-shape-fits`), batches (`batch-indices-fit-rois`,
/// `batch-indices-in-range`), and modes (`mode-known`, `transformation-mode-known`). Regions below one element:
/// `degenerate-regions`; samples outside of the input: `outside-positions`; sums that overflow:
/// `intermediate-overflow`; the maximum: `max-mode`; infinities and NaN: `infinity-with-zero-weight`; the number of
/// samples: `sample-count-rounding`; an `output_height` or `output_width` below 1, or a negative `sampling_ratio`:
/// `non-positive-sizes`.
pub fn roi_align(call: &Call) -> Answer {
    let (x, rois, batches) = (call.tensor("X")?, call.tensor("rois")?, call.ints("batch_indices")?);
    let &[count, channels, height, width] = x.shape() else {
        return Err(Refusal::violates(rule::RANK_FOUR, format!("`X` has shape {:?}, expected rank 4", x.shape())));
    };
    if !rois.is_certain() {
        return Err(Refusal::unsupported("the oracle accepts more than one value for a corner of a region"));
    }
    let &[regions, 4] = rois.shape() else {
        return Err(Refusal::violates(
            rule::ROIS_SHAPE_FITS,
            format!("`rois` has shape {:?}, expected [n, 4]", rois.shape()),
        ));
    };
    let indices = call.tensor("batch_indices")?.shape();
    if indices != [regions] {
        return Err(Refusal::violates(
            rule::BATCH_INDICES_FIT_ROIS,
            format!("`batch_indices` has shape {indices:?}, expected [{regions}]"),
        ));
    }
    let settings = Settings::read(call, x.dtype())?;
    let [rows, columns] = settings.sizes;
    let shape = vec![regions, channels, rows, columns];
    shape::affordable(&shape)?;
    let mut numbers = Vec::with_capacity(shape::product(&shape)?);
    for (region, &batch) in batches.iter().enumerate() {
        let batch = usize::try_from(batch).ok().filter(|&b| b < count);
        let batch = batch.ok_or_else(|| {
            Refusal::violates(rule::BATCH_INDICES_IN_RANGE, format!("a batch index is outside [0, {count})"))
        })?;
        let corner = |i: usize| rois.number(region * 4 + i).real();
        let down = settings.samples(corner(1), corner(3), rows, height)?;
        let across = settings.samples(corner(0), corner(2), columns, width)?;
        for channel in 0..channels {
            let last = [height as i64 - 1, width as i64 - 1];
            let plane = Plane { x, first: (batch * channels + channel) * height * width, width, last };
            for bin in 0..rows * columns {
                let (down, across) = (&down[bin / columns], &across[bin % columns]);
                numbers.push(settings.pooled(&plane, down, across));
            }
        }
    }
    call.answer(shape, numbers)
}

struct Settings {
    dtype: DType,
    maximum: bool,
    half_pixel: bool,
    sizes: [usize; 2],
    /// The number of samples along each axis of a part, or 0 if it follows from the size of the part.
    grid: usize,
    scale: Real,
}

/// The samples of one part of a region along an axis. Rules may allow several lengths of the region and several numbers
/// of samples: each combination has a list here, together with the rule. The preferred list is first. There is no list
/// if a corner is NaN or infinite.
type Samples = Vec<(Label, Vec<Place>)>;

/// One coordinate of a sample: each [`Cell`] that it may lie in, or none if it is too far outside.
#[derive(Clone, Debug)]
struct Place {
    cells: Vec<Cell>,
    /// The nearest place in the input, if the sample may lie outside.
    outside: Option<Outside>,
    /// Whether the position is too uncertain to name its cells: its type has few bits, and it lies far from the origin.
    anywhere: bool,
}

/// The place in the input that is nearest to a coordinate outside.
#[derive(Clone, Debug)]
struct Outside {
    nearest: Vec<Cell>,
    /// The distance between the two.
    distance: Real,
    /// Whether rounding decides if the coordinate is outside.
    perhaps: bool,
    /// Whether rounding decides if the coordinate is more than one element outside.
    perhaps_far: bool,
}

/// What an implementation takes for samples outside (`outside-positions`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// The nearest element, or 0 if it is more than one element away, whatever rounding decides on that.
    NearestOrZero,
    /// The nearest element.
    Nearest,
    /// 0.
    Zero,
    /// What interpolation gives if the input is surrounded by zeros.
    ZerosAround,
}

impl Reading {
    /// Returns the value of a sample, given its preferred value and that of the nearest place. `outside` has an entry
    /// for each axis along which the sample may lie outside.
    fn value(self, preferred: Real, nearest: Real, outside: &[&Outside]) -> Real {
        let one = Real::constant(1.0, nearest.dtype);
        let zero = Real::constant(0.0, nearest.dtype);
        let value = match self {
            Reading::NearestOrZero if outside.iter().any(|o| o.perhaps_far) => nearest.hull(zero),
            Reading::NearestOrZero => preferred,
            Reading::Nearest => nearest,
            Reading::Zero if outside.iter().all(|o| o.perhaps) => nearest.hull(zero),
            Reading::Zero => zero,
            Reading::ZerosAround => {
                outside.iter().fold(nearest, |value, o| value.times(one.minus(o.distance).within(0.0, 1.0)))
            }
        };
        Real { mid: preferred.mid, ..value }
    }
}

/// One channel of the input.
struct Plane<'a> {
    x: &'a Expected,
    first: usize,
    width: usize,
    /// The indices of the last row and the last column.
    last: [i64; 2],
}

impl Settings {
    fn read(call: &Call, dtype: DType) -> Result<Settings, Refusal> {
        let maximum = match call.string("mode")?.as_str() {
            "avg" => false,
            "max" => true,
            other => {
                return Err(Refusal::violates(
                    rule::MODE_KNOWN,
                    format!("`mode` is `{other}`, expected `avg` or `max`"),
                ));
            }
        };
        let half_pixel = match call.optional_string("coordinate_transformation_mode").as_deref() {
            None | Some("output_half_pixel") => false,
            Some("half_pixel") => true,
            Some(other) => {
                return Err(Refusal::violates(
                    rule::TRANSFORMATION_MODE_KNOWN,
                    format!(
                        "`coordinate_transformation_mode` is `{other}`, expected `half_pixel` or `output_half_pixel`"
                    ),
                ));
            }
        };
        let size = |name: &str, least: i64| {
            let value = call.int(name)?;
            match value {
                _ if value < least => Err(Refusal::leaves_open(
                    rule::NON_POSITIVE_SIZES,
                    format!("`{name}` is {value}, expected {least} or more"),
                )),
                _ if value > LARGEST_SIZE => {
                    Err(Refusal::failed(format!("`{name}` is {value}, which is more than the oracle takes")))
                }
                _ => Ok(value as usize),
            }
        };
        let sizes = [size("output_height", 1)?, size("output_width", 1)?];
        // The attribute is a float32. An implementation may round it to the type of the positions.
        let exact = Real::constant(f64::from(call.float("spatial_scale")?), dtype);
        let scale = exact.hull(exact.nearest());
        Ok(Settings { dtype, maximum, half_pixel, sizes, grid: size("sampling_ratio", 0)?, scale })
    }

    fn constant(&self, x: f64) -> Real {
        Real::constant(x, self.dtype)
    }

    /// Returns the samples of each part of a region along an axis.
    fn samples(&self, from: Real, to: Real, parts: usize, extent: usize) -> Result<Vec<Samples>, Refusal> {
        let corner = |x: Real| {
            let scaled = x.times(self.scale);
            if self.half_pixel { scaled.minus(self.constant(0.5)) } else { scaled }
        };
        let (start, end) = (corner(from), corner(to));
        let size = end.minus(start);
        if !size.mid.is_finite() || !start.mid.is_finite() {
            return Ok(vec![vec![]; parts]);
        }
        // Without a shift, implementations extend a region to a length of at least one element (`degenerate-regions`).
        let one = size.within(1.0, f64::INFINITY);
        let sizes = match (self.half_pixel, size.low) {
            (false, low) if low < 1.0 => vec![one, size],
            (true, low) if low <= 0.0 => vec![size, one],
            _ => vec![size],
        };
        let mut ways = vec![vec![]; parts];
        for (at, size) in sizes.into_iter().enumerate() {
            let bin = divided(size, parts);
            // Rounding may decide how many samples there are (`sample-count-rounding`).
            let grids = match self.grid {
                0 => [bin.mid, bin.low, bin.high].map(|x| x.ceil().max(0.0)).to_vec(),
                grid => vec![grid as f64],
            };
            for (_, &grid) in grids.iter().enumerate().filter(|(i, grid)| !grids[..*i].contains(grid)) {
                if grid * parts as f64 > f64::from(1 << 16) {
                    return Err(Refusal::failed("a region has more samples than the oracle computes"));
                }
                let label = if at > 0 { rule::DEGENERATE_REGIONS } else { rule::SAMPLE_COUNT_ROUNDING };
                let of_part = |part| self.places(start, size, bin, (part, grid as usize), extent);
                ways.iter_mut().enumerate().for_each(|(part, ways)| ways.push((label, of_part(part))));
            }
        }
        Ok(ways)
    }

    /// Returns the samples of one part of a region, given their number.
    fn places(&self, start: Real, size: Real, bin: Real, (part, count): (usize, usize), extent: usize) -> Vec<Place> {
        if extent == 0 {
            // Every sample lies outside of an empty axis. As no element is near, all samples read as zero
            // (`outside-positions`).
            return vec![Place { cells: vec![], outside: None, anywhere: false }; count];
        }
        let (grid, last) = (self.constant(count as f64), extent as f64 - 1.0);
        let place = |sample: usize| {
            let within = self.constant(sample as f64 + 0.5);
            let step = within.times(bin).over(grid).hull(within.times(bin.over(grid)));
            let place = settled(start.plus(bin.times(self.constant(part as f64))).plus(step), size);
            let within_plane = place.within(0.0, last);
            let (cell, exact) = (cells(within_plane), self.constant(within_plane.mid));
            let anywhere = cell.is_none() && !place.nan;
            let nearest = cell.or_else(|| cells(exact)).unwrap_or_default();
            // A sample that lies more than one element outside reads as zero. Any other sample outside reads the
            // nearest element.
            let far = |x: f64| x < -1.0 || x > extent as f64;
            let outside = (place.low < 0.0 || place.high > last).then(|| Outside {
                nearest: nearest.clone(),
                distance: place.minus(within_plane).abs(),
                perhaps: place.low <= last && place.high >= 0.0,
                perhaps_far: far(place.low) != far(place.high),
            });
            let far = far(place.mid);
            Place { cells: if far { vec![] } else { nearest }, outside, anywhere }
        };
        (0..count).map(place).collect()
    }

    /// Computes the result of one part of a region, with everything that rules leave open.
    fn pooled(&self, plane: &Plane, down: &Samples, across: &Samples) -> Number {
        let mut ways = down.iter().flat_map(|row| across.iter().map(move |column| (row, column)));
        let label = |row: Label, column: Label| {
            if row == rule::DEGENERATE_REGIONS || column == rule::DEGENERATE_REGIONS {
                rule::DEGENERATE_REGIONS
            } else {
                rule::SAMPLE_COUNT_ROUNDING
            }
        };
        let Some((row, column)) = ways.next() else { return self.anything(plane) };
        let first = self.pooled_of(plane, &row.1, &column.1);
        ways.fold(first, |all, (row, column)| all.or(self.pooled_of(plane, &row.1, &column.1), label(row.0, column.0)))
    }

    /// Returns what is accepted for a region with a corner that is NaN or infinite (`infinity-with-zero-weight`): zero,
    /// an average of elements of the plane, or NaN.
    fn anything(&self, plane: &Plane) -> Number {
        let elements =
            (0..(plane.last[0] + 1) as usize * plane.width).map(|i| plane.x.number(plane.first + i).widest());
        let zero = self.constant(0.0);
        let average = elements.fold(zero, |all, x| Real { mid: 0.0, ..all.hull(x) });
        Number::from(zero)
            .or(average, rule::INFINITY_WITH_ZERO_WEIGHT)
            .or(self.constant(f64::NAN), rule::INFINITY_WITH_ZERO_WEIGHT)
    }

    /// Computes the average or maximum of the samples of one part of a region.
    fn pooled_of(&self, plane: &Plane, down: &[Place], across: &[Place]) -> Number {
        let pairs = || down.iter().flat_map(|r| across.iter().map(move |c| (r, c)));
        if down.is_empty() || across.is_empty() {
            return Number::from(self.constant(0.0)).or(self.constant(f64::NAN), rule::DEGENERATE_REGIONS);
        }
        let mut strays: Vec<f64> = Vec::new();
        let mut values = Vec::with_capacity(down.len() * across.len());
        let mut without = Vec::with_capacity(values.capacity());
        let (mut terms, mut everything) = (Vec::new(), None);
        for (row, column) in pairs() {
            if row.cells.is_empty() || column.cells.is_empty() {
                [&mut values, &mut without, &mut terms].into_iter().for_each(|list| list.push(self.constant(0.0)));
                continue;
            }
            let sides = [row.cells.clone(), column.cells.clone()];
            if row.anywhere || column.anywhere {
                let mid = interpolated_in_any(&sides, &mut |place| plane.number(place).widest()).mid;
                let everything = *everything.get_or_insert_with(|| plane.everything(&mut strays));
                let any = Real { mid, ..everything.hull(self.constant(0.0)) };
                [&mut values, &mut without, &mut terms].into_iter().for_each(|list| list.push(any));
                continue;
            }
            values.push(interpolated_in_any(&sides, &mut |place| strayed(plane.number(place).widest(), &mut strays)));
            without.push(interpolated_in_any(&sides, &mut |place| plane.number(&weighing(&sides, place)).widest()));
            if self.maximum {
                terms.extend(self.weighted_in_any(plane, &row.cells, &column.cells));
            }
        }
        let number = if self.maximum {
            // The maximum is taken over the samples, or over the weighted elements around them (`max-mode`).
            let samples = self.largest(&values);
            if terms.is_empty() { samples } else { samples.or(self.largest(&terms), rule::MAX_MODE) }
        } else {
            mean_of(&values, values.len(), self.dtype, rule::INTERMEDIATE_OVERFLOW)
        };
        let number = if strays.is_empty() || self.maximum {
            number
        } else {
            number.or(
                mean_of(&without, without.len(), self.dtype, rule::INTERMEDIATE_OVERFLOW),
                rule::INFINITY_WITH_ZERO_WEIGHT,
            )
        };
        let number = with_strays(number, &strays);
        // What samples outside are is left open (`outside-positions`).
        if !pairs().any(|(r, c)| r.outside.is_some() || c.outside.is_some()) {
            return number;
        }
        let readings = [Reading::NearestOrZero, Reading::Nearest, Reading::Zero, Reading::ZerosAround];
        readings.into_iter().fold(number, |number, reading| {
            let mut strays: Vec<f64> = Vec::new();
            let mut value = |(value, (row, column)): (&Real, (&Place, &Place))| {
                let outside: Vec<&Outside> = [row, column].into_iter().filter_map(|p| p.outside.as_ref()).collect();
                if outside.is_empty() {
                    return *value;
                }
                let sides = [row, column].map(|p| p.outside.as_ref().map_or(&p.cells, |o| &o.nearest).clone());
                let nearest =
                    interpolated_in_any(&sides, &mut |place| strayed(plane.number(place).widest(), &mut strays));
                reading.value(*value, nearest, &outside)
            };
            let values: Vec<Real> = values.iter().zip(pairs()).map(&mut value).collect();
            let other = if self.maximum {
                self.largest(&values)
            } else {
                mean_of(&values, values.len(), self.dtype, rule::INTERMEDIATE_OVERFLOW)
            };
            with_strays(number.or(other, rule::OUTSIDE_POSITIONS), &strays)
        })
    }

    /// Returns the elements around a sample, each times its weight. If the sample may lie in several cells, and the
    /// weighted elements of the first cell are finite, returns only one interval, which holds the largest weighted
    /// element of each cell.
    fn weighted_in_any(&self, plane: &Plane, rows: &[Cell], columns: &[Cell]) -> Vec<Real> {
        let mut ways = rows.iter().flat_map(|row| columns.iter().map(move |column| plane.weighted(row, column)));
        let first = ways.next().unwrap_or_default();
        let finite = |x: &Real| x.low.is_finite() && x.high.is_finite() && !x.nan;
        if rows.len() == 1 && columns.len() == 1 || !first.iter().all(finite) {
            return first;
        }
        let largest = |terms: Vec<Real>| self.largest(&terms).real();
        vec![ways.fold(largest(first), |all, terms| all.hull(largest(terms)))]
    }

    fn largest(&self, reals: &[Real]) -> Number {
        let numbers: Vec<Number> = reals.iter().map(|&r| r.into()).collect();
        maximum(&numbers, rule::INFINITY_WITH_ZERO_WEIGHT).unwrap_or_else(|| self.constant(0.0).into())
    }
}

/// Widens a float64 coordinate by a few ULP, because an implementation may compute it with the steps in another order.
/// Returns coordinates of other types unchanged.
fn settled(place: Real, size: Real) -> Real {
    const STEPS: f64 = 4.0;
    if place.dtype != DType::Double {
        return place;
    }
    let lost = STEPS * f64::EPSILON * place.mid.abs().max(size.mid.abs());
    Real { low: place.low - lost, high: place.high + lost, ..place }
}

impl Plane<'_> {
    /// Returns the range of all elements of the plane.
    fn everything(&self, strays: &mut Vec<f64>) -> Real {
        let count = (self.last[0] + 1) as usize * self.width;
        let elements = (0..count).map(|i| strayed(self.x.number(self.first + i).widest(), strays));
        elements.reduce(Real::hull).unwrap_or(Real::constant(0.0, self.x.dtype()))
    }

    /// Returns an element; an index behind the end of an axis refers to the last element.
    fn number(&self, place: &[i64]) -> Number {
        let [row, column] = [0, 1].map(|axis| place[axis].min(self.last[axis]) as usize);
        self.x.number(self.first + row * self.width + column)
    }

    /// Returns the four elements around a sample, each times its weight.
    fn weighted(&self, row: &Cell, column: &Cell) -> Vec<Real> {
        let weight = |cell: &Cell, step: i64| {
            let one = Real::constant(1.0, cell.fraction.dtype);
            if step == 0 { one.minus(cell.fraction) } else { cell.fraction }
        };
        let term = |(i, j): (i64, i64)| {
            weight(row, i).times(weight(column, j)).times(self.number(&[row.before + i, column.before + j]).real())
        };
        [(0, 0), (0, 1), (1, 0), (1, 1)].map(term).to_vec()
    }
}

/// Returns `place`, moved along each axis to the other element of the cell if the sample may lie exactly on that other
/// element. The element at `place` then has the weight 0, and an implementation may leave it out.
fn weighing(sides: &[Vec<Cell>; 2], place: &[i64]) -> [i64; 2] {
    [0, 1].map(|axis| {
        let on = sides[axis].iter().find_map(|cell| match place[axis] - cell.before {
            0 if cell.fraction.high >= 1.0 => Some(cell.before + 1),
            1 if cell.fraction.low <= 0.0 => Some(cell.before),
            _ => None,
        });
        on.unwrap_or(place[axis])
    })
}

/// Returns the element `x` unchanged. Adds the infinite ends of its interval to `strays`, and NaN if `x` may be NaN.
fn strayed(x: Real, strays: &mut Vec<f64>) -> Real {
    strays.extend([x.low, x.high].into_iter().filter(|x| x.is_infinite()));
    strays.extend((x.nan || x.is_nan()).then_some(f64::NAN));
    x
}

/// Adds the outcomes of infinite and NaN elements. An implementation may multiply such an element by a weight of 0, or
/// by a weight that rounding makes nonzero, or leave the element out (`infinity-with-zero-weight`).
fn with_strays(number: Number, strays: &[f64]) -> Number {
    let undefined = (!strays.is_empty()).then_some(f64::NAN);
    strays.iter().copied().chain(undefined).fold(number, |all, x| all.or(all.like(x), rule::INFINITY_WITH_ZERO_WEIGHT))
}

#[cfg(test)]
mod tests {
    use crate::testing::{floats, run};
    use crate::{Judged, RefusalKind};
    use plumbline_spec::rule;
    use plumbline_tensor::Tensor;

    /// The sum by rows is exact. The sum by columns is rounded.
    #[test]
    fn weighted_elements_may_be_added_in_any_order() {
        let x = floats(&[1, 1, 2, 2], &[-2.961_288, 0.0, -7.0, 8.0]);
        let inputs = [x, floats(&[1, 4], &[0.5, 0.5, 1.5, 1.5]), Tensor::from_i64s(&[0])];
        let y = &run("RoiAlign", 16, &inputs, 1).expect("the node is valid")[0];
        let y = y.number(0).real();
        assert!(y.accepts(f64::from(-0.490_322_f32)) && y.accepts(f64::from(-0.490_322_1_f32)), "{y:?}");
        assert!(!y.accepts(f64::from(-0.490_326_f32)));
    }

    /// Both samples lie after the last column and read that column. The NaN, which follows the 2 in memory, belongs to
    /// the next row.
    #[test]
    fn positions_after_the_last_column_do_not_read_the_next_row() {
        let x = floats(&[1, 1, 2, 2], &[1.0, 2.0, f32::NAN, 4.0]);
        let inputs = [x, floats(&[1, 4], &[1.0, 0.0, 2.0, 1.0]), Tensor::from_i64s(&[0])];
        let y = &run("RoiAlign <output_height = 2>", 10, &inputs, 1).expect("the node is valid")[0];
        assert_eq!(y.tensor, floats(&[1, 1, 2, 1], &[2.5, 3.5]));
        assert!((0..2).all(|i| y.judge_at(i, &floats(&[1], &[f32::NAN]), 0) == Judged::Wrong));
    }

    /// The samples lie on the first row, so a NaN of the second row has the weight 0. A product with 0 gives NaN;
    /// leaving the NaN out gives the elements of the first row.
    #[test]
    fn elements_with_weight_zero_may_be_left_out() {
        let x = floats(&[1, 1, 2, 3], &[7.0, 7.0, 7.0, 8.0, 9.0, f32::NAN]);
        let inputs = [x, floats(&[1, 4], &[0.5, -0.5, 1.5, 0.5]), Tensor::from_i64s(&[0])];
        let y = &run("RoiAlign <sampling_ratio = 1>", 10, &inputs, 1).expect("the node is valid")[0];
        assert_eq!(y.tensor, floats(&[1, 1, 1, 1], &[7.0]));
        let x = floats(&[1, 1, 2, 2], &[7.0, 7.0, f32::NAN, f32::NAN]);
        let inputs = [x, floats(&[1, 4], &[0.0, -0.5, 1.0, 0.5]), Tensor::from_i64s(&[0])];
        let y = &run("RoiAlign <sampling_ratio = 1>", 10, &inputs, 1).expect("the node is valid")[0];
        assert_ne!(y.judge_at(0, &floats(&[1], &[7.0]), 0), Judged::Wrong);
        assert_ne!(y.judge_at(0, &floats(&[1], &[f32::NAN]), 0), Judged::Wrong);
        assert_eq!(y.judge_at(0, &floats(&[1], &[8.0]), 0), Judged::Wrong);
    }

    #[test]
    fn samples_of_an_empty_plane_are_zero() {
        for shape in [[1, 1, 0, 3], [1, 1, 3, 0], [1, 1, 0, 0]] {
            for region in [[0.0; 4], [-9.0, -9.0, 9.0, 9.0]] {
                for mode in ["avg", "max"] {
                    let node = format!("RoiAlign <mode = \"{mode}\", sampling_ratio = 1>");
                    let inputs = [floats(&shape, &[]), floats(&[1, 4], &region), Tensor::from_i64s(&[0])];
                    let y = &run(&node, 22, &inputs, 1).expect("the node is valid")[0];
                    assert_eq!(y.tensor, floats(&[1, 1, 1, 1], &[0.0]));
                    assert_eq!(y.judge_at(0, &floats(&[1], &[1.0]), 0), Judged::Wrong);
                }
            }
        }
    }

    #[test]
    fn only_sizes_that_are_not_positive_are_left_open() {
        let of = |attribute: &str| {
            let inputs = [floats(&[1, 1, 1, 1], &[1.0]), floats(&[1, 4], &[0.0; 4]), Tensor::from_i64s(&[0])];
            let refusal = run(&format!("RoiAlign <{attribute}>"), 22, &inputs, 1).unwrap_err();
            (refusal.kind, refusal.label)
        };
        assert_eq!(of("output_height = 0"), (RefusalKind::Unsupported, Some(rule::NON_POSITIVE_SIZES)));
        assert_eq!(of("sampling_ratio = -1"), (RefusalKind::Unsupported, Some(rule::NON_POSITIVE_SIZES)));
        assert_eq!(of("output_height = 1048577"), (RefusalKind::Failed, None));
        assert_eq!(of("sampling_ratio = 1048577"), (RefusalKind::Failed, None));
    }

    /// The two samples lie half an element and three elements before the first column.
    #[test]
    fn samples_outside_have_one_of_few_values() {
        let x = floats(&[1, 1, 3, 1], &[8.0; 3]);
        let inputs = [x, floats(&[1, 4], &[-4.25, 0.0, 0.75, 2.0]), Tensor::from_i64s(&[0])];
        let node = "RoiAlign <sampling_ratio = 2, coordinate_transformation_mode = \"output_half_pixel\">";
        let y = &run(node, 22, &inputs, 1).expect("the node is valid")[0];
        let judged = |value: f32| y.judge_at(0, &floats(&[1], &[value]), 0);
        assert_eq!(judged(4.0), Judged::Accepted);
        for other in [8.0, 0.0, 2.0] {
            assert!(matches!(judged(other), Judged::Latitude(_)), "{other}");
        }
        for wrong in [1.0, 3.0, 5.0, 7.0, -1.0] {
            assert_eq!(judged(wrong), Judged::Wrong, "{wrong}");
        }
    }

    #[test]
    fn samples_are_interpolated_and_averaged() {
        let x = floats(&[1, 1, 2, 3], &[0.0, 2.0, 4.0, 10.0, 12.0, 14.0]);
        let inputs = [x, floats(&[1, 4], &[0.5, 0.5, 2.5, 1.5]), Tensor::from_i64s(&[0])];
        // Shifted by a half, the region is 0 to 2 by 0 to 1. Its halves are sampled at 0.5 and 1.5, between the rows.
        let y = &run("RoiAlign <output_width = 2, sampling_ratio = 1>", 22, &inputs, 1).expect("the node is valid")[0];
        assert_eq!(y.tensor, floats(&[1, 1, 1, 2], &[6.0, 8.0]));
        // Without a shift, they are sampled at 1 and 2, on the last row.
        let y = &run("RoiAlign <output_width = 2, sampling_ratio = 1>", 10, &inputs, 1).expect("the node is valid")[0];
        assert_eq!(y.tensor, floats(&[1, 1, 1, 2], &[12.0, 14.0]));
    }
}
