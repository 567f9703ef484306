//! Work on parts of a slice by several threads, with an outcome that doesn't depend on how many.

/// Fills `out` by part: `work` is given the index of a part's first element and the part.
pub fn fill<T: Send>(out: &mut [T], threads: usize, work: impl Fn(usize, &mut [T]) + Sync) {
    let size = out.len().div_ceil(threads.max(1)).max(1);
    std::thread::scope(|scope| {
        for (part, out) in out.chunks_mut(size).enumerate() {
            let work = &work;
            scope.spawn(move || work(part * size, out));
        }
    });
}

/// Does jobs, each once, on several threads.
pub fn each<T: Send>(jobs: Vec<T>, threads: usize, work: impl Fn(T) + Sync) {
    let jobs = std::sync::Mutex::new(jobs.into_iter());
    let next = || jobs.lock().ok().and_then(|mut jobs| jobs.next());
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                while let Some(job) = next() {
                    work(job);
                }
            });
        }
    });
}
