"""A tool that is a question to a model."""

from pegboard.config.declaration import Declaration


class PromptDeclaration(Declaration):
    """What the model is asked; `{argument}` stands for an argument's value."""

    template: str
    """What the model shall do."""
