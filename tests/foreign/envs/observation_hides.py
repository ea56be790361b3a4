"""Shows only who moves."""

from typing import Any

import numpy as np
from sound import Nim


class Env(Nim):
    def seen(self) -> Any:
        return np.array([0, self.current_player])
