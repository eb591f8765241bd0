"""Construction of the frame table: packets, times, and the frames a decoder shows."""
