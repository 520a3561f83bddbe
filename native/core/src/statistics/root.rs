//! The root of a rising function.

/// The precision of a root, as a share of its size.
const PRECISION: f64 = 1e-12;
/// The number of steps, of which about ten are taken.
const STEPS: usize = 100;

/// The place at which a function that rises is 0, searched from `start`: the false position with the rule of Illinois
/// (Dowell and Jarratt, BIT 1971) between two places around it.
pub fn root(start: f64, rises: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (start, start);
    let first = rises(start);
    let (mut of_low, mut of_high) = (first, first);
    let mut step = 1.0_f64;
    while of_low > 0.0 && step.is_finite() {
        (high, of_high) = (low, of_low);
        low = start - step;
        of_low = rises(low);
        step *= 2.0;
    }
    while of_high < 0.0 && step.is_finite() {
        (low, of_low) = (high, of_high);
        high = start + step;
        of_high = rises(high);
        step *= 2.0;
    }
    let mut was_low = None;
    for _ in 0..STEPS {
        if of_low == 0.0 {
            return low;
        }
        if high - low <= PRECISION * high.abs().max(low.abs()) || of_high == 0.0 {
            break;
        }
        let middle = (low * of_high - high * of_low) / (of_high - of_low);
        let found = rises(middle);
        let is_low = found < 0.0;
        // An end that stays twice counts half, so that both ends approach the root.
        let stays = was_low == Some(is_low);
        if is_low {
            (low, of_low) = (middle, found);
            of_high *= if stays { 0.5 } else { 1.0 };
        } else {
            (high, of_high) = (middle, found);
            of_low *= if stays { 0.5 } else { 1.0 };
        }
        was_low = Some(is_low);
    }
    high
}
