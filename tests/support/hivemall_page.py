"""The values of Apache Hivemall's page on ranking metrics."""

from __future__ import annotations

BINARY = {
    "recall": 0.6666666666666666,
    "recall_at_2": 0.3333333333333333,
    "precision": 0.5,
    "precision_at_2": 0.5,
    "average_precision": 0.5555555555555555,
    "average_precision_at_2": 0.3333333333333333,
    "auc": 0.75,
    "auc_at_2": 1.0,
    "mrr": 1.0,
    "mrr_at_2": 1.0,
    "ndcg": 0.7039180890341349,
    "ndcg_at_2": 0.6131471927654585,
}

GRADED = [0.8128912838590544, 0.9187707805346093]  # at 2 and 3
