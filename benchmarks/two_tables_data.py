"""Generated tables for ranking metrics: truth (userid, itemid) and rec (userid, itemid, score).

The number of relevant items per user is lognormal. 30 % of them are recommended, with scores half a standard
deviation above those of other items. Scores do not tie, and every user is in both tables. The rows of truth
are shuffled, as events are. The rows of rec are clustered by user, with users and their rows in random order,
or shuffled as well.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

_CATALOGUE = 99_991  # a prime: equal steps around a circle of this length meet no item twice
_MAX_TRUTHS = 50
_RECOMMENDED = 0.3
_BOOST = 0.5
_CHUNK = 50_000
_ROW_GROUP = 122_880


@dataclass(frozen=True)
class Data:
    """The size and the layout of the two tables."""

    #: The number of users.
    users: int
    #: The number of recommendations per user.
    recs: int
    #: The mean number of relevant items per user.
    truths: int
    #: Whether the rows are in random order.
    shuffled: bool = False
    #: Whether the ids are texts.
    texts: bool = False

    def __str__(self) -> str:
        rows = "shuffled" if self.shuffled else "clustered"
        ids = ", text ids" if self.texts else ""
        return f"{self.users:,} users x {self.recs} recs x {self.truths} truths, {rows}{ids}"

    def write(self, folder: Path) -> Path:
        """Write the tables to a subfolder, unless it exists, and return the subfolder."""
        name = f"{self.users}x{self.recs}x{self.truths}" + "-shuffled" * self.shuffled + "-texts" * self.texts
        if not (folder / name).exists():
            unfinished = folder / f"{name}.unfinished"
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir(parents=True)
            self._write(unfinished)
            unfinished.rename(folder / name)
        return folder / name

    def _write(self, folder: Path) -> None:
        rng = np.random.default_rng(self.users)
        userids = rng.permutation(self.users) + 1
        truths = self._truths(rng)
        hits = np.minimum(rng.binomial(truths, _RECOMMENDED), self.recs)
        start = rng.integers(0, _CATALOGUE, self.users)
        step = rng.integers(1, _CATALOGUE, self.users)

        user = np.repeat(np.arange(self.users), truths)
        nth = np.arange(len(user)) - np.repeat(np.cumsum(truths) - truths, truths)
        item = (start[user] + step[user] * nth) % _CATALOGUE
        order = rng.permutation(len(user))
        truth = self._table(userids[user][order], item[order])
        pq.write_table(truth, folder / "truth.parquet", row_group_size=_ROW_GROUP)

        recs = self._recs(rng, userids, start, step, hits)
        if self.shuffled:
            table = pa.concat_tables(recs).combine_chunks()
            recs = iter([table.take(rng.permutation(len(table)))])
        first = next(recs)
        with pq.ParquetWriter(folder / "rec.parquet", first.schema) as writer:
            writer.write_table(first, row_group_size=_ROW_GROUP)
            for table in recs:
                writer.write_table(table, row_group_size=_ROW_GROUP)

    def _truths(self, rng: np.random.Generator) -> np.ndarray:
        """Draw the number of relevant items of each user, scaled until the mean is `truths`."""
        drawn = np.exp(0.8 * rng.standard_normal(self.users))
        scale = float(self.truths)
        for _ in range(30):
            truths = np.clip(np.rint(scale * drawn), 1, _MAX_TRUTHS)
            scale *= self.truths / truths.mean()
        return truths.astype(np.int64)

    def _recs(
        self,
        rng: np.random.Generator,
        userids: np.ndarray,
        start: np.ndarray,
        step: np.ndarray,
        hits: np.ndarray,
    ) -> Iterator[pa.Table]:
        for first in range(0, self.users, _CHUNK):
            users = slice(first, first + _CHUNK)
            count = len(hits[users])
            nth = rng.permuted(np.tile(np.arange(self.recs, dtype=np.int64), (count, 1)), axis=1)
            hit = nth < hits[users, None]
            # Misses are further steps than any relevant item, so they are not relevant.
            nth[~hit] += _MAX_TRUTHS
            item = (start[users, None] + step[users, None] * nth) % _CATALOGUE
            score = rng.standard_normal(nth.shape) + _BOOST * hit
            table = self._table(np.repeat(userids[users], self.recs), item.ravel())
            yield table.append_column("score", pa.array(score.ravel()))

    def _table(self, users: np.ndarray, items: np.ndarray) -> pa.Table:
        return pa.table({"userid": self._ids(users, "user"), "itemid": self._ids(items + 1, "item")})

    def _ids(self, numbers: np.ndarray, kind: str) -> pa.Array:
        if not self.texts:
            return pa.array(numbers)
        digits = pc.utf8_lpad(pa.array(np.arange(numbers.max() + 1)).cast(pa.string()), 10, "0")
        return pc.binary_join_element_wise(kind, digits, "-").take(pa.array(numbers))
