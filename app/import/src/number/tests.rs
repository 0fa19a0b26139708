//! Tests of numbers, sizes and durations in all notations.

use super::*;
use proptest::prelude::*;

#[test]
fn durations_in_all_notations() {
    for (text, secs) in [
        ("0m10.242s", 10.242),
        ("62m11.280s", 3731.28),
        ("20m4.354s", 1204.354),
        ("0m0,275s", 0.275),
        ("1h2m50.36s", 3770.36),
        ("0m00.24s", 0.24),
        ("1m 15.02s", 75.02),
        ("1h 2m 35s", 3755.0),
        ("3m 1.455s", 181.455),
        ("1:15.65", 75.65),
        ("1:02:16.48", 3736.48),
        ("0:00.10", 0.1),
        ("1:02:10", 3730.0),
        ("75.74 secs", 75.74),
        ("65.01 mins", 3900.6),
        ("101.77 millis", 0.10177),
        ("97.00 micros", 0.000_097),
        ("1m22s", 82.0),
        ("1m 04s", 64.0),
        ("0m 44s", 44.0),
        ("31 minutes 33 seconds", 1893.0),
        ("1 minute and 1 second", 61.0),
        ("1 day, 2 hours", 93_600.0),
        ("270.5s", 270.5),
        ("66ms", 0.066),
        ("53 ms", 0.053),
        ("85.7 s", 85.7),
        ("3:20", 200.0),
        ("14 minutes", 840.0),
        ("1-02:03:04", 93_784.0),
        ("14h 34min 25.39s", 52_465.39),
        ("381us", 0.000_381),
        ("1.7ms", 0.0017),
        ("12 µs", 0.000_012),
        ("0.067000 seconds", 0.067),
        ("1.06 msec", 0.001_06),
        ("1,234.5 s", 1234.5),
    ] {
        assert_eq!(parse_duration(text), Some(secs), "{text}");
    }
}

#[test]
fn qualified_durations_of_prose() {
    for (text, qualifier, secs) in [
        ("~3:20", Qualifier::About, 200.0),
        ("about 14 minutes", Qualifier::About, 840.0),
        ("< 0.1s", Qualifier::Below, 0.1),
        ("> 30 minutes", Qualifier::Above, 1800.0),
        ("up to 15 minutes", Qualifier::UpTo, 900.0),
    ] {
        let (found, rest) = take_qualifier(text);
        assert_eq!((found, parse_duration(rest)), (Some(qualifier), Some(secs)), "{text}");
    }
}

#[test]
fn the_decimal_mark_is_decided_by_all_cells() {
    for (cells, mark) in [
        (&["12,34", "0,50"][..], DecimalMark::Comma),
        (&["0,275s", "1,002s"], DecimalMark::Comma),
        (&["1.234,56"], DecimalMark::Comma),
        (&["1,234.56"], DecimalMark::Point),
        (&["12,34", "0.50"], DecimalMark::Point),
        (&["12", "7"], DecimalMark::Point),
        (&[], DecimalMark::Point),
    ] {
        assert_eq!(DecimalMark::of_fractions(cells.iter().copied()), mark, "{cells:?}");
    }
}

#[test]
fn scaled_numbers_are_rounded_once() {
    for (text, factor, shift, value) in [
        ("9.42", 1, 3, 0.00942),
        ("0.149", 100, 0, 14.9),
        ("2.799866", 1, 3, 0.002_799_866),
        ("7", 1024, 0, 7168.0),
    ] {
        assert_eq!(parse_scaled(text, DecimalMark::Point, factor, shift), Some(value), "{text}");
    }
}

#[test]
fn printed_numbers_are_divided_once() {
    for (text, divisor, value) in [
        ("0.18", 1e3, Some(0.000_18)),
        ("0.050", 1e6, Some(5e-8)),
        ("2.0217788415372747e-02", 1e6, Some(2.021_778_841_537_274_7e-8)),
        ("3", 1.0, Some(3.0)),
        ("-1.5E2", 10.0, Some(-15.0)),
        ("12.5", 0.01, Some(1250.0)),
        ("7", 1.0 / 1024.0, Some(7168.0)),
        ("9", 2.0, Some(4.5)),
        ("1e400", 1.0, None),
        ("nan", 1e3, None),
        ("1e", 1e3, None),
        ("1e2e3", 1e3, None),
        ("", 1e3, None),
        ("7", 0.0, None),
    ] {
        assert_eq!(parse_divided(text, divisor), value, "{text} / {divisor}");
    }
}

#[test]
fn no_durations() {
    for text in [
        "",
        "-",
        "n/a",
        "DNF",
        "timeout",
        "?.???",
        "12",
        "1.5",
        "1,234",
        "5M",
        "s",
        "m",
        "1s2m",
        "1s 1s",
        "1.5m 3s",
        "1:2",
        "1:60",
        "1:61.5",
        "1:160",
        "1:000",
        "0:01:160",
        "1-03:04:160",
        "1:16,000.5",
        "1:16.000,5",
        "1:16.",
        "1:2:03",
        ":30",
        "1:",
        "5 apples",
        "0mXs",
        "1..2s",
        "-3s",
        "3s/4s",
        "1-03:04",
        "99999999999999999999999999999999999999999s",
    ] {
        assert_eq!(parse_duration(text), None, "{text}");
    }
}

#[test]
fn numbers_and_their_groups() {
    for (text, mark, value) in [
        ("0", DecimalMark::Point, Some(0.0)),
        ("18,937", DecimalMark::Point, Some(18_937.0)),
        ("1,125,690", DecimalMark::Point, Some(1_125_690.0)),
        ("1,125.5", DecimalMark::Point, Some(1125.5)),
        ("-1.5", DecimalMark::Point, Some(-1.5)),
        ("\u{2212}1", DecimalMark::Point, Some(-1.0)),
        ("+.5", DecimalMark::Point, Some(0.5)),
        ("1,5", DecimalMark::Point, None),
        ("1234,567", DecimalMark::Point, None),
        ("1,5", DecimalMark::Comma, Some(1.5)),
        ("1.234,5", DecimalMark::Comma, Some(1234.5)),
        ("1 234,5", DecimalMark::Comma, Some(1234.5)),
        ("1\u{202f}234", DecimalMark::Comma, Some(1234.0)),
        ("1\u{2019}234.5", DecimalMark::Point, Some(1234.5)),
        ("1.5", DecimalMark::Comma, None),
        ("", DecimalMark::Point, None),
        ("5.", DecimalMark::Point, None),
        ("1.2.3", DecimalMark::Point, None),
        ("12a", DecimalMark::Point, None),
        ("NaN", DecimalMark::Point, None),
        ("inf", DecimalMark::Point, None),
        (",", DecimalMark::Point, None),
    ] {
        assert_eq!(parse_number(text, &mark), value, "{text}");
    }
}

#[test]
fn sizes_by_their_units() {
    for (text, bytes) in [
        ("5.3G", Some(5_690_831_667.2)),
        ("81M", Some(84_934_656.0)),
        ("10.0G", Some(10_737_418_240.0)),
        ("4KiB", Some(4096.0)),
        ("12 kB", Some(12_000.0)),
        ("3MB", Some(3_000_000.0)),
        ("1GB", Some(1e9)),
        ("7B", Some(7.0)),
        // docker: decimal and binary units.
        ("4.539MB", Some(4_539_000.0)),
        ("161.9MiB", Some(169_764_454.4)),
        ("7.307GiB", Some(7_845_831_507.968)),
        ("0B", Some(0.0)),
        // collectl and sysstat: powers of 1024.
        ("7M", Some(7_340_032.0)),
        ("3K", Some(3072.0)),
        ("7.5M", Some(7_864_320.0)),
        ("0.5k", Some(512.0)),
        ("2T", Some(2_199_023_255_552.0)),
        ("81", None),
        ("81X", None),
        ("G", None),
    ] {
        assert_eq!(parse_size(text), bytes, "{text}");
    }
}

#[test]
fn accuracy_is_half_a_printed_unit() {
    for (text, half) in [
        ("270.5s", 0.05),
        ("54.36s", 0.005),
        ("1m22s", 0.5),
        ("20m4.354s", 0.0005),
        ("14 minutes", 30.0),
        ("66ms", 0.0005),
    ] {
        assert_eq!(printed_duration(text).map(|printed| printed.half), Some(half), "{text}");
    }
    assert_eq!(printed_number("1.06", &DecimalMark::Point), Some(Printed { value: 1.06, half: 0.005 }));
}

#[test]
fn qualifiers_come_off_the_head() {
    for (text, expect) in [
        ("~70", (Some(Qualifier::About), "70")),
        ("about 14 minutes", (Some(Qualifier::About), "14 minutes")),
        ("aboutface", (None, "aboutface")),
        ("< 0.1s", (Some(Qualifier::Below), "0.1s")),
        ("> 30 minutes", (Some(Qualifier::Above), "30 minutes")),
        ("up to 15 minutes", (Some(Qualifier::UpTo), "15 minutes")),
        ("3:20", (None, "3:20")),
    ] {
        assert_eq!(take_qualifier(text), expect, "{text}");
    }
}

proptest! {
    #[test]
    fn a_written_number_reads_back(value in -1e12_f64..1e12, places in 0_usize..7) {
        let text = format!("{value:.places$}");
        let expect: f64 = text.parse().expect("a float prints as a float");
        prop_assert_eq!(parse_number(&text, &DecimalMark::Point), Some(expect));
        prop_assert_eq!(parse_number(&text.replace('.', ","), &DecimalMark::Comma), Some(expect));
    }

    #[test]
    fn groups_change_nothing(value in 0_u64..1_000_000_000_000) {
        let digits = value.to_string();
        let grouped: String = digits.char_indices().map(|(at, c)| {
            if at > 0 && (digits.len() - at) % 3 == 0 { format!(",{c}") } else { c.to_string() }
        }).collect();
        prop_assert_eq!(parse_number(&grouped, &DecimalMark::Point), Some(value as f64));
    }

    #[test]
    fn notations_of_one_duration_agree(millis in 0_u64..400_000_000) {
        let (secs, fraction) = (millis / 1000, millis % 1000);
        let (hours, minutes, rest) = (secs / 3600, secs / 60 % 60, secs % 60);
        let expect = Some(millis as f64 / 1000.0);
        for text in [
            format!("{}m{rest}.{fraction:03}s", secs / 60),
            format!("{}m{rest},{fraction:03}s", secs / 60),
            format!("{hours}h{minutes}m{rest}.{fraction:03}s"),
            format!("{hours}h {minutes}min {rest}.{fraction:03}s"),
            format!("{hours}:{minutes:02}:{rest:02}.{fraction:03}"),
            format!("{}:{rest:02}.{fraction:03}", secs / 60),
            format!("{secs}.{fraction:03} seconds"),
            format!("{secs}.{fraction:03}s"),
            format!("{millis} ms"),
            format!("{millis}000us"),
        ] {
            prop_assert_eq!(parse_duration(&text), expect, "{}", text);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[0-9hms:.,\\- a-zµ~]{0,24}") {
        for value in [parse_duration(&text), parse_number(&text, &DecimalMark::Comma), parse_size(&text)].into_iter().flatten() {
            prop_assert!(value.is_finite());
        }
    }
}
