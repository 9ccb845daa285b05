//! The frame of a test program that looks at pages in one browser: it finds the browser, makes the pages once, and
//! gives each check a tab of its own.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::sync::{Arc, Mutex};

use libtest_mimic::{Arguments, Failed, Trial};

use super::{Browser, Tab, installed};

/// A check of pages `P`.
pub type Check<P> = fn(&P, &mut Tab) -> Result<(), Failed>;

/// Runs the checks and ends the program. `make` makes the pages that they look at.
pub fn run<P: Send + Sync + 'static>(make: fn() -> P, checks: &[(&str, Check<P>)]) -> ! {
    let arguments = Arguments::from_args();
    let required = std::env::var_os("PLUMBLINE_REQUIRE_CHROMIUM").is_some_and(|value| value == "1");
    let Some(program) = installed() else {
        eprintln!("SKIPPED: no Chromium was found; scripts/install-chromium.sh installs it");
        let missing = || Err(Failed::from("no Chromium was found, and this test needs one"));
        let tests = checks.iter().map(|(name, _)| Trial::test(*name, missing).with_ignored_flag(!required));
        libtest_mimic::run(&arguments, tests.collect()).exit();
    };
    let made = (!arguments.list).then(|| Arc::new((make(), Mutex::new(Browser::start(&program).unwrap()))));
    let tests = checks.iter().map(|&(name, check)| {
        let made = made.clone();
        Trial::test(name, move || match made {
            Some(made) => {
                let mut browser = made.1.lock().map_err(|_| "a test before this one broke the browser")?;
                check(&made.0, &mut browser.tab()?)
            }
            None => Ok(()),
        })
    });
    let conclusion = libtest_mimic::run(&arguments, tests.collect());
    drop(made);
    conclusion.exit()
}

pub fn equal<T: PartialEq + std::fmt::Debug>(what: &str, found: T, wanted: T) -> Result<(), Failed> {
    if found == wanted { Ok(()) } else { Err(format!("{what}: found {found:#?}, expected {wanted:#?}").into()) }
}

pub fn holds(what: &str, condition: bool) -> Result<(), Failed> {
    if condition { Ok(()) } else { Err(what.to_owned().into()) }
}
