"""Rules that find tracks by what happens to them."""
