"""From packets to pictures: exact decoding, the cache, and the thread that serves the screen."""
