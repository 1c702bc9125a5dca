"""What has happened in each run, written down before anything follows from it."""
