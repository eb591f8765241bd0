"""The window itself: what is open in it, how it is put together, what is on which page."""
