"""How long a test may wait on this machine: nothing that is right fails because it is slow."""

import os

from verify.engines.machine import slowness


def patient(seconds):
    """`seconds` of a machine as fast as ours with nothing else to do, on this one as it is now."""
    busy = os.getloadavg()[0] / (os.cpu_count() or 1) if hasattr(os, "getloadavg") else 1.0
    return round(seconds * slowness() * max(1.0, busy), 1)
