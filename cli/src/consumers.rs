//! Consumers by the names of the library, and their verdicts on a layout.

use stride::vocabulary::requirements::{Consumer, Requirements};
use stride::{Layout, LayoutBuf};

/// All but the one that accepts everything.
pub fn all() -> impl Iterator<Item = Consumer> {
    Consumer::ALL.into_iter().filter(|&consumer| consumer != Consumer::Any)
}

pub struct Answer {
    pub consumer: Consumer,
    /// Why not.
    pub refused: Option<stride::Error>,
    /// The nearest layout that it accepts, where it does not accept this one and strides help.
    pub repair: Option<LayoutBuf>,
    /// Bytes that it counts for the layout, or for the repair.
    pub bytes: Option<u64>,
}

impl Answer {
    pub fn name(&self) -> &'static str {
        self.consumer.name()
    }
}

/// `address`: that of the base pointer; 0 where there is no memory yet. `texel`: how many dimensions are one pixel.
pub fn verdict(consumer: Consumer, layout: &Layout<'_>, address: u64, texel: u32) -> Answer {
    let requirements = Requirements::of(consumer).texel_dimensions(texel);
    let refused = requirements.meets(layout, address).err();
    let repair = refused.and_then(|_| requirements.adapt(layout).ok());
    let counted = match &repair {
        None => requirements.required_bytes(layout),
        Some(repair) => repair.view().and_then(|repair| requirements.required_bytes(&repair)),
    };
    let bytes = counted.ok().filter(|_| refused.is_none() || repair.is_some());
    Answer { consumer, refused, repair, bytes }
}
