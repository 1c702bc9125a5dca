"""`spread`: where things stand in a row, each as near to its wish as the others allow."""

from collections.abc import Sequence


def spread(wishes: Sequence[float], distances: Sequence[int]) -> list[int]:
    """Return places in the order of `wishes`, nearest to them by least squares.

    `distances[i]` is how far the place `i + 1` is behind the place `i` at least. Without the distances it is a
    regression that may not fall: neighbours that are out of order are put together (pool adjacent violators).
    """
    offsets = [0]
    for distance in distances:
        offsets.append(offsets[-1] + distance)
    pools: list[tuple[float, int]] = []
    for wish, offset in zip(wishes, offsets, strict=True):
        mean, count = wish - offset, 1
        while pools and pools[-1][0] > mean:
            other, others = pools.pop()
            mean, count = (mean * count + other * others) / (count + others), count + others
        pools.append((mean, count))
    shifts = [round(mean) for mean, count in pools for _ in range(count)]
    return [shift + offset for shift, offset in zip(shifts, offsets, strict=True)]
