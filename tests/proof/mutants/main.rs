//! Puts all mutants of a list (`cargo mutants --list --json`) into one library, which asks at each of them whether it
//! is the one that is chosen (`switch.rs`), so that the library is compiled once and not once for each.
//!
//!     mutants list.json inside.json without.json
//!
//! Runs in the tree, whose files it writes over. A mutant's number is its place in the list. inside.json gets the
//! numbers of those that are in: constants are not, nor those of without.json, which the compiler refuses.

use proc_macro2::{LineColumn, Span};
use quote::ToTokens;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Block, Expr, ExprStruct, Stmt, UnOp, parse_quote};

/// The mutants at one place of a file: their numbers, and what each puts there.
type Replacements = Vec<(u32, String)>;

/// The mutants of one file, by kind (as the list calls it) and place.
#[derive(Default)]
struct Mutants {
    at: HashMap<(String, usize, usize), Replacements>,
    done: Vec<u32>,
}

impl Mutants {
    /// Those of a kind that begin here; they are in from now on.
    fn take(&mut self, kind: &str, LineColumn { line, column }: LineColumn) -> Replacements {
        let found = self.at.remove(&(kind.to_string(), line, column)).unwrap_or_default();
        self.done.extend(found.iter().map(|(number, _)| number));
        found
    }

    /// `if first { … } else if second { … } else { unchanged }`.
    fn choice(&mut self, found: Replacements, unchanged: Expr, mut changed: impl FnMut(&str) -> Expr) -> Expr {
        found.iter().rev().fold(unchanged, |rest, (number, replacement)| {
            let changed = changed(replacement);
            parse_quote!(if crate::mutant::is(#number) { #changed } else { #rest })
        })
    }

    /// The answers of a function that are another one.
    fn answers(&mut self, block: &mut Block) {
        let Some(first) = block.stmts.first() else { return };
        for (number, answer) in self.take("FnValue", first.span().start()).into_iter().rev() {
            let answer: Expr = syn::parse_str(&answer).unwrap();
            let stmt: Stmt = parse_quote!(if crate::mutant::is(#number) { return #answer; });
            block.stmts.insert(0, stmt);
        }
    }

    fn binary(&mut self, expr: &mut Expr) {
        let Expr::Binary(binary) = &*expr else { return };
        if holds_let(&binary.left) || holds_let(&binary.right) {
            return;
        }
        let found = self.take("BinaryOperator", start(binary.op.span()));
        if found.is_empty() {
            return;
        }
        let (left, op, right) = (&binary.left, &binary.op, &binary.right);
        *expr = match op {
            BinOp::And(_) | BinOp::Or(_) => {
                // The right side is the answer where the left one is true (of &&) or false (of ||).
                let [(number, _)] = found[..] else { panic!("one replacement of {}", op.to_token_stream()) };
                let and = matches!(op, BinOp::And(_));
                parse_quote!((match #left { mutant_l => if mutant_l == (#and != crate::mutant::is(#number)) { #right } else { mutant_l } }))
            }
            BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => {
                let choice = self.choice(found, parse_quote!(*mutant_l #op *mutant_r), |op| {
                    let op: BinOp = syn::parse_str(op).unwrap();
                    parse_quote!(*mutant_l #op *mutant_r)
                });
                parse_quote!((match (&(#left), &(#right)) { (mutant_l, mutant_r) => #choice }))
            }
            _ if op.to_token_stream().to_string().ends_with('=') => {
                let choice = self.choice(found, parse_quote!(#left #op mutant_r), |op| {
                    let op: BinOp = syn::parse_str(op).unwrap();
                    parse_quote!(#left #op mutant_r)
                });
                parse_quote!((match #right { mutant_r => { #choice } }))
            }
            _ => {
                let choice = self.choice(found, parse_quote!(mutant_l #op mutant_r), |op| {
                    let op: BinOp = syn::parse_str(op).unwrap();
                    parse_quote!(mutant_l #op mutant_r)
                });
                parse_quote!((match (#left, #right) { (mutant_l, mutant_r) => #choice }))
            }
        };
    }

    fn unary(&mut self, expr: &mut Expr) {
        let Expr::Unary(unary) = &*expr else { return };
        let (UnOp::Not(_) | UnOp::Neg(_)) = unary.op else { return };
        let found = self.take("UnaryOperator", start(unary.op.span()));
        if found.is_empty() {
            return;
        }
        let (op, value) = (&unary.op, &unary.expr);
        let choice = self.choice(found, parse_quote!(#op mutant_v), |_| parse_quote!(mutant_v));
        *expr = parse_quote!((match #value { mutant_v => #choice }));
    }

    /// Arms that are left out, guards that always or never hold.
    fn arm(&mut self, arm: &mut syn::Arm) {
        let guards = arm.guard.as_ref().map(|(_, guard)| start(guard.span()));
        let deleted = self.take("MatchArm", start(arm.span()));
        let mut guard: Option<Expr> = arm.guard.as_ref().map(|(_, guard)| (**guard).clone());
        for (number, value) in guards.map(|place| self.take("MatchArmGuard", place)).unwrap_or_default() {
            guard = Some(match value.as_str() {
                "true" => parse_quote!((crate::mutant::is(#number) || #guard)),
                _ => parse_quote!((!crate::mutant::is(#number) && #guard)),
            });
        }
        for (number, _) in deleted {
            guard = Some(match guard {
                Some(guard) => parse_quote!(!crate::mutant::is(#number) && #guard),
                None => parse_quote!(!crate::mutant::is(#number)),
            });
        }
        arm.guard = guard.map(|guard| (Default::default(), Box::new(guard)));
    }

    /// Fields that are left to the base.
    fn fields(&mut self, expr: &mut ExprStruct) {
        let Some(base) = expr.rest.clone() else { return };
        for field in &mut expr.fields {
            for (number, _) in self.take("StructField", start(field.span())) {
                let (member, value) = (&field.member, &field.expr);
                field.expr = parse_quote!(if crate::mutant::is(#number) { (#base).#member } else { #value });
                field.colon_token = Some(Default::default());
            }
        }
    }
}

impl VisitMut for Mutants {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        // Places are those of the text, so the guard's is asked for before what is in it changes.
        visit_mut::visit_expr_mut(self, expr);
        self.binary(expr);
        self.unary(expr);
    }

    fn visit_arm_mut(&mut self, arm: &mut syn::Arm) {
        self.arm(arm);
        visit_mut::visit_arm_mut(self, arm);
    }

    fn visit_expr_struct_mut(&mut self, expr: &mut ExprStruct) {
        self.fields(expr);
        visit_mut::visit_expr_struct_mut(self, expr);
    }

    fn visit_item_fn_mut(&mut self, function: &mut syn::ItemFn) {
        self.answers(&mut function.block);
        visit_mut::visit_item_fn_mut(self, function);
    }

    fn visit_impl_item_fn_mut(&mut self, function: &mut syn::ImplItemFn) {
        self.answers(&mut function.block);
        visit_mut::visit_impl_item_fn_mut(self, function);
    }

    fn visit_trait_item_fn_mut(&mut self, function: &mut syn::TraitItemFn) {
        if let Some(block) = &mut function.default {
            self.answers(block);
        }
        visit_mut::visit_trait_item_fn_mut(self, function);
    }

    // The compiler alone runs these.
    fn visit_item_const_mut(&mut self, _: &mut syn::ItemConst) {}
    fn visit_item_static_mut(&mut self, _: &mut syn::ItemStatic) {}
    fn visit_impl_item_const_mut(&mut self, _: &mut syn::ImplItemConst) {}
    fn visit_trait_item_const_mut(&mut self, _: &mut syn::TraitItemConst) {}
    fn visit_variant_mut(&mut self, _: &mut syn::Variant) {}
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
    fn visit_generic_argument_mut(&mut self, _: &mut syn::GenericArgument) {}
    fn visit_expr_const_mut(&mut self, _: &mut syn::ExprConst) {}
}

/// Of a span's first character; lines from 1, columns from 0.
fn start(span: Span) -> LineColumn {
    span.start()
}

/// Whether `let` is one of the operands of `&&`, where nothing but `&&` may stand.
fn holds_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(binary) => {
            matches!(binary.op, BinOp::And(_)) && (holds_let(&binary.left) || holds_let(&binary.right))
        }
        _ => false,
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [list, out, without] = &arguments[..] else { panic!("mutants list.json inside.json without.json") };
    let read = |name: &String| -> Value { serde_json::from_str(&std::fs::read_to_string(name).unwrap()).unwrap() };
    let without: HashSet<u64> =
        read(without).as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect();
    let mut files: BTreeMap<String, Mutants> = BTreeMap::new();
    for (number, mutant) in read(list).as_array().unwrap().iter().enumerate() {
        let text = |key: &str| mutant[key].as_str().unwrap().to_string();
        let place = |key: &str| mutant["span"]["start"][key].as_u64().unwrap() as usize;
        if !without.contains(&(number as u64)) {
            let at = (text("genre"), place("line"), place("column") - 1);
            let mutants = files.entry(text("file")).or_default();
            mutants.at.entry(at).or_default().push((number as u32, text("replacement")));
        }
    }
    let mut done = Vec::new();
    for (name, mut mutants) in files {
        let mut file = syn::parse_file(&std::fs::read_to_string(&name).unwrap()).unwrap();
        mutants.visit_file_mut(&mut file);
        std::fs::write(&name, prettyplease::unparse(&file)).unwrap();
        done.extend(mutants.done);
    }
    std::fs::write("src/mutant.rs", include_str!("switch.rs")).unwrap();
    let root = std::fs::read_to_string("src/lib.rs").unwrap();
    let features = "#![feature(core_intrinsics, const_eval_select)]";
    let root = root.replacen("#![no_std]", &format!("#![no_std]\n{features}"), 1);
    std::fs::write("src/lib.rs", root + "pub mod mutant;\n").unwrap();
    done.sort();
    std::fs::write(out, serde_json::to_string(&done).unwrap()).unwrap();
}
