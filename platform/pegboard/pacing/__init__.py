"""When something may be done: rates, pauses after failures, repetitions, and doing once what many want at once.

State machines that are told the time, shared by what asks models (`llm`) and what calls tools (`run`).
"""
