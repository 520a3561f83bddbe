//! The root of a rising function.

/// The precision of a root, as a share of its size.
const PRECISION: f64 = 1e-12;
/// The number of steps, of which about ten are taken.
const STEPS: usize = 100;

/// The place at which a function that rises is 0, searched from `start`: the false position with the rule of Illinois
/// (Dowell and Jarratt, BIT 1971) between two places around it.
pub fn root(start: f64, function: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (start, start);
    let first = function(start);
    let (mut at_low, mut at_high) = (first, first);
    let mut step = 1.0_f64;
    while at_low > 0.0 && step.is_finite() {
        (high, at_high) = (low, at_low);
        low = start - step;
        at_low = function(low);
        step *= 2.0;
    }
    while at_high < 0.0 && step.is_finite() {
        (low, at_low) = (high, at_high);
        high = start + step;
        at_high = function(high);
        step *= 2.0;
    }
    let mut was_low = None;
    for _ in 0..STEPS {
        if at_low == 0.0 {
            return low;
        }
        if high - low <= PRECISION * high.abs().max(low.abs()) || at_high == 0.0 {
            break;
        }
        let middle = (low * at_high - high * at_low) / (at_high - at_low);
        let value = function(middle);
        let is_low = value < 0.0;
        // An end that stays twice counts half, so that both ends approach the root.
        let stays = was_low == Some(is_low);
        if is_low {
            (low, at_low) = (middle, value);
            at_high *= if stays { 0.5 } else { 1.0 };
        } else {
            (high, at_high) = (middle, value);
            at_low *= if stays { 0.5 } else { 1.0 };
        }
        was_low = Some(is_low);
    }
    high
}
