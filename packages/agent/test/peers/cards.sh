#!/bin/sh
# A test peer: a program for MANC_CARDS.
echo lo
