//! Tests of columns of Arrow arrays.

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::types::Int64Type;
use arrow_array::{
    FixedSizeListArray, Int64Array, LargeListArray, LargeListViewArray, ListArray, ListViewArray, MapArray,
    StructArray,
};
use arrow_schema::Field;

use super::*;

/// Each list's items.
type Lists = Vec<Option<Vec<f64>>>;

/// The lists as the core would read them, and how many elements it is handed.
fn lists(array: &dyn Array) -> (Lists, usize) {
    let column = ArrowColumn::new(&array.slice(0, array.len())).unwrap();
    let elements = column.elements().unwrap();
    let elements = if let Type::Struct(_) = elements.kind { elements.field(1).unwrap() } else { elements };
    let numbers = elements.numbers().unwrap();
    let list = |row| column.span(row).map(|span| span.map(|index| numbers.values[index]).collect());
    ((0..array.len()).map(list).collect(), elements.len())
}

fn numbers() -> ArrayRef {
    Arc::new(Int64Array::from_iter_values(0..10))
}

fn item() -> Arc<Field> {
    Arc::new(Field::new("item", DataType::Int64, true))
}

#[test]
fn a_slice_hands_out_only_the_elements_that_its_lists_cover() {
    let rows = [Some(vec![Some(0), Some(1)]), Some(vec![Some(2)]), None, Some(vec![]), Some(vec![Some(3)])];
    let offsets = ListArray::from_iter_primitive::<Int64Type, _, _>(rows);
    // Views may be in any order.
    let (from, size) = (vec![8, 2, 0, 5, 4], vec![1, 3, 0, 2, 1]);
    let views = ListViewArray::new(item(), from.into(), size.into(), numbers(), None);
    let pairs = FixedSizeListArray::new(item(), 2, numbers(), None);
    let fields = ["key", "value"].map(|name| Field::new(name, DataType::Int64, name == "value"));
    let entries = StructArray::new(fields.to_vec().into(), vec![numbers(), numbers()], None);
    let field = Arc::new(Field::new("entries", entries.data_type().clone(), false));
    let maps = MapArray::new(field, OffsetBuffer::from_lengths([4, 3, 2]), entries, None, false);
    let list = |items: &[u8]| Some(items.iter().map(|item| f64::from(*item)).collect());
    let cases: [(&dyn Array, usize, Lists, usize); 8] = [
        (&offsets, 1, vec![list(&[2]), None, list(&[]), list(&[3])], 2),
        (&offsets, 3, vec![list(&[])], 0),
        (&offsets, 2, vec![], 0),
        (&views, 1, vec![list(&[2, 3, 4]), list(&[]), list(&[5, 6]), list(&[4])], 5),
        (&views, 2, vec![list(&[])], 0),
        (&pairs, 3, vec![list(&[6, 7]), list(&[8, 9])], 4),
        (&pairs, 3, vec![], 0),
        (&maps, 1, vec![list(&[4, 5, 6])], 3),
    ];
    for (array, start, expected, covered) in cases {
        let slice = array.slice(start, expected.len());
        assert_eq!(lists(&slice), (expected, covered), "{} {start}", array.data_type());
    }
}

#[test]
fn a_null_list_has_no_items_though_it_covers_elements() {
    let (values, nulls) = (numbers().slice(0, 6), Some(NullBuffer::from(vec![true, false, true])));
    let (ends, wide_ends) = (OffsetBuffer::from_lengths([2, 2, 2]), vec![0_i64, 2, 4, 6]);
    let (from, size) = (vec![0_i32, 2, 4], vec![2_i32; 3]);
    let (wide_from, wide_size) = (vec![0_i64, 2, 4], vec![2_i64; 3]);
    let (of, wide) = (|| (item(), values.clone(), nulls.clone()), OffsetBuffer::new(wide_ends.into()));
    let list = |(item, values, nulls)| ListArray::new(item, ends, values, nulls);
    let large = |(item, values, nulls)| LargeListArray::new(item, wide, values, nulls);
    let view = |(item, values, nulls)| ListViewArray::new(item, from.into(), size.into(), values, nulls);
    let large_view = |(item, values, nulls)| {
        LargeListViewArray::new(item, wide_from.into(), wide_size.into(), values, nulls)
    };
    let fixed = |(item, values, nulls)| FixedSizeListArray::new(item, 2, values, nulls);
    let arrays: [ArrayRef; 5] = [
        Arc::new(list(of())),
        Arc::new(large(of())),
        Arc::new(view(of())),
        Arc::new(large_view(of())),
        Arc::new(fixed(of())),
    ];
    let expected = vec![Some(vec![0.0, 1.0]), None, Some(vec![4.0, 5.0])];
    for array in arrays {
        assert_eq!(lists(&array), (expected.clone(), 6), "{}", array.data_type());
    }
}

#[test]
fn a_list_in_a_null_struct_has_no_items_though_it_covers_elements() {
    let array: ArrayRef =
        Arc::new(ListArray::new(item(), OffsetBuffer::from_lengths([2, 3]), numbers(), None));
    let field = Arc::new(Field::new("list", array.data_type().clone(), true));
    let nulls = |valid: [bool; 2]| Some(NullBuffer::from(valid.to_vec()));
    let inner: ArrayRef = Arc::new(StructArray::new(vec![field].into(), vec![array], nulls([true, true])));
    let field = Arc::new(Field::new("struct", inner.data_type().clone(), true));
    let outer: ArrayRef = Arc::new(StructArray::new(vec![field].into(), vec![inner], nulls([false, true])));
    // The NULL is that of the outermost struct, two levels above the lists.
    let list = ArrowColumn::new(&outer).unwrap().field(0).unwrap().field(0).unwrap();
    assert_eq!((list.span(0), list.span(1)), (None, Some(2..5)));
    assert!(!list.is_valid(0) && list.is_valid(1));
}

#[test]
fn text_of_a_slice_is_read_from_the_slice() {
    let mut builder = ListBuilder::new(StringBuilder::new());
    for list in [vec!["a", "b"], vec!["c", "a text that is not short"]] {
        builder.append_value(list.into_iter().map(Some));
    }
    let array: ArrayRef = Arc::new(builder.finish().slice(1, 1));
    let elements = ArrowColumn::new(&array).unwrap().elements().unwrap();
    let ItemColumn::Bytes(items) = elements.items(Matching::Text).unwrap() else { panic!("text") };
    assert_eq!(
        (elements.len(), items.bytes(0), items.bytes(1)),
        (2, &b"c"[..], &b"a text that is not short"[..])
    );
}
