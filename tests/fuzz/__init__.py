"""Random damage to files that the program reads: each must end in a result or a UserError."""
