//! One operator, one file. Modules and the list of kernels are derived from the folder by the build script.

include!(concat!(env!("OUT_DIR"), "/ops.rs"));
