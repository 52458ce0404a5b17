//! Insertion into and removal from a list that lives at the front of a fixed array, without a panic path.

/// Inserts `item` at `position` of the first `len` entries, moving the later ones up; `false` where there is no room.
pub(crate) fn insert<T>(items: &mut [T], len: usize, position: usize, item: T) -> bool {
    let Some(window) = items.get_mut(position..=len).filter(|window| !window.is_empty()) else { return false };
    window.rotate_right(1);
    if let Some(slot) = window.first_mut() {
        *slot = item;
    }
    true
}

/// Takes the entry at `position` out of the first `len`, moving the later ones down; `false` where there is none.
pub(crate) fn remove<T>(items: &mut [T], len: usize, position: usize) -> bool {
    if position >= len || len > items.len() {
        return false;
    }
    for k in position + 1..len {
        items.swap(k - 1, k);
    }
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
        assert!(remove(&mut items, 4, 0) && !remove(&mut items, 3, 3) && !remove(&mut items, 9, 0));
        assert_eq!(items[..3], [2, 3, 4]);
    }
}
