//! `src/ffi` as data: sections, constants, structs, functions with their parameters.

use super::read;
use stride::error::{Argument, Detail, Status};
use stride::model::Dtype;
use syn::{Expr, Fields, FnArg, Item, Lit, Pat, ReturnType, Type, UnOp};

/// All of `src/ffi`, in header order.
pub struct Source {
    pub sections: Vec<Section>,
}

/// A file of `src/ffi`, a section of its header.
pub struct Section {
    pub name: String,
    pub header: String,
    /// The file's own documentation; the first line is the title.
    pub banner: Vec<String>,
    pub constants: Vec<Constant>,
    pub structs: Vec<Struct>,
    pub functions: Vec<Function>,
}

pub struct Constant {
    pub name: String,
    pub value: i128,
    pub kind: String,
    pub doc: String,
}

pub struct Struct {
    pub name: String,
    pub doc: String,
    pub fields: Vec<Field>,
}

pub struct Field {
    pub name: String,
    /// In C, without the array.
    pub kind: String,
    pub entries: Option<u64>,
    pub doc: String,
}

pub struct Function {
    pub name: String,
    pub returns: String,
    pub doc: String,
    pub parameters: Vec<Parameter>,
    /// The parameters that `Arrays:` names.
    pub arrays: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    In,
    Out,
    InOut,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Null {
    Never,
    /// If the list is empty or nothing is reached.
    IfEmpty,
    Allowed,
}

pub struct Parameter {
    pub name: String,
    /// In C: `const int64_t *`.
    pub kind: String,
    /// The type to which a pointer points; the type itself for other parameters.
    pub element: String,
    pub direction: Direction,
    /// The number of a pointer's entries: a parameter's name, a number, `sum of ranks`; none: one.
    pub length: Option<String>,
    pub null: Null,
}

impl Parameter {
    pub fn is_pointer(&self) -> bool {
        self.kind.ends_with('*')
    }
}

impl Source {
    pub fn read() -> Self {
        let mut header = String::new();
        let mut sections = Vec::new();
        for line in read("src/ffi/mod.rs").lines() {
            if let Some(path) = line.strip_prefix("// include/") {
                header = path.to_owned();
            } else if let Some(name) = line.strip_prefix("pub mod ").and_then(|name| name.strip_suffix(';')) {
                sections.push(Section::read(name, &header));
            }
        }
        Self { sections }
    }

    /// The headers, in order.
    pub fn headers(&self) -> Vec<&str> {
        let mut headers: Vec<&str> = self.sections.iter().map(|section| section.header.as_str()).collect();
        headers.dedup();
        headers
    }

    /// The structs, each after those to which it has a pointer.
    pub fn structs(&self) -> impl Iterator<Item = &Struct> {
        let early = |section: &&Section| section.name == "status" || section.name == "machine";
        let first = self.sections.iter().filter(early);
        first.chain(self.sections.iter().filter(move |section| !early(section))).flat_map(|section| &section.structs)
    }

    pub fn functions(&self) -> impl Iterator<Item = &Function> {
        self.sections.iter().flat_map(|section| &section.functions)
    }
}

impl Section {
    fn read(name: &str, header: &str) -> Self {
        let path = format!("src/ffi/{name}.rs");
        let text = read(&path);
        let banner = text.lines().take_while(|line| line.starts_with("//!"));
        let banner = banner.map(|line| line[3..].strip_prefix(' ').unwrap_or(&line[3..]).to_owned()).collect();
        let mut section = Self {
            name: name.to_owned(),
            header: header.to_owned(),
            banner,
            constants: Vec::new(),
            structs: Vec::new(),
            functions: Vec::new(),
        };
        for item in syn::parse_file(&text).expect(&path).items {
            match item {
                Item::Const(item) if is_public(&item.vis) => section.constants.push(Constant {
                    name: item.ident.to_string(),
                    value: value_of(&item.expr),
                    kind: c_type(&item.ty),
                    doc: doc_of(&item.attrs),
                }),
                Item::Struct(item) if is_public(&item.vis) => section.structs.push(Struct::of(&item)),
                Item::Fn(item) if item.sig.abi.is_some() => section.functions.push(Function::of(&item)),
                _ => {}
            }
        }
        let of_the_core = match name {
            "status" => statuses(),
            "details" => details(),
            "dtype" => dtypes(),
            _ => Vec::new(),
        };
        section.constants.splice(0..0, of_the_core).for_each(drop);
        section
    }
}

/// A number of one of the core's lists.
fn listed(prefix: &str, name: &str, value: i128, kind: &str, doc: &str) -> Constant {
    let name = format!("STRIDE_{prefix}_{}", name.to_uppercase());
    Constant { name, value, kind: kind.to_owned(), doc: doc.trim().to_owned() }
}

fn statuses() -> Vec<Constant> {
    Status::ALL.iter().map(|s| listed("STATUS", s.name(), s.number() as i128, "int32_t", s.doc())).collect()
}

fn details() -> Vec<Constant> {
    let argument = |a: &Argument| {
        let name = if *a == Argument::None { "NONE" } else { a.name() };
        listed("ARGUMENT", name, a.number() as i128, "uint32_t", a.doc())
    };
    let detail = |d: &Detail| listed("DETAIL", d.name(), d.number() as i128, "uint32_t", d.doc());
    Argument::ALL.iter().map(argument).chain(Detail::ALL.iter().map(detail)).collect()
}

fn dtypes() -> Vec<Constant> {
    let doc = |of: &Dtype| format!("{} bit{}", of.bits(), if of.bits() == 1 { "" } else { "s" });
    Dtype::all().map(|of| listed("DTYPE", &of.to_string(), of.code() as i128, "uint32_t", &doc(&of))).collect()
}

fn is_public(visibility: &syn::Visibility) -> bool {
    matches!(visibility, syn::Visibility::Public(_))
}

fn doc_of(attributes: &[syn::Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| {
        let syn::Meta::NameValue(pair) = &attribute.meta else { return None };
        let (true, Expr::Lit(literal)) = (pair.path.is_ident("doc"), &pair.value) else { return None };
        let Lit::Str(text) = &literal.lit else { return None };
        Some(text.value().strip_prefix(' ').map_or(text.value(), String::from))
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn value_of(expression: &Expr) -> i128 {
    match expression {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => number.base10_parse().expect("a number"),
            _ => panic!("a constant that is no number"),
        },
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => -value_of(&unary.expr),
        // i64::MIN
        Expr::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "MIN") => i64::MIN as i128,
        _ => panic!("constants of the boundary are plain numbers"),
    }
}

/// The C type of a Rust type: `const int64_t *`.
fn c_type(of: &Type) -> String {
    match of {
        Type::Ptr(pointer) => {
            format!("{}{} *", if pointer.const_token.is_some() { "const " } else { "" }, c_type(&pointer.elem))
        }
        Type::Path(path) => {
            let name = path.path.segments.last().expect("a type's name").ident.to_string();
            let c = match name.as_str() {
                "i32" => "int32_t",
                "i64" => "int64_t",
                "u8" => "uint8_t",
                "u16" => "uint16_t",
                "u32" => "uint32_t",
                "u64" => "uint64_t",
                "usize" => "size_t",
                "isize" => "ptrdiff_t",
                "f32" => "float",
                "f64" => "double",
                "c_char" => "char",
                "c_void" => "void",
                other if other.starts_with("stride_") => other,
                other => panic!("{other} is no type of the boundary"),
            };
            c.to_owned()
        }
        _ => panic!("a type that C does not have"),
    }
}

impl Struct {
    fn of(item: &syn::ItemStruct) -> Self {
        let Fields::Named(fields) = &item.fields else { panic!("{}: fields without names", item.ident) };
        let field = |field: &syn::Field| {
            let (kind, entries) = match &field.ty {
                Type::Array(array) => (c_type(&array.elem), Some(entries_of(&array.len))),
                other => (c_type(other), None),
            };
            let name = field.ident.as_ref().expect("a field's name").to_string();
            Field { name, kind, entries, doc: doc_of(&field.attrs) }
        };
        let fields = fields.named.iter().map(field).collect();
        Self { name: item.ident.to_string(), doc: doc_of(&item.attrs), fields }
    }
}

fn entries_of(length: &Expr) -> u64 {
    if let Expr::Path(path) = length {
        return match path.path.segments.last().expect("a name").ident.to_string().as_str() {
            "STRIDE_MAX_RANK" => stride::ffi::layout::STRIDE_MAX_RANK as u64,
            "STRIDE_MAX_ALONG" => stride::ffi::sides::STRIDE_MAX_ALONG as u64,
            "STRIDE_XLA_MAX_TILES" => stride::ffi::xla::STRIDE_XLA_MAX_TILES as u64,
            other => panic!("an array of {other} entries"),
        };
    }
    value_of(length) as u64
}

impl Function {
    fn of(item: &syn::ItemFn) -> Self {
        let name = item.sig.ident.to_string();
        let doc = doc_of(&item.attrs);
        let arrays = arrays_of(&doc);
        let returns = match &item.sig.output {
            ReturnType::Default => "void".to_owned(),
            ReturnType::Type(_, of) => c_type(of),
        };
        let inputs = item.sig.inputs.iter().enumerate();
        let parameters = inputs.map(|(place, input)| Parameter::of(&name, place, input, &arrays)).collect();
        Self { name, returns, doc, parameters, arrays: arrays.into_iter().map(|array| array.name).collect() }
    }
}

/// An entry of `Arrays:`: `name[length] or NULL`.
struct Array {
    name: String,
    length: Option<String>,
    or_null: bool,
}

fn arrays_of(doc: &str) -> Vec<Array> {
    let paragraphs = doc.split("\n\n");
    let Some(text) = paragraphs.filter_map(|paragraph| paragraph.strip_prefix("Arrays: ")).next() else {
        return Vec::new();
    };
    let text = text.replace('\n', " ");
    let entries = text.strip_suffix('.').unwrap_or_else(|| panic!("`Arrays:` ends with a full stop: {text}"));
    let array = |entry: &str| {
        let (entry, or_null) = match entry.strip_suffix(" or NULL") {
            Some(entry) => (entry, true),
            None => (entry, false),
        };
        let (name, length) = match entry.split_once('[') {
            Some((name, length)) => (name, Some(length.strip_suffix(']').expect("]").to_owned())),
            None => (entry, None),
        };
        Array { name: name.to_owned(), length, or_null }
    };
    entries.split(", ").map(array).collect()
}

impl Parameter {
    fn of(of: &str, place: usize, input: &FnArg, arrays: &[Array]) -> Self {
        let FnArg::Typed(typed) = input else { panic!("self in C") };
        let Pat::Ident(ident) = &*typed.pat else { panic!("a parameter without a name") };
        let name = ident.ident.to_string();
        let name = name.strip_prefix("r#").unwrap_or(&name).to_owned();
        let kind = c_type(&typed.ty);
        let array = arrays.iter().find(|array| array.name == name);
        let pointer = matches!(&*typed.ty, Type::Ptr(_));
        // A first parameter that is written and not called `out` is the object: it is read as well. Of facts the size
        // is.
        let direction = match &*typed.ty {
            Type::Ptr(pointer) if pointer.mutability.is_some() => match name.as_str() {
                "shape" | "runs" | "side" if place == 0 => Direction::InOut,
                "scratch" => Direction::InOut,
                _ if c_type(&pointer.elem).ends_with("_facts") && !of.ends_with("_init") => Direction::InOut,
                _ => Direction::Out,
            },
            _ => Direction::In,
        };
        let length = array.and_then(|array| array.length.clone());
        let null = match array {
            _ if name == "error" || array.is_some_and(|array| array.or_null) => Null::Allowed,
            _ if pointer && length.as_ref().is_some_and(|length| length.parse::<u32>().is_err()) => Null::IfEmpty,
            _ => Null::Never,
        };
        let element = kind.trim_end_matches(" *").trim_start_matches("const ").to_owned();
        Self { name, kind, element, direction, length, null }
    }
}
