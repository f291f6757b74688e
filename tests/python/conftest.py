"""Ctrl-C reaches the programs under test, also where a shell started the run in the background and ignores it."""

import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
