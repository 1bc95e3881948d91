"""Pages as geometry, and how lines of LaTeX are rebuilt from them. Knows nothing of questions."""
