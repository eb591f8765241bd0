"""Forms: what is asked in a task, how it may be answered, and how much of the video may be seen."""
