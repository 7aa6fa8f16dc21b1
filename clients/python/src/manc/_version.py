"""The version of this library, which is that of the controller that it belongs to."""

VERSION = "1.1.0"
