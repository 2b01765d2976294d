"""One module per set of truths that the parser is measured against. Each gives figures and the mistakes behind
them; `benchmarks.accuracy` puts them together."""
