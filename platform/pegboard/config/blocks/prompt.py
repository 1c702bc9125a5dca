"""A tool that is a question to a model."""

from pydantic import Field

from pegboard.config.declaration import Declaration


class PromptDeclaration(Declaration):
    """What the model is asked; `{argument}` stands for an argument's value."""

    template: str
    """What the model shall do."""
    system: str = ""
    """Who the model is and what it minds, the same for every call; without it, that it minds the template."""
    max_tokens: int = Field(default=1024, ge=1, le=100_000)
    """Longest reply."""
