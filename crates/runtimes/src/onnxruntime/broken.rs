//! Models that only the graph optimizer breaks.

use plumbline_backend::RefusalKind;
use plumbline_tensor::Value;

use super::empties;
use crate::{Prepared, Refusal};

/// A model that is refused because a kernel is missing, and is taken without graph optimizations.
pub(super) struct BrokenModel {
    /// The model without graph optimizations.
    pub plain: Box<dyn Prepared>,
    /// Why the model is refused with them.
    pub message: String,
}

impl Prepared for BrokenModel {
    /// Refuses the model, and tells by the kind of the refusal whose node it is that has no kernel. Some kernels take a node and refuse it as it runs, and the
    /// optimizer runs those whose inputs are constants: if one is missing without optimizations as well, it is a node of
    /// the model, and otherwise one that only the optimizer made.
    fn run(&mut self, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
        let broken = Refusal::optimizer(self.message.clone());
        // A session that makes empty values for the model would be another one, with optimizations.
        if inputs.iter().any(empties::is_empty) {
            return Err(broken);
        }
        match self.plain.run(inputs) {
            Err(refused) if refused.kind == RefusalKind::Unsupported => Err(refused),
            _ => Err(broken),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Plain(Option<fn(&'static str) -> Refusal>);

    impl Prepared for Plain {
        fn run(&mut self, _: &[Value]) -> Result<Vec<Value>, Refusal> {
            self.0.map_or(Ok(vec![]), |refuse| Err(refuse("no kernel")))
        }
    }

    #[test]
    fn a_kernel_that_is_missing_without_optimizations_too_is_not_the_optimizers() {
        let kind = |plain| {
            let mut model =
                BrokenModel { plain: Box::new(Plain(plain)), message: "no kernel of FusedMatMul".to_owned() };
            model.run(&[]).map(|_| ()).map_err(|refused| refused.kind)
        };
        assert_eq!(kind(Some(Refusal::unsupported)), Err(RefusalKind::Unsupported));
        assert_eq!(kind(Some(Refusal::failed)), Err(RefusalKind::Optimizer));
        assert_eq!(kind(None), Err(RefusalKind::Optimizer));
    }
}
