"""From a result to words: streamed, cited, in the language of the question."""
