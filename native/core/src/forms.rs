//! What `rec` and `truth` are, decided from their types and field names alone, never from values.

use crate::error::bail;
use crate::types::{Field, Type, names};
use crate::{Error, Integer};

/// Names of a struct field that holds relevances.
const REL_NAMES: &[&str] = &["rel", "relevance", "relscore", "grade", "label", "value"];
/// Names of a struct field that holds items.
const ITEM_NAMES: &[&str] = &["item", "itemid", "id", "doc", "docid", "docno", "key"];

/// The form of a pair of arguments.
#[derive(Debug, PartialEq, Eq)]
pub enum Form {
    /// Ranked items and the relevant ones.
    Binary { matching: Matching },
    /// Ranked items and judgements: structs, or the entries of a map, with an item and its relevance.
    Judged { matching: Matching, item: usize, rel: usize },
    /// The relevances in predicted order, a field of a struct, and the relevances themselves.
    Relevances { rel: usize },
    /// Scores and relevances, element by element.
    Aligned,
}

/// How items are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matching {
    /// Whole numbers of at most 64 bits with a sign.
    Integer,
    /// Whole numbers and decimals of any width, by value.
    Number,
    Float,
    Text,
    /// Items of one and the same type that none of the above covers.
    Same,
}

/// The form of `rec` and `truth`; `aligned` for a metric that reads two lists of numbers as scores and relevances.
pub fn resolve(rec: &Type, truth: &Type, aligned: bool) -> Result<Form, Error> {
    let Some(ranked) = rec.element() else {
        bail!("rec must be a list, got {rec}");
    };
    if let Type::Map(key, value) = truth {
        return judged(ranked, key, value);
    }
    let Some(wanted) = truth.element() else {
        bail!("truth must be a list or a map, got {truth}");
    };
    if aligned && ranked.is_number() && wanted.is_relevance() {
        return Ok(Form::Aligned);
    }
    match (ranked, wanted) {
        (_, Type::Struct(fields)) if fields.len() == 2 && ranked != wanted => judgements(ranked, fields),
        (Type::Struct(fields), _) if wanted.is_relevance() && *wanted != Type::Null => {
            Ok(Form::Relevances { rel: relevance_field(fields)? })
        }
        _ => {
            let matching = matching(ranked, wanted).ok_or_else(|| mismatch(ranked, wanted))?;
            if aligned && (ranked, wanted) != (&Type::Null, &Type::Null) {
                bail!(
                    "needs graded truth: a map or structs of item and relevance, or two lists of numbers, \
                     got lists of {ranked} and {wanted}"
                );
            }
            Ok(Form::Binary { matching })
        }
    }
}

fn judged(ranked: &Type, key: &Type, value: &Type) -> Result<Form, Error> {
    if !value.is_relevance() {
        bail!("truth must map items to numbers, got values of type {value}");
    }
    let matching = matching(ranked, key).ok_or_else(|| mismatch(ranked, key))?;
    Ok(Form::Judged { matching, item: 0, rel: 1 })
}

fn judgements(ranked: &Type, fields: &[Field]) -> Result<Form, Error> {
    let (item, rel) = match (&named(fields, ITEM_NAMES)[..], &named(fields, REL_NAMES)[..]) {
        (&[item], &[rel]) => (item, rel),
        (&[item], []) => (item, 1 - item),
        ([], &[rel]) => (1 - rel, rel),
        ([], []) => {
            let fits = |item: usize| {
                fields[1 - item].kind.is_relevance() && matching(ranked, &fields[item].kind).is_some()
            };
            if !fits(0) || fits(1) {
                bail!(
                    "cannot tell item from relevance in truth's fields ({}): name them item and rel",
                    names(fields)
                );
            }
            (0, 1)
        }
        _ => bail!("truth needs one item and one relevance, got the fields ({})", names(fields)),
    };
    if !fields[rel].kind.is_relevance() {
        bail!("the relevances in truth must be numbers, got the fields ({})", names(fields));
    }
    let item_kind = &fields[item].kind;
    let matching = matching(ranked, item_kind).ok_or_else(|| mismatch(ranked, item_kind))?;
    Ok(Form::Judged { matching, item, rel })
}

fn relevance_field(fields: &[Field]) -> Result<usize, Error> {
    let rel = match named(fields, REL_NAMES)[..] {
        [rel] => rel,
        [] if fields.iter().all(|field| field.name.is_empty()) => 0,
        _ => bail!("cannot tell the relevance among rec's fields ({}): name one of them rel", names(fields)),
    };
    if !fields[rel].kind.is_relevance() {
        bail!("the relevances in rec must be numbers, got the fields ({})", names(fields));
    }
    Ok(rel)
}

/// The fields whose names are among `wanted`, whatever their case.
fn named(fields: &[Field], wanted: &[&str]) -> Vec<usize> {
    let is_named = |field: &Field| wanted.contains(&field.name.to_lowercase().as_str());
    fields.iter().enumerate().filter(|(_, field)| is_named(field)).map(|(index, _)| index).collect()
}

/// How items of these types are compared, if they can be.
fn matching(rec: &Type, truth: &Type) -> Option<Matching> {
    use Type::{Decimal, Float, Null, Text};
    match (rec, truth) {
        (Null, Null) => Some(Matching::Same),
        (Null, kind) | (kind, Null) => matching(kind, kind),
        (Type::Integer(Integer::Narrow), Type::Integer(Integer::Narrow)) => Some(Matching::Integer),
        (Float, Float) => Some(Matching::Float),
        (Text, Text) => Some(Matching::Text),
        (one, other) if one == other => Some(Matching::Same),
        (Type::Integer(_) | Decimal { .. }, Type::Integer(_) | Decimal { .. }) => Some(Matching::Number),
        _ => None,
    }
}

fn mismatch(rec: &Type, truth: &Type) -> Error {
    Error::new(format!("the items of rec and truth must be of one type, got {rec} and {truth}"))
}
