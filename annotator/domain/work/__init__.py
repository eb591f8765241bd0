"""Rules of the workflow: records, events, and the transitions between them.

    event = create(...)                  a task that waits at its first stage
    events = plan(record, act, office, now)   what an act means here and now, or WorkError
    record = apply(record, event)        for each of them, in order
    record = replay(events)              the same record again, at any time

Nothing here is proportional to the number of tasks; nothing reads a clock, a file or a random
number.
"""
