"""The rules of Windows are laid over Linux alone: they look into /proc."""

import sys

collect_ignore = [] if sys.platform == "linux" else ["test_as_windows.py"]
