use chrono::{Datelike, Duration, NaiveDate};

fn main() {
    let day = NaiveDate::from_ymd_opt(2024, 2, 28).unwrap();
    for days in 0..3 {
        let then = day + Duration::days(days);
        println!("{then} {:?} {}", then.weekday(), then.ordinal());
    }
    println!("{}", day.format("%d.%m.%y"));
}
