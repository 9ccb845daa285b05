//! Generates the cases of the operators: recipes draw models and inputs for an operator version from a choice sequence.

mod body;
mod case;
mod case_budget;
mod cell;
mod choices;
mod declarations;
pub mod directml;
mod directml_cell;
mod draw;
mod families;
mod finish;
mod form;
mod goals;
mod plan;
mod prelude;
mod profiles;
mod recipe;
mod recipes;
mod registry;
mod steering;
mod values;

pub use body::Body;
pub use case::{Case, Form, Origin, Place};
pub use case_budget::least_share;
pub use cell::Cell;
pub use choices::{Choices, Sequence};
pub use declarations::{kind_of, short_type, value_info};
pub use draw::{Draw, tensor};
pub use form::OutputShape;
pub use goals::{CASES as GOAL_CASES, RULE, may_be_goal};
pub use plan::{LARGE, PlanError, case_of, cells, cells_of, parse_id, wanted_features};
pub use plumbline_generator_data::FOLDER;
pub use profiles::{RunProfile, profiles};
pub use recipe::Recipe;
pub use registry::{all as recipes, find as recipe};
pub use values::{Values, check_values};
