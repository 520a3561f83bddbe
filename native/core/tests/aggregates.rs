//! Aggregates by way of what an engine implements: columns, and groups of rows.

use std::ops::Range;

use proptest::prelude::*;
use rankdcg_core::aggregate::{
    Group, GroupEvaluator, Groups, Pairs, Results, RowCounts, Rows, Samples, Scratch, User, Users,
    evaluate_lists,
};
use rankdcg_core::{
    Column, Error, Field, Fixed, Function, Integer, Integers, ItemColumn, Items, Matching, Numbers, Type,
    Validity, Values, hash, lookup,
};

enum Cells {
    /// Numbers, and a bit for each that says whether it is not NULL.
    Numbers(Vec<Option<i64>>, Vec<u8>),
    Texts(Texts),
    /// The columns of structs.
    Structs(Vec<Vec<i64>>),
    /// The elements of each list, and the columns of the structs that are elements, or the one column of integers.
    Lists(Vec<Option<Range<usize>>>, Vec<Vec<i64>>),
}

struct Cell {
    kind: Type,
    cells: Cells,
}

/// Texts as items, some of which may be NULL.
struct Texts {
    texts: Vec<Option<String>>,
    /// Whether all have the same tag, so that only the bytes tell them apart, in place of the tags that engines give.
    collide: bool,
}

impl Items for &Texts {
    const EXACT: bool = false;

    fn tag(&self, index: usize) -> Option<i64> {
        let tag = |text: &String| if self.collide { 7 } else { hash(text.as_bytes()) };
        self.texts[index].as_ref().map(tag)
    }

    fn bytes(&self, index: usize) -> &[u8] {
        self.texts[index].as_ref().unwrap().as_bytes()
    }
}

const INTEGER: Type = Type::Integer(Integer::Narrow);

fn some(values: impl IntoIterator<Item = Option<i64>>) -> Cell {
    let values: Vec<_> = values.into_iter().collect();
    let bit =
        |bits: &[Option<i64>]| (0..).zip(bits).map(|(place, bit)| u8::from(bit.is_some()) << place).sum();
    let bits = values.chunks(8).map(bit).collect();
    Cell { kind: INTEGER, cells: Cells::Numbers(values, bits) }
}

fn whole(values: impl IntoIterator<Item = i64>) -> Cell {
    some(values.into_iter().map(Some))
}

fn nothing(count: usize) -> Cell {
    Cell { kind: Type::Null, ..some(vec![None; count]) }
}

fn tagged(texts: impl IntoIterator<Item = Option<String>>) -> Cell {
    let texts = texts.into_iter().collect();
    Cell { kind: Type::Text, cells: Cells::Texts(Texts { texts, collide: false }) }
}

fn texts(texts: impl IntoIterator<Item = &'static str>) -> Cell {
    let texts = texts.into_iter().map(|text| Some(text.to_owned())).collect();
    Cell { kind: Type::Text, cells: Cells::Texts(Texts { texts, collide: true }) }
}

impl Cell {
    fn parts(&self) -> (&[Option<i64>], Validity<'_>) {
        let Cells::Numbers(values, bits) = &self.cells else { panic!("not numbers") };
        let validity = match values.iter().flatten().count() {
            count if count == values.len() => Validity::All,
            0 => Validity::None,
            _ => Validity::Bits { bits, offset: 0 },
        };
        (values, validity)
    }
}

impl Column for Cell {
    type Bytes<'a> = &'a Texts;

    fn kind(&self) -> &Type {
        &self.kind
    }

    fn len(&self) -> usize {
        match &self.cells {
            Cells::Numbers(values, _) => values.len(),
            Cells::Texts(texts) => texts.texts.len(),
            Cells::Structs(columns) => columns[0].len(),
            Cells::Lists(spans, _) => spans.len(),
        }
    }

    fn is_valid(&self, _: usize) -> bool {
        true
    }

    fn span(&self, row: usize) -> Option<Range<usize>> {
        let Cells::Lists(spans, _) = &self.cells else { return None };
        spans[row].clone()
    }

    fn elements(&self) -> Result<Self, Error> {
        let Cells::Lists(_, columns) = &self.cells else { panic!("not lists") };
        if self.kind == Type::List(Box::new(INTEGER)) {
            return Ok(whole(columns[0].iter().copied()));
        }
        let field = |_: &Vec<i64>| Field { name: String::new(), kind: INTEGER };
        let kind = Type::Struct(columns.iter().map(field).collect());
        Ok(Self { kind, cells: Cells::Structs(columns.clone()) })
    }

    fn field(&self, index: usize) -> Result<Self, Error> {
        let Cells::Structs(columns) = &self.cells else { panic!("not structs") };
        Ok(whole(columns[index].iter().copied()))
    }

    fn numbers(&self) -> Result<Numbers<'_>, Error> {
        let (values, validity) = self.parts();
        let values = values.iter().map(|value| value.unwrap_or_default() as f64).collect();
        Ok(Numbers { values, validity })
    }

    fn integers(&self) -> Result<Option<Integers<'_>>, Error> {
        Ok(None)
    }

    fn items(&self, _: Matching) -> Result<ItemColumn<'_, &Texts>, Error> {
        if let Cells::Texts(texts) = &self.cells {
            return Ok(ItemColumn::Bytes(texts));
        }
        let (values, validity) = self.parts();
        let values = values.iter().map(|value| value.unwrap_or(-1)).collect();
        let is_null = self.kind == Type::Null;
        Ok(if is_null { ItemColumn::Nulls } else { ItemColumn::Fixed(Fixed { values, validity }) })
    }

    fn integer(&self, row: usize) -> Result<Option<i64>, Error> {
        Ok(self.parts().0[row])
    }

    fn text(&self, row: usize) -> Result<Option<&str>, Error> {
        let Cells::Texts(texts) = &self.cells else { panic!("not texts") };
        Ok(texts.texts[row].as_deref())
    }
}

/// One group, to which all rows belong.
struct One<G>(G);

impl<G> Groups<G> for One<G> {
    fn of(&mut self, _: usize) -> Result<&mut G, Error> {
        Ok(&mut self.0)
    }

    fn id(&self, _: usize) -> usize {
        0
    }
}

/// The group of some rows.
fn group<G: Group>(function: &str, columns: &[Cell]) -> G {
    let mut group = One(G::default());
    G::update(lookup(function).unwrap(), columns, columns[0].len(), &mut group).unwrap();
    group.0
}

/// The error, if any, of merging two parts of a group, each with one last argument.
fn combined<G: Group>(function: &str, inputs: usize, [one, other]: [Cell; 2]) -> Option<String> {
    let part = |last: Cell| {
        let mut columns: Vec<Cell> = (0..inputs).map(|_| whole([1, 2])).collect();
        columns.push(last);
        group::<G>(function, &columns)
    };
    let (mut one, other) = (part(one), part(other));
    one.combine(&other).err().map(|error| error.to_string())
}

#[test]
fn parts_of_a_group_have_the_same_k_and_options() {
    let ks = |one: i64, other: i64| [one, other].map(|k| whole([k, k]));
    let differ = "k must be the same in all rows of a group, got 1 and 2";
    for (one, other, sentence) in [(3, 3, None), (1, 2, Some(differ.to_owned()))] {
        assert_eq!(combined::<Pairs>("mrr_agg", 2, ks(one, other)), sentence);
        assert_eq!(combined::<Rows>("rank_metrics_rows", 3, ks(one, other)), sentence);
        assert_eq!(combined::<Users>("rank_metrics_by_user", 4, ks(one, other)), sentence);
    }
    let differ = "options must be the same in all rows of a group, got 'seed=1' and 'seed=2'";
    for (one, other, sentence) in
        [("seed=1", "SEED = 1", None), ("seed=1", "seed=2", Some(differ.to_owned()))]
    {
        let options = [one, other].map(|text| texts([text; 2]));
        assert_eq!(combined::<Samples>("bootstrap_ci", 1, options), sentence);
    }
}

/// A user, an item, and the score of the item; `None` if the row judges it.
type Read = (u8, u8, Option<u8>);

/// All that is known of a user in the end.
#[derive(Debug, PartialEq)]
struct OfUser {
    /// The number in the user's id; `None` for NULL.
    user: Option<i64>,
    /// The number of retrieved and of judged items, and of repeats of both.
    counts: [Option<usize>; 4],
    /// The values of all metrics.
    values: Vec<Option<f64>>,
}

/// All that is known of each user in the end.
#[derive(Default, Debug, PartialEq)]
struct Everything(Vec<OfUser>);

impl Results for Everything {
    fn put(&mut self, user: User, counts: &RowCounts, values: &Values) {
        let user = match user {
            User::Integer(user) => Some(user),
            User::Text(name) => {
                let digits = name.iter().filter(|byte| byte.is_ascii_digit());
                Some(digits.fold(0, |number, digit| 10 * number + i64::from(digit - b'0')))
            }
        };
        let RowCounts { retrieved, judged, retrieved_repeats, judged_repeats } = counts;
        let counts = [Some(*retrieved), Some(*judged), *retrieved_repeats, Some(*judged_repeats)];
        let values = values.values.iter().map(|value| value.get()).collect();
        self.0.push(OfUser { user, counts, values });
    }
}

/// The results of users by id.
fn evaluated(users: &Users, function: &Function) -> Everything {
    let mut found = Everything::default();
    let mut parts = users.partitions();
    while parts.advance().unwrap().is_some() {
        parts.evaluate(function, &mut found).unwrap();
    }
    found.0.sort_by_key(|of_user| of_user.user);
    found
}

#[test]
fn users_of_equal_tags_are_told_apart() {
    let function = lookup("rank_metrics_by_user").unwrap();
    let mrr = function.metrics.iter().position(|metric| metric.name == "mrr").unwrap();
    // The user, the item, its score and its relevance: the relevant item has rank 1 with user 1 and rank 2 with user 2.
    let rows = [("1", 1, 2, 1), ("1", 2, 1, 0), ("2", 1, 2, 0), ("2", 2, 1, 1)];
    for order in [[0, 1, 2, 3], [0, 2, 1, 3], [3, 0, 2, 1]] {
        let rows = order.map(|place| rows[place]);
        let columns = [
            texts(rows.map(|row| row.0)),
            whole(rows.map(|row| row.1)),
            whole(rows.map(|row| row.2)),
            whole(rows.map(|row| row.3)),
        ];
        let found = evaluated(&group::<Users>(function.name(), &columns), function);
        let found: Vec<_> = found.0.iter().map(|of_user| (of_user.user, of_user.values[mrr])).collect();
        assert_eq!(found, [(Some(1), Some(1.0)), (Some(2), Some(0.5))], "{order:?}");
    }
}

/// The results of users that one or two states read in chunks; `ids` makes a column of the numbers of ids.
fn everything(
    chunks: &[Vec<Read>],
    states: usize,
    ties: &'static str,
    ids: impl Fn(Vec<u8>) -> Cell,
) -> Everything {
    let function = lookup("rank_evaluation_by_user").unwrap();
    let mut groups = [One(Users::default()), One(Users::default())];
    for (number, rows) in chunks.iter().enumerate() {
        let columns = [
            ids(rows.iter().map(|row| row.0).collect()),
            ids(rows.iter().map(|row| row.1).collect()),
            some(rows.iter().map(|row| row.2.map(i64::from))),
            some(rows.iter().map(|row| row.2.is_none().then_some(i64::from(row.1 % 3)))),
            Cell {
                kind: Type::List(Box::new(INTEGER)),
                cells: Cells::Lists(vec![Some(0..1); rows.len()], vec![vec![3]]),
            },
            texts(vec![ties; rows.len()]),
        ];
        Users::update(function, &columns, rows.len(), &mut groups[number % states]).unwrap();
    }
    let [One(mut users), One(other)] = groups;
    users.combine(&other).unwrap();
    evaluated(&users, function)
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
        let short = |ids: Vec<u8>| tagged(ids.into_iter().map(|id| text(id, "")));
        let with_long =
            |ids: Vec<u8>| tagged(ids.into_iter().map(|id| text(id, if id == long { "-a-long-text" } else { "" })));
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
    let chunks =
        [[own(1)].into_iter().chain(many).chain([own(3)]).collect(), vec![(4, 1, Some(0)), (2, 99, Some(0))]];
    let text = |id: u8| Some(if id == 4 { "a user of a long id".to_owned() } else { format!("{id:010}") });
    let numbers = |ids: Vec<u8>| some(ids.into_iter().map(|id| Some(i64::from(id))));
    let texts = |ids: Vec<u8>| tagged(ids.into_iter().map(text));
    let repeats = |found: Everything| {
        let of_users = found.0.into_iter().filter(|of_user| of_user.user == Some(2));
        of_users.map(|of_user| of_user.counts[2]).collect::<Vec<_>>()
    };
    // Item 99 is a repeat of a row that was dropped.
    assert_eq!(repeats(everything(&chunks, 1, "ties=average", numbers)), [None]);
    assert_eq!(repeats(everything(&chunks, 1, "ties=average", texts)), [None]);
}

/// The first value of a function for the parts of a group, which has one.
fn joined<const N: usize>(function: &'static Function, parts: [Rows; N]) -> f64 {
    let mut parts = parts.into_iter();
    let mut whole = parts.next().unwrap();
    parts.for_each(|part| whole.combine(&part).unwrap());
    let mut scratch = Scratch::default();
    whole.evaluate(function, &mut scratch).unwrap().unwrap().values[0].get().unwrap()
}

#[test]
fn a_judgement_without_an_item_is_remembered_by_any_part() {
    let function = lookup("recall_at_rows").unwrap();
    let part = |scores: [Option<i64>; 2], rels: [Option<i64>; 2]| {
        let options = texts(["no_relevant=zero"; 2]);
        group::<Rows>(function.name(), &[nothing(2), some(scores), some(rels), whole([1, 1]), options])
    };
    let judged = || part([None; 2], [Some(1), None]);
    let retrieved = || part([Some(1), Some(2)], [None; 2]);
    for parts in [[judged(), retrieved()], [retrieved(), judged()]] {
        assert_eq!(joined(function, parts), 0.0);
    }
}

#[test]
fn parts_with_items_meet_a_part_without_any() {
    const TEXTS: [&str; 12] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    let function = lookup("mrr_rows").unwrap();
    let part = |columns: &[Cell]| group::<Rows>(function.name(), columns);
    for items in [|| texts(TEXTS), || whole(0..12)] {
        // Twelve items that nobody knows come first, and the relevant one after them.
        let unknown = || part(&[nothing(12), whole(100..112), nothing(12)]);
        let retrieved = || part(&[items(), whole((0..12).rev()), nothing(12)]);
        let judged = || part(&[items(), nothing(12), whole((0..12).map(|place| i64::from(place == 0)))]);
        let part = |number| match number {
            0 => unknown(),
            1 => retrieved(),
            _ => judged(),
        };
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            assert_eq!(joined(function, order.map(part)), 1.0 / 13.0, "{order:?}");
        }
    }
}

/// DuckDB's vectors may have lists that share elements, in part or wholly, and elements that belong to no list.
#[test]
fn lists_may_share_elements_and_leave_some_out() {
    let found = |name: &str, spans: &[Option<Range<usize>>], columns: Vec<Vec<i64>>| {
        let cells = Cells::Lists(spans.to_vec(), columns);
        let lists = Cell { kind: Type::List(Box::new(Type::Null)), cells };
        let mut found = Vec::new();
        let put = |row: usize, values: Option<Values>| {
            assert_eq!(row, found.len());
            found.push(values.and_then(|values| values.values[0].get()));
        };
        evaluate_lists(lookup(name).unwrap(), name, &lists, put).unwrap();
        found
    };
    let spans = [Some(0..2), None, Some(1..3), Some(0..2), Some(3..3), Some(0..3), Some(4..5)];
    let scores_rels_and_ks = vec![vec![9, 8, 7, 6, 5], vec![1, 0, 1, 1, 0], vec![3, 3, 3, 1, 2]];
    let expected = [Some(0.5), None, Some(0.5), Some(0.5), None, Some(2.0 / 3.0), None];
    assert_eq!(found("precision_at_agg", &spans, scores_rels_and_ks), expected);
    let spans = [Some(1..3), Some(0..2), None, Some(1..3)];
    assert_eq!(found("mean_ci", &spans, vec![vec![1, 2, 4, 8]]), [Some(3.0), Some(1.5), None, Some(3.0)]);
}
