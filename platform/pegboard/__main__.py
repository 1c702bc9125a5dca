"""`python -m pegboard`, the same command as `platform`."""

from pegboard.edges.cli import main

if __name__ == "__main__":
    main()
