"""What the suites of tests/ share: see README.md."""
