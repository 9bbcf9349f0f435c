"""What all tests share."""

import os
import signal

pytest_plugins = ["pytester"]

# Grice and pytest behave otherwise on a CI machine; tests that want one say so.
for variable in ("CI", "BUILD_NUMBER"):
    os.environ.pop(variable, None)

# A shell has its background jobs ignore Ctrl-C, and so would the processes that tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
