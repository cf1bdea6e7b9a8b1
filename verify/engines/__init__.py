"""Where and how work is done: processes, limits, what is put back after a stranger's code, this machine."""
