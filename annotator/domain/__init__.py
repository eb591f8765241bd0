"""Facts and rules of annotation: frozen values and pure functions."""
