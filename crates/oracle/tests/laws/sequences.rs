//! Laws of sequences and optional values.

use plumbline_tensor::{DType, Tensor, Value, ValueKind};
use proptest::prelude::*;

use crate::compare::{answer, differ, is, same};
use crate::draws::{cases, floats, int, ints};
use crate::given;

/// Draws the items of a sequence: tensors, each with its own shape.
fn items() -> impl Strategy<Value = Vec<Tensor>> {
    prop::collection::vec(floats(0..=2), 1..=5)
}

fn sequence(items: &[Tensor]) -> Value {
    let element = ValueKind::Tensor(DType::Float);
    Value::Sequence { element, items: items.iter().cloned().map(Value::Tensor).collect() }
}

proptest! {
    #![proptest_config(cases(64))]

    /// Law: SequenceConstruct, SequenceAt, SequenceLength
    #[test]
    fn a_tensor_is_found_at_its_position(items in items(), at in any::<prop::sample::Index>(), back: bool) {
        let (n, at) = (items.len(), at.index(items.len()));
        let names = ["a", "b", "c", "d", "e"];
        let list: Vec<(&str, Value)> = names.into_iter().zip(items.iter().cloned().map(Value::Tensor)).collect();
        let construct = format!("s = SequenceConstruct({})", names[..n].join(", "));
        is(&construct, &list, sequence(&items));
        is(&format!("{construct} y = SequenceLength(s)"), &list, int(n as i64));
        let place = int(if back { at as i64 - n as i64 } else { at as i64 });
        let s = sequence(&items);
        is("y = SequenceAt(s, place)", &given![s, place], items[at].clone());
    }

    /// Law: SequenceInsert, SequenceErase, SequenceEmpty, SequenceAt, SequenceLength
    #[test]
    fn erasing_undoes_inserting(items in items(), more in floats(0..=3), at in 0usize..=5, back: bool) {
        let at = at.min(items.len());
        let s = sequence(&items);
        let place = int(at as i64);
        // A negative position counts from the end of the sequence before the insertion.
        let behind = int(if back && at < items.len() { at as i64 - items.len() as i64 } else { at as i64 });
        let given = given![s, more, place, behind];
        same("i = SequenceInsert(s, more, behind) y = SequenceErase(i, place)", "y = Identity(s)", &given);
        is("i = SequenceInsert(s, more, behind) y = SequenceAt(i, place)", &given, more.clone());
        is("i = SequenceInsert(s, more, behind) y = SequenceLength(i)", &given, int(items.len() as i64 + 1));
        // Without a position, both operators work at the end.
        same("i = SequenceInsert(s, more) y = SequenceErase(i)", "y = Identity(s)", &given);
        let first = items[0].clone();
        let given = given![first, more];
        same("e = SequenceEmpty() i = SequenceInsert(e, first) y = SequenceInsert(i, more)", "y = SequenceConstruct(first, more)", &given);
        is("e = SequenceEmpty() y = SequenceLength(e)", &given, int(0));
    }

    /// Law: SplitToSequence, ConcatFromSequence, Concat, Split
    #[test]
    fn joining_undoes_splitting(x in floats(1..=4), axis in any::<prop::sample::Index>(), chunk in 1i64..=5) {
        let (axis, chunk) = (axis.index(x.rank()), int(chunk));
        let given = given![x, chunk];
        let joined = |split: &str| format!("{split} y = ConcatFromSequence<axis = {axis}>(s)");
        is(&joined(&format!("s = SplitToSequence<axis = {axis}>(x, chunk)")), &given, x.clone());
        is(&joined(&format!("s = SplitToSequence<axis = {axis}>(x)")), &given, x.clone());
        // With `keepdims = 0` the parts do not have the axis, and are stacked along a new one.
        let stacked = format!("s = SplitToSequence<axis = {axis}, keepdims = 0>(x) y = ConcatFromSequence<axis = {axis}, new_axis = 1>(s)");
        is(&stacked, &given, x.clone());
        let lengths = ints(&[1, x.shape()[axis] as i64 - 1]);
        if x.shape()[axis] > 1 {
            let given = given![x, lengths];
            let construct = format!("a, b = Split<axis = {axis}>(x, lengths) s = SequenceConstruct(a, b)");
            same(&format!("s = SplitToSequence<axis = {axis}>(x, lengths)"), &construct, &given);
            differ(&format!("s = SplitToSequence<axis = {axis}>(x, lengths)"), "s = SequenceConstruct(x, x)", &given);
            same(&joined(&construct), &format!("a, b = Split<axis = {axis}>(x, lengths) y = Concat<axis = {axis}>(a, b)"), &given);
        }
    }

    /// Law: SequenceMap, Loop, SequenceAt, SequenceInsert
    #[test]
    fn a_map_is_a_loop(items in items(), z in floats(0..=0)) {
        let s = sequence(&items);
        let given = given![s, z];
        let map = "y = SequenceMap<body = g (a) => (b) {t = Mul(a, z) b = Add(t, a)}>(s)";
        let by_hand = "e = SequenceEmpty() n = SequenceLength(s)
            y = Loop<body = g (i, go, made) => (go, more) {a = SequenceAt(s, i) t = Mul(a, z) b = Add(t, a) more = SequenceInsert(made, b)}>(n, , e)";
        same(map, by_hand, &given);
        // Iteration i gets item i of each additional sequence, and the additional tensors unchanged.
        let two = "y, n = SequenceMap<body = g (a, b, c) => (d, e) {t = Sub(a, b) d = Mul(t, c) e = Shape(a)}>(s, s, z)";
        let apart = "y = SequenceMap<body = g (a) => (d) {t = Sub(a, a) d = Mul(t, z)}>(s)
            n = SequenceMap<body = g (a) => (e) {e = Shape(a)}>(s) y3, n3 = own.Both(y, n)";
        let both = r#"<domain: "own", opset_import: ["" : 28]> Both (a, b) => (c, d) {c = Identity(a) d = Identity(b)} "#;
        same(two, &format!("{both}{apart}"), &given);
    }

    /// Law: Optional, OptionalGetElement, OptionalHasElement
    #[test]
    fn an_optional_returns_its_value(items in items()) {
        let (x, s) = (items[0].clone(), sequence(&items));
        let given = given![x, s];
        is("o = Optional(x) y = OptionalGetElement(o)", &given, x.clone());
        is("o = Optional(s) y = OptionalGetElement(o)", &given, s.clone());
        let yes = crate::draws::truth(true);
        is("o = Optional(x) y = OptionalHasElement(o)", &given, yes.clone());
        is("y = OptionalHasElement(s)", &given, yes);
        is("o = Optional<type = seq(float[])>() y = OptionalHasElement(o)", &given, crate::draws::truth(false));
        is("o = Optional<type = int8[]>() y = OptionalHasElement(o)", &given, crate::draws::truth(false));
        // From version 18 on, a value that is not an optional is returned as it is.
        is("y = OptionalGetElement(x)", &given, x.clone());
        assert!(answer(r#"<opset_import: ["" : 17]> y = OptionalGetElement(x)"#, &given).is_err());
    }
}
