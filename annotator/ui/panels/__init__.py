"""The panels round the canvas: tasks, objects, inspector, transport, messages."""
