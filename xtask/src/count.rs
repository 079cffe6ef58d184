//! Counts tests from the output of their runners, and keeps their messages about failures.

use std::fmt;
use std::ops::AddAssign;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Count {
    pub passed: u32,
    pub failed: u32,
}

impl Count {
    /// Adds the counts in one line of output: a `test result:` of cargo's or wasm-bindgen's runner, or a total of
    /// node's. Other lines are ignored. A cancelled test counts as failed; an ignored one as neither.
    pub fn read(&mut self, line: &str) {
        let line = line.trim();
        if let Some((_, counts)) = line.split_once("test result: ") {
            for part in counts.split([';', '.']) {
                if let Some((number, what)) = part.trim().split_once(' ') {
                    self.add(what, number);
                }
            }
        } else if let Some(total) = line.strip_prefix("ℹ ").or_else(|| line.strip_prefix("# "))
            && let Some((what, number)) = total.split_once(' ')
        {
            self.add(what, number);
        }
    }

    fn add(&mut self, what: &str, number: &str) {
        let Ok(number) = number.parse::<u32>() else { return };
        match what {
            "passed" | "pass" => self.passed += number,
            "failed" | "fail" | "cancelled" => self.failed += number,
            _ => {}
        }
    }
}

/// Lines of the failures of one runner that are kept.
const MOST_LINES: usize = 300;

/// The output of the runners of one part.
#[derive(Debug, Default)]
pub struct TestReport {
    pub count: Count,
    /// The lines in which the runners say why tests failed.
    pub failures: Vec<String>,
}

impl TestReport {
    /// Returns a reader of the lines of one runner.
    pub fn reader(&mut self) -> impl FnMut(&str) {
        let most = self.failures.len() + MOST_LINES;
        let mut is_failure = false;
        move |line| {
            self.count.read(line);
            let text = line.trim_end();
            match text.trim_start() {
                "failures:" | "✖ failing tests:" => is_failure = true,
                other if other.starts_with("test result: ") => is_failure = false,
                _ if is_failure && self.failures.len() < most => self.failures.push(text.to_owned()),
                _ => {}
            }
        }
    }
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl fmt::Display for Count {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} passed, {} failed", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(output: &str) -> Count {
        let mut count = Count::default();
        output.lines().for_each(|line| count.read(line));
        count
    }

    #[test]
    fn reads_each_result_of_cargo() {
        let output = "running 3 tests\ntest a ... ok\n\
            test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
            test result: FAILED. 2 passed; 4 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s\n";
        assert_eq!(count(output), Count { passed: 5, failed: 4 });
    }

    #[test]
    fn reads_the_result_of_wasm_bindgen() {
        let output = "    test result: ok. 7 passed; 0 failed; 0 ignored; 0 filtered out; finished in 0.03s";
        assert_eq!(count(output), Count { passed: 7, failed: 0 });
    }

    #[test]
    fn reads_the_totals_of_node() {
        let output =
            "✔ a test that says pass 9 (1ms)\nℹ tests 6\nℹ suites 0\nℹ pass 3\nℹ fail 2\nℹ cancelled 1\nℹ skipped 0\n";
        assert_eq!(count(output), Count { passed: 3, failed: 3 });
    }

    #[test]
    fn keeps_what_is_said_of_failures() {
        let mut report = TestReport::default();
        let cargo = "test a ... FAILED\n\nfailures:\n\n---- a stdout ----\n  left: 1\n\nfailures:\n    a\n\n\
            test result: FAILED. 2 passed; 1 failed; 0 ignored\nafter\n";
        let node = "✖ b (2ms)\nℹ pass 1\nℹ fail 1\n\n✖ failing tests:\n\n✖ b (2ms)\n  Error: no\n";
        for output in [cargo, node] {
            output.lines().for_each(report.reader());
        }
        assert_eq!(report.count, Count { passed: 3, failed: 2 });
        let said: Vec<&str> = report.failures.iter().map(String::as_str).filter(|line| !line.is_empty()).collect();
        assert_eq!(said, ["---- a stdout ----", "  left: 1", "    a", "✖ b (2ms)", "  Error: no"]);
    }
}
