"""Items, question sets, votes, agreement and studies of a project.

project.questions.add(items)        tasks for many items, one transaction
project.questions.sheet(session)    what is asked in an opened task, and how it is answered
project.questions.list(...)         items, for leads
"""
