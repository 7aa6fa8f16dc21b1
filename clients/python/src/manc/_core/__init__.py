"""The logic of both clients. It does no input or output: flows yield what to do, and get the result."""
