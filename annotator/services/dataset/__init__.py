"""The data set as a whole: what is in it, how well predictions meet it."""
