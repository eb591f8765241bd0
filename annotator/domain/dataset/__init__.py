"""The data set as a whole: facts about annotations, statistics and splits of them."""
