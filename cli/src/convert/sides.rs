//! The two tensors of a conversion: a view of IN, and OUT with its header.

use super::Arguments;
use super::elements::{ByteOrder, elements_are, in_order, numbers_to_swap, one_in_a_byte};
use crate::fault::{Fault, Result, printable};
use crate::files::{self, NumberRun, Stored};
use crate::tensor::{self, Tensor};
use stride::{Dtype, LayoutBuf, Object};

#[derive(Clone, Copy, PartialEq)]
enum Format {
    Npy,
    Safetensors,
    Raw,
}

/// A file that is written: a header, and the tensor after it.
pub struct Written {
    pub header: Vec<u8>,
    pub tensor: Tensor,
    pub bytes: u64,
    /// Numbers inside the elements that are byte-swapped.
    pub swapped: Vec<NumberRun>,
    pub notes: Vec<String>,
}

/// The part of the input that is copied, in the order of OUT's dimensions.
pub fn view(arguments: &Arguments, stored: &mut Stored) -> Result<LayoutBuf> {
    let mut view = match &arguments.dtype {
        Some(name) => elements_are(name, stored).map_err(|why| why.about("--dtype"))?,
        None => stored.layout()?,
    };
    if let Some(text) = &arguments.crop {
        let (starts, stops) = ranges(text, view.sizes()).map_err(|why| why.about("--crop"))?;
        view = view.slice(Some(&starts), Some(&stops), None).map_err(|error| Fault::from(error).about("--crop"))?;
    }
    if let Some(text) = &arguments.flip {
        view = tensor::by_list("--flip", text, |axes| view.flip(axes))?;
    }
    if let Some(text) = &arguments.axes {
        view = tensor::by_list("--axes", text, |axes| view.permute(axes))?;
    }
    Ok(view)
}

/// Begins and ends, of which either may be missing.
fn ranges(text: &str, sizes: &[i64]) -> Result<(Vec<i64>, Vec<i64>)> {
    let parts: Vec<_> = if text.trim().is_empty() { Vec::new() } else { text.split(',').collect() };
    if parts.len() != sizes.len() {
        return Err(Fault::usage(format!("{} ranges for {} dimensions", parts.len(), sizes.len())));
    }
    let number = |text: &str, missing: i64| match text.trim() {
        "" => Ok(missing),
        text => tensor::number(text),
    };
    let mut bounds = (Vec::new(), Vec::new());
    for (part, size) in parts.iter().zip(sizes) {
        let (start, stop) =
            part.split_once(':').ok_or_else(|| Fault::usage(format!("`{part}` is no range such as 0:10")))?;
        bounds.0.push(number(start, 0)?);
        bounds.1.push(number(stop, *size)?);
    }
    Ok(bounds)
}

/// OUT, by the end of its name and the options.
pub fn written(arguments: &Arguments, name: &str, stored: &Stored, src: &LayoutBuf) -> Result<Written> {
    let format = match arguments.output.extension().and_then(|end| end.to_str()) {
        Some("npy") => Format::Npy,
        Some("safetensors") => Format::Safetensors,
        Some("bin" | "raw") => Format::Raw,
        _ => {
            let sentence = "its name ends in none of .npy, .safetensors, .bin, .raw";
            return Err(Fault::usage(sentence).about(printable(&arguments.output.to_string_lossy())));
        }
    };
    let mut order = arguments.byteorder;
    if format == Format::Safetensors {
        if order.is_some_and(|order| order != ByteOrder::Little) {
            return Err(Fault::usage("--byteorder: .safetensors is little-endian"));
        }
        order = Some(ByteOrder::Little);
    }
    let dtype = match &arguments.to {
        Some(name) => tensor::dtype(name).map_err(|why| why.about("--to"))?,
        None => src.dtype(),
    };
    let dtype = in_order(dtype, order);
    let swapped = numbers_to_swap(stored, src.dtype(), arguments.byteorder)?;
    let layout = match arguments.layout.trim() {
        "C" => "c",
        "F" | "fortran" => "f",
        layout => layout,
    };
    let tensor = laid_out(layout, dtype, src.sizes())?;
    let fortran = layout == "f";
    let fits = match format {
        Format::Npy => fortran || layout == "c",
        Format::Safetensors => layout == "c",
        Format::Raw => true,
    };
    if !fits {
        let takes = if format == Format::Npy { "c and f" } else { "c" };
        return Err(Fault::usage(format!("--layout: this format has no other than {takes}; .bin and .raw have any")));
    }
    if !swapped.is_empty() && !matches!(tensor.0, Object::Layout(_)) {
        let sentence = "--byteorder: numbers inside of elements are swapped in layouts of strides, not in tiles";
        return Err(Fault::usage(sentence));
    }
    let without = |format: &str| format!("{format} has no {dtype}: write .bin or .raw");
    let mut written = Written { header: Vec::new(), bytes: tensor.bytes()?, tensor, swapped, notes: Vec::new() };
    match format {
        Format::Npy => as_npy(&mut written, dtype, stored, src, fortran)
            .map_err(|_| Fault::usage(format!("{}, or .safetensors", without(".npy"))))?,
        Format::Safetensors => {
            let stem = arguments.output.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
            let name = if name.is_empty() { &*stem } else { name };
            let header = files::safetensors_header(name, dtype, src.sizes(), written.bytes);
            let bytes = if dtype.is_bytes() { ", or say with --dtype what they are" } else { "" };
            written.header = header.ok_or_else(|| Fault::usage(without(".safetensors") + bytes))?;
            if !files::ends_at_a_byte(dtype, src.sizes()) {
                let count = tensor::counted(src.element_count() as u64, "element");
                return Err(Fault::usage(format!(
                    ".safetensors has no tensor that ends inside a byte, as one of {count} of {} bits does: write .bin \
                     or .raw",
                    dtype.bits()
                )));
            }
        }
        Format::Raw => {}
    }
    Ok(written)
}

/// Adds the header of a .npy, and changes the tensor where NumPy's own types need it.
fn as_npy(written: &mut Written, dtype: Dtype, stored: &Stored, src: &LayoutBuf, fortran: bool) -> stride::Result<()> {
    // The type keeps its name as long as its bytes are the same.
    let called = stored.called.as_deref().filter(|called| dtype.is_bytes() && called.starts_with(['<', '>', '|']));
    let descr = match (called, &stored.numbers) {
        (Some(called), Some(numbers)) if !written.swapped.is_empty() => {
            Some(files::descr_in_order(called, !numbers.big))
        }
        (called, _) => called.map(str::to_owned),
    };
    let header = files::npy_header(dtype, descr.as_deref(), src.sizes(), fortran);
    if header.is_ok() || dtype.is_swapped() {
        written.header = header?;
        return Ok(());
    }
    // As ml_dtypes has them: bytes, of which an element below a byte takes one.
    let bytes = Dtype::bytes((dtype.bits() as u32).div_ceil(8))?;
    let descr = format!("<V{}", bytes.bits() / 8);
    written.header = files::npy_header(bytes, Some(&descr), src.sizes(), fortran)?;
    if let (Object::Layout(layout), true) = (&mut written.tensor.0, dtype.is_sub_byte()) {
        let bytes = LayoutBuf::new(bytes, layout.offset(), layout.sizes(), layout.strides())?;
        written.bytes = bytes.min_bytes()?;
        *layout = one_in_a_byte(dtype, &bytes)?;
    }
    written.notes.push(format!("NumPy has no {dtype}, and reads {descr}; .view(ml_dtypes...) makes numbers of it"));
    Ok(())
}

/// The tensor with this layout: `c`, `f`, or the grammar of a tensor after its sizes.
fn laid_out(layout: &str, dtype: Dtype, sizes: &[i64]) -> Result<Tensor> {
    Ok(match layout {
        "c" => LayoutBuf::packed(dtype, sizes)?.into(),
        "f" => LayoutBuf::ordered(dtype, sizes, &(0..sizes.len() as i64).collect::<Vec<_>>())?.into(),
        _ => {
            let colon = if layout.starts_with('{') { "" } else { ":" };
            Tensor::parse(&format!("{dtype}[{}]{colon}{layout}", tensor::list(sizes))).map_err(|why| {
                let hint = "it is c, f, or what follows the sizes of a TENSOR: strides, a tag, blocks, tiles";
                Fault { sentence: format!("--layout: {hint}\n{}", why.sentence), ..why }
            })?
        }
    })
}
