"""The ways to score candidates, one file each, behind the seam of `strategy`."""
