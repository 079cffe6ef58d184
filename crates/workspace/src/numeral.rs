//! Numbers up to 9999 in Arabic, full-width and Chinese numerals.

/// The greatest number that is read.
pub const GREATEST: u32 = 9_999;

/// Reads a number. Chinese numerals may have units (`二十三`, `一百零五`, `两千`, `廿三`), be short (`一百二` is 120), be
/// digits only (`一〇五`), and be traditional or those of cheques (`兩百`, `贰佰`).
///
/// ```
/// use copydesk_workspace::numeral::parse;
///
/// assert_eq!([parse("12"), parse("１２"), parse("十二"), parse("一二")], [Some(12); 4]);
/// assert_eq!([parse("九千九百九十九"), parse("百百"), parse("10000")], [Some(9999), None, None]);
/// ```
pub fn parse(text: &str) -> Option<u32> {
    let digits: Option<Vec<u32>> = text.chars().map(arabic).collect();
    let number = match digits {
        Some(digits) => of_digits(&digits),
        None => of_chinese(text),
    };
    number.filter(|number| *number <= GREATEST)
}

/// Returns whether a character may be part of a number.
pub(crate) fn is_part(c: char) -> bool {
    arabic(c).is_some() || chinese(c).is_some() || unit(c).is_some() || tens(c).is_some() || matches!(c, '万' | '萬')
}

fn of_digits(digits: &[u32]) -> Option<u32> {
    let significant: Vec<u32> = digits.iter().copied().skip_while(|digit| *digit == 0).collect();
    let fits = !digits.is_empty() && significant.len() <= 4;
    fits.then(|| significant.iter().fold(0, |number, digit| number * 10 + digit))
}

fn of_chinese(text: &str) -> Option<u32> {
    let signs: Vec<char> = text.chars().collect();
    if let Some(digits) = signs.iter().map(|c| chinese(*c)).collect::<Option<Vec<u32>>>() {
        return of_digits(&digits);
    }
    let (mut number, mut last_unit) = (0, 10_000);
    let (mut digit, mut after_zero) = (None, false);
    for (at, c) in signs.iter().copied().enumerate() {
        if let Some(unit) = unit(c) {
            // 十, 零十 and 百十 need no digit.
            let is_bare = unit == 10 && (at == 0 || after_zero || last_unit == 100);
            let count = digit.take().or_else(|| is_bare.then_some(1))?;
            if unit >= last_unit || count == 0 {
                return None;
            }
            (number, last_unit, after_zero) = (number + count * unit, unit, false);
        } else if let Some(tens) = tens(c) {
            if digit.is_some() || last_unit <= 10 {
                return None;
            }
            (number, last_unit, after_zero) = (number + tens, 10, false);
        } else {
            let value = chinese(c)?;
            if digit.is_some() {
                return None;
            }
            if value == 0 {
                // Only one zero may be between units.
                if after_zero || at == 0 {
                    return None;
                }
                after_zero = true;
            } else {
                digit = Some(value);
            }
        }
    }
    match digit {
        // 一百二 is short for 一百二十.
        Some(digit) if (100..10_000).contains(&last_unit) && !after_zero => number + digit * last_unit / 10,
        Some(digit) => number + digit,
        None if after_zero => return None,
        None => number,
    }
    .into()
}

/// Returns the value of an Arabic digit, also a full-width one.
pub(crate) fn arabic(c: char) -> Option<u32> {
    match c {
        '0'..='9' => c.to_digit(10),
        '０'..='９' => Some(c as u32 - '０' as u32),
        _ => None,
    }
}

fn chinese(c: char) -> Option<u32> {
    let digit = match c {
        // The circle is written in place of 〇.
        '〇' | '零' | '○' => 0,
        '一' | '壹' => 1,
        '二' | '两' | '兩' | '贰' | '貳' => 2,
        '三' | '叁' | '參' => 3,
        '四' | '肆' => 4,
        '五' | '伍' => 5,
        '六' | '陆' | '陸' => 6,
        '七' | '柒' => 7,
        '八' | '捌' => 8,
        '九' | '玖' => 9,
        _ => return None,
    };
    Some(digit)
}

fn unit(c: char) -> Option<u32> {
    match c {
        '十' | '拾' => Some(10),
        '百' | '佰' => Some(100),
        '千' | '仟' => Some(1_000),
        _ => None,
    }
}

fn tens(c: char) -> Option<u32> {
    match c {
        '廿' => Some(20),
        '卅' => Some(30),
        '卌' => Some(40),
        _ => None,
    }
}
