//! Writing to lists without a panic path: an entry of any, and insertion into one at the front of a fixed array.

/// Sets an entry, if there is one of this number.
#[inline(always)]
pub(crate) fn set<T>(items: &mut [T], number: usize, item: T) {
    if let Some(slot) = items.get_mut(number) {
        *slot = item;
    }
}

/// Inserts `item` at `position` of the first `len` entries, moving the later ones up; `false` where there is no room.
pub(crate) fn insert<T>(items: &mut [T], len: usize, position: usize, item: T) -> bool {
    let Some(window) = items.get_mut(position..=len).filter(|window| !window.is_empty()) else { return false };
    window.rotate_right(1);
    set(window, 0, item);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_keeps_its_order_and_its_limits() {
        let mut items = [1, 3, 9, 9];
        assert!(insert(&mut items, 2, 1, 2));
        assert!(insert(&mut items, 3, 3, 4));
        assert!(!insert(&mut items, 4, 0, 0) && !insert(&mut items, 3, 5, 0) && !insert(&mut items, usize::MAX, 0, 0));
        assert_eq!(items, [1, 2, 3, 4]);
    }
}
