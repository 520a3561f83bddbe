//! The layout of `rec` and `truth`, decided from their types and field names alone, never from values.

use crate::column::matching::{Matching, matching};
use crate::error::{Error, bail};
use crate::types::{Field, Type, names};

/// The arguments, in their order.
const NAMES: [&str; 2] = ["rec", "truth"];

const REL_NAMES: &[&str] = &["rel", "relevance", "relscore", "grade", "label", "value"];
const ASPECT_NAMES: &[&str] = &["aspect", "subtopic", "intent", "iteration"];
pub(super) const ITEM_NAMES: &[&str] = &["item", "itemid", "id", "doc", "docid", "docno", "key"];

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

/// The layout of `rec` and `truth`. `aligned`: the metric reads two lists of numbers as scores and relevances.
pub fn argument_layout(rec: &Type, truth: &Type, aligned: bool) -> Result<ArgumentLayout, Error> {
    let Some(rec_element) = rec.element() else {
        bail!("rec" => "rec must be a list, got {rec}");
    };
    if let Type::Map(key, value) = truth {
        return judged(rec_element, key, value);
    }
    let Some(truth_element) = truth.element() else {
        bail!("truth" => "truth must be a list or a map, got {truth}");
    };
    if aligned && rec_element.is_number() && truth_element.is_relevance() {
        return Ok(ArgumentLayout::Scored);
    }
    match (rec_element, truth_element) {
        // Structs of one type in both lists are items.
        (_, Type::Struct(fields)) if fields.len() == 2 && rec_element != truth_element => {
            judgements(rec_element, fields)
        }
        (Type::Struct(fields), _) if truth_element.is_relevance() && *truth_element != Type::Null => {
            Ok(ArgumentLayout::Relevances { rel: relevance_field(fields)? })
        }
        _ => {
            let matching = matching(rec_element, truth_element)
                .ok_or_else(|| mismatch(NAMES, [rec_element, truth_element]))?;
            if aligned {
                bail!(
                    "truth" => "needs graded truth: a map or structs of item and relevance, or two lists of numbers, \
                     got lists of {rec_element} and {truth_element}"
                );
            }
            Ok(ArgumentLayout::Binary { matching })
        }
    }
}

/// The layout for a map from items to relevances as truth.
fn judged(rec_element: &Type, key: &Type, value: &Type) -> Result<ArgumentLayout, Error> {
    if !value.is_relevance() {
        bail!("truth" => "truth must map items to numbers, got values of type {value}");
    }
    let matching = matching(rec_element, key).ok_or_else(|| mismatch(NAMES, [rec_element, key]))?;
    Ok(ArgumentLayout::Judged { matching, item: 0, rel: 1 })
}

/// The layout for structs of two fields as truth: fields are told apart by name, and if no name is known, by type.
fn judgements(rec_element: &Type, fields: &[Field]) -> Result<ArgumentLayout, Error> {
    let (item, rel) = match (&named(fields, ITEM_NAMES)[..], &named(fields, REL_NAMES)[..]) {
        (&[item], &[rel]) => (item, rel),
        (&[item], []) => (item, 1 - item),
        ([], &[rel]) => (1 - rel, rel),
        ([], []) => {
            let fits = |item: usize| {
                fields[1 - item].kind.is_relevance() && matching(rec_element, &fields[item].kind).is_some()
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
    let matching =
        matching(rec_element, item_kind).ok_or_else(|| mismatch(NAMES, [rec_element, item_kind]))?;
    Ok(ArgumentLayout::Judged { matching, item, rel })
}

/// The layout of a list of ranked items beside one of judgements of items for aspects: the indexes of fields, from 0. Each is
/// `None` if the elements have no fields, and are items; `rel` and `score` also if there is none.
pub struct AspectLayout {
    pub matching: Matching,
    pub rec_item: Option<usize>,
    pub score: Option<usize>,
    pub item: Option<usize>,
    pub aspect: Option<usize>,
    pub rel: Option<usize>,
}

/// The indexes of the item and its score in the structs of a list; `None` if its elements are items.
pub type ScoredFields = Option<[usize; 2]>;

/// The type of the items of a list with elements of this type, and their fields. `argument` is the name of the list.
pub fn scored_items<'a>(
    argument: &'static str,
    element: &'a Type,
) -> Result<(&'a Type, ScoredFields), Error> {
    if let Type::Struct(fields) = element
        && let ([item], [score], 2) =
            (&named(fields, ITEM_NAMES)[..], &named(fields, &["score"])[..], fields.len())
    {
        if !fields[*score].kind.is_number() {
            bail!(argument => "the scores in {argument} must be numbers, got the fields ({})", names(fields));
        }
        return Ok((&fields[*item].kind, Some([*item, *score])));
    }
    Ok((element, None))
}

/// The layout of `rec` and `truth` for measures of aspects.
pub fn aspect_layout(rec: &Type, truth: &Type) -> Result<AspectLayout, Error> {
    let Some(element) = rec.element() else { bail!("rec" => "rec must be a list, got {rec}") };
    let (rec_kind, scored) = scored_items("rec", element)?;
    let (rec_item, score) = scored.map(|[item, score]| (item, score)).unzip();
    let (truth_kind, item, aspect, rel) = match truth.element() {
        Some(Type::Struct(fields)) => {
            let place = |wanted| match named(fields, wanted)[..] {
                [place] => Some(place),
                _ => None,
            };
            let (rel, rest) = (place(REL_NAMES), fields.len() - 2.min(fields.len()));
            let (Some(item), Some(aspect)) = (place(ITEM_NAMES), place(ASPECT_NAMES)) else {
                bail!("truth" => "truth needs one item and one aspect, got the fields ({})", names(fields));
            };
            if rest != usize::from(rel.is_some()) {
                bail!(
                    "truth" => "truth may have one relevance beside item and aspect, got the fields ({})",
                    names(fields)
                );
            }
            if rel.is_some_and(|rel| !fields[rel].kind.is_relevance()) {
                bail!("truth" => "the relevances in truth must be numbers, got the fields ({})", names(fields));
            }
            (&fields[item].kind, Some(item), Some(aspect), rel)
        }
        Some(Type::Null) => (&Type::Null, None, None, None),
        _ => {
            bail!("truth" => "truth must be a list of structs of item, aspect and optionally rel, got {truth}")
        }
    };
    let matching = matching(rec_kind, truth_kind).ok_or_else(|| mismatch(NAMES, [rec_kind, truth_kind]))?;
    Ok(AspectLayout { matching, rec_item, score, item, aspect, rel })
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
pub(super) fn named(fields: &[Field], wanted: &[&str]) -> Vec<usize> {
    let is_named = |field: &Field| wanted.contains(&field.name.to_lowercase().as_str());
    fields.iter().enumerate().filter(|(_, field)| is_named(field)).map(|(index, _)| index).collect()
}

/// The error for items of two arguments that cannot be compared. Either may be the wrong one, so it is about none.
pub fn mismatch([one, other]: [&str; 2], [of_one, of_other]: [&Type; 2]) -> Error {
    Error::new(format!("the items of {one} and {other} must be of one type, got {of_one} and {of_other}"))
}
