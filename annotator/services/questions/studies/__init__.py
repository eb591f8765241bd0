"""Human-baseline studies with independent participants."""
