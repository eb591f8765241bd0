"""Evaluation of predictions: models, baselines, scores, results."""
