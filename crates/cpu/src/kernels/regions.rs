//! Pooling of regions of an image.

/// A value for rows and a value for columns.
pub type Pair<T> = [T; 2];

/// Calls `put` with the largest element of each part of a region, in row-major order, or with 0 for a part without
/// elements. The corners `first` and `last` are whole numbers and belong to the region. All parts have the same length,
/// which may have a fraction: the lower bound of each part is rounded down, and the upper bound is rounded up.
pub fn max_of_parts(
    plane: &[f64],
    extents: Pair<usize>,
    (first, last): (Pair<f64>, Pair<f64>),
    parts: Pair<usize>,
    mut put: impl FnMut(f64),
) {
    let span = |d: usize, part: usize| {
        let length = (last[d] - first[d] + 1.0).max(1.0) / parts[d] as f64;
        let place = |x: f64| (x + first[d]).clamp(0.0, extents[d] as f64) as usize;
        place((part as f64 * length).floor())..place(((part + 1) as f64 * length).ceil())
    };
    for row in 0..parts[0] {
        for column in 0..parts[1] {
            let mut most: Option<f64> = None;
            for y in span(0, row) {
                for x in span(1, column) {
                    let element = plane[y * extents[1] + x];
                    most = Some(
                        most.map_or(element, |most| if element > most || element.is_nan() { element } else { most }),
                    );
                }
            }
            put(most.unwrap_or(0.0));
        }
    }
}

/// Interpolates an image bilinearly between its elements. Up to one step outside of the image, the result is the value
/// at the border. Farther outside, the result is 0.
pub fn bilinear(plane: &[f64], extents: Pair<usize>, at: Pair<f64>) -> f64 {
    let mut ways = [(0, 0, 0.0); 2];
    for d in 0..2 {
        let (extent, x) = (extents[d], at[d]);
        if extent == 0 || x.is_nan() || x < -1.0 || x > extent as f64 {
            return 0.0;
        }
        let low = (x.max(0.0) as usize).min(extent - 1);
        let fraction = if low + 1 == extent { 0.0 } else { x.max(0.0) - low as f64 };
        ways[d] = (low, (low + 1).min(extent - 1), fraction);
    }
    let [(top, bottom, down), (left, right, across)] = ways;
    let between = |row: usize| {
        let (a, b) = (plane[row * extents[1] + left], plane[row * extents[1] + right]);
        if across == 0.0 { a } else { a * (1.0 - across) + b * across }
    };
    if down == 0.0 { between(top) } else { between(top) * (1.0 - down) + between(bottom) * down }
}

/// Sample positions in a region, which is divided into parts.
#[derive(Clone, Copy, Debug)]
pub struct Samples {
    /// The position where the region starts.
    pub start: Pair<f64>,
    /// The extents of a part.
    pub part: Pair<f64>,
    /// The number of rows and of columns of samples in a part.
    pub samples: Pair<usize>,
}

impl Samples {
    /// Returns the interpolated values at the samples of a part.
    pub fn pooled<'a>(
        &'a self,
        plane: &'a [f64],
        extents: Pair<usize>,
        part: Pair<usize>,
    ) -> impl Iterator<Item = f64> + 'a {
        let place = move |d: usize, n: usize| {
            self.start[d] + (part[d] as f64 + (n as f64 + 0.5) / self.samples[d] as f64) * self.part[d]
        };
        let [rows, columns] = self.samples;
        (0..rows).flat_map(move |row| {
            (0..columns).map(move |column| bilinear(plane, extents, [place(0, row), place(1, column)]))
        })
    }
}
