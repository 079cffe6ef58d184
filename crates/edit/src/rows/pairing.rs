//! Pairs the rows of content with those of the document.

use super::shown_row::ShownRow;
use copydesk_document::align::{Match, matches};
use copydesk_document::words;
use rustc_hash::FxHashMap;

/// A likeness from which on two rows are one row edited, from 0 to 100.
pub const LEAST: u32 = 35;

/// Returns for each new row the old one that it is. `stated` is true if the signs of the new rows state what they are in.
pub fn pair(old: &[ShownRow], new: &[ShownRow], stated: bool) -> Vec<Option<usize>> {
    let has_fences = new.iter().any(ShownRow::is_code);
    let keys = |rows: &[ShownRow]| rows.iter().map(|row| row.key(has_fences)).collect::<Vec<_>>();
    let (old_keys, new_keys) = (keys(old), keys(new));
    let mut pairs = vec![None; new.len()];
    let (mut old_at, mut new_at) = (0, 0);
    let mut gaps = Vec::new();
    for run in matches(&old_keys, &new_keys) {
        gaps.push((old_at..run.old, new_at..run.new));
        (0..run.len).for_each(|at| pairs[run.new + at] = Some(run.old + at));
        (old_at, new_at) = (run.old + run.len, run.new + run.len);
    }
    gaps.push((old_at..old.len(), new_at..new.len()));
    // A row that comes back elsewhere has moved: equality goes before likeness.
    let mut left: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    let bare = |rows: &[ShownRow], keys: &[String]| -> Vec<String> {
        let text = |(row, key): (&ShownRow, &String)| if row.text.trim().is_empty() { key.clone() } else { row.bare() };
        rows.iter().zip(keys).map(text).map(|text| text.trim().to_owned()).collect()
    };
    let (old_texts, new_texts) = (bare(old, &old_keys), bare(new, &new_keys));
    for at in gaps.iter().flat_map(|(old, _)| old.clone()).rev().filter(|at| !old_texts[*at].is_empty()) {
        left.entry(&old_texts[at]).or_default().push(at);
    }
    let mut moved = vec![false; old.len()];
    for at in gaps.iter().flat_map(|(_, new)| new.clone()) {
        if let Some(from) = left.get_mut(&*new_texts[at]).and_then(Vec::pop) {
            pairs[at] = Some(from);
            moved[from] = true;
        }
    }
    for (old_range, new_range) in gaps {
        let old_left: Vec<usize> = old_range.filter(|at| !moved[*at]).collect();
        let new_left: Vec<usize> = new_range.filter(|at| pairs[*at].is_none()).collect();
        for (from, to) in likest(old, new, &old_left, &new_left, stated) {
            pairs[to] = Some(from);
        }
    }
    pairs
}

/// Returns for each new row of a table the old one that it is. Each row has the texts of its cells.
pub fn pair_cells(old: &[Vec<String>], new: &[Vec<String>]) -> Vec<Option<usize>> {
    let rows = |rows: &[Vec<String>]| rows.iter().cloned().map(ShownRow::of_cells).collect::<Vec<_>>();
    pair(&rows(old), &rows(new), true)
}

/// Returns for each new text the old one that it is: an equal one, or the likest between these.
pub fn pair_texts(old: &[&str], new: &[&str]) -> Vec<Option<usize>> {
    let mut pairs = vec![None; new.len()];
    let (mut old_at, mut new_at) = (0, 0);
    let end = Match { old: old.len(), new: new.len(), len: 0 };
    for run in matches(old, new).into_iter().chain([end]) {
        let (from, to): (Vec<usize>, Vec<usize>) = ((old_at..run.old).collect(), (new_at..run.new).collect());
        for (from, to) in best_pairs(from.len(), to.len(), |i, j| likeness(old[from[i]], new[to[j]])) {
            pairs[new_at + to] = Some(old_at + from);
        }
        (0..run.len).for_each(|at| pairs[run.new + at] = Some(run.old + at));
        (old_at, new_at) = (run.old + run.len, run.new + run.len);
    }
    pairs
}

fn likest(old: &[ShownRow], new: &[ShownRow], from: &[usize], to: &[usize], stated: bool) -> Vec<(usize, usize)> {
    if from.is_empty() || to.is_empty() {
        return Vec::new();
    }
    let is_alike = |(from, to): (&usize, &usize)| !stated || old[*from].has_containers_of(&new[*to]);
    if from.len() == to.len() && from.iter().zip(to).all(is_alike) {
        return from.iter().copied().zip(to.iter().copied()).collect();
    }
    let like = |i: usize, j: usize| {
        let (old, new) = (&old[from[i]], &new[to[j]]);
        likeness(&old.bare(), &new.bare()).filter(|_| old.has_cells() == new.has_cells())
    };
    let mut pairs = best_pairs(from.len(), to.len(), like);
    // Of the others each is in the place of one that is in the same containers.
    let (mut i, mut j) = (0, 0);
    for (a, b) in pairs.clone().into_iter().chain([(from.len(), to.len())]) {
        while i < a && j < b {
            if is_alike((&from[i], &to[j])) && old[from[i]].has_cells() == new[to[j]].has_cells() {
                pairs.push((i, j));
                i += 1;
            } else if a - i > b - j {
                i += 1;
                continue;
            }
            j += 1;
        }
        (i, j) = (a + 1, b + 1);
    }
    pairs.into_iter().map(|(i, j)| (from[i], to[j])).collect()
}

/// Returns the pairs in ascending order whose likenesses have the greatest sum.
pub fn best_pairs(old: usize, new: usize, like: impl Fn(usize, usize) -> Option<u32>) -> Vec<(usize, usize)> {
    let width = new + 1;
    let mut best = vec![0; (old + 1) * width];
    let mut likes = vec![None; old * new];
    for i in (0..old).rev() {
        for j in (0..new).rev() {
            let here = like(i, j).filter(|like| *like >= LEAST);
            likes[i * new + j] = here;
            let paired = here.map_or(0, |here| here + best[(i + 1) * width + j + 1]);
            best[i * width + j] = paired.max(best[(i + 1) * width + j]).max(best[i * width + j + 1]);
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < old && j < new {
        let here = best[i * width + j];
        match likes[i * new + j] {
            Some(like) if here == like + best[(i + 1) * width + j + 1] => {
                pairs.push((i, j));
                (i, j) = (i + 1, j + 1);
            }
            _ if here == best[(i + 1) * width + j] => i += 1,
            _ => j += 1,
        }
    }
    pairs
}

/// Returns the share of the words that two texts have in common, in percent.
pub fn likeness(a: &str, b: &str) -> Option<u32> {
    let cut = |text| words::split(text).filter(|word| !word.trim().is_empty()).collect::<Vec<_>>();
    let (a, b): (Vec<&str>, Vec<&str>) = (cut(a), cut(b));
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let common: usize = matches(&a, &b).iter().map(|run| run.len).sum();
    Some((200 * common / (a.len() + b.len())) as u32)
}
