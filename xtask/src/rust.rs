//! Finds the paths that Rust code names: `cargo xtask generate` follows them from recipes to what they call, and the
//! tests of modules look for circles. Paths within macros count, as far as they are written like paths.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeSet;
use syn::visit::{self, Visit};

/// The names of a path, from left to right: `crate`, `families`, `pooling`.
pub type Path = Vec<String>;

/// Visits code and collects what it names.
#[derive(Default)]
pub struct Named {
    /// The paths in order, each after the names of the inline modules around it. A name without `::` is a path too.
    pub paths: Vec<(Path, Path)>,
    /// The names that are called: the last names of their paths.
    pub calls: BTreeSet<String>,
    /// The string literals that are the only argument of `.feature(...)`.
    pub features: Vec<String>,
    /// The names of modules under `#[cfg(test)]` that are files of their own. All code under `#[cfg(test)]` is left out.
    pub tests: Vec<String>,
    inline: Path,
}

impl Named {
    /// Returns what an item names.
    pub fn by(item: &syn::Item) -> Named {
        let mut named = Named::default();
        named.visit_item(item);
        named
    }

    /// Returns what a file names.
    ///
    /// # Errors
    /// Fails if the text is not Rust.
    pub fn in_file(text: &str) -> syn::Result<Named> {
        let mut named = Named::default();
        named.visit_file(&syn::parse_file(text)?);
        Ok(named)
    }

    fn add(&mut self, path: Path) {
        self.paths.push((self.inline.clone(), path));
    }

    fn add_use(&mut self, tree: &syn::UseTree, mut path: Path) {
        match tree {
            syn::UseTree::Path(next) => {
                path.push(next.ident.to_string());
                self.add_use(&next.tree, path);
            }
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.add_use(tree, path.clone())),
            syn::UseTree::Name(syn::UseName { ident }) | syn::UseTree::Rename(syn::UseRename { ident, .. }) => {
                path.push(ident.to_string());
                self.add(path);
            }
            syn::UseTree::Glob(_) => self.add(path),
        }
    }

    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut path = Path::new();
        let mut colons = 0;
        for token in tokens {
            match &token {
                TokenTree::Punct(sign) if sign.as_char() == ':' => {
                    colons += 1;
                    continue;
                }
                TokenTree::Ident(name) if colons == 2 && !path.is_empty() => path.push(name.to_string()),
                TokenTree::Ident(name) => self.add(std::mem::replace(&mut path, vec![name.to_string()])),
                TokenTree::Group(group) => {
                    self.calls.extend(path.last().filter(|_| group.delimiter() == Delimiter::Parenthesis).cloned());
                    self.add(std::mem::take(&mut path));
                    self.add_tokens(group.stream());
                }
                _ => self.add(std::mem::take(&mut path)),
            }
            colons = 0;
        }
        self.add(path);
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    let test = |attribute: &syn::Attribute| attribute.parse_args::<syn::Ident>().is_ok_and(|name| name == "test");
    attributes.iter().any(|attribute| attribute.path().is_ident("cfg") && test(attribute))
}

impl<'a> Visit<'a> for Named {
    fn visit_item(&mut self, item: &'a syn::Item) {
        use syn::*;
        let attributes = match item {
            Item::Const(ItemConst { attrs, .. })
            | Item::Enum(ItemEnum { attrs, .. })
            | Item::Fn(ItemFn { attrs, .. })
            | Item::Impl(ItemImpl { attrs, .. })
            | Item::Mod(ItemMod { attrs, .. })
            | Item::Static(ItemStatic { attrs, .. })
            | Item::Struct(ItemStruct { attrs, .. })
            | Item::Use(ItemUse { attrs, .. }) => attrs.as_slice(),
            _ => &[],
        };
        match item {
            Item::Mod(module) if is_test(attributes) && module.content.is_none() => {
                self.tests.push(module.ident.to_string());
            }
            _ if is_test(attributes) => {}
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'a syn::ImplItemFn) {
        if !is_test(&function.attrs) {
            visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        self.inline.push(module.ident.to_string());
        visit::visit_item_mod(self, module);
        self.inline.pop();
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        self.add_use(&item.tree, Path::new());
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        self.add(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
        if let syn::Expr::Path(path) = &*call.func {
            self.calls.extend(path.path.segments.last().map(|segment| segment.ident.to_string()));
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        let argument = call.args.first().filter(|_| call.method == "feature");
        if let Some(syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(name), .. })) = argument {
            self.features.push(name.value());
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        self.add_tokens(call.tokens.clone());
        visit::visit_macro(self, call);
    }
}
