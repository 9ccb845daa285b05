//! Channels and values of convolutions. The spatial axes are in `sliding_window`.

use crate::prelude::*;

/// Returns which values to draw: mostly numbers of moderate size, so that few sums of products overflow.
pub fn values(draw: &mut Draw) -> Values {
    if draw.is_large() {
        return draw.summable(DType::Float);
    }
    draw.choose(&[Values::Moderate, Values::Integers, Values::Between(-1.0, 1.0), Values::Finite, Values::Any])
}

/// The batches, groups and channels of a convolution.
pub struct Channels {
    pub batches: usize,
    pub groups: usize,
    /// The number of input channels (`inputs`) and of output channels (`outputs`) in each group.
    pub inputs: usize,
    pub outputs: usize,
}

/// The largest number of pairs of an input channel and an output channel in a large case.
const MOST_PAIRS: usize = 1 << 14;

/// Draws many channels on both sides, or many groups with one channel each, and gives `group`.
fn large_channels(draw: &mut Draw) -> Channels {
    let batches = draw.choose(&[1, 2]);
    let (groups, inputs, outputs) = match draw.choose(&[0, 1, 0, 2]) {
        0 => {
            let [inputs, outputs] = draw.tiles([257, 257], MOST_PAIRS);
            (1, inputs, outputs)
        }
        1 => {
            let [groups] = draw.tiles([257], MOST_PAIRS);
            let outputs = draw.choose(&[1, 2]);
            draw.note_large("depthwise convolution");
            (groups, 1, outputs)
        }
        _ => {
            let [inputs, outputs] = draw.tiles([129, 129], MOST_PAIRS / 2);
            (2, inputs, outputs)
        }
    };
    if groups > 1 {
        draw.int_attribute("group", groups as i64);
    }
    draw.note_large("convolution");
    draw.set_cost(batches * groups * inputs * outputs);
    Channels { batches, groups, inputs, outputs }
}

/// Draws the channels and gives `group`.
pub fn channels(draw: &mut Draw) -> Channels {
    if draw.is_large() {
        return large_channels(draw);
    }
    let groups = if draw.give_attribute("group") {
        let groups = draw.choose(&[2, 1, 3]);
        draw.int_attribute("group", groups as i64);
        if groups > 1 {
            draw.feature("several groups");
        }
        groups
    } else {
        1
    };
    let mut extents = [draw.choose(&[1, 2]), draw.choose(&[1, 2, 3]), draw.choose(&[2, 1, 3])];
    // 16 stands for the number of products per channel: each tap of a window is multiplied by an element of the
    // channel, at several places of the output.
    draw.enlarge(&mut extents, 16 * groups);
    draw.set_cost(extents.iter().product::<usize>() * groups * 4);
    let [mut batches, mut inputs, outputs] = extents;
    if groups > 1 && inputs == 1 {
        draw.feature("depthwise");
    }
    if batches > 1 {
        draw.feature("several batches");
    }
    if draw.once_in(16) {
        if draw.once_in(4) {
            inputs = 0;
            draw.feature("empty sums");
        } else {
            batches = 0;
            draw.feature("no batches");
        }
    }
    Channels { batches, groups, inputs, outputs }
}

/// Converts extents to int64, for attributes and inputs that hold shapes.
pub fn as_ints(sizes: &[usize]) -> Vec<i64> {
    sizes.iter().map(|&x| x as i64).collect()
}
