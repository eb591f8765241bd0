"""The lead dashboard: board, statistics, answers, people, studies."""
