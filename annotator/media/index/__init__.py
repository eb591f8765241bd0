"""Making the frame table: packets, their times, and what a decoder will show of them."""
