"""Systems that recommend items to many users, at random, some better than others."""

from __future__ import annotations

import random
from typing import Any

USERS = 40


def system(seed: int, good: float, length: int = 6, users: int = USERS) -> dict[str, list[Any]]:
    """Recommend items out of twelve. The first four are relevant, and score higher the larger `good` is."""
    chance = random.Random(seed)
    rows = []
    for user in range(users):
        keys = {item: chance.random() + (good * chance.random() if item < 4 else 0) for item in range(12)}
        best = sorted(keys, key=lambda item: -keys[item])[:length]
        rows += [(user, item, -place) for place, item in enumerate(best)]
    return {name: [row[place] for row in rows] for place, name in enumerate(("userid", "itemid", "score"))}


RELEVANT = {"userid": [user for user in range(USERS) for _ in range(4)], "itemid": [*range(4)] * USERS}
SYSTEMS = {"plain": system(1, 0.2), "good": system(2, 1.5), "same": system(3, 0.2)}
