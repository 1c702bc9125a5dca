"""What editors say of a field: its description, its default as documents write it, values to complete."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from pegboard.config.editor.samples import CHOICES, SAMPLES
from pegboard.config.shape import Leaf, Record
from pegboard.config.sizes import shown_size
from pegboard.text import Json


@dataclass(frozen=True, slots=True)
class Described:
    """What is said of one field."""

    text: str
    default: Json
    """None where nothing stands for it: it is required, or empty."""
    samples: Sequence[Json]
    choices: Mapping[str, str]
    """What each of its choices means."""


def described(record: Record, key: str) -> Described:
    """Return what is said of the field `key`."""
    info = record.model.model_fields[key]
    return Described(
        text=info.description or "",
        default=_default(record, key),
        samples=SAMPLES.get(record.model, {}).get(key) or tuple(info.examples or ()),
        choices=CHOICES.get(record.model, {}).get(key, {}),
    )


def _default(record: Record, key: str) -> Json:
    info, shape = record.model.model_fields[key], record.keys[key]
    default = None if info.is_required() else info.get_default(call_default_factory=True)
    if isinstance(default, BaseModel) or not (default or default is False):
        return None
    if not isinstance(shape, Leaf) or shape.kind in {"text", "flag", "number"}:
        found: Json = default
        return found
    if shape.kind == "duration":
        return f"{default:g}s" if default >= 1 else f"{default * 1000:g}ms"
    return shown_size(default) if shape.kind == "size" else None
