//! The kernels of the scalar functions. Calls by which DuckDB may throw stand outside of `catch_panics`.

use std::ffi::CString;

use rankdcg_core::aggregate::{ExplainedRow, Explanations, evaluate_lists};
use rankdcg_core::statistics::tukey_hsd::pair_count;
use rankdcg_core::{
    Column, Error, Form, Function, Grow, Output, Type, VERSION, Values, c_message, catch_panics, evaluate,
    evaluate_items, explain,
};
use rankdcg_table_macros::{Answer, aggregates, script};

use crate::api::{api, every_row_has_a_state, throwing, to_usize};
use crate::chunk::Chunk;
use crate::explanations::ExplanationResults;
use crate::extra_info::{BoundFunction, Route};
use crate::handle::{self, DataChunk, FunctionInfo};
use crate::output::{ItemValues, Results, item_count, write_text};
use crate::vector::Vector;

/// Evaluates a metric in every row.
pub unsafe extern "C-unwind" fn metric_kernel(info: FunctionInfo, input: DataChunk, output: handle::Vector) {
    // SAFETY: DuckDB passes the information of the call, a chunk of flat vectors, and a flat vector with room for the
    // result of each row.
    unsafe {
        answer(info, |bound| {
            let (chunk, function) = (bound.chunk(input)?, bound.function);
            let (columns, capacity) = bound.catch_panics(|| {
                let columns = chunk.columns(function)?;
                let capacity = result_count(function, &columns, chunk.rows)?;
                Ok((columns, capacity))
            })?;
            let mut results = Results::new(function, output, 0..chunk.rows, capacity);
            bound.catch_panics(|| {
                let put = |row: usize, values: Option<Values>| _ = results.put(row, values.as_ref());
                evaluate(function, bound.name, &columns, chunk.rows, put)?;
                if results.overflow() == 0 { Ok(()) } else { Err(Error::internal("the results do not fit")) }
            })?;
            results.finish();
            Ok(())
        });
    }
}

/// Evaluates measures of items in every row: a list of values for each measure.
pub unsafe extern "C-unwind" fn items_by_measure_kernel(
    info: FunctionInfo,
    input: DataChunk,
    output: handle::Vector,
) {
    // SAFETY: as in `metric_kernel`.
    unsafe {
        answer(info, |bound| {
            let (chunk, function) = (bound.chunk(input)?, bound.function);
            let (columns, counts) = bound.catch_panics(|| {
                let columns = chunk.columns(function)?;
                let counts = item_counts(&columns, chunk.rows)?;
                Ok((columns, counts))
            })?;
            let mut results = ItemValues::new(output, &counts);
            bound
                .catch_panics(|| evaluate_items(function, bound.name, &columns, chunk.rows, &mut results))?;
            results.finish();
            Ok(())
        });
    }
}

/// Explains a value in every row.
pub unsafe extern "C-unwind" fn explanation_kernel(
    info: FunctionInfo,
    input: DataChunk,
    output: handle::Vector,
) {
    // SAFETY: as in `metric_kernel`.
    unsafe {
        answer(info, |bound| {
            let (chunk, function) = (bound.chunk(input)?, bound.function);
            // The items of all rows, and which of them are those of each row. Far fewer may be explained than lists have, so
            // memory is reserved for them when they are known.
            let (mut items, mut rows) = (Vec::new(), Vec::new());
            bound.catch_panics(|| {
                explain(function, bound.name, &chunk.columns(function)?, chunk.rows, |_, explained| {
                    let first = items.len();
                    items.try_extend_from_slice(explained.unwrap_or_default())?;
                    rows.try_push(explained.map(|_| first..items.len()))
                })
            })?;
            let mut results = ExplanationResults::new(function, output, items.len());
            bound.catch_panics(|| {
                for (row, of_row) in rows.iter().enumerate() {
                    let first = results.next();
                    for explained in &items[of_row.clone().unwrap_or_default()] {
                        results.put(&ExplainedRow { user: None, item: None, score: None, explained })?;
                    }
                    results.end_list(row, first);
                }
                Ok(())
            })?;
            results.finish((0..).zip(rows).filter(|(_, of_row)| of_row.is_none()).map(|(row, _)| row));
            Ok(())
        });
    }
}

/// How many elements of lists the results have in all; for results that are no lists, how many rows there are.
/// A column of one value has this value in all rows.
fn result_count(function: &Function, columns: &[Vector], rows: usize) -> Result<usize, Error> {
    if let ([lists, ..], Form::Blocks) = (columns, function.form) {
        return total_pair_count(lists, rows);
    }
    if function.form == Form::Items {
        return item_counts(columns, rows).map(|rows| item_count(&rows));
    }
    // The result of a row has an element for each of this list: for each k, or each p-value.
    let lists = match function.output {
        Output::MetricsAt => columns.get(function.inputs().len()),
        Output::Values => columns.first(),
        Output::Value | Output::Metrics | Output::Items | Output::Explanation | Output::Measures => None,
    };
    Ok(match lists {
        Some(lists) if lists.len() == 1 => lists.span(0).unwrap_or_default().len().saturating_mul(rows),
        Some(lists) => (0..rows).filter_map(|row| lists.span(row)).map(|span| span.len()).sum(),
        None => rows,
    })
}

/// How many pairs of systems there are in all rows of a column. A row is a list of blocks, each a list of the values of
/// all systems. A row that the evaluation refuses has no pairs.
fn total_pair_count(lists: &Vector, rows: usize) -> Result<usize, Error> {
    if lists.kind().element().and_then(Type::element).is_none() {
        return Ok(0); // a wrong type, which the evaluation reports
    }
    let blocks = lists.elements()?;
    let pairs = |row| {
        let blocks = lists.span(row).unwrap_or_default().filter_map(|block| blocks.span(block));
        let systems = blocks.map(|block| block.len()).max().unwrap_or(0);
        pair_count("", systems).unwrap_or(0) // an error, which nobody sees, needs no name of an argument
    };
    Ok(if lists.len() == 1 { pairs(0).saturating_mul(rows) } else { (0..rows).map(pairs).sum() })
}

/// How many measures of items each row names, or fewer, and how many rankings it has.
fn item_counts(columns: &[Vector], rows: usize) -> Result<Vec<[usize; 2]>, Error> {
    let [lists, _, _, measures, ..] = columns else { return Err(Error::internal("an argument is missing")) };
    let place = |column: &Vector, row| if column.len() == 1 { 0 } else { row };
    let of_row = |row| {
        // NULL or a wrong type is left to the evaluation.
        let is_text = *measures.kind() == Type::Text;
        let named = if is_text { measures.text(place(measures, row))? } else { None };
        let rankings = lists.span(place(lists, row)).unwrap_or_default().len();
        Ok([named.map_or(0, |names| names.split(',').count()), rankings])
    };
    (0..rows).map(of_row).collect()
}

/// How many elements the results of lists of rows have in all, if each list has as many k or measures as the first row of all; 0 if
/// results are no lists, or the lists are not of the right type, which the evaluation reports.
fn guess_result_count(function: &Function, columns: &[Vector]) -> Result<usize, Error> {
    let Some(lists) = columns.first() else { return Ok(0) };
    // A row is a struct of arguments. Those of the k or the measures come after the inputs.
    let (rows, place) = (lists.elements()?, function.inputs().len());
    let is_there = matches!(rows.kind(), Type::Struct(fields) if place < fields.len()) && rows.len() > 0;
    let count = match function.output {
        Output::MetricsAt if is_there => rows.field(place)?.span(0).unwrap_or_default().len(),
        Output::Measures if is_there && *rows.field(place)?.kind() == Type::Text => {
            rows.field(place)?.text(0)?.map_or(0, |names| names.split(',').count())
        }
        _ => 0,
    };
    Ok(count.saturating_mul(lists.len()))
}

/// Evaluates an aggregate on lists of its rows. It evaluates again if the guessed capacity was too small.
pub unsafe extern "C-unwind" fn list_kernel(info: FunctionInfo, input: DataChunk, output: handle::Vector) {
    // SAFETY: as in `metric_kernel`.
    unsafe {
        answer(info, |bound| {
            let chunk = bound.chunk(input)?;
            let mut capacity =
                bound.catch_panics(|| guess_result_count(bound.function, &chunk.columns(bound.function)?))?;
            loop {
                let mut results = Results::new(bound.function, output, 0..chunk.rows, capacity);
                bound.catch_panics(|| {
                    let columns = chunk.columns(bound.function)?;
                    let Some(lists) = columns.first() else { return Err(Error::internal("no lists")) };
                    let put = |row: usize, values: Option<Values>| _ = results.put(row, values.as_ref());
                    evaluate_lists(bound.function, bound.name, lists, put)
                })?;
                if results.overflow() == 0 {
                    results.finish();
                    return Ok(());
                }
                capacity = results.element_count();
            }
        });
    }
}

/// Answers with the version of the core, and with the way by which the functions got into the database.
pub unsafe extern "C-unwind" fn version_kernel(info: FunctionInfo, input: DataChunk, output: handle::Vector) {
    // SAFETY: as in `metric_kernel`. The extra information is a `Route`, and the vector is one of texts.
    unsafe {
        let route = &*(api().scalar_function_get_extra_info)(info).cast::<Route>();
        let answer = format!("{VERSION}+{}", route.name);
        for row in 0..to_usize((api().data_chunk_get_size)(input)) {
            write_text(output, row, answer.as_bytes());
        }
    }
}

/// Answers with the SQL of the table macros, and of the aggregates where they are macros, for the caller to run.
pub unsafe extern "C-unwind" fn macros_kernel(_: FunctionInfo, input: DataChunk, output: handle::Vector) {
    // SAFETY: as in `metric_kernel`. The vector is one of texts.
    unsafe {
        let mut answer = script(true, "rankdcg");
        if !every_row_has_a_state() {
            answer.push_str(&aggregates());
        }
        for row in 0..to_usize((api().data_chunk_get_size)(input)) {
            write_text(output, row, answer.as_bytes());
        }
    }
}

/// Answers a call of a table macro. The arguments are the name of the macro, and those of an [`Answer`].
pub unsafe extern "C-unwind" fn answer_kernel(info: FunctionInfo, input: DataChunk, output: handle::Vector) {
    // SAFETY: as in `metric_kernel`. The extra information is one of `ANSWERS`, and the vector is one of texts.
    unsafe {
        let (_, answer) = &*(api().scalar_function_get_extra_info)(info).cast::<(&str, Answer)>();
        let planned = Chunk::new(input).map_err(c_message).and_then(|chunk| {
            let answers = catch_panics(|| answers_of_macros(&chunk, *answer)).map_err(c_message)?;
            Ok((answers, chunk.rows))
        });
        match planned {
            // One answer is that of every row.
            Ok((answers, rows)) => (0..rows)
                .for_each(|row| write_text(output, row, answers[row.min(answers.len() - 1)].as_bytes())),
            Err(message) => (throwing().scalar_function_set_error)(info, message.as_ptr()),
        }
    }
}

/// The answer of [`answer_kernel`] in each row, or one if all rows have the same arguments.
fn answers_of_macros(chunk: &Chunk, answer: Answer) -> Result<Vec<String>, Error> {
    let columns = chunk.collapsed_from(0)?;
    let [callers, metrics, cutoffs, asked, options] = &columns[..] else {
        return Err(Error::internal("the arguments of a macro are others"));
    };
    let place = |column: &Vector, row: usize| if column.len() == 1 { 0 } else { row };
    let (names, ks) = (metrics.elements()?, cutoffs.elements()?);
    let rows = if columns.iter().all(|column| column.len() == 1) { 1 } else { chunk.rows };
    let of_row = |row: usize| {
        let span = |lists: &Vector| lists.span(place(lists, row)).unwrap_or_default();
        let names: Vec<Option<&str>> =
            span(metrics).map(|index| names.text(index)).collect::<Result<_, _>>()?;
        let ks: Vec<Option<i64>> = span(cutoffs).map(|index| ks.integer(index)).collect::<Result<_, _>>()?;
        let text = |column: &Vector| column.text(place(column, row)).map(|text| text.map(str::to_owned));
        let caller = text(callers)?.unwrap_or_default();
        let found = answer(&names, &ks, text(asked)?.as_deref(), &text(options)?.unwrap_or_default());
        found.map_err(|error| error.of(&caller))
    };
    (0..rows).map(of_row).collect()
}

/// Runs a kernel on the function that is called, and passes its error to DuckDB, which makes the query fail.
///
/// # Safety
/// `info` is that of a call of a function whose extra information is a [`BoundFunction`]. DuckDB may throw.
unsafe fn answer(info: FunctionInfo, kernel: impl FnOnce(&BoundFunction) -> Result<(), CString>) {
    // SAFETY: registration has set the extra information, which is static. DuckDB copies the message.
    unsafe {
        let bound = &*(api().scalar_function_get_extra_info)(info).cast::<BoundFunction>();
        if let Err(message) = kernel(bound) {
            (throwing().scalar_function_set_error)(info, message.as_ptr());
        }
    }
}
