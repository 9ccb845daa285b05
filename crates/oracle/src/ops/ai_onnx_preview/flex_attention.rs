use crate::families::heads::Heads;
use crate::families::scores::{Scale, Weighing, at_least, score, weighted};
use crate::prelude::*;

/// Computes attention: scaled products of queries and keys, their softmax, and sums of the values weighted by it.
/// Optional graphs modify all scores (`score_mod`) and all weights (`prob_mod`).
///
/// The only version is 1. Constraints: the rank of the inputs (`rank-four`), their shapes (`query-key-value-agree`),
/// the number of query heads (`query-heads-multiple`), `softmax_precision` (`softmax-precision-allowed`), and the type
/// and shape that the graphs return (`modifier-graphs-fit`).
///
/// Rows in which every score is minus infinity: `fully-masked-row`; other infinities and NaN: `infinite-scores`; the
/// order of steps that overflow: `scaling-order`; values that are rounded to a coarser precision: `softmax-precision`;
/// the type in which the factor of the scores is computed: `scale-precision`.
pub fn flex_attention(call: &Call) -> Answer {
    let (q, k, v) = (call.tensor("Q")?, call.tensor("K")?, call.tensor("V")?);
    if [q, k, v].iter().any(|x| x.rank() != 4) {
        return Err(Refusal::violates(
            rule::RANK_FOUR,
            format!("the inputs have ranks {}, {} and {}, expected 4", q.rank(), k.rank(), v.rank()),
        ));
    }
    let (q, k, v) = (Heads::unpacked(q), Heads::unpacked(k), Heads::unpacked(v));
    let fits = q.batch == k.batch && k.batch == v.batch && k.heads == v.heads && k.sequence == v.sequence;
    if !fits || q.size != k.size {
        return Err(Refusal::violates(
            rule::QUERY_KEY_VALUE_AGREE,
            format!("the shapes of `Q`, `K` and `V` do not fit together: {:?}", [q, k, v].map(|x| x.tensor.shape())),
        ));
    }
    if k.heads == 0 || q.heads % k.heads != 0 {
        return Err(Refusal::violates(
            rule::QUERY_HEADS_MULTIPLE,
            format!("`Q` has {} heads, which is not a multiple of the {} heads of `K`", q.heads, k.heads),
        ));
    }
    let (dtype, precision) = (q.tensor.dtype(), precision(call, q.tensor.dtype())?);
    let scale = Scale::read(call, q.size, dtype);
    let group = q.heads / k.heads;
    let shape = vec![q.batch, q.heads, q.sequence, k.sequence];
    shape::affordable(&shape)?;
    let row = |x: &Heads, b: usize, h: usize, s: usize| -> Vec<Number> {
        (0..x.size).map(|d| x.tensor.number(x.index(b, h, s, d))).collect()
    };
    let of_row = |(b, h, i): (usize, usize, usize)| {
        let query = row(&q, b, h, i);
        let scored = move |j| score(&query, &row(&k, b, h / group, j), &scale, dtype, rule::SCALING_ORDER);
        (0..k.sequence).map(scored)
    };
    // Scores are computed in the type of the inputs. The graph receives them in the type of the softmax.
    let given = precision != dtype && call.has_attribute("score_mod");
    let converted = |x: Number| if given { x.to_float(precision) } else { at_least(precision, x) };
    let scores = q.rows().flat_map(of_row).map(converted);
    let scores = modified(call, "score_mod", Expected::from_numbers(precision, shape.clone(), scores)?)?;
    // A graph that modifies the weights leaves nothing that bounds them together.
    let bounded = !call.has_attribute("prob_mod");
    let weigh = |at: usize| {
        let row: Vec<Number> = (at * k.sequence..(at + 1) * k.sequence).map(|i| scores.number(i)).collect();
        let masked: Vec<bool> = row.iter().map(|x| x.is_point() && x.mid() == f64::NEG_INFINITY).collect();
        Weighing { precision, dtype: precision, infinite: rule::INFINITE_SCORES, nothing: rule::FULLY_MASKED_ROW }
            .weights(&row, &masked)
    };
    let rows = q.batch * q.heads * q.sequence;
    let (weights, bounds): (Vec<_>, Vec<_>) = (0..rows).map(weigh).unzip();
    let probabilities = Expected::from_numbers(precision, shape, weights.into_iter().flatten())?;
    let probabilities = modified(call, "prob_mod", probabilities)?;
    let digits = |dtype: DType| dtype.float_format().map_or(0, |f| f.precision());
    let coarser = digits(precision) < digits(dtype);
    let mut output = Vec::with_capacity(rows * v.size);
    for (at, (b, h, _)) in q.rows().enumerate() {
        let shares: Vec<Number> = (at * k.sequence..(at + 1) * k.sequence).map(|i| probabilities.number(i)).collect();
        let weights: Vec<Number> = shares.iter().map(|&share| at_least(dtype, share)).collect();
        let masked = vec![false; k.sequence];
        let together = bounds[at].as_ref().filter(|_| bounded);
        for d in 0..v.size {
            let lane: Vec<Number> = (0..k.sequence).map(|j| v.tensor.number(v.index(b, h / group, j, d))).collect();
            let y = weighted((&weights, together), &lane, &masked, dtype, rule::INFINITE_SCORES);
            output.push(match coarser {
                true => {
                    let lane: Vec<Number> = lane.iter().map(|x| x.to_float(precision)).collect();
                    y.or(
                        weighted((&shares, together), &lane, &masked, precision, rule::INFINITE_SCORES)
                            .to_float(dtype)
                            .overflowing(),
                        rule::SOFTMAX_PRECISION,
                    )
                }
                false => y,
            });
        }
    }
    call.answer_as(dtype, q.shape(q.heads, q.sequence, v.size), output)
}

fn precision(call: &Call, dtype: DType) -> Result<DType, Refusal> {
    let code = match call.optional_int("softmax_precision") {
        Some(code) => DType::from_code(code),
        None if dtype == DType::Double => Some(DType::Double),
        None => Some(DType::Float),
    };
    code.filter(|p| matches!(p, DType::Float | DType::Double | DType::Float16 | DType::Bfloat16)).ok_or_else(|| {
        Refusal::violates(
            rule::SOFTMAX_PRECISION_ALLOWED,
            "`softmax_precision` is not float, float16, double or bfloat16",
        )
    })
}

/// Applies the graph of an attribute to a tensor, and checks that the result has the same type and shape. Without the
/// attribute, returns the tensor itself.
fn modified(call: &Call, attribute: &str, tensor: Expected) -> Result<Expected, Refusal> {
    if !call.has_attribute(attribute) {
        return Ok(tensor);
    }
    let (dtype, shape) = (tensor.dtype(), tensor.shape().to_vec());
    if call.graph(attribute)?.input.len() != 1 || call.graph(attribute)?.output.len() != 1 {
        return Err(Refusal::violates(
            rule::MODIFIER_GRAPHS_FIT,
            format!("the graph `{attribute}` does not have one input and one output"),
        ));
    }
    let outputs = call.run_graph(attribute, &[tensor.into()])?;
    match outputs.first().map(Operand::tensor).transpose()? {
        Some(result) if result.dtype() == dtype && result.shape() == shape => Ok(result.clone()),
        _ => Err(Refusal::violates(
            rule::MODIFIER_GRAPHS_FIT,
            format!("the graph `{attribute}` changes the type or shape of its input"),
        )),
    }
}
