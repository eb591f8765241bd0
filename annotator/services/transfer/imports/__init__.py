"""Import: a file is opened, checked and planned, then its entries are added."""
