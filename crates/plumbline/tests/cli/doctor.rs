//! Tests `plumbline doctor` on the backend `cpu`, on mocks, and on programs that are not backends.

use crate::Session;

/// Returns the output without measured numbers.
fn printed(session: &Session) -> String {
    let mut text = session.printed();
    for (pattern, name) in [
        (r"(started in|again after) [0-9.]+ s", "$1 [seconds] s"),
        (r"[0-9.]+ MiB", "[size] MiB"),
        (r"MiB after [0-9]+(,|\n)", "MiB after [number]$1"),
        (r"[0-9]+ KiB with", "[size] KiB with"),
        (r"[0-9]+ small cases", "[number] small cases"),
    ] {
        text = regex::Regex::new(pattern).unwrap().replace_all(&text, name).into_owned();
    }
    text
}

#[test]
fn an_adapter_without_a_mistake() {
    let mut session = Session::new();
    session.run(&["doctor", "--backend", "cpu"]);
    insta::assert_snapshot!(printed(&session));
}

#[cfg(target_os = "linux")]
#[test]
fn mistakes_of_adapters() {
    let mut session = Session::new();
    for mode in ["stale", "leak", "garbage", "crash", "other-id", "lie"] {
        session.run(&["doctor", "--backend", &format!("mock:{mode}")]);
    }
    session.run(&["doctor", "--backend", "mock:hang", "--deadline-ms", "100"]);
    insta::assert_snapshot!(printed(&session));
}

/// Memory that grows for 400 cases and then stays is no leak.
#[cfg(target_os = "linux")]
#[test]
fn an_allocator_that_keeps_an_arena() {
    let mut session = Session::new();
    session.run(&["doctor", "--backend", "mock:arena"]);
    let memory =
        regex::Regex::new(r"(?m)^ok +memory +[0-9.]+ MiB after 20 cases, [0-9.]+ MiB after ([0-9]+)$").unwrap();
    let text = session.printed();
    let found = memory.captures(&text).unwrap_or_else(|| panic!("{text}"));
    let cases: usize = found[1].parse().unwrap();
    assert!((400..=1100).contains(&cases), "{text}");
}

/// Returns a program that greets with this text and waits.
#[cfg(unix)]
fn greeting(hello: &str) -> String {
    let length = hello.len();
    let frame = format!("PLB1\\001\\000\\000\\000\\{length:03o}\\000\\000\\000");
    format!("process:sh -c \"printf '{frame}'; printf '%s' '{}'; cat >/dev/null\"", hello.replace('"', "\\\""))
}

#[cfg(unix)]
#[test]
fn backends_that_do_not_start() {
    let mut session = Session::new();
    session.run(&["doctor"]);
    session.run(&["doctor", "--backend", "nothing"]);
    session.run(&["doctor", "--backend", "mock:no-start"]);
    session.run(&["doctor", "--backend", "process:true"]);
    session.run(&["doctor", "--backend", "process:echo hello to everybody"]);
    session.run(&["doctor", "--backend", &greeting(r#"{"version": 3}"#)]);
    session.run(&["doctor", "--backend", &greeting(r#"{"version": 2, "name": "mine"}"#)]);
    let unknown = r#"{"version": 2, "identity": {"name": "mine", "version": "1"}, "profile": {"opset": 13}}"#;
    session.run(&["doctor", "--backend", &greeting(unknown)]);
    insta::assert_snapshot!(printed(&session));
}

#[test]
fn backends_of_plumbline_toml() {
    let mut session = Session::new();
    session.write("plumbline.toml", "[[backend]]\nname = \"mine\"\nruntime = \"mock:no-start\"\n\n[[backend]]\nname = \"theirs\"\nruntime = \"mock:dead-start\"\n");
    session.run(&["doctor"]);
    session.run(&["doctor", "--backend", "mine"]);
    insta::assert_snapshot!(printed(&session));
}
