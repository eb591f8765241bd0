"""Human baselines: people who had no part in the items answer them."""
