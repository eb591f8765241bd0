"""Neural networks that a user adds: manifests, the folder they are kept in, and their use."""
