"""``python -m ctxviz``."""

from __future__ import annotations

import sys

from ctxviz.cli import main

sys.exit(main())
