"""Commands about people, work packages, hubs, gold tasks, tests and studies."""
