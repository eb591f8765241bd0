"""The fields of a form: one kind of answer each."""
