"""Commands about the data set: statistics, splits, evaluation, releases."""
