"""Services: the functions of the program, without Qt and without SQL."""
