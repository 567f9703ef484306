//! Game searches in a static node pool.
