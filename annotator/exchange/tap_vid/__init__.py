"""TAP-Vid: points on every frame of a video, as a pickle or as CSV.

One module reads each form into an `Example`, one writes it; an example becomes marks of points and
back in between.
"""
