"""Boxes that lie close together, found in time linear in their number."""

from tasks.core.pages.page import Box

MOST_CELLS = 400  # of one box; a larger one is entered by its border only


def touching_groups(boxes: list[Box], reach: float) -> list[list[int]]:
    """Indices of boxes by group: boxes nearer than `reach` are in one group, and so on.

    Nearness is decided on a grid of cells `reach` wide, so it may stretch to twice the reach.
    """
    parents = list(range(len(boxes)))

    def root(index: int) -> int:
        while parents[index] != index:
            parents[index] = parents[parents[index]]
            index = parents[index]
        return index

    owners: dict[tuple[int, int], int] = {}
    for index, box in enumerate(boxes):
        for cell in _cells(box, reach):
            owner = owners.setdefault(cell, index)
            parents[root(index)] = root(owner)
    groups: dict[int, list[int]] = {}
    for index in range(len(boxes)):
        groups.setdefault(root(index), []).append(index)
    return list(groups.values())


def _cells(box: Box, size: float) -> list[tuple[int, int]]:
    x0, x1 = int((box.x0 - size / 2) // size), int((box.x1 + size / 2) // size)
    y0, y1 = int((box.y0 - size / 2) // size), int((box.y1 + size / 2) // size)
    columns, rows = range(x0, x1 + 1), range(y0, y1 + 1)
    if len(columns) * len(rows) <= MOST_CELLS:
        return [(x, y) for x in columns for y in rows]
    return [(x, y) for x in columns for y in (y0, y1)] + [(x, y) for y in rows for x in (x0, x1)]
