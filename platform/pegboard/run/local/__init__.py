"""The engine `local`: runs are driven in this process, with a journal in an SQLite file."""
