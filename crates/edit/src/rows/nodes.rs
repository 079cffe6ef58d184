//! The nodes around rows.

use super::builder::Builder;
use super::shown::{self, Kind, ShownRow};
use super::{Link, Row, without_id};
use crate::markdown;
use crate::parent::Parent;
use copydesk_document::notation::{SUMMARY, Sign};
use copydesk_document::{Marks, Node, NodeRole, Schema};
use rustc_hash::FxHashSet;
use std::ops::Range;

impl Builder<'_> {
    /// Keeps the cells of rows that stay: a cell that lost all its lines is empty.
    pub(super) fn keep_cells(&mut self, old: Range<usize>) {
        let cell_of = |path: &[Link]| {
            let at = path.iter().rposition(|link| link.node.role(self.schema).is_some_and(NodeRole::is_cell))?;
            Some((path[at.checked_sub(1)?].id, path[at].id))
        };
        for at in old {
            let Some((table_row, cell)) = cell_of(&self.old_rows[at].path) else { continue };
            let row = self.old_rows[at].clone();
            if row.path.iter().any(|link| self.laid_out.contains(&link.id)) {
                continue;
            }
            let is_textblock = row.path.last().is_some_and(|link| is_textblock(self.schema, &link.node));
            if !self.live.contains(&table_row) || self.live.contains(&cell) || !is_textblock {
                continue;
            }
            let place = self.out.iter().rposition(|row| row.from.is_some_and(|from| from < at)).map_or(0, |at| at + 1);
            self.texts.iter_mut().filter(|text| text.at >= place).for_each(|text| text.at += 1);
            self.live.extend(row.path.iter().map(|link| link.id));
            self.out.insert(place, Row { inline: Vec::new(), opened_by: None, ..row });
        }
    }

    /// Removes rows. A cell whose row stays keeps an empty block, and so does a node that must begin with one.
    pub(super) fn emptied(&mut self, old: Range<usize>) -> Option<()> {
        let schema = self.schema;
        for at in old.clone() {
            let row = self.old_rows[at].clone();
            let Some(parent) = row.path.len().checked_sub(2) else { continue };
            let own = row.path.last()?.id;
            let rows_in = |id: u32| self.rows_of[&id].clone();
            let is_removed = |at: &usize| old.contains(at);
            let is_gone = |rows: &Range<usize>| old.start <= rows.start && rows.end <= old.end;
            let is_cell = |link: &Link| link.node.role(schema).is_some_and(NodeRole::is_cell);
            if let Some(depth) = row.path.iter().rposition(is_cell)
                && is_gone(&rows_in(row.path[depth].id))
            {
                // A row is removed with all of its cells; otherwise an empty cell stays.
                let is_first = rows_in(row.path[depth].id).start == at;
                if is_first && depth > 0 && !is_gone(&rows_in(row.path[depth - 1].id)) {
                    let mut path = row.path[..=depth].to_vec();
                    let block = row.path.get(depth + 1).filter(|link| is_textblock(schema, &link.node)).cloned();
                    path.push(match block {
                        Some(block) => block,
                        None => self.ids.fresh(schema, NodeRole::Paragraph)?,
                    });
                    self.push(Row { path, inline: Vec::new(), opened_by: None, from: row.from });
                }
                continue;
            }
            let link = &row.path[parent];
            let inside = rows_in(link.id);
            if is_item(schema, &link.node) && inside.start == at && parent > 0 {
                // The items in it take its place.
                for other in inside.clone().filter(|at| !is_removed(at)) {
                    let path = &self.old_rows[other].path;
                    if let Some(item) = path.get(parent + 2).filter(|item| item.node.kind() == link.node.kind()) {
                        let lifted = path[..parent].iter().cloned().chain([item.clone()]).collect();
                        self.moved.insert(item.id, lifted);
                    }
                }
                if inside.clone().filter(|at| !is_removed(at)).all(|at| {
                    self.old_rows[at].path.get(parent + 2).is_some_and(|item| self.moved.contains_key(&item.id))
                }) {
                    continue;
                }
            }
            let stays = !is_gone(&inside);
            let left = || -> Vec<&Node> {
                let other = |at: &usize| !is_removed(at) && self.old_rows[*at].path[parent + 1].id != own;
                inside.clone().filter(other).map(|at| &self.old_rows[at].path[parent + 1].node).collect()
            };
            if stays
                && inside.start == at
                && is_gone(&rows_in(own))
                && is_textblock(schema, &row.path.last()?.node)
                && !Parent::of(&link.node).takes(schema, left())
            {
                self.push(Row { inline: Vec::new(), opened_by: None, ..row });
            }
        }
        Some(())
    }

    /// Returns whether a row behind a hard break may be one of the same block.
    pub(super) fn continues(&self, row: &ShownRow, stated: bool) -> bool {
        let is_text =
            self.out.last().and_then(|last| last.path.last()).is_some_and(|link| {
                is_textblock(self.schema, &link.node) && !self.schema.node_type(link.node.kind()).code
            });
        is_text
            && row.kind == Kind::Text
            && (!stated || row.signs.iter().all(|sign| matches!(sign, Sign::Indent | Sign::Quote)))
    }

    /// Adds a row to the block of the row before it.
    pub(super) fn go_on(&mut self, row: &ShownRow, from: Option<usize>) -> Option<()> {
        let path = self.out.last()?.path.clone();
        let opened_by = from.and_then(|from| self.old_rows[from].opened_by.clone());
        self.text(Row { path, opened_by, inline: Vec::new(), from }, &row.text)
    }

    /// Adds an old row as the content has it.
    pub(super) fn kept(&mut self, row: &ShownRow, from: usize, next: Option<usize>, stated: bool) -> Option<()> {
        let (old, old_row) = (self.old[from].clone(), self.old_rows[from].clone());
        // A text that begins like a sign has no sign.
        let prefix = if self.is_text { "" } else { &old.raw[..old.raw.len() - old.text.len()] };
        let literal = row.raw.strip_prefix(prefix).filter(|text| *text == old.text && !row.is_code());
        let text = literal.unwrap_or(&row.text);
        // The item may have another place or another node now.
        let now = |link: &Link| self.moved.get(&link.id).and_then(|path| path.last()).map_or(link.id, |link| link.id);
        let last = self.out.last().map_or(&[][..], |last| &last.path);
        let is_open = |link: &Link| last.iter().any(|open| open.id == now(link) || open.id == link.id);
        let is_there =
            |link: &Link| !is_item(self.schema, &link.node) || self.rows_of[&link.id].start == from || is_open(link);
        let (own, around) = old_row.path.split_last()?;
        // Without a fence a line of code keeps its kind.
        let is_code = old.is_code() && !row.is_code();
        let text = match is_code {
            // Beside other lines with the indent that it is shown with.
            true if row.raw != row.text => row.raw.strip_prefix(prefix).unwrap_or(&row.raw),
            true => &row.raw,
            false => text,
        };
        let has_signs = literal.is_some() || row.has_signs_of(&old);
        let stays = is_code || !stated || has_signs && around.iter().all(is_there);
        let mut path = match stays {
            true => {
                let moved =
                    around.iter().enumerate().rev().find_map(|(at, link)| Some((at, self.moved.get(&link.id)?)));
                let path = match moved {
                    Some((at, path)) => path.iter().chain(&around[at + 1..]).cloned().collect(),
                    None => around.to_vec(),
                };
                self.in_open_list(row, from, path)
            }
            false => self.containers(row, next, Some(from))?,
        };
        if let (Some(Sign::Task { checked }), Some(item)) = (row.signs.last(), path.last_mut())
            && item.node.attrs().get("checked").is_some()
        {
            item.node = item.node.with_attrs(item.node.attrs().with("checked", (*checked).into()));
        }
        let keeps_block = literal.is_some() || is_code || !stated && row.kind == Kind::Text;
        let is_text = is_textblock(self.schema, &own.node) || text.is_empty();
        let own = match keeps_block {
            true if is_text => own.clone(),
            // A text in the place of a leaf, such as a rule.
            true => self.like(own, &path)?,
            // The alignment of a line in a cell is that of its column.
            false if is_in_cell(self.schema, around) && !is_in_cell(self.schema, &path) => self.block(row, None)?,
            false => {
                let link = self.block(row, Some((&old, own)))?;
                // The other lines of the block keep their kind.
                match link.node.kind() != own.node.kind() && self.is_broken(own) {
                    true => self.ids.link(link.node),
                    false => link,
                }
            }
        };
        // Lines of one block with a blank row between them are blocks of their own.
        let begun = self.moved.get(&own.id).and_then(|path| path.last()).map_or(own.id, |link| link.id);
        let is_split = |last: &Row| last.path.last().map(|link| link.id) == Some(begun);
        let own = match row.is_apart && self.blanks_separate && !old.is_code() && self.out.last().is_some_and(is_split)
        {
            true => {
                let link = self.like(&own, &path)?;
                self.moved.insert(own.id, path.iter().cloned().chain([link.clone()]).collect());
                link
            }
            false => match self.moved.get(&own.id).and_then(|path| path.last()) {
                Some(link) => link.clone(),
                None => own,
            },
        };
        path.push(own);
        if let Kind::Code { block, .. } = &row.kind {
            path = self.code.entry(*block).or_insert(path).clone();
        }
        if old.is_code() || row.is_code() {
            return self.code_line(path, Some(from), text);
        }
        self.text(Row { path, opened_by: old_row.opened_by.clone(), inline: Vec::new(), from: Some(from) }, text)
    }

    /// Returns the path of a row that begins an item, in the list of the row of content before it if that list is
    /// another one, was not beside its own, and the numbers go on.
    fn in_open_list(&mut self, row: &ShownRow, from: usize, path: Vec<Link>) -> Vec<Link> {
        let Some(last) = self.out.last().filter(|_| self.out.len() > self.begin) else { return path };
        let depth = last.path.iter().zip(&path).take_while(|(a, b)| a.id == b.id).count();
        let (Some(open), Some(own), Some(item)) = (last.path.get(depth), path.get(depth), path.get(depth + 1)) else {
            return path;
        };
        let Some(here) = self.rows_of.get(&own.id) else { return path };
        let is_beside = self.rows_of.get(&open.id).is_some_and(|before| before.end == here.start);
        let begins =
            is_item(self.schema, &item.node) && self.rows_of.get(&item.id).is_some_and(|rows| rows.start == from);
        if open.node.kind() != own.node.kind() || !begins || is_beside {
            return path;
        }
        if let Some(Sign::Number(number)) = row.signs.last() {
            let items = self.out.iter().filter_map(|row| Some((row.path.get(depth)?.id, row.path.get(depth + 1)?.id)));
            let count =
                items.filter(|(list, _)| *list == open.id).map(|(_, item)| item).collect::<FxHashSet<_>>().len();
            let start = open.node.first_number().unwrap_or(1);
            if *number != start.saturating_add(count as i64) {
                return path;
            }
        }
        let joined = last.path[..=depth].to_vec();
        let own = own.id;
        let path = joined.iter().chain(&path[depth + 1..]).cloned().collect();
        self.moved.insert(own, joined);
        path
    }

    /// Adds a row that the document does not have.
    pub(super) fn added(&mut self, row: &ShownRow, next: Option<usize>) -> Option<()> {
        if matches!(&row.kind, Kind::Own(own) if own == SUMMARY) {
            let mut path = self.containers(row, next, None)?;
            for role in [NodeRole::Details, NodeRole::Summary] {
                path.push(self.ids.fresh(self.schema, role)?);
            }
            self.states = true;
            return self.text(Row { path, opened_by: None, inline: Vec::new(), from: None }, &row.text);
        }
        if matches!(&row.kind, Kind::Own(own) if !markdown::is_rule(own) && !own.starts_with("$$")) {
            // An image from elsewhere, which Markdown states.
            let text = shown::text(row.raw.trim_start()).to_owned();
            return self.added(&ShownRow { kind: Kind::Text, text, ..row.clone() }, next);
        }
        if let Kind::Code { block, .. } = &row.kind {
            let path = match self.code.get(block) {
                Some(path) => path.clone(),
                None => {
                    let mut path = self.containers(row, next, None)?;
                    path.push(self.block(row, None)?);
                    self.code.insert(*block, path.clone());
                    path
                }
            };
            return self.code_line(path, None, &row.text);
        }
        let mut path = self.containers(row, next, None)?;
        // Beside a hard break a line is one of the same block.
        let beside = self.out.last().filter(|last| {
            row.kind == Kind::Text
                && last.path.len() == path.len() + 1
                && last.path.iter().zip(&path).all(|(a, b)| a.id == b.id)
        });
        let like = beside.and_then(|last| last.path.last()).cloned();
        let like =
            like.filter(|link| row.kind == Kind::Text || self.is_broken(link)).or_else(|| self.item_beside(&path));
        path.push(match like {
            Some(link) if self.is_broken(&link) && !row.is_apart => link,
            Some(link) if row.kind == Kind::Text => self.like(&link, &path)?,
            _ => self.block(row, None)?,
        });
        self.text(Row { path, opened_by: None, inline: Vec::new(), from: None }, &row.text)
    }

    /// Returns a new item of a list, with the attributes that all of its items have. What identifies one or is its
    /// state is no such attribute.
    fn item_of(&mut self, list: &Link, role: NodeRole) -> Option<Link> {
        let mut link = self.ids.fresh(self.schema, role)?;
        let items = list.node.children();
        let Some(first) = items.first().filter(|first| first.kind() == link.node.kind()) else { return Some(link) };
        for (name, value) in first.attrs().iter().filter(|(name, _)| !matches!(&**name, "id" | "checked")) {
            if items.iter().all(|item| item.attrs().get(name) == Some(value)) {
                link.node = link.node.with_attrs(link.node.attrs().with(name, value.clone()));
            }
        }
        Some(link)
    }

    /// Returns the node with the content of a details node: that of the old node, or a new one.
    fn content_of(&mut self, details: &Link) -> Option<Link> {
        let is_content = |link: &&Link| link.node.role(self.schema) == Some(NodeRole::DetailsContent);
        let inside = |row: &Row| {
            let at = row.path.iter().position(|link| link.id == details.id)?;
            row.path.get(at + 1).filter(is_content).cloned()
        };
        let old = self.rows_of.get(&details.id).and_then(|rows| self.old_rows[rows.clone()].iter().find_map(inside));
        old.or_else(|| self.ids.fresh(self.schema, NodeRole::DetailsContent))
    }

    /// Returns the text of an item of the same list.
    fn item_beside(&self, path: &[Link]) -> Option<Link> {
        let list =
            path.len().checked_sub(2).filter(|_| path.last().is_some_and(|link| is_item(self.schema, &link.node)))?;
        let is_beside = |row: &&Row| {
            row.path.len() == path.len() + 1
                && row.path[list].id == path[list].id
                && is_textblock(self.schema, &row.path[path.len()].node)
        };
        let like = self.out.iter().rev().find(is_beside).or_else(|| self.old_rows.iter().find(is_beside))?;
        like.path.last().filter(|link| !self.is_broken(link)).cloned()
    }

    pub(super) fn is_broken(&self, link: &Link) -> bool {
        let breaks = |child: &Node| {
            self.schema.is_hard_break(child.kind()) || child.text().is_some_and(|text| text.contains('\n'))
        };
        !self.schema.node_type(link.node.kind()).code && link.node.children().iter().any(breaks)
    }

    /// Returns a textblock as pressing enter in another one makes it.
    pub(super) fn like(&mut self, link: &Link, around: &[Link]) -> Option<Link> {
        let schema = self.schema;
        let parent = around.last().map_or(schema.top_type(), |parent| parent.node.kind());
        let is_code = schema.node_type(link.node.kind()).code;
        let is_text = schema.is_textblock(link.node.kind()) && !is_code && link.node.attrs().get("level").is_none();
        let kind = if is_text { link.node.kind() } else { schema.default_textblock(parent)? };
        let node = match is_text {
            true => without_id(schema, &link.node).with_children(Vec::new()),
            false => Node::new(schema, kind, schema.default_attrs(kind), Vec::new(), Marks::NONE),
        };
        Some(self.ids.link(node))
    }

    /// Adds a row of content without signs, of the same kind as its neighbour. `next` is the next row of the content
    /// that the document has, `begin` the number of rows before the content. `None` if it cannot be of that kind.
    pub(super) fn sibling(&mut self, row: &ShownRow, next: usize, begin: usize) -> Option<()> {
        let schema = self.schema;
        let (like, is_behind) = match self.out[begin..].last() {
            Some(last) => (last.clone(), true),
            None => (self.old_rows.get(next)?.clone(), false),
        };
        let (own, around) = like.path.split_last()?;
        if row.kind != Kind::Text {
            return None;
        }
        if schema.node_type(own.node.kind()).code {
            return self.code_line(like.path.clone(), None, &row.raw);
        }
        if self.is_broken(own) && !row.is_apart {
            return self
                .text(Row { path: like.path.clone(), opened_by: None, inline: Vec::new(), from: None }, &row.text);
        }
        let mut path = around.to_vec();
        if let Some(item) = around.last().filter(|link| is_item(schema, &link.node)) {
            let starts = self
                .rows_of
                .get(&item.id)
                .is_none_or(|rows| self.old_rows[rows.start].path.last().map(|link| link.id) == Some(own.id));
            if starts {
                let fresh = match around.iter().rev().nth(1) {
                    Some(list) => self.item_of(list, item.node.role(schema)?)?,
                    None => self.ids.fresh(schema, item.node.role(schema)?)?,
                };
                path.pop();
                path.push(fresh);
                if is_behind {
                    let old = self
                        .moved
                        .iter()
                        .find(|(_, to)| to.last().map(|link| link.id) == Some(item.id))
                        .map_or(item.id, |(old, _)| *old);
                    self.moved.insert(old, path.clone());
                }
            }
        }
        let own = self.like(own, &path)?;
        path.push(own);
        self.text(Row { path, opened_by: None, inline: Vec::new(), from: None }, &row.text)
    }

    /// Returns the textblock or leaf of a row. `old` is that of the row that it was.
    pub(super) fn block(&mut self, row: &ShownRow, old: Option<(&ShownRow, &Link)>) -> Option<Link> {
        let (role, attribute) = match &row.kind {
            Kind::Text => (NodeRole::Paragraph, None),
            Kind::Heading(level) => (NodeRole::Heading, Some(("level", (*level).into()))),
            Kind::Code { language, .. } => {
                let language = if language.is_empty() { serde_json::Value::Null } else { language.as_str().into() };
                (NodeRole::CodeBlock, Some(("language", language)))
            }
            Kind::Own(own) if own.starts_with("$$") && old.is_none_or(|(shown, _)| shown.kind != row.kind) => {
                let mut link = self.ids.fresh(self.schema, NodeRole::BlockMath)?;
                link.node = link.node.with_attrs(link.node.attrs().with("latex", row.raw.as_str().into()));
                return Some(link);
            }
            Kind::Own(own) if markdown::is_rule(own) && old.is_none_or(|(shown, _)| shown.kind != row.kind) => {
                return self.ids.fresh(self.schema, NodeRole::Rule);
            }
            Kind::Own(_) => return old.map(|(_, link)| link.clone()),
            Kind::Cells { .. } => return None,
        };
        if let Some((shown, link)) = old {
            if shown.kind == row.kind {
                return Some(link.clone());
            }
            self.states = true;
            let node = self.converted(&link.node, role)?;
            let attrs =
                attribute.into_iter().fold(node.attrs().clone(), |attrs, (name, value)| attrs.with(name, value));
            return Some(Link { id: link.id, node: node.with_attrs(attrs) });
        }
        self.states |= role != NodeRole::Paragraph;
        let mut link = self.ids.fresh(self.schema, role)?;
        if let Some((name, value)) = attribute {
            link.node = link.node.with_attrs(link.node.attrs().with(name, value));
        }
        Some(link)
    }

    /// Returns a node as one of another role, with the attributes that both have.
    fn converted(&self, node: &Node, role: NodeRole) -> Option<Node> {
        let kind = self.schema.find_role(role)?;
        let defaults = self.schema.default_attrs(kind);
        let attrs = node.attrs().iter().filter(|(name, _)| defaults.get(name).is_some());
        let attrs = attrs.fold(defaults.clone(), |attrs, (name, value)| attrs.with(name, value.clone()));
        Some(Node::new(self.schema, kind, attrs, node.children().to_vec(), Marks::NONE))
    }

    /// Returns the containers that the signs of a row state, beside the row before it. `from` is the old row that it
    /// was; the row keeps the item of that one.
    pub(super) fn containers(&mut self, row: &ShownRow, next: Option<usize>, from: Option<usize>) -> Option<Vec<Link>> {
        let schema = self.schema;
        let base: Vec<Link> = self.out.last().map(|last| last.path.clone()).unwrap_or_default();
        let next: Vec<Link> = next.map_or_else(Vec::new, |next| self.old_rows[next].path.clone());
        let (mut base, mut next) = (&base[..], &next[..]);
        let mut path: Vec<Link> = Vec::new();
        let is = |links: &[Link], at: usize, role: NodeRole| {
            links.get(at).is_some_and(|link| link.node.role(schema) == Some(role))
        };
        for sign in &row.signs {
            // A container without a sign continues as long as both neighbours are in it.
            while let (Some(a), Some(b)) = (base.first(), next.first())
                && a.id == b.id
                && !has_sign(schema, &a.node)
                && (!is_textblock(schema, &a.node) || schema.node_type(a.node.kind()).code)
            {
                path.push(a.clone());
                (base, next) = (&base[1..], &next[1..]);
            }
            match sign {
                Sign::Quote => {
                    if is(base, 0, NodeRole::Quote) {
                        path.push(base[0].clone());
                        let same = next.first().is_some_and(|link| link.id == base[0].id);
                        (base, next) = (&base[1..], if same { &next[1..] } else { &[] });
                    } else if is(next, 0, NodeRole::Quote) {
                        path.push(next[0].clone());
                        (base, next) = (&[], &next[1..]);
                    } else {
                        self.states = true;
                        path.push(self.ids.fresh(schema, NodeRole::Quote)?);
                        (base, next) = (&[], &[]);
                    }
                }
                Sign::Indent => {
                    let inside = base.get(..2).filter(|pair| {
                        is_item(schema, &pair[1].node) || pair[1].node.role(schema) == Some(NodeRole::DetailsContent)
                    });
                    if let Some(pair) = inside {
                        path.extend_from_slice(pair);
                        let same = next.get(1).is_some_and(|link| link.id == pair[1].id);
                        (base, next) = (&base[2..], if same { &next[2..] } else { &[] });
                    } else if is(base, 1, NodeRole::Summary) {
                        path.push(base[0].clone());
                        path.push(self.content_of(&base[0])?);
                        (base, next) = (&[], &[]);
                    }
                }
                Sign::Bullet | Sign::Number(_) | Sign::Task { .. } => {
                    let (list, item) = match sign {
                        Sign::Bullet => (NodeRole::BulletList, NodeRole::ListItem),
                        Sign::Number(_) => (NodeRole::OrderedList, NodeRole::ListItem),
                        _ => (NodeRole::TaskList, NodeRole::TaskItem),
                    };
                    // Beside the last item of a list in a container without a sign, it is in that list.
                    let around = base.iter().take_while(|link| !has_sign(schema, &link.node)).count();
                    if around > 0 && is(base, around, list) {
                        path.extend_from_slice(&base[..around]);
                        (base, next) = (&base[around..], &[]);
                    }
                    // In an item, a list follows the first block of the item.
                    let before = base
                        .iter()
                        .find(|link| !is_textblock(schema, &link.node))
                        .filter(|link| link.node.role(schema) == Some(list));
                    let behind = next.first().filter(|link| link.node.role(schema) == Some(list));
                    let old = from.and_then(|from| {
                        let path = &self.old_rows[from].path;
                        let at = path.iter().rposition(|link| is_item(schema, &link.node))?;
                        let begins = self.rows_of[&path[at].id].start == from;
                        begins.then(|| (path[at].clone(), at.checked_sub(1).map(|list| path[list].node.clone())))
                    });
                    let (old, old_list) = old.unzip();
                    let list = match before.or(behind) {
                        Some(link) => link.clone(),
                        None => {
                            self.states = true;
                            let mut link = match old_list.flatten() {
                                Some(old) => self.ids.link(without_id(schema, &self.converted(&old, list)?)),
                                None => self.ids.fresh(schema, list)?,
                            };
                            if let Sign::Number(number) = sign {
                                link.node = link.node.with_first_number(*number);
                            }
                            link
                        }
                    };
                    path.push(list.clone());
                    let mut link = match &old {
                        Some(link) if link.node.role(schema) == Some(item) => link.clone(),
                        Some(link) => self.ids.link(without_id(schema, &self.converted(&link.node, item)?)),
                        None => self.item_of(&list, item)?,
                    };
                    if let Sign::Task { checked } = sign {
                        link.node = link.node.with_attrs(link.node.attrs().with("checked", (*checked).into()));
                    }
                    path.push(link);
                    if let Some(old) = old {
                        self.moved.insert(old.id, path.clone());
                    }
                    (base, next) = (&[], &[]);
                }
                // An item in a cell is one of the cell of the line before it; other lines may begin a cell.
                Sign::Cell if is_in_cell(schema, base) && row.signs.last() != Some(&Sign::Cell) => {
                    path.extend_from_slice(&base[..3]);
                    let same = next.get(2).is_some_and(|link| link.id == base[2].id);
                    (base, next) = (&base[3..], if same { &next[3..] } else { &[] });
                }
                Sign::Cell | Sign::Heading(_) | Sign::Own(_) => return None,
            }
        }
        // A container without a sign also continues behind its last line.
        while let Some(link) = base
            .first()
            .filter(|link| !has_sign(schema, &link.node) && !link.node.is_leaf() && !is_textblock(schema, &link.node))
        {
            path.push(link.clone());
            base = &base[1..];
        }
        Some(path)
    }
}

/// Returns whether a path begins with a cell of a table.
fn is_in_cell(schema: &Schema, path: &[Link]) -> bool {
    path.get(2).is_some_and(|link| link.node.role(schema).is_some_and(NodeRole::is_cell))
}

pub(super) fn is_item(schema: &Schema, node: &Node) -> bool {
    node.role(schema).is_some_and(NodeRole::is_item)
}

pub(super) fn is_textblock(schema: &Schema, node: &Node) -> bool {
    schema.is_textblock(node.kind())
}

/// Returns whether a container shows itself by a sign, alone or with its content.
pub(super) fn has_sign(schema: &Schema, node: &Node) -> bool {
    node.role(schema).is_some_and(|role| {
        let is_shown = matches!(
            role,
            NodeRole::Quote | NodeRole::Table | NodeRole::Row | NodeRole::Details | NodeRole::DetailsContent
        );
        is_shown || role.is_list() || role.is_item() || role.is_cell()
    })
}
