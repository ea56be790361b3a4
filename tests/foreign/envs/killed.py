"""Ends its process when two stones are left."""

import os
from typing import Any

from sound import Nim


class Env(Nim):
    def taken(self, action: Any) -> Any:
        if self.left == 2:
            os._exit(7)
        return super().taken(action)
