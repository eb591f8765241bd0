"""Items, question sets, votes, agreement and studies of a project.

project.questions.add(items)             tasks for many items, one transaction
project.questions.question_set(session)  the items and answers of an opened task
project.questions.list(...)              items, for leads
"""
