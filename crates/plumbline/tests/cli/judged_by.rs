//! Tests the settings that say what the answers of a backend are judged by.

use crate::Session;

const FLOOR: [&str; 9] =
    ["conformance", "--op", "Floor-13", "--dtype", "float", "--suite", "generated", "--cases", "3"];

/// Runs three cases of Floor on a backend.
fn run(session: &mut Session, backend: &str) -> String {
    session.printed.clear();
    session.run(&[&FLOOR[..], &["--out", "out", "--backend", backend]].concat());
    session.printed.clone()
}

#[test]
fn settings_and_files_that_are_wrong_are_wrong_usage() {
    let mut session = Session::new();
    session.write("keys.toml", "flush = true\n");
    session.write("functions.toml", "[ulp]\nExpo = { float = 1 }\n");
    session.write("limits.toml", "ulp = { exp = { float = nan } }\n");
    for (setting, message) in [
        ("accuracy=vulcan", "the profile's `accuracy` is `vulcan`"),
        ("ulp.expo=1", "`expo`, which is not a function of specs/functions.toml"),
        ("ulp.exp=-1", "has -1 ULP for `exp`"),
        ("flush=maybe", "write true or false"),
        ("unchecked=shapes", "write values, all or none"),
        ("products=int8", "write float, tf32, bfloat16 or float16"),
        ("double=half", "write double or float"),
        ("profile=none.toml", "cannot read none.toml"),
        ("profile=keys.toml", "keys.toml: line 1: unknown field `flush`"),
        ("profile=functions.toml", "functions.toml: the profile's `ulp` has `Expo`"),
        ("profile=limits.toml", "limits.toml: the profile's `ulp` has NaN ULP for `exp`"),
    ] {
        for backend in [format!("mock:ok,{setting}"), format!("cpu:{setting}"), format!("process:no-such,{setting}")] {
            let printed = run(&mut session, &backend);
            assert!(printed.contains(message) && printed.trim_end().ends_with("exit code 2"), "{backend}: {printed}");
        }
    }
    session.write("plumbline.toml", "[[backend]]\nname = \"mine\"\nruntime = \"cpu\"\nulp = { expo = 1 }\n");
    let printed = run(&mut session, "mine");
    assert!(printed.contains("`expo`, which is not a function") && printed.trim_end().ends_with("exit code 2"));
    assert!(!session.path("out").exists(), "wrong usage must not write results");
}

#[test]
fn results_and_reports_name_what_a_backend_is_judged_by() {
    let mut session = Session::new();
    session.write("mine.toml", "flush_subnormals = true\n");
    let of_file = "[[backend]]\nname = \"mine\"\nruntime = \"mock:ok\"\nprofile = \"mine.toml\"\naccuracy = \"cuda\"\n\
                   unchecked = [\"values\"]\nulp = { \"exp.half\" = 2.5 }\n";
    session.write("plumbline.toml", of_file);
    for (backend, settings) in [
        ("mock:ok,accuracy=cuda,ulp.Exp=4", "accuracy=cuda,ulp.Exp=4"),
        ("mine", ",accuracy=cuda,unchecked=values,ulp.exp.half=2.5"),
    ] {
        let printed = run(&mut session, backend);
        assert!(printed.trim_end().ends_with("exit code 0"), "{printed}");
        let results = std::fs::read_to_string(session.path("out/results.jsonl")).unwrap();
        assert!(results.lines().count() > 1 && results.lines().all(|line| line.contains(settings)), "{results}");
        let page = std::fs::read_to_string(session.path("out/index.html")).unwrap();
        assert!(page.contains("functions judged by cuda with the backend") && page.contains("numbers for exp"));
        assert_eq!(page.contains("subnormals may be flushed to zero"), backend == "mine");
        assert_eq!(page.contains("values at run time are not checked"), backend == "mine");
    }
}

const PRODUCTS: [&str; 10] =
    ["conformance", "--op", "MatMul-13", "--dtype", "float", "--suite", "generated", "--cases", "20", "--out=out"];

#[test]
fn a_measured_profile_is_what_a_backend_is_judged_by() {
    let mut session = Session::new();
    session.run(&["profile", "--backend", "mock:bfloat16", "--samples", "0", "--out", "measured.toml"]);
    session.show("measured.toml");
    insta::assert_snapshot!(session.printed());
    let mut exit_code = |backend: &str, code: &str| {
        session.printed.clear();
        session.run(&[&PRODUCTS[..], &["--minimize", "off", "--backend", backend]].concat());
        assert!(session.printed.trim_end().ends_with(code), "{backend}: {}", session.printed);
        let page = std::fs::read_to_string(session.path("out/index.html")).unwrap();
        let declared = "factors of products of float may be rounded to bfloat16";
        assert_eq!(session.printed.contains(declared), backend.contains(','), "{}", session.printed);
        assert_eq!(page.contains(declared), backend.contains(','));
    };
    exit_code("mock:bfloat16", "exit code 1");
    exit_code("mock:bfloat16,profile=measured.toml", "exit code 0");
    exit_code("mock:bfloat16,products=bfloat16", "exit code 0");
    exit_code("mock:lie,products=bfloat16", "exit code 1");
}
