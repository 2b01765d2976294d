"""What benchmarks ask beside whole reports: tasks with an answer of their own, scored over a corpus."""
