//! Recipes of the domain `ai.onnx.ml`.
//!
//! Written by `cargo xtask generate`; not edited by hand.

pub mod array_feature_extractor;
pub mod binarizer;
pub mod cast_map;
pub mod category_mapper;
pub mod dict_vectorizer;
pub mod feature_vectorizer;
pub mod imputer;
pub mod label_encoder;
pub mod linear_classifier;
pub mod linear_regressor;
pub mod normalizer;
pub mod one_hot_encoder;
pub mod scaler;
pub mod svm_classifier;
pub mod svm_regressor;
pub mod tree_ensemble;
pub mod tree_ensemble_classifier;
pub mod tree_ensemble_regressor;
pub mod zip_map;
