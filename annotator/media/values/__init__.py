"""Plain values: pictures, requests, progress."""
