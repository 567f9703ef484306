//! Tests of the meter, on a virtual clock where time matters.

use super::*;
#[cfg(feature = "stop")]
use std::sync::atomic::AtomicBool;

use crate::clock::{now, virtual_time};

#[test]
fn a_node_budget_is_exact() {
    for n in [0, 1, 5, 1000] {
        let mut meter = Meter::<4>::new(Budget::nodes(n));
        let taken = (0..2000).filter(|_| meter.take()).count() as u64;
        assert_eq!((taken, meter.nodes(), meter.is_spent()), (n, n, true));
    }
}

#[test]
fn many_nodes_are_taken_whole_or_not_at_all() {
    let mut meter = Meter::<4>::new(Budget::nodes(10));
    assert!(meter.take_many(7) && !meter.take_many(4));
    assert_eq!((meter.nodes(), meter.is_spent()), (7, true));
    let far = Instant::now() + Duration::from_secs(1000);
    let mut meter = Meter::<4>::new(Budget::until(far).and_nodes(20));
    assert!(meter.take_many(13) && meter.take_many(7) && !meter.take_many(1));
    assert!(!Meter::<4>::new(Budget::until(Instant::now())).take_many(1));
}

/// How many nodes lie between two looks, at so much a node, up to the deadline; whether a node began after it.
fn stretches(meter: &mut Meter<512>, cost: Duration, step: bool) -> (Vec<u64>, bool) {
    let (mut looks, mut before) = (Vec::new(), meter.nodes);
    while meter.take() {
        if meter.counted == meter.nodes - 1 {
            looks.push(meter.nodes - 1 - before);
            before = meter.nodes - 1;
        }
        virtual_time::advance(cost);
        let _ = step && !meter.step();
    }
    (looks, now() > meter.budget.deadline().expect("a deadline") + cost)
}

#[test]
fn looks_come_after_nodes_1_2_4_and_more_often_where_nodes_take_long() {
    let (ms, us) = (Duration::from_millis, Duration::from_micros);
    let meter = |limit| Meter::<512>::new(Budget::until(now() + limit));
    virtual_time::run(|| {
        let (looks, late) = stretches(&mut meter(ms(100)), Duration::from_nanos(100), false);
        assert_eq!(looks[..12], [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 512]);
        assert!(!late && looks.len() < 1_000_000 / 512 + 250, "{}", looks.len());
        let (looks, late) = stretches(&mut meter(ms(100)), us(10), false);
        assert!(!late && looks[..7] == [0, 1, 2, 4, 8, 10, 10], "{looks:?}");
        let (looks, late) = stretches(&mut meter(ms(100)), ms(3), false);
        assert!(!late && looks.iter().all(|&count| count <= 1), "{looks:?}");
    });
}

/// The next search knows from the last one that nodes are expensive, or cheap.
#[test]
fn the_time_of_a_node_is_remembered() {
    let (ms, us) = (Duration::from_millis, Duration::from_micros);
    virtual_time::run(|| {
        let far = || Budget::until(now() + ms(100));
        assert!(Meter::<512>::new(far()).is_careful(), "nothing is known yet");
        let mut cheap = Meter::<512>::new(far());
        stretches(&mut cheap, us(1), false);
        assert!(!cheap.again(far()).is_careful() && cheap.again(Budget::until(now() + us(21))).is_careful());
        let mut dear = Meter::<512>::new(far());
        stretches(&mut dear, ms(30), true);
        assert!(!dear.again(far()).is_careful() && dear.again(Budget::until(now() + ms(50))).is_careful());
        assert!(!dear.again(Budget::nodes(100)).is_careful());
    });
}

/// One long node, such as one during which the machine ran another program, is forgotten after some looks.
#[test]
fn one_long_node_is_forgotten() {
    virtual_time::run(|| {
        let mut meter = Meter::<512>::new(Budget::until(now() + Duration::from_millis(100)));
        let mut node = |cost| {
            assert!(meter.take());
            virtual_time::advance(Duration::from_nanos(cost));
            meter.stop_at.saturating_sub(meter.nodes)
        };
        let _ = (0..10_000).map(|_| node(100)).max();
        node(5_000_000);
        let stretch = (0..30_000).map(|_| node(100)).max();
        assert_eq!(stretch, Some(511));
    });
}

#[cfg(feature = "stop")]
#[test]
fn a_share_is_stopped_with_the_whole() {
    static STOP: AtomicBool = AtomicBool::new(true);
    assert!(!Meter::<4>::new(Budget::nodes(1000).unless(&STOP).share(1, 2)).take());
}

#[cfg(feature = "stop")]
#[test]
fn nothing_more_is_taken_once_it_is_stopped() {
    static STOP: AtomicBool = AtomicBool::new(false);
    let mut meter = Meter::<4>::new(Budget::nodes(1000).unless(&STOP));
    assert!((0..10).all(|_| meter.take()));
    STOP.store(true, Ordering::Relaxed);
    assert!((0..1000).filter(|_| meter.take()).count() < 4);
    assert!(meter.is_spent() && !Meter::<4>::new(Budget::nodes(9).unless(&STOP)).take());
}

#[test]
fn nothing_is_taken_after_the_deadline() {
    let mut meter = Meter::<4>::new(Budget::until(Instant::now()));
    assert!(!meter.take());
    let far = Instant::now() + Duration::from_secs(1000);
    let mut meter = Meter::<4>::new(Budget::until(far).and_nodes(10));
    assert_eq!((0..20).filter(|_| meter.take()).count(), 10);
}
