//! Runs hot code with the instruction set of this machine, without compiler flags.
//!
//! A judge compiles for baseline x86-64. A [`Task`] whose code is inlined into a function marked with newer
//! target features is compiled a second time, with those features; [`dispatch`] detects once which of the two
//! can run. Anything a task calls that isn't inlined stays at the baseline, so `Task::run` and its hot
//! callees are `#[inline(always)]`.
//!
//! Debug builds have the baseline code only: they are for tests, and compiling everything twice took half of
//! their time. The conformance suite's digests are compared in both kinds of builds, and so check that the
//! two agree.
//!
//! A recursive task calls itself through the [`Cpu`] it was given, which keeps the features enabled.

/// Work that is compiled for more than one instruction set.
pub trait Task {
    /// The result.
    type Output;

    /// Does the work. Mark implementations `#[inline(always)]`.
    fn run<C: Cpu>(self, cpu: C) -> Self::Output;
}

/// An instruction set: a value of the type proves that this machine has it.
pub trait Cpu: Copy {
    /// Runs a task, in a separate call, with this instruction set.
    fn call<T: Task>(self, task: T) -> T::Output;
}

/// The baseline that the program was compiled for.
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

#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
mod haswell {
    use super::{Cpu, Task};

    /// x86-64 with the extensions of Haswell (2013): AVX2, BMI, LZCNT, POPCNT, FMA. Only [`Haswell::detect`]
    /// creates it.
    #[derive(Debug, Clone, Copy)]
    pub struct Haswell(());

    impl Haswell {
        /// `Some` if this machine has all of them.
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

#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
pub use haswell::Haswell;

/// Runs a task with the best instruction set of this machine.
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
