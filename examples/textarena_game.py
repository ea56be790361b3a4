"""The games as an environment of TextArena (tried with 0.7.4), which carries the texts and counts wins.

A move that cannot be read or is illegal is refused once; the second in a row loses.
"""

import textarena as ta

import perfectplay as pp


class GameEnv(ta.Env):
    """One game between two agents."""

    def __init__(self, game: str = "bit-flip") -> None:
        self.game = pp.load(game)

    def reset(self, num_players: int, seed: int | None = None) -> None:
        self.match = pp.Match(self.game)
        self.state = ta.TwoPlayerState(num_players=num_players, seed=seed)
        self.state.reset(game_state={}, player_prompt_function=self._prompt)
        self._show()

    def _prompt(self, player_id: int, game_state: object) -> str:
        rules, names = self.game.texts().instructions(), self.game.side_names
        return f"{rules}\nYou are {names[player_id]}. Answer with your move alone."

    def _show(self) -> None:
        board = "\n".join(self.game.dialogue().board(self.match.state))
        self.state.add_observation(message=board, observation_type=ta.ObservationType.GAME_BOARD)

    def step(self, action: str) -> tuple[bool, ta.Info]:
        mover, kind = self.state.current_player_id, ta.ObservationType.PLAYER_ACTION
        self.state.add_observation(message=action, from_id=mover, observation_type=kind)
        try:
            self.match.play(self.game.parse_action(self.match.state, action.strip()))
        except (pp.ParseError, pp.IllegalActionError) as error:
            self.state.set_invalid_move(str(error))
            return self.state.step()  # type: ignore[no-any-return]
        self._show()
        outcome = self.game.outcome(self.match.state)
        if outcome is None:
            self.state.manually_set_current_player_id(self.game.side_to_move(self.match.state))
        elif outcome.winner is None:
            self.state.set_draw("The game is a tie.")
        else:
            self.state.set_winner(outcome.winner, "The game is over.")
        return self.state.step(rotate_player=False)  # type: ignore[no-any-return]


ta.register("PerfectPlay-v0", GameEnv)

if __name__ == "__main__":
    env = ta.make("PerfectPlay-v0", game="bit-flip:bits=5")
    env.reset(num_players=2)
    print([env.step(move)[0] for move in ("2", "nothing", "0", "4")], env.close()[0])
