//! Tests the names of rewriters.

use crate::Session;

#[test]
fn wrong_names_of_rewriters_are_wrong_usage() {
    let mut session = Session::new();
    for name in [
        "rewriter",
        "rewriter@1.0:onnxsim",
        "rewriter:onyx",
        "rewriter:onnxsim,level=3",
        "rewriter:onnxslim@new",
        "rewriter:version-converter:to=",
        "rewriter:cp {in}",
        "rewriter:cp '{in} {out}",
        "tool:onnxsim",
        "tool:checker,strict=on",
    ] {
        session.run(&["conformance", "--op", "Floor-13", "--backend", name, "--out", "out"]);
    }
    insta::assert_snapshot!(session.printed());
}
