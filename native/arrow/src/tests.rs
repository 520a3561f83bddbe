//! Aggregates of the core by way of what this engine implements: columns, and groups of rows.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Int64Array, ListArray, ListViewArray, NullArray, StringArray, StructArray};
use arrow_buffer::NullBuffer;
use arrow_schema::Field;
use proptest::prelude::*;
use rankdcg_core::aggregate::{
    Group, GroupEvaluator, Pairs, Results as UserResults, RowCounts, Rows, Samples, Scratch, User, Users,
};
use rankdcg_core::{Function, Values};

use super::*;
use crate::users::Single;

fn some(values: impl IntoIterator<Item = Option<i64>>) -> ArrayRef {
    Arc::new(Int64Array::from_iter(values))
}

fn whole(values: impl IntoIterator<Item = i64>) -> ArrayRef {
    Arc::new(Int64Array::from_iter_values(values))
}

fn nothing(count: usize) -> ArrayRef {
    Arc::new(NullArray::new(count))
}

fn texts<T: AsRef<str>>(texts: impl IntoIterator<Item = Option<T>>) -> ArrayRef {
    Arc::new(StringArray::from_iter(texts))
}

/// Adds rows to a group.
fn read<G: Group>(function: &str, columns: &[ArrayRef], group: &mut G) {
    let columns: Vec<ArrowColumn> = columns.iter().map(|array| ArrowColumn::new(array).unwrap()).collect();
    G::update(find(function).unwrap(), &columns, &mut Single(group)).unwrap();
}

/// The group of some rows.
fn group<G: Group>(function: &str, columns: &[ArrayRef]) -> G {
    let mut group = G::default();
    read(function, columns, &mut group);
    group
}

/// Lists of structs: the elements of each list, and the columns of the structs.
fn lists(spans: &[Option<Range<usize>>], columns: &[&[i64]]) -> ArrayRef {
    let field = Arc::new(Field::new("field", DataType::Int64, true));
    let columns = columns.iter().map(|column| (Arc::clone(&field), whole(column.iter().copied())));
    let rows = StructArray::from(columns.collect::<Vec<_>>());
    let number = |number: usize| i32::try_from(number).unwrap();
    let sizes = spans.iter().map(|span| span.as_ref().map_or(0, |span| number(span.len())));
    let starts = spans.iter().map(|span| span.as_ref().map_or(0, |span| number(span.start)));
    let nulls: NullBuffer = spans.iter().map(Option::is_some).collect();
    let item = Arc::new(Field::new("item", rows.data_type().clone(), true));
    Arc::new(ListViewArray::new(item, starts.collect(), sizes.collect(), Arc::new(rows), Some(nulls)))
}

#[test]
fn rows_of_groups_have_a_field_for_each_argument() {
    let error = call_lists("err_rows", &lists(&[Some(0..2)], &[&[1, 2], &[1, 2]])).unwrap_err().to_string();
    assert!(error.starts_with("err_rows: takes 3 to 5 arguments (item, score, rel"), "{error}");
}

/// Lists of Arrow and of DuckDB may share elements, in part or wholly, and elements may belong to no list.
#[test]
fn lists_may_share_elements_and_leave_some_out() {
    let found = |name: &str, spans: &[Option<Range<usize>>], columns: &[&[i64]]| {
        let found = call_lists(name, &lists(spans, columns)).unwrap();
        let first = found.as_struct_opt().map_or(&found, |fields| fields.column(1));
        first.as_primitive::<Float64Type>().iter().collect::<Vec<_>>()
    };
    let spans = [Some(0..2), None, Some(1..3), Some(0..2), Some(3..3), Some(0..3), Some(4..5)];
    let scores_rels_and_ks: [&[i64]; 3] = [&[9, 8, 7, 6, 5], &[1, 0, 1, 1, 0], &[3, 3, 3, 1, 2]];
    let expected = [Some(0.5), None, Some(0.5), Some(0.5), None, Some(2.0 / 3.0), None];
    assert_eq!(found("precision_at_agg", &spans, &scores_rels_and_ks), expected);
    let spans = [Some(1..3), Some(0..2), None, Some(1..3)];
    assert_eq!(found("mean_ci", &spans, &[&[1, 2, 4, 8]]), [Some(3.0), Some(1.5), None, Some(3.0)]);
}

/// The error, if any, of merging two parts of a group, each with one last argument.
fn combined<G: Group>(function: &str, inputs: usize, last: &[ArrayRef; 2]) -> Option<String> {
    let [mut one, other] = last.each_ref().map(|last| {
        let inputs = vec![whole([1, 2]); inputs];
        group::<G>(function, &[&inputs[..], std::slice::from_ref(last)].concat())
    });
    one.combine(&other).err().map(|error| error.to_string())
}

#[test]
fn parts_of_a_group_have_the_same_k_and_options() {
    let differ = "k must be the same in all rows of a group, got 1 and 2";
    for (ks, sentence) in [([3, 3], None), ([1, 2], Some(differ.to_owned()))] {
        let ks = ks.map(|k| whole([k, k]));
        assert_eq!(combined::<Pairs>("mrr_agg", 2, &ks), sentence);
        assert_eq!(combined::<Rows>("rank_metrics_rows", 3, &ks), sentence);
        assert_eq!(combined::<Users>("rank_metrics_by_user", 4, &ks), sentence);
    }
    let differ = "options must be the same in all rows of a group, got 'seed=1' and 'seed=2'";
    for (options, sentence) in
        [(["seed=1", "SEED = 1"], None), (["seed=1", "seed=2"], Some(differ.to_owned()))]
    {
        let options = options.map(|text| texts([Some(text); 2]));
        assert_eq!(combined::<Samples>("bootstrap_ci", 1, &options), sentence);
    }
}

/// The first value of a function for the parts of a group, which has one.
fn joined(function: &Function, parts: &[Rows]) -> f64 {
    let mut whole = Rows::default();
    parts.iter().try_for_each(|part| whole.combine(part)).unwrap();
    whole.evaluate(function, &mut Scratch::default()).unwrap().unwrap().values[0].get().unwrap()
}

#[test]
fn a_judgement_without_an_item_is_remembered_by_any_part() {
    let function = find("recall_at_rows").unwrap();
    let part = |scores: [Option<i64>; 2], rels: [Option<i64>; 2]| {
        let options = texts([Some("no_relevant=zero"); 2]);
        group(function.name(), &[nothing(2), some(scores), some(rels), whole([1, 1]), options])
    };
    let judged = || part([None; 2], [Some(1), None]);
    let retrieved = || part([Some(1), Some(2)], [None; 2]);
    for parts in [[judged(), retrieved()], [retrieved(), judged()]] {
        assert_eq!(joined(function, &parts), 0.0);
    }
}

#[test]
fn parts_with_items_meet_a_part_without_any() {
    let function = find("mrr_rows").unwrap();
    let letters = texts(('a'..='l').map(|letter| Some(letter.to_string())));
    for items in [letters, whole(0..12)] {
        let part = |number| match number {
            // Twelve items that nobody knows come first, and the relevant one after them.
            0 => [nothing(12), whole(100..112), nothing(12)],
            1 => [items.clone(), whole((0..12).rev()), nothing(12)],
            _ => [items.clone(), some([None; 12]), whole((0..12).map(|place| i64::from(place == 0)))],
        };
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let parts = order.map(|number| group(function.name(), &part(number)));
            assert_eq!(joined(function, &parts), 1.0 / 13.0, "{order:?}");
        }
    }
}

/// A user, an item, and the score of the item; `None` if the row judges it.
type Read = (u8, u8, Option<u8>);

/// All that is known of a user in the end: the number in the user's id, the counts of rows, and all values.
type OfUser = (i64, [Option<i64>; 4], Vec<Option<f64>>);

#[derive(Default, Debug, PartialEq)]
struct Everything(Vec<OfUser>);

impl UserResults for Everything {
    fn put(&mut self, user: User, counts: &RowCounts, values: &Values) {
        let user = match user {
            User::Integer(user) => user,
            User::Text(name) => std::str::from_utf8(&name[..10]).unwrap().parse().unwrap(),
        };
        let values = values.values.iter().map(|value| value.get()).collect();
        self.0.push((user, counts.integers(), values));
    }
}

/// The results of users, by user, that one or two states read in chunks; `ids` makes a column of the numbers of ids.
fn everything(
    chunks: &[Vec<Read>],
    states: usize,
    ties: &str,
    ids: impl Fn(Vec<u8>) -> ArrayRef,
) -> Everything {
    let function = find("rank_evaluation_by_user").unwrap();
    let mut groups = [Users::default(), Users::default()];
    for (number, rows) in chunks.iter().enumerate() {
        let columns = [
            ids(rows.iter().map(|row| row.0).collect()),
            ids(rows.iter().map(|row| row.1).collect()),
            some(rows.iter().map(|row| row.2.map(i64::from))),
            some(rows.iter().map(|row| row.2.is_none().then_some(i64::from(row.1 % 3)))),
            Arc::new(ListArray::from_iter_primitive::<Int64Type, _, _>([Some([Some(3)])])),
            texts([Some(ties)]),
        ];
        read(function.name(), &columns, &mut groups[number % states]);
    }
    let [mut users, other] = groups;
    users.combine(&other).unwrap();
    let mut found = Everything::default();
    let mut parts = users.partitions();
    while parts.advance().unwrap().is_some() {
        parts.evaluate(function, &mut found).unwrap();
    }
    found.0.sort_by_key(|(user, ..)| *user);
    found
}

proptest! {
    /// Short texts are stored in another form than long ones, until a long one comes.
    #[test]
    fn ids_may_be_numbers_or_texts_of_any_length(
        rows in prop::collection::vec((0..6_u8, 0..9_u8, prop::option::weighted(0.6, 0..4_u8)), 1..80),
        (chunk, states) in (1..20_usize, 1..3_usize),
        long in 0..12_u8,
        ties in prop::sample::select(vec!["ties=average", "ties=item_asc", "ties=item_desc"]),
    ) {
        let chunks: Vec<Vec<Read>> = rows.chunks(chunk).map(<[_]>::to_vec).collect();
        // The id 0 is NULL. One other user or item has a long text, and comes in any chunk or in none.
        let known = |id: u8| (id > 0).then_some(id);
        let numbers = |ids: Vec<u8>| some(ids.into_iter().map(|id| known(id).map(i64::from)));
        let text = |id: u8, end: &str| known(id).map(|id| format!("{id:010}{end}"));
        let short = |ids: Vec<u8>| texts(ids.into_iter().map(|id| text(id, "")));
        let with_long =
            |ids: Vec<u8>| texts(ids.into_iter().map(|id| text(id, if id == long { "-a-long-text" } else { "" })));
        let expected = everything(&chunks, states, ties, numbers);
        prop_assert_eq!(&everything(&chunks, states, ties, short), &expected);
        prop_assert_eq!(&everything(&chunks, states, ties, with_long), &expected);
    }
}

/// A chunk with a long text comes after one in which rows of a user with short texts were dropped.
#[test]
fn rows_that_were_dropped_are_remembered_once_texts_are_long() {
    let own = |user: u8| (user, 1, Some(0));
    let many = (1..200).map(|item| (2, item, Some(200 - item)));
    let chunks = [
        [own(1)].into_iter().chain(many).chain([own(3)]).collect(),
        vec![(200, 1, Some(0)), (2, 99, Some(0))],
    ];
    let text = |id: u8| Some(format!("{id:010}{}", if id == 200 { "-a-long-text" } else { "" }));
    let numbers = |ids: Vec<u8>| whole(ids.into_iter().map(i64::from));
    let texts = |ids: Vec<u8>| texts(ids.into_iter().map(text));
    let repeats = |found: Everything| found.0.iter().find(|(user, ..)| *user == 2).unwrap().1[2];
    // Item 99 is a repeat of a row that was dropped.
    assert_eq!(repeats(everything(&chunks, 1, "ties=average", numbers)), None);
    assert_eq!(repeats(everything(&chunks, 1, "ties=average", texts)), None);
}
