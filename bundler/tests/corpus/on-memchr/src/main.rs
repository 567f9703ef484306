fn main() {
    let text = b"the quick brown fox jumps over the lazy dog";
    println!("{:?} {:?}", memchr::memchr(b'q', text), memchr::memrchr(b'o', text));
    println!("{:?}", memchr::memchr_iter(b'o', text).collect::<Vec<_>>());
    println!("{:?}", memchr::memmem::find_iter(text, "the").collect::<Vec<_>>());
}
