"""The picture for a terminal: boxes in layers, and lines that lead down from each to what waits for it."""

from collections.abc import Mapping, Sequence

from pegboard.plan.picture.boxes import Box
from pegboard.plan.picture.canvas import Canvas
from pegboard.plan.picture.channel import Tangled, drawn
from pegboard.plan.picture.layers import Layers, Spot, layers_of
from pegboard.plan.picture.look import Look, width
from pegboard.plan.picture.routes import Routes, routed


def layered(boxes: Sequence[Box], look: Look) -> Canvas | None:
    """Draw `boxes`, none of which waits in a circle; None where the picture would be too large, or not be clear."""
    found = layers_of(boxes)
    by_name = {box.name: box for box in boxes}
    right = max(middle + (by_name[spot[0]].width // 2) for spot, middle in found.middles.items() if found.is_box(spot))
    if right >= look.columns:
        return None
    canvas, top = Canvas(), 0
    try:
        for layer, spots in enumerate(found.layers):
            top = _draw_channel(canvas, routed(found, layer, by_name), top, look) if layer else 0
            height = max((by_name[spot[0]].height for spot in spots if found.is_box(spot)), default=1)
            for spot in spots:
                _draw_spot(canvas, found, spot, by_name, (top, height), look)
            top += height
    except Tangled:
        return None
    return canvas if look.rows is None or top <= look.rows else None


def _draw_spot(
    canvas: Canvas, found: Layers, spot: Spot, boxes: Mapping[str, Box], rows: tuple[int, int], look: Look
) -> None:
    """Draw a box, or a line that passes, in a layer of `rows` (its top and its height)."""
    (top, height), middle = rows, found.middles[spot]
    used = 0
    if found.is_box(spot):
        box = boxes[spot[0]]
        _draw_box(canvas, box, middle - box.width // 2, top, look)
        used = box.height
    if found.below.get(spot):
        if used:
            canvas.put(middle, top + used - 1, look.line("┬"))
        for row in range(used, height):
            canvas.put(middle, top + row, look.line("│"))


def _draw_box(canvas: Canvas, box: Box, left: int, top: int, look: Look) -> None:
    edge, inner = look.line("─"), box.width - 2
    title = f" {box.title} " if box.title else ""
    canvas.put(left, top, look.line("┌") + title + edge * (inner - width(title)) + look.line("┐"))
    for row, line in enumerate(box.lines, start=top + 1):
        canvas.put(left, row, look.line("│"))
        canvas.put(left + 2, row, line.text, line.state)
        canvas.put(left + inner + 1, row, look.line("│"))
    canvas.put(left, top + box.height - 1, look.line("└") + edge * inner + look.line("┘"))


def _draw_channel(canvas: Canvas, routes: Routes, top: int, look: Look) -> int:
    """Draw the lines that lead to a layer; return where it begins."""
    height = 1 + max(routes.rows.values(), default=-1)
    for column, row, sign in drawn(routes.nets, routes.rows, height):
        canvas.put(column, top + row, look.line(sign))
    for column, is_box in routes.ends.items():
        canvas.put(column, top + height, look.line("▼" if is_box else "│"))
    return top + height + 1
