"""Shows more than its space allows."""

from typing import Any

import numpy as np
from sound import Nim


class Env(Nim):
    def seen(self) -> Any:
        return np.array([self.left + 100, self.current_player])
