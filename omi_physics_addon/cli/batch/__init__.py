"""Many files to many files: what is to be done, what is done, and the processes that do it."""

from __future__ import annotations

from pathlib import Path

SERVER = Path(__file__).resolve().with_name("serve.py")  # Run by the processes that do files.
