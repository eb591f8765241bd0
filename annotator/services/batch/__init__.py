"""Proposals for many videos, made overnight in processes or on a cluster."""
