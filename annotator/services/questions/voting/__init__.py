"""From submitted answers to votes and one result."""
