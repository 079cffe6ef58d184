//! Numerals: a table written by a routine that shares nothing with the reader.

use copydesk_workspace::numeral::parse;

const DIGITS: [&str; 10] = ["零", "一", "二", "三", "四", "五", "六", "七", "八", "九"];

/// Writes a number as it is spoken: groups of digit and unit, one 零 for each gap.
fn spoken(number: u32) -> String {
    let mut text = String::new();
    let mut gap = false;
    for (power, unit) in [(1_000, "千"), (100, "百"), (10, "十"), (1, "")] {
        let digit = (number / power % 10) as usize;
        if digit == 0 {
            gap = !text.is_empty();
        } else {
            if std::mem::take(&mut gap) {
                text += DIGITS[0];
            }
            text += DIGITS[digit];
            text += unit;
        }
    }
    text
}

/// Writes a number in other signs for the digits from 0 and the units from 10.
fn written_in(text: &str, signs: &str) -> String {
    let other = |c: char| "零一二三四五六七八九十百千".chars().position(|sign| sign == c);
    text.chars().map(|c| other(c).and_then(|at| signs.chars().nth(at)).unwrap_or(c)).collect()
}

#[test]
fn every_number_up_to_9999_is_read_in_all_numerals() {
    for number in 1..=9_999 {
        let arabic = number.to_string();
        let wide: String =
            arabic.chars().map(|c| char::from_u32(c as u32 - '0' as u32 + '０' as u32).unwrap()).collect();
        let digits: String = arabic.chars().map(|c| DIGITS[c.to_digit(10).unwrap() as usize]).collect();
        let mut forms = vec![spoken(number), arabic.clone(), wide, digits.replace('零', "〇"), format!("{number:04}")];
        if (10..20).contains(&number) {
            forms.push(spoken(number).replacen('一', "", 1));
        }
        if number % 1_000 / 100 > 0 && number % 100 >= 10 && number % 100 < 20 {
            forms.push(spoken(number).replace("一十", "十").replacen("百十", "百一十", 1));
        }
        let paired = spoken(number).replace("二百", "两百").replace("二千", "两千");
        forms.extend(["〇", "○"].map(|zero| paired.replace('零', zero)));
        forms.extend([
            written_in(&paired, "零壹贰叁肆伍陆柒捌玖拾佰仟"),
            written_in(&paired, "零壹貳參肆伍陸柒捌玖拾佰仟"),
        ]);
        forms.extend([digits.replace('零', "○"), paired.replace('两', "兩"), paired.replace("百一十", "百十"), paired]);
        for (tens, short) in [("二十", "廿"), ("三十", "卅"), ("四十", "卌")] {
            forms.push(spoken(number).replace(tens, short));
        }
        for form in forms {
            assert_eq!(parse(&form), Some(number), "{form}");
        }
    }
}

#[test]
fn short_and_old_forms_are_read() {
    for (form, number) in
        [("一百二", 120), ("三千五", 3_500), ("一百零十", 110), ("廿三", 23), ("卅", 30), ("一百廿一", 121)]
    {
        assert_eq!(parse(form), Some(number), "{form}");
    }
}

#[test]
fn what_is_no_number_is_not_read() {
    for form in [
        "",
        "百",
        "十百",
        "一百二百",
        "二十十",
        "一零百",
        "三三十",
        "一百零",
        "零零",
        "10000",
        "一万",
        "一二三四五",
        "1十",
        "12a",
        "廿廿",
    ] {
        let read = parse(form);
        // 零零 are digits only.
        assert!(read.is_none() || (form == "零零" && read == Some(0)), "{form}: {read:?}");
    }
}
