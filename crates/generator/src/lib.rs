//! Generates the cases of the operators: recipes draw models and inputs for an operator version from a choice sequence.

mod body;
mod case;
mod case_budget;
mod choices;
mod draw;
mod families;
mod form;
mod plan;
mod prelude;
mod profiles;
mod recipe;
mod recipes;
mod values;

pub use body::Body;
pub use case::{Case, short_type, value_info};
pub use case_budget::least_share;
pub use choices::{Choices, Sequence};
pub use draw::Draw;
pub use form::{Form, OutputShape};
pub use plan::{Cell, PlanError, case_of, cells, cells_of, parse_id, wanted_features};
pub use profiles::{RunProfile, profiles};
pub use recipe::{Recipe, all as recipes, find as recipe};
pub use values::{Values, check_values};
