"""The engine `temporal`: runs are workflows of a Temporal service, and their nodes activities, done by any worker.

`course.py` decides (the scheduler and the log, pure), `workflow.py` lets Temporal keep and replay that, `nodes.py` does
the work of nodes in a worker, `engine.py` is the seam. Needs the extra `temporal`: nobody outside imports it at the
top.
"""
