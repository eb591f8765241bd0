"""Metrics of predictions against annotations, as the published benchmarks define them.

Arrays in, numbers out. Boxes are (x1, y1, x2, y2); points are (x, y); segments are (start, end).
"""
