//! Settings, and states merged from parts, for the tests of the states of groups.

use std::sync::Arc;

use proptest::sample::Index;

use crate::aggregate::group::{Group, GroupEvaluator, Scratch};
use crate::catalogue::Function;
use crate::settings::Settings;

/// The settings of a call with these options at these k.
pub fn settings(function: &Function, options: &str, ks: &[Option<usize>]) -> Arc<Settings> {
    let mut settings = function.settings();
    function.set_options(&mut settings, options).unwrap();
    settings.set_ks(ks.iter().map(|k| Ok(*k))).unwrap();
    Arc::new(settings)
}

/// The same settings for scores that are integers.
pub fn exactly(settings: &Settings) -> Arc<Settings> {
    Arc::new(Settings { exact: true, ..settings.clone() })
}

/// The state of all rows: `group` makes one of each part into which the first indexes of `cuts` divide them. The last
/// state is then merged into one of the others, which the second index of a cut chooses, until one is left.
pub fn merged<R, G: Group>(rows: &[R], cuts: &[(Index, Index)], group: impl Fn(&[R]) -> G) -> G {
    let mut places: Vec<usize> = cuts.iter().map(|(cut, _)| cut.index(rows.len())).collect();
    places.extend([0, rows.len()]);
    places.sort_unstable();
    let mut groups: Vec<G> = places.windows(2).map(|ends| group(&rows[ends[0]..ends[1]])).collect();
    for (_, into) in cuts {
        let other = groups.pop().unwrap();
        let into = into.index(groups.len());
        groups[into].combine(&other).unwrap();
    }
    groups.pop().unwrap()
}

/// The values of a group at the first k.
pub fn values(mut group: impl GroupEvaluator, function: &Function) -> Option<Vec<Option<f64>>> {
    let mut scratch = Scratch::default();
    let values = group.evaluate(function, &mut scratch).unwrap()?;
    Some(values.values[..function.metrics.len()].iter().map(|value| value.get()).collect())
}

/// A validity mask of rows: bit `i`, least significant first, says whether `is_valid` holds for row `i`.
pub fn bits<R>(rows: &[R], is_valid: impl Fn(&R) -> bool) -> Vec<u8> {
    let byte = |rows: &[R]| (0..).zip(rows).map(|(place, row)| u8::from(is_valid(row)) << place).sum();
    rows.chunks(8).map(byte).collect()
}
