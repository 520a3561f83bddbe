//! The measures of a call over two tables: metrics by any of their names, each at cutoffs of its own or else at those of
//! the call.

use super::form::Form;
use super::lookup;
use super::names::{self, ALL, Named};
use crate::error::{Error, bail};
use crate::options::choices::Explained;
use crate::options::parse::excerpt;

/// A metric at a cutoff.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// The metric's name in results, with options of its own in brackets: `ndcg` or `ndcg(gain=linear)`.
    pub metric: String,
    /// The cutoff; `None` for the whole list, and for metrics that take no cutoff.
    pub k: Option<i64>,
    /// The least value of the metric; `None` is no bound.
    pub least: Option<f64>,
    /// The largest value of the metric; `None` is no bound.
    pub most: Option<f64>,
}

impl Planned {
    /// Its name as functions of measures take it, such as `ndcg@10`.
    pub fn name(&self) -> String {
        self.k.map_or_else(|| self.metric.clone(), |k| format!("{}@{k}", self.metric))
    }
}

/// The measures of these metrics, those of one metric together; a name that is `None` was NULL.
///
/// `ks` are the cutoffs of metrics that take one and have none of their own, and `asked` is the argument in which the
/// caller gave them; `None` if they are defaults. `options` are those of the call.
pub fn plan(
    metrics: &[Option<&str>],
    ks: &[Option<i64>],
    asked: Option<&str>,
    options: &str,
) -> Result<Vec<Planned>, Error> {
    let of_call = match lookup("rank_measures_by_user") {
        Some(function) => function.option_schema.pairs(options)?,
        None => bail!(internal: "there are no measures"),
    };
    let mut planned: Vec<(Named, Vec<Option<i64>>)> = Vec::new();
    let mut uses_ks = false;
    for name in metrics {
        let Some(name) = name else { bail!("metrics" => "metrics must be names of metrics, got NULL") };
        let named = names::read(name).map_err(|_| names::unknown(name))?;
        let (metric, takes_k) = (named.metric(), named.function.takes_k());
        if let Some(how) = named.mean_in_sql(ks.first().copied().flatten()) {
            bail!("metrics" => "{metric}: {how}");
        }
        if named.function.form == Form::Aspects {
            bail!("metrics" => "{metric} reads aspects of items: evaluate in Python has it, with the argument aspect");
        }
        if named.function.form == Form::Items {
            bail!("metrics" => "{metric} reads a table of items: rank_items has it, and evaluate in Python with the argument items");
        }
        if named.function.form == Form::Spans {
            bail!("metrics" => "{metric} reads spans: rank_evaluate_spans has it, and evaluate in Python with the argument spans");
        }
        let own = match named.cutoff.as_deref() {
            Some(_) if !takes_k => {
                bail!("metrics" => "{metric} ranks the whole list and takes no cutoff, got '{}'", excerpt(name))
            }
            Some(ALL) => Some(None),
            Some(digits) => Some(Some(digits.parse().unwrap_or(i64::MAX))),
            None => None,
        };
        uses_ks |= takes_k && own.is_none();
        let cuts = match own {
            Some(cut) => vec![cut],
            None if takes_k => ks.to_vec(),
            None => vec![None],
        };
        let place = planned.iter().position(|(known, _)| known.metric() == metric).unwrap_or(planned.len());
        if place == planned.len() {
            planned.push((named, Vec::new()));
        }
        for cut in cuts {
            if !planned[place].1.contains(&cut) {
                planned[place].1.push(cut);
            }
        }
    }
    if planned.is_empty() {
        bail!("metrics" => "metrics is empty; there are {}", names::bases().join(", "));
    }
    if let Some(asked) = asked.filter(|_| !uses_ks) {
        check_used(&planned, ks, asked)?;
    }
    let of_metric = |(named, cuts): (Named, Vec<Option<i64>>)| measures(&named, &cuts, &of_call);
    Ok(planned.into_iter().map(of_metric).collect::<Result<Vec<_>, _>>()?.concat())
}

/// The names in results of these metrics, which must be sums over items; a name that is `None` was NULL. Their options
/// and their cutoff are arguments of the call.
pub fn explained(metrics: &[Option<&str>]) -> Result<Vec<&'static str>, Error> {
    let sums = Explained::NAMES;
    let refused = |got: &str| {
        Error::new(format!("metrics must be among {}, got {got}", sums.join(", "))).about("metrics")
    };
    let explained = |name: Option<&str>| {
        let Some(name) = name else { return Err(refused("NULL")) };
        let Ok(named) = names::read(name) else {
            return Err(refused(&names::with_advice(name, excerpt(name))));
        };
        let base = &named.function.base;
        let Some(sum) = sums.iter().find(|sum| *sum == base) else {
            return Err(refused(&format!("{}, which is no sum over items", excerpt(name))));
        };
        if named.cutoff.is_some() || !named.own.is_empty() {
            let why = "options and the cutoff are arguments here";
            return Err(refused(&format!("{}: {why}", excerpt(name))));
        }
        Ok(*sum)
    };
    if metrics.is_empty() { Err(refused("none")) } else { metrics.iter().copied().map(explained).collect() }
}

/// An error about cutoffs that no metric uses, unless they repeat those of metrics, or say that whole lists are ranked.
fn check_used(planned: &[(Named, Vec<Option<i64>>)], ks: &[Option<i64>], asked: &str) -> Result<(), Error> {
    let cut = planned.iter().filter(|(named, _)| named.function.takes_k());
    let used: Vec<Option<i64>> = cut.flat_map(|(_, cuts)| cuts.iter().copied()).collect();
    let repeated = if used.is_empty() { &[None][..] } else { &used };
    if ks.iter().all(|k| repeated.contains(k)) {
        return Ok(());
    }
    let shown: Vec<String> = ks.iter().map(|k| k.map_or("NULL".to_owned(), |k| k.to_string())).collect();
    let shown = shown.join(", ");
    if !used.is_empty() {
        bail!(asked => "{asked} is for metrics without a cutoff of their own, of which there are none, got {shown}");
    }
    let metrics: Vec<String> = planned.iter().map(|(named, _)| named.metric()).collect();
    let (rank, take) = if metrics.len() == 1 { ("ranks", "takes") } else { ("rank", "take") };
    bail!(asked => "{} {rank} the whole list and {take} no {asked}, got {shown}", metrics.join(" and "));
}

/// A metric at its cutoffs, after a check of its options.
fn measures(
    named: &Named,
    cuts: &[Option<i64>],
    of_call: &[(&'static str, String)],
) -> Result<Vec<Planned>, Error> {
    let (function, metric) = (named.function, named.metric());
    if named.own.contains_key("convention") {
        bail!("metrics" => "{metric}: a convention is an option of all metrics: give it among options");
    }
    for k in cuts.iter().flatten() {
        function.cutoff(*k)?;
    }
    let taken = of_call.iter().filter(|(name, _)| function.options().contains(name));
    let others = taken.filter(|(name, _)| !named.own.contains_key(*name));
    let mut written: Vec<String> = others.map(|(name, value)| format!("{name}={value}")).collect();
    let is_own = !named.own.is_empty();
    written.extend(is_own.then(|| named.own_options(",")));
    let resolved = function.resolve(&written.join(",")).map_err(|error| {
        if is_own { Error::new(format!("{metric}: {error}")).about("metrics") } else { error }
    })?;
    let (least, most) = (resolved.least, resolved.most);
    Ok(cuts.iter().map(|k| Planned { metric: metric.clone(), k: *k, least, most }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(planned: Result<Vec<Planned>, Error>) -> Result<Vec<String>, String> {
        planned.map(|all| all.iter().map(Planned::name).collect()).map_err(|error| error.to_string())
    }

    #[test]
    fn metrics_have_cutoffs_of_their_own_or_those_of_the_call() {
        let given = ["nDCG", "P(rel=2)@5", "rankdcg", "MAP@all", "ndcg@3", "p(min_rel=2)@5"].map(Some);
        let expected = ["ndcg@5", "ndcg", "ndcg@3", "precision(min_rel=2)@5", "rankdcg", "average_precision"];
        assert_eq!(names(plan(&given, &[Some(5), None], Some("ks"), "")).unwrap(), expected);
    }

    #[test]
    fn ranges_are_those_of_the_options() {
        let most = |name, options| plan(&[Some(name)], &[None], None, options).unwrap()[0].most;
        assert_eq!(most("rbp", ""), Some(1.0));
        assert_eq!(most("rbp", "rbp_gain=linear"), None);
        assert_eq!(most("rbp(rbp_gain=linear)", ""), None);
        assert_eq!(most("cg", ""), None);
    }

    #[test]
    fn explained_metrics_are_sums() {
        assert_eq!(explained(&[Some("MAP"), Some("nDCG")]).unwrap(), ["average_precision", "ndcg"]);
        let sums = Explained::NAMES.join(", ");
        for (names, got) in [
            (&[][..], "none"),
            (&[None], "NULL"),
            (&[Some("ndcg"), Some("auc")], "auc, which is no sum over items"),
            (&[Some("ndcg@5")], "ndcg@5: options and the cutoff are arguments here"),
            (&[Some("ndgc")], "ndgc"),
            (&[Some("SetP")], "SetP: did you mean precision of the whole list?"),
        ] {
            let error = explained(names).unwrap_err().to_string();
            assert_eq!(error, format!("metrics must be among {sums}, got {got}"));
        }
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let refused = |name, ks: &[Option<i64>], asked| names(plan(&[name], ks, asked, "")).unwrap_err();
        for (name, ks, asked, expected) in [
            (None, &[None][..], None, "metrics must be names of metrics, got NULL"),
            (
                Some("rankdcg@3"),
                &[None],
                None,
                "rankdcg ranks the whole list and takes no cutoff, got 'rankdcg@3'",
            ),
            (Some("rankdcg"), &[Some(3)], Some("ks"), "rankdcg ranks the whole list and takes no ks, got 3"),
            (
                Some("ndcg@2"),
                &[Some(3), None],
                Some("k"),
                "k is for metrics without a cutoff of their own, of which there are none, got 3, NULL",
            ),
            (Some("ndcg@0"), &[None], None, "k must be at least 1, got 0"),
            (
                Some("ndcg(gain=foo)"),
                &[None],
                None,
                "ndcg(gain=foo): gain must be exp2, linear, binary or a gain for each grade",
            ),
            (
                Some("mrr(convention=spark)"),
                &[None],
                None,
                "mrr(convention=spark): a convention is an option of all metrics",
            ),
            (Some("alpha_ndcg"), &[None], None, "alpha_ndcg reads aspects of items: "),
            (
                Some("P_5,10"),
                &[None],
                None,
                "there is no metric 'P_5,10': did you mean 'precision@5', 'precision@10'?",
            ),
            (Some("ndgc"), &[None], None, "there is no metric 'ndgc': did you mean ndcg"),
            (
                Some("mrr, ndcg"),
                &[None],
                None,
                "there is no metric 'mrr, ndcg': give a list of names, such as ['ndcg', 'recall@5']",
            ),
            (
                Some("gm_map"),
                &[None],
                None,
                "gmap: it is a mean over users, which evaluate in Python has; in SQL: SELECT ",
            ),
            (
                Some("set_map"),
                &[None],
                None,
                "there is no metric 'set_map': rankdcg_sql does not compute the product",
            ),
        ] {
            let found = refused(name, ks, asked);
            assert!(found.starts_with(expected), "{found}");
        }
        assert!(names(plan(&[], &[None], None, "")).unwrap_err().starts_with("metrics is empty; there are "));
    }
}
