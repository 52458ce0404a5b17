//! Who takes a layout: the consumers by the names of the command line.

use stride::vocabulary::requirements::{Consumer, Requirements};
use stride::{Layout, LayoutBuf};

/// A consumer's name here, and how it is called.
pub type Row = (&'static str, &'static str, Consumer);

pub const ALL: [Row; 11] = [
    ("directml", "DirectML", Consumer::DirectMl),
    ("d3d12", "Direct3D 12", Consumer::D3d12),
    ("webgpu", "WebGPU", Consumer::WebGpu),
    ("tma", "TMA", Consumer::Tma),
    ("cutensor", "cuTENSOR", Consumer::CuTensor),
    ("metal", "Metal", Consumer::Metal),
    ("vulkan", "Vulkan tensors", Consumer::Vulkan),
    ("vulkan-image", "Vulkan images", Consumer::VulkanImage),
    ("opengl", "OpenGL", Consumer::OpenGl),
    ("mdspan", "std::mdspan", Consumer::Mdspan),
    ("arrow", "Arrow", Consumer::Arrow),
];

pub struct Answer {
    pub name: &'static str,
    pub consumer: &'static str,
    /// Why not.
    pub refused: Option<stride::Error>,
    /// The nearest layout that it takes, where it does not take this one and strides help.
    pub repair: Option<LayoutBuf>,
    /// Bytes that it counts for the layout, or for the repair.
    pub bytes: Option<u64>,
}

/// `address`: that of the base pointer; 0 where there is no memory yet. `texel`: how many dimensions are one pixel.
pub fn ask(&(name, words, consumer): &Row, layout: &Layout<'_>, address: u64, texel: u32) -> Answer {
    let requirements = Requirements::of(consumer).texel_dimensions(texel);
    let refused = requirements.meets(layout, address).err();
    let repair = refused.and_then(|_| requirements.fit(layout).ok());
    let counted = match &repair {
        None => requirements.required_bytes(layout),
        Some(repair) => repair.view().and_then(|repair| requirements.required_bytes(&repair)),
    };
    Answer {
        name,
        consumer: words,
        refused,
        repair,
        bytes: counted.ok().filter(|_| refused.is_none() || repair.is_some()),
    }
}
