"""The test of MPI is there where MPI is; `.ci/run` installs it and runs the test by name, so that CI cannot miss it."""

import importlib.util
import shutil

collect_ignore = [] if shutil.which("mpiexec") and importlib.util.find_spec("mpi4py") else ["test_mpi.py"]
