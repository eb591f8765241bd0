"""Videos from web servers, buckets and shares, fetched whole into a cache."""
