//! Ideal DCG: the DCG of the best order of the judged items.

use super::metric::{Metric, Needs, Options, Outcome, RankingAtK, ValueRange};

pub static METRIC: Metric = Metric {
    name: "idcg",
    paper_name: "IDCG",
    summary: "ideal DCG: the DCG of the best order of all judged items, cut at k",
    formula: "sum over the k largest gains of gain * discount(rank)",
    latex: r"\sum_{i=1}^{k} \frac{2^{r^*_i} - 1}{\log_2(i + 1)}",
    range: ValueRange::POSITIVE,
    source: "Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 2002",
    needs: Needs::Gains,
    options: &["gain", "discount", "idcg", "min_rel", "no_relevant", "empty_rec", "duplicates"],
    kernel,
    ..Metric::USUAL
};

fn kernel(ranking: &RankingAtK, options: &Options) -> Outcome {
    Outcome::Ideal(ranking.ideal_gain(options))
}
