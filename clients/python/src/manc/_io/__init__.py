"""Requests, WebSockets and time: all that differs between the two clients. The functions of both files correspond."""
