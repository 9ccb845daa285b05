//! How long the programs keep memory that they have freed.

/// Tells the allocator of the program to keep freed memory for a second before it returns it to the operating system. The
/// next tensors take it then, and the system need not clear new pages for them; that is a sixth of the processor time of
/// `plumbline judge` on a large model. Programs call this before they start a thread.
pub fn keep_freed_memory() {
    #[cfg(unix)]
    {
        /// `mi_option_purge_delay` of mimalloc, in milliseconds. The crate has no name for it.
        const PURGE_DELAY: libmimalloc_sys::mi_option_t = 15;
        #[allow(unsafe_code, reason = "the crate has only the C function")]
        // SAFETY: The function stores a number in a table of the allocator. No other thread runs yet that could read it.
        unsafe {
            libmimalloc_sys::mi_option_set(PURGE_DELAY, 1000);
        }
    }
}
