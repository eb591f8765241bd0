"""Videos from web servers, buckets and shares: fetched whole into a cache, then used like any file."""
