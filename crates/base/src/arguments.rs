//! The arguments of a call, held against its parameters.
//!
//! One list of [`Param`]s is the only source of a call's parameters: the JSON Schema that models are shown is made
//! of it, and [`read`] holds what they send against it. Models get some things almost right (a number as text,
//! `null` for what they leave out): those are taken. Everything else that does not fit is an error that names the
//! parameter and what is accepted.

use crate::error::{Error, excerpt};
use serde_json::{Map, Value};

/// A parameter of a call.
pub struct Param {
    name: &'static str,
    kind: Kind,
    required: bool,
    description: Option<&'static str>,
}

enum Kind {
    String,
    Boolean,
    /// A whole number, and the range that it is in.
    Integer(Option<(i64, i64)>),
    /// One of these texts.
    Choice(&'static [&'static str]),
    /// A list of objects.
    List(&'static [Param]),
}

impl Param {
    const fn new(name: &'static str, kind: Kind) -> Param {
        Param { name, kind, required: false, description: None }
    }

    /// Text.
    pub const fn string(name: &'static str) -> Param {
        Param::new(name, Kind::String)
    }

    /// True or false.
    pub const fn boolean(name: &'static str) -> Param {
        Param::new(name, Kind::Boolean)
    }

    /// A whole number.
    pub const fn integer(name: &'static str) -> Param {
        Param::new(name, Kind::Integer(None))
    }

    /// A whole number of a range, both ends included.
    pub const fn integer_within(name: &'static str, minimum: i64, maximum: i64) -> Param {
        Param::new(name, Kind::Integer(Some((minimum, maximum))))
    }

    /// One of some texts.
    pub const fn choice(name: &'static str, accepted: &'static [&'static str]) -> Param {
        Param::new(name, Kind::Choice(accepted))
    }

    /// A list of objects with these parameters.
    pub const fn list(name: &'static str, of: &'static [Param]) -> Param {
        Param::new(name, Kind::List(of))
    }

    /// It must be given.
    pub const fn required(self) -> Param {
        Param { required: true, ..self }
    }

    /// What it means, where no language has its own words for it.
    pub const fn described(self, description: &'static str) -> Param {
        Param { description: Some(description), ..self }
    }
}

/// A struct of what a call is given.
pub trait Params: Sized {
    /// The call's parameters, in the order in which models are to write them.
    const PARAMS: &'static [Param];

    /// Takes the struct out of arguments that were held against [`Self::PARAMS`].
    fn take(given: &mut Arguments) -> Self;
}

/// Arguments that were held against the parameters: what is required is there, and all are of the right kind.
pub struct Arguments(Map<String, Value>);

impl Arguments {
    /// Takes a text, or the name of a choice.
    pub fn text(&mut self, name: &str) -> Option<String> {
        match self.0.get_mut(name).map(Value::take) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        }
    }

    /// A whole number.
    pub fn integer(&self, name: &str) -> Option<i64> {
        self.0.get(name)?.as_i64()
    }

    /// True or false.
    pub fn boolean(&self, name: &str) -> Option<bool> {
        self.0.get(name)?.as_bool()
    }

    /// Takes the objects of a list.
    pub fn list<P: Params>(&mut self, name: &str) -> Option<Vec<P>> {
        let Value::Array(items) = self.0.get_mut(name)?.take() else { return None };
        let item = |item| P::take(&mut Arguments(if let Value::Object(item) = item { item } else { Map::new() }));
        Some(items.into_iter().map(item).collect())
    }
}

/// The JSON Schema of a call's parameters: one flat object, without references or `null` types.
pub fn schema(params: &[Param]) -> Value {
    let required: Vec<Value> = params.iter().filter(|param| param.required).map(|param| param.name.into()).collect();
    let mut schema = Map::new();
    schema.insert("type".into(), "object".into());
    // Some servers refuse a function whose object has no properties at all.
    schema.insert("properties".into(), properties(params));
    if !required.is_empty() {
        schema.insert("required".into(), required.into());
    }
    schema.insert("additionalProperties".into(), false.into());
    schema.into()
}

fn properties(params: &[Param]) -> Value {
    let mut properties = Map::new();
    for param in params {
        let mut property = Map::new();
        property.insert("type".into(), param.kind.name().into());
        match param.kind {
            Kind::Integer(Some((minimum, maximum))) => {
                property.insert("minimum".into(), minimum.into());
                property.insert("maximum".into(), maximum.into());
            }
            Kind::Choice(accepted) => {
                property.insert("enum".into(), accepted.iter().copied().collect());
            }
            Kind::List(of) => {
                let mut items = schema(of);
                items.as_object_mut().map(|items| items.remove("additionalProperties"));
                property.insert("items".into(), items);
            }
            _ => {}
        }
        if let Some(description) = param.description {
            property.insert("description".into(), description.into());
        }
        properties.insert(param.name.into(), property.into());
    }
    properties.into()
}

/// Gives each property of a schema its description.
pub fn describe(schema: &mut Value, descriptions: &[(&str, &str)]) {
    for (name, description) in descriptions {
        if let Some(Value::Object(property)) = schema["properties"].get_mut(*name) {
            property.insert("description".into(), (*description).into());
        }
    }
}

/// Reads the arguments of `call` into its params struct.
pub fn read<P: Params>(call: &str, arguments: &Value) -> Result<P, Error> {
    Ok(P::take(&mut check(call, P::PARAMS, arguments)?))
}

/// Holds the arguments of `call` against its parameters.
pub fn check(call: &str, params: &[Param], arguments: &Value) -> Result<Arguments, Error> {
    match arguments {
        Value::Object(given) => Ok(Arguments(fit(call, params, given)?)),
        _ => Err(Error::InvalidArguments { reason: format!("{} was given", excerpt(&arguments.to_string())) }),
    }
}

/// The arguments as they were meant: numbers out of texts, `null`s and unknown names left out.
fn fit(call: &str, params: &[Param], given: &Map<String, Value>) -> Result<Map<String, Value>, Error> {
    let mut fitted = Map::new();
    for param in params {
        match given.get(param.name).filter(|value| !value.is_null()) {
            Some(value) => {
                fitted.insert(param.name.to_owned(), param.fit(value)?);
            }
            None if param.required => {
                return Err(Error::MissingParameter { call: call.to_owned(), name: param.name.to_owned() });
            }
            None => {}
        }
    }
    Ok(fitted)
}

impl Param {
    /// A value as it was meant.
    fn fit(&self, given: &Value) -> Result<Value, Error> {
        let fitted = match (&self.kind, given) {
            (Kind::String, Value::String(_)) | (Kind::Boolean, Value::Bool(_)) => Some(given.clone()),
            (Kind::Boolean, Value::String(text)) => text.trim().parse::<bool>().ok().map(Value::from),
            (Kind::Integer(range), _) => whole_number(given)
                .filter(|number| range.is_none_or(|(minimum, maximum)| (minimum..=maximum).contains(number)))
                .map(Value::from),
            (Kind::Choice(accepted), Value::String(text)) if accepted.contains(&text.as_str()) => Some(given.clone()),
            (Kind::List(of), Value::Array(items)) => return self.fit_items(of, items, given),
            // One object alone is a list of one.
            (Kind::List(of), Value::Object(_)) => return self.fit_items(of, std::slice::from_ref(given), given),
            // Some models write what is inside as text.
            (Kind::List(_), Value::String(text)) => match serde_json::from_str::<Value>(text) {
                Ok(inside @ (Value::Array(_) | Value::Object(_))) => return self.fit(&inside),
                _ => None,
            },
            _ => None,
        };
        fitted.ok_or_else(|| self.invalid(given))
    }

    fn fit_items(&self, of: &[Param], items: &[Value], given: &Value) -> Result<Value, Error> {
        let mut fitted = Vec::with_capacity(items.len());
        for item in items {
            let Value::Object(item) = item else { return Err(self.invalid(given)) };
            fitted.push(Value::Object(fit(self.name, of, item)?));
        }
        Ok(fitted.into())
    }

    fn invalid(&self, given: &Value) -> Error {
        Error::InvalidParameter {
            name: self.name.to_owned(),
            given: excerpt(&given.to_string()),
            expected: self.kind.expected(),
        }
    }
}

impl Kind {
    fn name(&self) -> &'static str {
        match self {
            Kind::String | Kind::Choice(_) => "string",
            Kind::Boolean => "boolean",
            Kind::Integer(_) => "integer",
            Kind::List(_) => "array",
        }
    }

    /// What it accepts, in the words of JSON Schema: they read the same in every language.
    fn expected(&self) -> String {
        match self {
            Kind::Choice(accepted) => accepted.iter().map(|text| format!("\"{text}\"")).collect::<Vec<_>>().join(" | "),
            Kind::List(of) => {
                format!("array of {{{}}}", of.iter().map(|param| param.name).collect::<Vec<_>>().join(", "))
            }
            Kind::Integer(Some((minimum, maximum))) => format!("integer {minimum}–{maximum}"),
            _ => self.name().to_owned(),
        }
    }
}

fn whole_number(value: &Value) -> Option<i64> {
    let number = match value {
        Value::Number(number) => number.as_i64().map(|whole| whole as f64).or(number.as_f64())?,
        Value::String(text) => crate::number::parse(text.trim())?,
        _ => return None,
    };
    (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64)
}
