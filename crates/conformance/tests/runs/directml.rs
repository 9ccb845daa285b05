//! Devices that do one thing of DirectML wrong: the suite `directml` catches each of them, and no right one.

use plumbline_backend::{Backend, Overlay, Profile};
use plumbline_conformance::{CaseResult, Expectations, FailKind, Outcome, Verdict, Work};
use plumbline_cpu::Cpu;
use plumbline_executor::OracleBackend;
use plumbline_executor::directml::backend::DirectMlSoftware;
use plumbline_generator::directml::{DirectMlCell, Violated};
use plumbline_graph::Refusal;
use plumbline_spec::directml::{DirectMl, FeatureLevel, TensorDataType};
use plumbline_tensor::onnx::{AttributeProto, ModelProto, NodeProto};
use plumbline_tensor::{DType, Tensor, Value, tensor_from_proto, tensor_to_proto};
use serde_json::Value as Json;

use crate::common::run_work;
use crate::twisted::Twisted;

/// Changes what a case computes.
type Wrong = fn(&mut ModelProto);

/// The number of cases of each cell.
const CASES: u64 = 20;
/// Of this many cells, one breaks rules on the device in software.
const STEP: usize = 29;

/// A device that computes what the function of the case says, after `wrong` has changed it, and refuses a case without
/// one, because that breaks a rule.
fn device(wrong: Wrong) -> Box<dyn Backend> {
    Twisted::boxed(Profile::default(), move |model| {
        let mut model = model.clone();
        if model.proto.functions.is_empty() {
            return Box::new(|_, _| Err(Refusal::invalid("the description breaks a rule")));
        }
        wrong(&mut model.proto);
        Box::new(move |_, inputs| OracleBackend::default().prepare(&model)?.run(inputs))
    })
}

fn work(operator: &str) -> Vec<Work> {
    let cells = DirectMlCell::all().into_iter().filter(|cell| cell.operator.short_name() == operator);
    cells.map(|cell| Work::DirectMl(cell, None)).collect()
}

fn run(operator: &str, wrong: Wrong) -> (Outcome, Vec<CaseResult>) {
    let (outcome, results, _) = run_work(work(operator), CASES, move || device(wrong), &[]);
    assert!(outcome.broken.is_empty(), "{:?}", outcome.broken);
    assert!(!results.is_empty() && results.iter().all(|result| result.suite == "directml"));
    (outcome, results)
}

/// Asserts that some cases of the operator fail on the wrong device, and none on the right one.
fn is_caught(operator: &str, wrong: Wrong) {
    let (outcome, _) = run(operator, |_| ());
    assert_eq!(outcome.unexpected_count, 0, "{operator}: {:?}", outcome.unexpected);
    let (_, results) = run(operator, wrong);
    let failed = results.iter().filter(|result| result.verdict == Verdict::Fail);
    assert!(failed.count() > 0, "{operator}: no case fails");
}

#[test]
fn the_software_device_is_right() {
    let software = || -> Box<dyn Backend> { Box::new(DirectMlSoftware::new(FeatureLevel::LAST)) };
    // Every cell has valid cases, and some cells have descriptions that break rules.
    let work = DirectMlCell::all().into_iter().enumerate().flat_map(|(at, cell)| {
        let rules = if at % STEP == 0 { &Violated::ALL[..] } else { &[] };
        std::iter::once(None).chain(rules.iter().copied().map(Some)).map(move |rule| Work::DirectMl(cell, rule))
    });
    let (outcome, results, _) = run_work(work.collect(), 2, software, &[]);
    assert!(outcome.broken.is_empty(), "{:?}", outcome.broken);
    let wrong: Vec<String> = results
        .iter()
        .filter(|result| !matches!(result.verdict, Verdict::Pass | Verdict::Unsupported | Verdict::Latitude))
        .map(|result| format!("{}: {:?} {:?}", result.case, result.kind, result.detail))
        .collect();
    let count = |verdict| results.iter().filter(|result| result.verdict == verdict).count();
    println!("{} results, {} pass, {} latitude", results.len(), count(Verdict::Pass), count(Verdict::Latitude));
    assert!(wrong.is_empty(), "{} of {} cases\n{}", wrong.len(), results.len(), wrong.join("\n"));
}

fn text<'a>(node: &'a NodeProto, name: &str) -> Option<&'a str> {
    let attribute = node.attribute.iter().find(|attribute| attribute.name.as_deref() == Some(name))?;
    std::str::from_utf8(attribute.s.as_deref()?).ok()
}

/// Replaces the places of the elements of each input by those that `places` gives for its description.
fn relaid(model: &mut ModelProto, places: fn(&Json) -> Option<Vec<i64>>) {
    let node = &model.graph.as_ref().unwrap().node[0];
    let description: Json = serde_json::from_str(text(node, "desc").unwrap()).unwrap();
    for constant in &mut model.functions[0].node {
        let Some(tensor) = constant.output[0].strip_suffix("_places") else { continue };
        let Some(places) = places(&description["desc"][tensor]) else { continue };
        constant.attribute[0].t = Some(tensor_to_proto(&Tensor::from_i64s(&places), ""));
    }
}

fn numbers(value: &Json) -> Option<Vec<i64>> {
    value.as_array()?.iter().map(Json::as_i64).collect()
}

#[test]
fn strides_that_are_ignored_are_caught() {
    is_caught("ELEMENT_WISE_MIN", |model| {
        relaid(model, |tensor| {
            Some((0..numbers(&tensor["Sizes"])?.iter().product()).map(|at| at.min(last(tensor))).collect())
        });
    });
}

/// Returns the last place of a buffer.
fn last(tensor: &Json) -> i64 {
    let bytes = tensor["TotalTensorSizeInBytes"].as_i64().unwrap();
    let element = match tensor["DataType"].as_str().unwrap() {
        name if name.ends_with("64") => 8,
        name if name.ends_with("32") => 4,
        name if name.ends_with("16") => 2,
        _ => 1,
    };
    bytes / element - 1
}

#[test]
fn a_stride_of_0_on_another_dimension_is_caught() {
    is_caught("ELEMENT_WISE_ADD", |model| {
        relaid(model, |tensor| {
            let (sizes, mut strides) = (numbers(&tensor["Sizes"])?, numbers(&tensor["Strides"])?);
            if !strides.contains(&0) {
                return None;
            }
            strides.rotate_left(1);
            let mut places = vec![0];
            for (size, stride) in sizes.iter().zip(strides) {
                places = places.iter().flat_map(|at| (0..*size).map(move |i| at + i * stride)).collect();
            }
            Some(places.into_iter().map(|at: i64| at.min(last(tensor))).collect())
        });
    });
}

#[test]
fn scale_and_bias_that_change_places_are_caught() {
    is_caught("ELEMENT_WISE_ABS", |model| {
        for name in model.functions[0].node.iter_mut().flat_map(|node| &mut node.output) {
            match name.as_str() {
                "Scale" => *name = "Bias".to_owned(),
                "Bias" => *name = "Scale".to_owned(),
                _ => {}
            }
        }
    });
}

/// Gives the function another output, which one of its values is.
fn instead(model: &mut ModelProto, value: &str) {
    let function = &mut model.functions[0];
    for name in function.node.iter_mut().flat_map(|node| &mut node.output).filter(|name| *name == "OutputTensor") {
        *name = "lost".to_owned();
    }
    let copy = NodeProto {
        op_type: Some("Identity".to_owned()),
        input: vec![value.to_owned()],
        output: vec!["OutputTensor".to_owned()],
        ..NodeProto::default()
    };
    function.node.push(copy);
}

#[test]
fn a_fused_activation_that_is_forgotten_is_caught() {
    is_caught("ELEMENT_WISE_ADD1", |model| {
        let has_one = model.functions[0].node.iter().any(|node| node.output.contains(&"before_activation".to_owned()));
        if has_one {
            instead(model, "before_activation");
        }
    });
}

#[test]
fn an_output_in_place_that_keeps_the_input_is_caught() {
    is_caught("ELEMENT_WISE_MULTIPLY", |model| {
        let node = &model.graph.as_ref().unwrap().node[0];
        let shared = node.attribute.iter().find(|attribute| attribute.name.as_deref() == Some("in_place"));
        if let Some(place) = shared.and_then(|attribute| attribute.i) {
            let input = node.input[place as usize].clone();
            instead(model, &input);
        }
    });
}

#[test]
fn an_optional_tensor_that_is_forgotten_is_caught() {
    is_caught("GEMM", |model| {
        let product = "scaled";
        if model.functions[0].node.iter().any(|node| node.output.contains(&product.to_owned())) {
            instead(model, product);
        }
    });
}

/// Gives the outputs of a device another sign where they are zero, or another number where `all`.
fn other_zeros(operator: &str, all: bool) -> Vec<CaseResult> {
    let backend = move || {
        Twisted::boxed(Profile::default(), move |_| {
            Box::new(move |inner, inputs| {
                let outputs = inner.run(inputs)?;
                let changed = |value: &Value| {
                    let tensor = value.as_tensor().unwrap();
                    let top = 1 << (8 * tensor.dtype().size() - 1);
                    let is_zero = |bits: u64| bits & !top == 0;
                    let of = |bits: u64| if is_zero(bits) || all { bits ^ top } else { bits };
                    let bits = (0..tensor.len()).map(|at| of(tensor.bits_at(at)));
                    Tensor::from_bits(tensor.dtype(), tensor.shape().to_vec(), bits).unwrap().into()
                };
                Ok(outputs.iter().map(changed).collect())
            })
        })
    };
    let is_float = |work: &Work| matches!(work, Work::DirectMl(cell, _) if cell.data_type.is_float());
    let (outcome, results, _) = run_work(work(operator).into_iter().filter(is_float).collect(), CASES, backend, &[]);
    assert!(outcome.broken.is_empty(), "{:?}", outcome.broken);
    results
}

#[test]
fn a_remainder_of_zero_may_have_either_sign() {
    let count = |results: &[CaseResult], verdict| results.iter().filter(|r| r.verdict == verdict).count();
    for operator in ["ELEMENT_WISE_MODULUS_FLOOR", "ELEMENT_WISE_MODULUS_TRUNCATE"] {
        let rule =
            DirectMl::embedded().operator(operator).unwrap().rules.as_ref().unwrap().behaviour("sign-of-zero", 1);
        assert_eq!(rule.map(|rule| rule.outcomes.clone()), Some(vec!["+0".to_owned(), "-0".to_owned()]));
        assert_eq!(count(&other_zeros(operator, false), Verdict::Fail), 0, "{operator}");
        assert!(count(&other_zeros(operator, true), Verdict::Fail) > 0, "{operator}");
    }
}

/// Replaces the sum of products of a GEMM by products and additions one after the other, each rounded to a type of its
/// own.
fn summed_step_by_step(model: &mut ModelProto, [products, sums]: [DType; 2]) {
    let node = |operator: &str, inputs: &[&str], output: String, attribute: Option<(&str, i64)>| NodeProto {
        op_type: Some(operator.to_owned()),
        input: inputs.iter().map(|input| (*input).to_owned()).collect(),
        output: vec![output],
        attribute: attribute.map(|(name, i)| integer(name, i)).into_iter().collect(),
        ..NodeProto::default()
    };
    let graph_node = &model.graph.as_ref().unwrap().node[0];
    let description: Json = serde_json::from_str(text(graph_node, "desc").unwrap()).unwrap();
    let sizes = numbers(&description["desc"]["ATensor"]["Sizes"]).unwrap();
    let function = &mut model.functions[0];
    let at = function.node.iter().position(|node| node.op_type.as_deref() == Some("Einsum")).unwrap();
    let equation = text(&function.node[at], "equation").unwrap().to_owned();
    let (a, rest) = equation.split_once(',').unwrap();
    let b = rest.split_once("->").unwrap().0;
    let cast_to = |dtype: DType| Some(("to", i64::from(dtype.code())));
    let axis = |letters: &str| if letters.ends_with('k') { -1 } else { -2 };
    let count = sizes[(sizes.len() as i64 + axis(a)) as usize];
    let mut nodes = Vec::new();
    for (name, number) in (0..count).map(|k| (format!("place_{k}"), k)).chain([-1, -2].map(|d| (format!("d{d}"), d))) {
        let value = if name.starts_with('d') { Tensor::from_i64s(&[number]) } else { Tensor::from_i64(number) };
        let mut constant = node("Constant", &[], name, Some(("value", 0)));
        constant.attribute[0] = AttributeProto {
            i: None,
            t: Some(tensor_to_proto(&value, "")),
            r#type: Some(4),
            ..constant.attribute[0].clone()
        };
        nodes.push(constant);
    }
    let mut sum = String::new();
    for k in 0..count {
        let place = format!("place_{k}");
        for (tensor, axis, name, new) in [("ATensor", axis(a), "column", "d-1"), ("BTensor", axis(b), "row", "d-2")] {
            let [taken, exact] = [format!("{tensor}_{k}"), format!("exact_{name}_{k}")];
            nodes.push(node("Gather", &[tensor, &place], taken.clone(), Some(("axis", axis))));
            nodes.push(node("Unsqueeze", &[&taken, new], exact.clone(), None));
            nodes.push(node("Cast", &[&exact], format!("{name}_{k}"), cast_to(products)));
        }
        let [product, rounded] = [format!("product_{k}"), format!("rounded_{k}")];
        nodes.push(node("Mul", &[&format!("column_{k}"), &format!("row_{k}")], rounded.clone(), None));
        nodes.push(node("Cast", &[&rounded], product.clone(), cast_to(sums)));
        let added = format!("sum_{k}");
        if k > 0 {
            nodes.push(node("Add", &[&sum, &product], added.clone(), None));
        }
        sum = if k > 0 { added } else { product };
    }
    nodes.push(node("Cast", &[&sum], "product".to_owned(), cast_to(DType::Float16)));
    function.node.splice(at..=at, nodes);
}

fn integer(name: &str, i: i64) -> AttributeProto {
    AttributeProto { name: Some(name.to_owned()), i: Some(i), r#type: Some(2), ..AttributeProto::default() }
}

#[test]
fn each_arithmetic_of_float16_conforms_by_its_profile_and_no_wider_one_does() {
    let in_half = |case: &Work| matches!(case, Work::DirectMl(cell, None) if cell.data_type == TensorDataType::Float16);
    let failed = |provider: &'static str, arithmetic: [DType; 2]| {
        let work = work("GEMM").into_iter().filter(in_half).collect();
        let backend = move || {
            let profile = Overlay::of_provider(provider).unwrap().over(&Profile::default());
            Twisted::boxed(profile, move |model| {
                let mut model = model.clone();
                summed_step_by_step(&mut model.proto, arithmetic);
                // Its kernels round the result of each node.
                Box::new(move |_, inputs| Cpu::default().prepare(&model)?.run(inputs))
            })
        };
        let (outcome, results, _) = run_work(work, CASES, backend, &[]);
        assert!(outcome.broken.is_empty() && results.len() > 20, "{:?}", outcome.broken);
        results.iter().filter(|result| result.verdict == Verdict::Fail).count()
    };
    let arithmetics = [[DType::Float, DType::Float], [DType::Float16, DType::Float], [DType::Float16, DType::Float16]];
    for (wide, provider) in ["directml", "directml-half-products", "directml-half"].into_iter().enumerate() {
        for (at, arithmetic) in arithmetics.into_iter().enumerate() {
            let failed = failed(provider, arithmetic);
            assert_eq!(failed > 0, at > wide, "{provider}: {arithmetic:?} fails {failed} cases");
        }
    }
}

#[test]
fn expectations_may_be_about_the_device_that_a_profile_names() {
    let unexpected = |device: &str| {
        let entry = "op = \"*\"\nverdict = \"fail\"\nblame = \"backend\"\nreason = \"it stops\"\n";
        let text = format!("backend = \"twisted\"\n\n[[expect]]\n{device}\n{entry}");
        let known = Expectations::parse("known.toml".as_ref(), &text).unwrap();
        let [adapter, driver] = ["Card 5", "31.0.15.3623"].map(|text| Some(text.to_owned()));
        let profile = Profile { adapter: adapter.clone(), driver: driver.clone(), ..Profile::default() };
        let backend = move || Twisted::boxed(profile.clone(), |_| Box::new(|_, _| Err(Refusal::failed("it stops"))));
        let work = work("ELEMENT_WISE_MIN").into_iter().take(2).collect();
        let (outcome, results, _) = run_work(work, 1, backend, &[known]);
        assert!(!results.is_empty() && results.iter().all(|row| row.adapter == adapter && row.driver == driver));
        outcome.unexpected_count
    };
    assert_eq!(unexpected("adapter = \"^Card\"\ndriver = \"31.0.14..\""), 0);
    assert!(unexpected("adapter = \"^Card\"\ndriver = \"..=31.0.14\"") > 0);
    assert!(unexpected("adapter = \"^Board\"") > 0);
}

#[test]
fn a_device_that_refuses_no_description_is_caught() {
    let lenient = || {
        Twisted::boxed(Profile::default(), |model| {
            let is_broken = model.proto.functions.is_empty();
            let outputs: Vec<Value> = model.graph().output.iter().map(|_| Tensor::from_i64(0).into()).collect();
            Box::new(move |inner, inputs| if is_broken { Ok(outputs.clone()) } else { inner.run(inputs) })
        })
    };
    let cells = DirectMlCell::all().into_iter().filter(|cell| cell.operator.short_name() == "ELEMENT_WISE_CLIP");
    let work: Vec<Work> =
        cells.flat_map(|cell| Violated::ALL.into_iter().map(move |rule| Work::DirectMl(cell, Some(rule)))).collect();
    let (outcome, results, _) = run_work(work.clone(), 1, lenient, &[]);
    assert!(outcome.broken.is_empty(), "{:?}", outcome.broken);
    assert!(results.len() > 20);
    for result in &results {
        assert_eq!((result.verdict, result.kind), (Verdict::Fail, Some(FailKind::AcceptsInvalid)), "{}", result.case);
    }
    let (outcome, results, _) = run_work(work, 1, || device(|_| ()), &[]);
    assert_eq!(outcome.unexpected_count, 0, "{:?}", outcome.unexpected);
    assert!(results.iter().all(|result| result.verdict == Verdict::Pass), "{results:?}");
}

#[test]
fn a_failing_case_is_made_smaller_by_its_choices() {
    let model = |outputs: Vec<Value>| -> Vec<Value> {
        let halved = |value: &Value| {
            let tensor = value.as_tensor().unwrap();
            let bits = (0..tensor.len()).map(|at| tensor.bits_at(at) ^ u64::from(tensor.bits_at(at) > 1));
            Tensor::from_bits(tensor.dtype(), tensor.shape().to_vec(), bits).unwrap().into()
        };
        outputs.iter().map(halved).collect()
    };
    let backend = move || {
        Twisted::boxed(Profile::default(), move |_| Box::new(move |inner, inputs| Ok(model(inner.run(inputs)?))))
    };
    let cell =
        DirectMlCell::all().into_iter().find(|cell| cell.to_string() == "DML_OPERATOR_ELEMENT_WISE_MAX/INT32@3_0");
    let (_, results, out) = run_work(vec![Work::DirectMl(cell.unwrap(), None)], 3, backend, &[]);
    assert!(results.iter().any(|result| result.verdict == Verdict::Fail), "{results:?}");
    let folders: Vec<_> = std::fs::read_dir(out.join("repro")).unwrap().collect();
    let folder = folders.into_iter().next().unwrap().unwrap().path();
    let bytes = std::fs::read(folder.join("model.onnx")).unwrap();
    let model = plumbline_tensor::Model::from_bytes(&bytes).unwrap();
    let places = model.proto.functions[0].node.iter().find(|node| node.output[0] == "ATensor_places").unwrap();
    let places = tensor_from_proto(places.attribute[0].t.as_ref().unwrap()).unwrap();
    assert_eq!(places.len(), 1, "{model}");
}
