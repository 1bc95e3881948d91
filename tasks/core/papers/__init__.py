"""Lines of pages → the questions of an exam paper, by a layout profile. Knows no engine."""
