//! Intra-list diversity: the mean distance between two items.

use super::item_measure::{Error, ItemMeasure, Kernel, ValueRange, as_f64};
use super::labels::Labels;
use super::vectors::Vectors;
use crate::error::bail;
use crate::memory::Grow;
use crate::ranking::ties::MAX_STEPS;

pub static ITEM_MEASURE: ItemMeasure = ItemMeasure {
    name: "intra_list_diversity",
    paper_name: "ILD",
    synonyms: &["ild"],
    property: "categories",
    summary: "mean distance between two items of the top k (ILD). The distance of labels is 0 if they are equal and 1 if \
              not, that of lists of labels Jaccard's, and that of vectors the cosine distance",
    formula: "mean over pairs of items of: 1 - common labels / labels of either; or 1 - cosine of the angle between the \
              vectors, which is from 0 to 2",
    range: ValueRange::in_words("0 to 1, or 0 to 2 for vectors"),
    needs: "two items with a value",
    source: "Ziegler et al., Improving Recommendation Lists Through Topic Diversification, WWW 2005; RecTools, \
             IntraListDiversity",
    type_of_values: "ANY[] or ANY[][] or DOUBLE[][]",
    about_values: "A label of each item, a list of labels, or a vector: a list of floating-point numbers, of the same length \
                   for all items. The best item comes first",
    example: &[("values", &["[['drama', 'crime'], ['drama'], ['comedy']]"])],
    kernel: Kernel::LabelsOrVectors(of_labels, of_vectors),
    ..ItemMeasure::USUAL
};

fn of_labels(labels: &Labels, items: &[u32]) -> Result<Option<f64>, Error> {
    if let Some(words) = labels.words()
        && items.len() <= FEW
    {
        return Ok(of_few_items(items.iter().map(|item| words[*item as usize]).filter(|word| *word != 0)));
    }
    let mut sets = Vec::new();
    sets.make_room(items.len())?;
    sets.extend(items.iter().map(|item| labels.of(*item as usize)).filter(|set| !set.is_empty()));
    sets.sort_unstable();
    // Items with the same labels are compared once, so that long lists of few labels take little time.
    let mut distinct: Vec<(&[u32], f64)> = Vec::new();
    let mut steps = 0_usize;
    for equal in sets.chunk_by(|one, other| one == other) {
        distinct.try_push((equal[0], as_f64(equal.len())))?;
        steps = steps.saturating_add(equal[0].len());
    }
    steps = steps.saturating_mul(distinct.len());
    if steps > MAX_STEPS {
        bail!(
            "k" => "k must be smaller if a list has {} distinct sets of labels: comparing their labels takes {steps} steps, \
                    and at most {MAX_STEPS} are allowed", distinct.len()
        );
    }
    let mut sum = 0.0;
    for (place, (one, times)) in distinct.iter().enumerate() {
        for (other, more) in &distinct[..place] {
            sum += distance(one, other) * times * more;
        }
    }
    Ok(mean_of_pairs(sum, sets.len()))
}

/// The number of items up to which all pairs are compared, if their labels fit the bits of a word.
const FEW: usize = 64;

/// The mean distance of two of at most [`FEW`] items, whose labels are bits of a word.
fn of_few_items(items: impl Iterator<Item = u64>) -> Option<f64> {
    let mut before = [(0, 0.0); FEW];
    let (mut sum, mut count) = (0.0, 0);
    for one in items {
        let size = f64::from(one.count_ones());
        for (other, size_of_other) in &before[..count] {
            let common = f64::from((one & other).count_ones());
            sum += 1.0 - common / (size + size_of_other - common);
        }
        before[count] = (one, size);
        count += 1;
    }
    mean_of_pairs(sum, count)
}

/// Jaccard's distance of two sets of labels, which ascend.
fn distance(one: &[u32], other: &[u32]) -> f64 {
    let (mut common, mut rest) = (0, other);
    for label in one {
        rest = &rest[rest.partition_point(|known| known < label)..];
        common += usize::from(rest.first() == Some(label));
    }
    1.0 - as_f64(common) / as_f64(one.len() + other.len() - common)
}

fn of_vectors(vectors: &Vectors) -> Option<f64> {
    // The square of the sum of unit vectors has each cosine twice, beside the square of each vector.
    let square: f64 = vectors.sum.iter().map(|each| each * each).sum();
    let n = as_f64(vectors.items);
    let cosines = (square - vectors.squares) / 2.0;
    mean_of_pairs(n * (n - 1.0) / 2.0 - cosines, vectors.items).map(|mean| mean.clamp(0.0, 2.0))
}

/// The mean of a sum over all pairs of some items; `None` if there is no pair.
fn mean_of_pairs(sum: f64, items: usize) -> Option<f64> {
    (items > 1).then(|| sum / (as_f64(items) * as_f64(items - 1) / 2.0))
}
