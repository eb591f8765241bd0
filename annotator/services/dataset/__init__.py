"""The data set as a whole: statistics, splits, releases and evaluation of predictions."""
