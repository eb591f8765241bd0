"""Benchmarks as plug-ins: one folder and one entry point of "annotator.benchmarks" each.

Each folder's `BENCHMARK` lists its plug-in parts; see
`annotator.services.questions.benchmark_plugin`. Nothing outside names a benchmark.
"""
