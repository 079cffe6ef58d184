//! Content expressions (`"paragraph block*"`): their grammar, and the automaton that is built from them.
//!
//! The order in which an automaton offers its edges decides which nodes fill in missing content, so
//! states and edges are built in the order that ProseMirror builds them.

use super::content::{MatchState, StateId};
use super::schema::NodeTypeId;

/// The greatest number of states and of repetitions in a `{n,m}` range. A schema written by people stays far
/// below; the limit keeps a hostile one from filling the memory.
const LIMIT: usize = 1000;
/// The deepest nesting of parentheses.
const DEEPEST: usize = 32;

/// Something an expression can name.
pub(super) trait Names {
    /// Returns the types that a type name or a group name represents, in schema order.
    fn resolve(&self, name: &str) -> Vec<NodeTypeId>;
    /// Returns whether a type is inline.
    fn is_inline(&self, kind: NodeTypeId) -> bool;
}

/// Adds the states of an expression's automaton to `states` and gives the one it starts in.
pub(super) fn compile(source: &str, names: &dyn Names, states: &mut Vec<MatchState>) -> Result<StateId, String> {
    let mut parser = ExpressionParser { tokens: tokens(source), at: 0, names, inline: None, depth: 0 };
    if parser.next().is_none() {
        return Ok(StateId::EMPTY);
    }
    let expr = parser.choice()?;
    if let Some(token) = parser.next() {
        return Err(format!("unexpected \"{token}\" at the end of the content expression \"{source}\""));
    }
    let mut nfa = Nfa { states: vec![vec![]] };
    let open = nfa.compile(&expr, 0)?;
    let accept = nfa.state()?;
    nfa.connect(open, accept);
    determine(&nfa, accept, states).map_err(|reason| format!("{reason} in the content expression \"{source}\""))
}

enum Expr {
    Name(NodeTypeId),
    Choice(Vec<Expr>),
    Sequence(Vec<Expr>),
    Plus(Box<Expr>),
    Star(Box<Expr>),
    Optional(Box<Expr>),
    Range { least: usize, most: Option<usize>, expr: Box<Expr> },
}

/// Words and single signs; white space only separates.
fn tokens(source: &str) -> Vec<&str> {
    let is_word = |char: char| char.is_ascii_alphanumeric() || char == '_';
    let mut tokens = Vec::new();
    let mut rest = source.trim_start();
    while let Some(first) = rest.chars().next() {
        let end =
            if is_word(first) { rest.find(|char| !is_word(char)).unwrap_or(rest.len()) } else { first.len_utf8() };
        tokens.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    tokens
}

struct ExpressionParser<'a> {
    tokens: Vec<&'a str>,
    at: usize,
    names: &'a dyn Names,
    inline: Option<bool>,
    depth: usize,
}

impl<'a> ExpressionParser<'a> {
    fn next(&self) -> Option<&'a str> {
        self.tokens.get(self.at).copied()
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.next() == Some(token);
        self.at += usize::from(found);
        found
    }

    fn choice(&mut self) -> Result<Expr, String> {
        let mut options = vec![self.sequence()?];
        while self.eat("|") {
            options.push(self.sequence()?);
        }
        Ok(single_or(options, Expr::Choice))
    }

    fn sequence(&mut self) -> Result<Expr, String> {
        let mut parts = vec![self.repeated()?];
        while self.next().is_some_and(|token| token != ")" && token != "|") {
            parts.push(self.repeated()?);
        }
        Ok(single_or(parts, Expr::Sequence))
    }

    fn repeated(&mut self) -> Result<Expr, String> {
        let mut expr = self.atom()?;
        for _ in 0..DEEPEST {
            if self.eat("+") {
                expr = Expr::Plus(expr.into());
            } else if self.eat("*") {
                expr = Expr::Star(expr.into());
            } else if self.eat("?") {
                expr = Expr::Optional(expr.into());
            } else if self.eat("{") {
                expr = self.range(expr)?;
            } else {
                return Ok(expr);
            }
        }
        Err("too many repetition signs in a row".into())
    }

    fn range(&mut self, expr: Expr) -> Result<Expr, String> {
        let least = self.number()?;
        let most = match self.eat(",") {
            true if self.next() == Some("}") => None,
            true => Some(self.number()?),
            false => Some(least),
        };
        if !self.eat("}") {
            return Err("a range is not closed with \"}\"".into());
        }
        Ok(Expr::Range { least, most, expr: expr.into() })
    }

    fn number(&mut self) -> Result<usize, String> {
        let token = self.next().unwrap_or("");
        self.at += 1;
        let number = token.parse::<usize>().map_err(|_| format!("expected a number, got \"{token}\""))?;
        if number > LIMIT { Err(format!("a range goes to {number}; at most {LIMIT} is accepted")) } else { Ok(number) }
    }

    fn atom(&mut self) -> Result<Expr, String> {
        if self.eat("(") {
            self.depth += 1;
            if self.depth > DEEPEST {
                return Err(format!("parentheses nest deeper than {DEEPEST}"));
            }
            let expr = self.choice()?;
            self.depth -= 1;
            return if self.eat(")") { Ok(expr) } else { Err("a parenthesis is not closed".into()) };
        }
        let name = self.next().unwrap_or("");
        let types = self.names.resolve(name);
        if types.is_empty() {
            return Err(format!("no node type or group \"{name}\""));
        }
        for &kind in &types {
            let inline = self.names.is_inline(kind);
            if *self.inline.get_or_insert(inline) != inline {
                return Err("inline and block content are mixed".into());
            }
        }
        self.at += 1;
        Ok(single_or(types.into_iter().map(Expr::Name).collect(), Expr::Choice))
    }
}

fn single_or(mut exprs: Vec<Expr>, many: fn(Vec<Expr>) -> Expr) -> Expr {
    match exprs.pop() {
        Some(only) if exprs.is_empty() => only,
        Some(last) => {
            exprs.push(last);
            many(exprs)
        }
        None => many(exprs),
    }
}

/// An edge of the non-deterministic automaton; without a term it is free.
#[derive(Clone, Copy)]
struct Edge {
    term: Option<NodeTypeId>,
    to: usize,
}

/// An edge whose end is not known yet: its state, and its index there.
type Open = (usize, usize);

struct Nfa {
    states: Vec<Vec<Edge>>,
}

impl Nfa {
    fn state(&mut self) -> Result<usize, String> {
        if self.states.len() >= LIMIT {
            return Err(format!("a content expression needs more than {LIMIT} states"));
        }
        self.states.push(vec![]);
        Ok(self.states.len() - 1)
    }

    fn edge(&mut self, from: usize, to: usize, term: Option<NodeTypeId>) -> Open {
        self.states[from].push(Edge { term, to });
        (from, self.states[from].len() - 1)
    }

    fn connect(&mut self, edges: Vec<Open>, to: usize) {
        for (state, index) in edges {
            self.states[state][index].to = to;
        }
    }

    fn compile(&mut self, expr: &Expr, from: usize) -> Result<Vec<Open>, String> {
        Ok(match expr {
            Expr::Name(kind) => vec![self.edge(from, 0, Some(*kind))],
            Expr::Choice(options) => {
                let mut open = Vec::new();
                for option in options {
                    open.extend(self.compile(option, from)?);
                }
                open
            }
            Expr::Sequence(parts) => {
                let mut from = from;
                let mut open = Vec::new();
                for (index, part) in parts.iter().enumerate() {
                    if index > 0 {
                        from = self.state()?;
                        self.connect(std::mem::take(&mut open), from);
                    }
                    open = self.compile(part, from)?;
                }
                open
            }
            Expr::Star(inner) => {
                let around = self.state()?;
                self.edge(from, around, None);
                let open = self.compile(inner, around)?;
                self.connect(open, around);
                vec![self.edge(around, 0, None)]
            }
            Expr::Plus(inner) => {
                let around = self.state()?;
                let first = self.compile(inner, from)?;
                self.connect(first, around);
                let again = self.compile(inner, around)?;
                self.connect(again, around);
                vec![self.edge(around, 0, None)]
            }
            Expr::Optional(inner) => {
                let mut open = vec![self.edge(from, 0, None)];
                open.extend(self.compile(inner, from)?);
                open
            }
            Expr::Range { least, most, expr } => {
                let mut current = from;
                for _ in 0..*least {
                    let next = self.state()?;
                    let open = self.compile(expr, current)?;
                    self.connect(open, next);
                    current = next;
                }
                match most {
                    None => {
                        let open = self.compile(expr, current)?;
                        self.connect(open, current);
                    }
                    Some(most) => {
                        for _ in *least..*most {
                            let next = self.state()?;
                            self.edge(current, next, None);
                            let open = self.compile(expr, current)?;
                            self.connect(open, next);
                            current = next;
                        }
                    }
                }
                vec![self.edge(current, 0, None)]
            }
        })
    }

    /// The states that free edges reach, greatest first. A state that is nothing but one free edge is passed
    /// through.
    fn reach(&self, from: usize) -> Vec<usize> {
        let mut visited = vec![false; self.states.len()];
        let mut work = vec![from];
        while let Some(state) = work.pop() {
            if std::mem::replace(&mut visited[state], true) {
                continue;
            }
            work.extend(self.states[state].iter().filter(|edge| edge.term.is_none()).map(|edge| edge.to));
        }
        let is_end = |state: &usize| !matches!(self.states[*state][..], [Edge { term: None, .. }]);
        (0..visited.len()).rev().filter(|state| visited[*state] && is_end(state)).collect()
    }
}

/// Turns the automaton into a deterministic one, depth first, as its states become known.
fn determine(nfa: &Nfa, accept: usize, states: &mut Vec<MatchState>) -> Result<StateId, String> {
    let first = states.len();
    let mut sets: Vec<Vec<usize>> = Vec::new();
    let start = nfa.reach(0);
    states.push(MatchState::new(start.contains(&accept)));
    sets.push(start);
    let mut at = 0;
    while at < sets.len() {
        let mut out: Vec<(NodeTypeId, Vec<usize>)> = Vec::new();
        for &state in &sets[at] {
            for edge in &nfa.states[state] {
                let Some(term) = edge.term else { continue };
                let index = out.iter().position(|(kind, _)| *kind == term).unwrap_or_else(|| {
                    out.push((term, Vec::new()));
                    out.len() - 1
                });
                for reached in nfa.reach(edge.to) {
                    if !out[index].1.contains(&reached) {
                        out[index].1.push(reached);
                    }
                }
            }
        }
        for (kind, mut set) in out {
            set.sort_unstable();
            set.reverse();
            let next = match sets.iter().position(|known| *known == set) {
                Some(index) => index,
                None if sets.len() >= LIMIT => return Err(format!("more than {LIMIT} states")),
                None => {
                    states.push(MatchState::new(set.contains(&accept)));
                    sets.push(set);
                    sets.len() - 1
                }
            };
            states[first + at].next.push((kind, StateId::new(first + next)));
        }
        at += 1;
    }
    Ok(StateId::new(first))
}
