//! Tests of the real device on Windows. The first test opens it and runs a copy and an addition. It uses WARP unless
//! `PLUMBLINE_DIRECTML_ADAPTER` names another adapter. Without DirectML this test reports that it is skipped; with
//! `PLUMBLINE_REQUIRE_DIRECTML=1` it fails instead.
#![cfg(windows)]
#![allow(clippy::unwrap_used, reason = "a test program")]

use plumbline_directml::device::{Adapter, Session, Settings};
use plumbline_directml::self_check;

#[test]
fn the_device_copies_and_adds() {
    let adapter = std::env::var("PLUMBLINE_DIRECTML_ADAPTER").map_or(Adapter::Warp, |name| name.parse().unwrap());
    let settings = Settings { adapter, debug: true, ..Settings::default() };
    let mut session = match Session::start(settings) {
        Ok(session) => session,
        Err(reason) => {
            let required = std::env::var_os("PLUMBLINE_REQUIRE_DIRECTML").is_some_and(|value| value == "1");
            assert!(!required, "{reason}");
            return eprintln!("SKIPPED: {reason}");
        }
    };
    println!("{:?}", session.device().unwrap().facts());
    self_check::run(&mut session).unwrap();
    assert_eq!(session.lost(), 0);
}

#[test]
fn a_device_does_not_open_without_its_library_or_adapter() {
    let settings = Settings { library: Some("no-such-folder".into()), adapter: Adapter::Warp, ..Settings::default() };
    let Err(error) = Session::start(settings) else { panic!("a device opened with settings that cannot work") };
    assert!(error.could_not_open(), "{error}");
    let settings = Settings { adapter: Adapter::Name("no such adapter".to_owned()), ..Settings::default() };
    let Err(error) = Session::start(settings) else { panic!("a device opened with settings that cannot work") };
    assert!(error.could_not_open() && error.to_string().contains("no such adapter"), "{error}");
}
