"""NLWeb's own files, read into the trees that our documents give."""
