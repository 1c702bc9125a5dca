"""The limits of a tool's calls, a wrapper each; `kept` puts them around a handler and keeps what they remember.

    Cached( Guarded( Repeated( Paced( the attempt ) ) ) )

What a cache holds costs nothing; the breaker judges a call after all its tries; each try waits for its turn.
"""
