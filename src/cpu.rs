//! Running hot code with the instructions that this machine has, without compiler flags.
//!
//! A judge compiles for the oldest x86-64. A [`Task`] whose code is inlined into a function that is
//! marked with newer features is compiled a second time, with them; [`dispatch`] looks once which
//! of the two may run. Anything that a task calls and that isn't inlined stays as old as before, so
//! `Task::run` and what is hot in it are `#[inline(always)]`.
//!
//! Debug builds have the old code alone: they are for tests, and compiling everything twice took half of their time. The
//! conformance suite's digests, which are compared in both kinds of builds, hold the two against each other.
//!
//! A recursive task calls itself through the [`Cpu`] that it was given, which keeps the features.

/// Work that is worth compiling for more than one kind of machine.
pub trait Task {
    /// What it gives.
    type Output;

    /// Does the work. Mark implementations `#[inline(always)]`.
    fn run<C: Cpu>(self, cpu: C) -> Self::Output;
}

/// A kind of machine: a value of it proves that this machine is one.
pub trait Cpu: Copy {
    /// Runs a task, in a call of its own, with this kind's instructions.
    fn call<T: Task>(self, task: T) -> T::Output;
}

/// Any machine that the program was compiled for.
#[derive(Debug, Clone, Copy)]
pub struct Baseline;

impl Cpu for Baseline {
    #[inline(always)]
    fn call<T: Task>(self, task: T) -> T::Output {
        call_baseline(task)
    }
}

#[inline(never)]
fn call_baseline<T: Task>(task: T) -> T::Output {
    task.run(Baseline)
}

#[cfg(target_arch = "x86_64")]
mod haswell {
    use super::{Cpu, Task};

    /// x86-64 with what Haswell (2013) brought: AVX2, BMI, LZCNT, POPCNT, FMA. Made by
    /// [`Haswell::detect`] alone.
    #[derive(Debug, Clone, Copy)]
    pub struct Haswell(());

    impl Haswell {
        /// The proof that this machine has all of them, if it has.
        pub fn detect() -> Option<Haswell> {
            let has = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt")
                && is_x86_feature_detected!("fma");
            has.then_some(Haswell(()))
        }
    }

    impl Cpu for Haswell {
        #[allow(unsafe_code)]
        #[inline(always)]
        fn call<T: Task>(self, task: T) -> T::Output {
            // SAFETY: a `Haswell` exists only where `detect` found every feature that is enabled.
            unsafe { call(task) }
        }
    }

    #[allow(unsafe_code)]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,fma")]
    unsafe fn call<T: Task>(task: T) -> T::Output {
        task.run(Haswell(()))
    }
}

#[cfg(target_arch = "x86_64")]
pub use haswell::Haswell;

/// Runs a task with the best instructions that this machine has.
#[inline]
pub fn dispatch<T: Task>(task: T) -> T::Output {
    #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
    if let Some(cpu) = Haswell::detect() {
        return cpu.call(task);
    }
    Baseline.call(task)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Ones(u64);

    impl Task for Ones {
        type Output = u32;

        #[inline(always)]
        fn run<C: Cpu>(self, cpu: C) -> u32 {
            match self.0 {
                0 => 0,
                n => 1 + cpu.call(Ones(n & (n - 1))),
            }
        }
    }

    #[test]
    fn every_kind_of_machine_gives_the_same() {
        for n in [0, 1, 0xff00, u64::MAX, 0x1234_5678_9abc_def0] {
            assert_eq!(dispatch(Ones(n)), n.count_ones());
            assert_eq!(Baseline.call(Ones(n)), n.count_ones());
        }
    }
}
