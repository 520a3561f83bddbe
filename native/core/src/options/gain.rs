//! Gains of relevances, and what items are worth.

use crate::error::{Error, bail};
use crate::options::choices::{Invalid, finite};

/// The largest gain allowed; sums of gains then do not overflow.
const MAX_GAIN: f64 = 1e300;

/// The function from relevances to gains.
#[derive(Clone, Debug, PartialEq)]
pub enum Gain {
    /// `2^rel - 1`.
    Exp2,
    Linear,
    /// 1 for a relevant item, else 0.
    Binary,
    /// The gain of each grade, at the index of the grade, from 0.
    Grades(Vec<f64>),
}

impl Gain {
    pub(crate) const NAMES: &[&str] = &["exp2", "linear", "binary"];

    pub(crate) fn parse(text: &str) -> Result<Self, Invalid> {
        match text {
            "exp2" => Ok(Self::Exp2),
            "linear" => Ok(Self::Linear),
            "binary" => Ok(Self::Binary),
            grades => grades
                .split(':')
                .map(|gain| finite(gain.trim()).filter(|gain| (0.0..=MAX_GAIN).contains(gain)).ok_or(Invalid))
                .collect::<Result<_, _>>()
                .map(Self::Grades),
        }
    }

    /// The gain of a relevance; items are relevant from `min_rel` on. An error if `rel` has no gain or too large a one.
    #[inline(always)]
    pub(crate) fn of(&self, rel: f64, min_rel: f64) -> Result<f64, Error> {
        let gain = match self {
            Self::Binary => f64::from(rel >= min_rel),
            Self::Linear => rel,
            Self::Exp2 => exp2_minus_1(rel),
            Self::Grades(grades) => gain_of_grade(grades, rel)?,
        };
        if gain > MAX_GAIN {
            bail!("gain" => "relevance {rel} is too large: its gain must be at most 1e300");
        }
        Ok(gain)
    }
}

/// The worth of items in utility.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worth {
    /// That of a relevant item in the top k.
    pub hit: f64,
    /// That of another item there.
    pub other: f64,
    /// That of a relevant item that is not there.
    pub missed: f64,
}

impl Worth {
    pub(crate) const USUAL: Self = Self { hit: 1.0, other: -1.0, missed: 0.0 };

    pub(crate) fn parse(text: &str) -> Result<Self, Invalid> {
        /// Sums of worths then do not overflow.
        const MOST: f64 = 1e6;
        let worth = |text: &str| finite(text.trim()).filter(|worth| worth.abs() <= MOST).ok_or(Invalid);
        match text.split(':').collect::<Vec<_>>()[..] {
            [hit, other, missed] => {
                Ok(Self { hit: worth(hit)?, other: worth(other)?, missed: worth(missed)? })
            }
            _ => Err(Invalid),
        }
    }
}

/// The gain at the index `rel`; an error if that is no index.
fn gain_of_grade(gains: &[f64], rel: f64) -> Result<f64, Error> {
    let Some((_, gain)) = gains.iter().enumerate().find(|(grade, _)| *grade as f64 == rel) else {
        let highest = gains.len() - 1;
        bail!("gain" => "relevance must be a grade from 0 to {highest} of the gains given, got {rel}");
    };
    Ok(*gain)
}

#[inline]
fn exp2_minus_1(rel: f64) -> f64 {
    // Nearly all grades are small integers, and for these a shift is far cheaper than the general power.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let whole = rel as u32;
    if whole < f64::MANTISSA_DIGITS && f64::from(whole) == rel {
        ((1_u64 << whole) - 1) as f64
    } else {
        (rel * std::f64::consts::LN_2).exp_m1()
    }
}
