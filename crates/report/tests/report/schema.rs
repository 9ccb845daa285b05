//! Checks values by the part of JSON Schema (draft 2020-12) that the schemas of this crate use. An unknown keyword panics.

use serde_json::Value;

/// Returns what is wrong with a value, each problem with its place.
pub fn problems(schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(schema, schema, value, "$", &mut found);
    found
}

fn check(root: &Value, schema: &Value, value: &Value, place: &str, found: &mut Vec<String>) {
    for (keyword, rule) in schema.as_object().expect("a schema is an object") {
        let ok = match keyword.as_str() {
            "$schema" | "title" | "description" | "$defs" => true,
            "$ref" => {
                let path = rule.as_str().and_then(|rule| rule.strip_prefix('#')).expect("references are local");
                check(root, root.pointer(path).expect("the reference leads somewhere"), value, place, found);
                true
            }
            "type" => match rule {
                Value::Array(types) => types.iter().any(|name| is_type(name, value)),
                name => is_type(name, value),
            },
            "const" => rule == value,
            "enum" => rule.as_array().expect("a list").contains(value),
            "minimum" => value.as_f64().is_none_or(|value| value >= rule.as_f64().expect("a number")),
            "minLength" => {
                value.as_str().is_none_or(|text| text.chars().count() as u64 >= rule.as_u64().expect("a number"))
            }
            "minItems" => value.as_array().is_none_or(|items| items.len() as u64 >= rule.as_u64().expect("a number")),
            "required" => {
                let names = rule.as_array().expect("a list").iter().map(|name| name.as_str().expect("a name"));
                value.as_object().is_none_or(|object| names.into_iter().all(|name| object.contains_key(name)))
            }
            "properties" => {
                for (name, inner) in rule.as_object().expect("an object") {
                    if let Some(value) = value.get(name) {
                        check(root, inner, value, &format!("{place}.{name}"), found);
                    }
                }
                true
            }
            "additionalProperties" if rule == &Value::Bool(false) => {
                let known = schema.get("properties").and_then(Value::as_object).expect("the names that are allowed");
                value.as_object().is_none_or(|object| object.keys().all(|name| known.contains_key(name)))
            }
            "additionalProperties" => {
                assert!(
                    schema.get("properties").is_none(),
                    "{place}: `additionalProperties` with a schema beside `properties` is not supported here"
                );
                for (name, value) in value.as_object().into_iter().flatten() {
                    check(root, rule, value, &format!("{place}.{name}"), found);
                }
                true
            }
            "items" => {
                for (at, value) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, rule, value, &format!("{place}[{at}]"), found);
                }
                true
            }
            unknown => panic!("{place}: the keyword {unknown} is not known here"),
        };
        if !ok {
            found.push(format!("{place}: {value} breaks {keyword}: {rule}"));
        }
    }
}

fn is_type(name: &Value, value: &Value) -> bool {
    match name.as_str().expect("a type is a name") {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("the type {other} is not known here"),
    }
}

#[test]
fn what_breaks_a_schema_is_found() {
    let schema: Value = serde_json::from_str(plumbline_report::site::CELL_SCHEMA).unwrap();
    let verdicts = serde_json::json!({ "pass": 1, "device-lost": 2 });
    let good = serde_json::json!({
        "$schema": "x", "format": 1, "cell": "Min-13/T=float", "domain": "ai.onnx", "op": "Min", "since_version": 13,
        "types": { "T": "float" },
        "backends": [{
            "name": "mine", "version": null, "started": "d", "seed": "0", "profile": "p", "plumbline": "1",
            "verdicts": verdicts, "max_ulp": 0.5, "max_ulp_passing": 0.0, "signatures_left_out": 1,
            "signatures": [{ "signature": null, "verdict": "fail", "kind": null, "count": 1 }],
        }],
    });
    assert_eq!(problems(&schema, &good), Vec::<String>::new());
    let broken = |pointer: &str, value: Value| {
        let mut cell = good.clone();
        *cell.pointer_mut(pointer).unwrap() = value;
        problems(&schema, &cell)
    };
    for (pointer, value) in [
        ("/format", 2.into()),
        ("/cell", "".into()),
        ("/since_version", 1.5.into()),
        ("/types/T", 3.into()),
        ("/backends", serde_json::json!([])),
        ("/backends/0/version", 3.into()),
        ("/backends/0/max_ulp", (-1).into()),
        ("/backends/0/verdicts/pass", (-1).into()),
        ("/backends/0/verdicts", serde_json::json!({ "passed": 1 })),
        ("/backends/0", serde_json::json!({ "name": "mine" })),
        ("/backends/0/signatures/0/verdict", "pass".into()),
        ("/backends/0/signatures/0/count", 0.into()),
    ] {
        assert!(!broken(pointer, value).is_empty(), "{pointer}");
    }
}
