//! Intervals that hold together however often one looks: each look spends a part of the error that is allowed.

use super::distributions::t_exceeded;

/// How many times as far an interval reaches at a look, counted from 1, so that the intervals of all looks hold
/// together with this confidence. `None` for numbers that no interval has.
///
/// Look t may err with the probability (1 - confidence) / (t * (t + 1)). These probabilities add up to 1 - confidence
/// over looks without end, so that nothing is assumed of how the looks depend on each other. The interval is Student's t
/// of `n` values; with `is_of_range`, it is that of `n` equal values between two bounds.
#[must_use]
pub fn widening(look: i64, n: i64, confidence: f64, is_of_range: bool) -> Option<f64> {
    if look < 1 || n < 1 || (n == 1 && !is_of_range) || !(confidence > 0.0 && confidence < 1.0) {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "digits beyond the 16th do not matter")]
    let (look, n) = (look as f64, n as f64);
    let tail = (1.0 - confidence) / 2.0;
    let reach = |tail: f64| if is_of_range { -(tail.ln() / n).exp_m1() } else { t_exceeded(tail, n - 1.0) };
    Some(reach(tail / look / (look + 1.0)) / reach(tail))
}
