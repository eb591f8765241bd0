"""Answers and questions: items, agreement, open answers, tables of benchmarks."""
