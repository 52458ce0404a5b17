//! Pictures of memory: SVG, and blocks in a terminal.

use crate::fault::Result;
use crate::tensor::Tensor;

/// The buffer of each tensor, with its title.
pub fn svg(tensors: &[(&str, &Tensor)]) -> Result<String> {
    let _ = tensors;
    Ok(String::new())
}

/// The buffer as rows of text, at most `columns` wide; with colours where `colour` says so.
pub fn blocks(tensor: &Tensor, columns: usize, colour: bool) -> Result<String> {
    let _ = (tensor, columns, colour);
    Ok(String::new())
}
