//! The layout of `rec` and `truth`, decided from their types and field names alone, never from values.

use crate::column::matching::{Matching, matching};
use crate::error::{Error, bail};
use crate::types::{Field, Type, names};

/// Names of a struct field that holds relevances.
const REL_NAMES: &[&str] = &["rel", "relevance", "relscore", "grade", "label", "value"];
/// Names of a struct field that holds items.
const ITEM_NAMES: &[&str] = &["item", "itemid", "id", "doc", "docid", "docno", "key"];

/// The layout of a pair of arguments.
#[derive(Debug, PartialEq, Eq)]
pub enum ArgumentLayout {
    /// Lists of ranked items and of relevant items.
    Binary { matching: Matching },
    /// Lists of ranked items and of judgements. A judgement is a struct, or an entry of a map, with an item and its
    /// relevance; `item` and `rel` are the indexes of these fields, from 0.
    Judged { matching: Matching, item: usize, rel: usize },
    /// Lists of structs in ranked order, of which field `rel` (counted from 0) is the relevance, and of all relevances.
    Relevances { rel: usize },
    /// Lists of scores and of relevances, element by element of the same items.
    Scored,
}

/// The layout of `rec` and `truth`, or an error. `aligned` says that the metric reads two lists of numbers as scores
/// and relevances.
pub fn argument_layout(rec: &Type, truth: &Type, aligned: bool) -> Result<ArgumentLayout, Error> {
    let Some(ranked) = rec.element() else {
        bail!("rec" => "rec must be a list, got {rec}");
    };
    if let Type::Map(key, value) = truth {
        return judged(ranked, key, value);
    }
    let Some(wanted) = truth.element() else {
        bail!("truth" => "truth must be a list or a map, got {truth}");
    };
    if aligned && ranked.is_number() && wanted.is_relevance() {
        return Ok(ArgumentLayout::Scored);
    }
    match (ranked, wanted) {
        (_, Type::Struct(fields)) if fields.len() == 2 && ranked != wanted => judgements(ranked, fields),
        (Type::Struct(fields), _) if wanted.is_relevance() && *wanted != Type::Null => {
            Ok(ArgumentLayout::Relevances { rel: relevance_field(fields)? })
        }
        _ => {
            let matching = matching(ranked, wanted).ok_or_else(|| mismatch(ranked, wanted))?;
            if aligned && (ranked, wanted) != (&Type::Null, &Type::Null) {
                bail!(
                    "truth" => "needs graded truth: a map or structs of item and relevance, or two lists of numbers, \
                     got lists of {ranked} and {wanted}"
                );
            }
            Ok(ArgumentLayout::Binary { matching })
        }
    }
}

/// The layout for a map from items to relevances as truth.
fn judged(ranked: &Type, key: &Type, value: &Type) -> Result<ArgumentLayout, Error> {
    if !value.is_relevance() {
        bail!("truth" => "truth must map items to numbers, got values of type {value}");
    }
    let matching = matching(ranked, key).ok_or_else(|| mismatch(ranked, key))?;
    Ok(ArgumentLayout::Judged { matching, item: 0, rel: 1 })
}

/// The layout for structs of two fields as truth: fields are told apart by name, and if no name is known, by type.
fn judgements(ranked: &Type, fields: &[Field]) -> Result<ArgumentLayout, Error> {
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
                    "truth" => "cannot tell item from relevance in truth's fields ({}): name them item and rel",
                    names(fields)
                );
            }
            (0, 1)
        }
        _ => bail!("truth" => "truth needs one item and one relevance, got the fields ({})", names(fields)),
    };
    if !fields[rel].kind.is_relevance() {
        bail!("truth" => "the relevances in truth must be numbers, got the fields ({})", names(fields));
    }
    let item_kind = &fields[item].kind;
    let matching = matching(ranked, item_kind).ok_or_else(|| mismatch(ranked, item_kind))?;
    Ok(ArgumentLayout::Judged { matching, item, rel })
}

/// The index of the relevance among the fields of `rec`: by name, or the first field if none has a name.
fn relevance_field(fields: &[Field]) -> Result<usize, Error> {
    let rel = match named(fields, REL_NAMES)[..] {
        [rel] => rel,
        [] if fields.iter().all(|field| field.name.is_empty()) => 0,
        _ => {
            let names = names(fields);
            bail!("rec" => "cannot tell the relevance among rec's fields ({names}): name one of them rel")
        }
    };
    if !fields[rel].kind.is_relevance() {
        bail!("rec" => "the relevances in rec must be numbers, got the fields ({})", names(fields));
    }
    Ok(rel)
}

/// The indexes of the fields whose names are among `wanted`, ignoring case.
fn named(fields: &[Field], wanted: &[&str]) -> Vec<usize> {
    let is_named = |field: &Field| wanted.contains(&field.name.to_lowercase().as_str());
    fields.iter().enumerate().filter(|(_, field)| is_named(field)).map(|(index, _)| index).collect()
}

/// The error for items that cannot be compared. Either argument may be the wrong one, so it names none.
fn mismatch(rec: &Type, truth: &Type) -> Error {
    Error::new(format!("the items of rec and truth must be of one type, got {rec} and {truth}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Integer;

    const INTEGER: Type = Type::Integer(Integer::Narrow);
    const WIDE: Type = Type::Integer(Integer::Unsigned64);

    fn list(element: Type) -> Type {
        Type::List(Box::new(element))
    }

    fn map(key: Type, value: Type) -> Type {
        Type::Map(Box::new(key), Box::new(value))
    }

    fn structs(fields: &[(&str, Type)]) -> Type {
        let field = |(name, kind): &(&str, Type)| Field { name: (*name).to_owned(), kind: kind.clone() };
        list(Type::Struct(fields.iter().map(field).collect()))
    }

    fn layout(rec: &Type, truth: &Type) -> Result<ArgumentLayout, String> {
        argument_layout(rec, truth, false).map_err(|error| error.to_string())
    }

    fn judged(matching: Matching, item: usize, rel: usize) -> Result<ArgumentLayout, String> {
        Ok(ArgumentLayout::Judged { matching, item, rel })
    }

    fn binary(matching: Matching) -> Result<ArgumentLayout, String> {
        Ok(ArgumentLayout::Binary { matching })
    }

    #[test]
    fn items_are_matched_by_value_within_a_family_of_types() {
        let decimal = || Type::Decimal { precision: 2, scale: 1 };
        let date = || Type::Other("date".into());
        for (rec, truth, matching) in [
            (INTEGER, INTEGER, Matching::Integer),
            (INTEGER, WIDE, Matching::Number),
            (WIDE, WIDE, Matching::Same),
            (decimal(), INTEGER, Matching::Number),
            (decimal(), decimal(), Matching::Same),
            (Type::Float, Type::Float, Matching::Float),
            (Type::Text, Type::Text, Matching::Text),
            (date(), date(), Matching::Same),
            (Type::Null, Type::Text, Matching::Text),
            (INTEGER, Type::Null, Matching::Integer),
            (Type::Null, Type::Null, Matching::Same),
        ] {
            assert_eq!(layout(&list(rec.clone()), &list(truth.clone())), binary(matching), "{rec} {truth}");
        }
        assert_eq!(layout(&Type::Null, &list(INTEGER)), binary(Matching::Integer));
        for (rec, truth) in [(INTEGER, Type::Text), (Type::Float, INTEGER), (date(), Type::Text)] {
            let sentence = format!("the items of rec and truth must be of one type, got {rec} and {truth}");
            assert_eq!(layout(&list(rec), &list(truth)), Err(sentence));
        }
    }

    #[test]
    fn judgements_are_found_by_type_and_by_name() {
        let items = &list(Type::Text);
        assert_eq!(layout(items, &map(Type::Text, INTEGER)), judged(Matching::Text, 0, 1));
        for (fields, item) in [
            ([("item", Type::Text), ("rel", INTEGER)], 0),
            ([("Grade", INTEGER), ("DocNo", Type::Text)], 1),
            ([("rel", INTEGER), ("movie", Type::Text)], 1),
            ([("stars", INTEGER), ("id", Type::Text)], 1),
            ([("", Type::Text), ("", Type::Float)], 0),
            ([("movie", Type::Text), ("stars", Type::Float)], 0),
        ] {
            assert_eq!(
                layout(items, &structs(&fields)),
                judged(Matching::Text, item, 1 - item),
                "{fields:?}"
            );
        }
        let numbers = &list(INTEGER);
        assert_eq!(
            layout(numbers, &structs(&[("id", INTEGER), ("label", INTEGER)])),
            judged(Matching::Integer, 0, 1)
        );
    }

    #[test]
    fn what_cannot_be_told_apart_is_an_error_that_names_the_fields() {
        let numbers = &list(INTEGER);
        assert_eq!(
            layout(numbers, &structs(&[("a", INTEGER), ("b", INTEGER)])),
            Err("cannot tell item from relevance in truth's fields (a integer, b integer): name them item and rel"
                .into())
        );
        assert_eq!(
            layout(&list(Type::Text), &structs(&[("stars", INTEGER), ("movie", Type::Text)])),
            Err("cannot tell item from relevance in truth's fields (stars integer, movie text): \
                 name them item and rel"
                .into())
        );
        assert_eq!(
            layout(numbers, &structs(&[("rel", INTEGER), ("value", INTEGER)])),
            Err("truth needs one item and one relevance, got the fields (rel integer, value integer)".into())
        );
        assert_eq!(
            layout(numbers, &structs(&[("item", INTEGER), ("rel", Type::Text)])),
            Err("the relevances in truth must be numbers, got the fields (item integer, rel text)".into())
        );
        assert_eq!(
            layout(&structs(&[("a", INTEGER), ("b", INTEGER)]), numbers),
            Err("cannot tell the relevance among rec's fields (a integer, b integer): name one of them rel"
                .into())
        );
    }

    #[test]
    fn relevances_in_predicted_order() {
        let numbers = &list(Type::Float);
        assert_eq!(
            layout(&structs(&[("itemid", INTEGER), ("relscore", INTEGER)]), numbers),
            Ok(ArgumentLayout::Relevances { rel: 1 })
        );
        assert_eq!(
            layout(&structs(&[("", INTEGER), ("", INTEGER)]), numbers),
            Ok(ArgumentLayout::Relevances { rel: 0 })
        );
    }

    #[test]
    fn structs_can_be_items_too() {
        let items = structs(&[("item", INTEGER), ("rel", INTEGER)]);
        assert_eq!(layout(&items, &items), binary(Matching::Same));
    }

    #[test]
    fn aligned_lists_are_those_of_numbers() {
        let numbers = &list(Type::Float);
        assert_eq!(argument_layout(numbers, &list(Type::Boolean), true), Ok(ArgumentLayout::Scored));
        assert_eq!(argument_layout(&Type::Null, &list(Type::Null), true), Ok(ArgumentLayout::Scored));
        assert!(matches!(
            argument_layout(numbers, &map(Type::Float, INTEGER), true),
            Ok(ArgumentLayout::Judged { .. })
        ));
        assert!(argument_layout(&list(Type::Text), &list(Type::Text), true).is_err());
    }

    #[test]
    fn no_lists_no_metric() {
        assert_eq!(layout(&INTEGER, &list(INTEGER)), Err("rec must be a list, got integer".into()));
        assert_eq!(
            layout(&list(INTEGER), &INTEGER),
            Err("truth must be a list or a map, got integer".into())
        );
    }
}
