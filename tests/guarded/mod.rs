//! Memory between two pages that may not be touched; an allocation under Miri, which sees every access, and on systems
//! that are asked for pages in other ways.
#![allow(dead_code)] // each test binary uses its part

/// Pages that may be used between two that may not.
pub struct Guarded {
    map: *mut u8,
    map_bytes: usize,
    usable: usize,
    page: usize,
}

impl Guarded {
    /// So many bytes.
    #[cfg(any(miri, not(unix)))]
    pub fn new(usable: usize) -> Self {
        let layout = Self::allocation(usable);
        // SAFETY: its size is not 0.
        let map = unsafe { std::alloc::alloc_zeroed(layout) };
        Self { map, map_bytes: layout.size(), usable, page: 0 }
    }

    #[cfg(any(miri, not(unix)))]
    fn allocation(usable: usize) -> std::alloc::Layout {
        std::alloc::Layout::from_size_align(usable.max(1), 64).expect("a size that there is")
    }

    /// So many bytes, rounded up to whole pages.
    #[cfg(all(unix, not(miri)))]
    pub fn new(usable: usize) -> Self {
        // SAFETY: an anonymous mapping of our own, its first and last page without access.
        unsafe {
            let page = libc::sysconf(libc::_SC_PAGESIZE) as usize;
            let usable = usable.next_multiple_of(page);
            let map_bytes = usable + 2 * page;
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let map = libc::mmap(std::ptr::null_mut(), map_bytes, libc::PROT_NONE, flags, -1, 0);
            assert_ne!(map, libc::MAP_FAILED);
            let inside = map.cast::<u8>().add(page);
            assert_eq!(libc::mprotect(inside.cast(), usable, libc::PROT_READ | libc::PROT_WRITE), 0);
            Self { map: map.cast(), map_bytes, usable, page }
        }
    }

    /// The same with these bytes in it, which nobody may change any more.
    pub fn read_only(bytes: &[u8]) -> Self {
        let mut guarded = Self::new(bytes.len());
        guarded.buffer(bytes.len(), false).copy_from_slice(bytes);
        #[cfg(all(unix, not(miri)))]
        {
            let begin = guarded.begin().cast();
            // SAFETY: the usable pages of our own mapping.
            assert_eq!(unsafe { libc::mprotect(begin, guarded.usable, libc::PROT_READ) }, 0);
        }
        guarded
    }

    /// The last `bytes` bytes before the unreadable page, or the first ones after the other.
    pub fn buffer(&mut self, bytes: usize, at_end: bool) -> &mut [u8] {
        let begin = self.page + if at_end { self.usable - bytes } else { 0 };
        // SAFETY: inside the usable pages, borrowed from `self`.
        unsafe { std::slice::from_raw_parts_mut(self.map.add(begin), bytes) }
    }

    /// All bytes that may be used.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the usable pages, borrowed from `self`.
        unsafe { std::slice::from_raw_parts(self.map.add(self.page), self.usable) }
    }

    /// How many these are.
    #[allow(clippy::len_without_is_empty)] // never empty
    pub fn len(&self) -> usize {
        self.usable
    }

    /// Where they begin.
    pub fn begin(&self) -> *mut u8 {
        self.map.wrapping_add(self.page)
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        #[cfg(any(miri, not(unix)))]
        // SAFETY: the allocation made in `new`.
        unsafe {
            std::alloc::dealloc(self.map, Self::allocation(self.map_bytes))
        };
        #[cfg(all(unix, not(miri)))]
        // SAFETY: the mapping made in `new`.
        unsafe {
            libc::munmap(self.map.cast(), self.map_bytes)
        };
    }
}
