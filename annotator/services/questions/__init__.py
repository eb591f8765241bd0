"""What is asked in a project: items, and the sheets people answer.

project.questions.add(items)        tasks for many items, one transaction
project.questions.sheet(session)    what is asked in an opened task, and how it is answered
project.questions.list(...)         items, for leads
"""
