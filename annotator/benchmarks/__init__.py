"""Benchmarks as plug-ins: one folder and one entry point of "annotator.benchmarks" each.

Each folder's `BENCHMARK` says what it adds to the program; see
`annotator.services.questions.benchmark_plugin`. Nothing outside names a benchmark.
"""
