"""The example that trains a language model: its questions and rewards, and a tiny model of random numbers."""

import json
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

import pytest

import perfectplay as pp
from perfectplay.evals.positions import find_decisions
from tests.extras import ROOT
from tools import language_model_page

spec = spec_from_file_location("train_language_model", ROOT / "examples" / "train_language_model.py")
assert spec is not None
assert spec.loader is not None
example: Any = module_from_spec(spec)
spec.loader.exec_module(example)


def test_no_class_of_positions_is_in_two_sets() -> None:
    sets = example.draw_sets(0, sizes=(6, 7, 9, 10), between=8, larger=11)
    trained = {item.cluster for items in sets.train.values() for item in items}
    assert list(sets.train) == [6, 7, 9, 10]
    for held_out in sets.held_out.values():
        assert held_out
        assert not trained & {item.cluster for item in held_out}
    asked = [item.position for item in sets.train[10]]
    assert len(asked) == len(set(asked)) > len({item.cluster for item in sets.train[10]})
    decisions = [state for states in find_decisions(pp.load("bit-flip:bits=10")).values() for state in states]
    assert set(asked) < {pp.load("bit-flip:bits=10").state_text(state) for state in decisions}


def test_a_move_that_keeps_the_result_earns_one() -> None:
    [item, *_] = example.draw_sets(0).train[9]
    game = pp.load(item.game)
    state = game.parse_state(item.position)
    oracle = pp.solve(game)
    best = max(move.value.rank for move in oracle.moves(state))
    for move in oracle.moves(state):
        earned = example.reward(item, f"Move: {game.action_text(state, move.action)}")
        assert earned == (1.0 if move.value.rank[0] == best[0] else example.REWARD_LEGAL)
    assert example.reward(item, "Move: 99") == example.reward(item, "Move:") == 0.0


def test_small_boards_come_first() -> None:
    settings = example.TrainingSettings(questions=500, grow=10)
    sets = example.draw_sets(0, sizes=(6, 7, 9), between=8, larger=11)
    sizes = [{item.game for item in example.draw_batch(sets.train, step, settings)} for step in (0, 5, 10)]
    assert [len(each) for each in sizes] == [1, 2, 3]


class Model:
    """A tiny model, with a letter for a token."""

    def __init__(self, seed: int) -> None:
        torch = pytest.importorskip("torch", reason="torch is not installed")
        transformers = pytest.importorskip("transformers", reason="transformers is not installed")
        tokenizers = pytest.importorskip("tokenizers")
        letters = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
        words = tokenizers.Tokenizer(tokenizers.models.BPE({each: n for n, each in enumerate(letters)}, []))
        words.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
        words.decoder = tokenizers.decoders.ByteLevel()
        tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=words)
        sizes = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
        torch.set_num_threads(1)
        torch.manual_seed(seed)
        config = transformers.LlamaConfig(vocab_size=256, max_position_embeddings=2048, **sizes)
        self.learner = example.Learner(transformers.LlamaForCausalLM(config).eval(), tokenizer, tokens=3)


def test_answers_to_one_question_do_not_see_each_other() -> None:
    learner = Model(1).learner
    torch = pytest.importorskip("torch")
    items = [items[0] for items in example.draw_sets(0).train.values()][::4]  # of unlike lengths
    tokens, texts = learner.sample(items, 2, torch.Generator().manual_seed(3))
    assert [len(said) for said in texts] == [2] * len(items)
    assert all(text.startswith("Move:") for said in texts for text in said)
    found = learner.chances(learner.model, items, tokens)
    for item, rows, chances in zip(items, tokens.tolist(), found.tolist(), strict=True):
        prompt = learner.prompt(item)
        for row, each in zip(rows, chances, strict=True):
            whole = learner.model(torch.tensor([prompt + row])).logits[0].log_softmax(-1)
            expected = [whole[len(prompt) - 1 + n, token].item() for n, token in enumerate(row)]
            assert each == pytest.approx(expected, abs=1e-4)
    again, _ = learner.sample(items, 2, torch.Generator().manual_seed(3))
    assert again.tolist() == tokens.tolist()


def test_tokens_count_up_to_the_end_of_the_line() -> None:
    learner = Model(1).learner
    torch = pytest.importorskip("torch")
    tokens = torch.tensor([[learner.tokenizer.encode(text) for text in ("12\n", " \n3", "123")]])
    counted = [[True, True, True], [True, True, False], [True, True, True]]
    assert learner.mask_answers(tokens).tolist() == [counted]


def test_a_tiny_model_earns_more_after_some_steps() -> None:
    learner = Model(2).learner
    sets = example.draw_sets(0, sizes=(6, 7), between=5, larger=8)
    settings = example.TrainingSettings(
        steps=20, questions=2, answers=16, rate=0.02, grow=0, every=10, tokens=3
    )
    points = list(example.train(learner, sets, settings))
    assert [point["step"] for point in points] == [0, 10, 20]
    assert points[0]["batches"] == {}
    earned = [point["batches"]["reward"] for point in points[1:]]
    assert earned[1] > earned[0]
    assert set(points[-1]["held_out"]) == {"held-out classes", "5 bits", "8 bits"}


def test_the_page_says_what_the_file_of_the_runs_says() -> None:
    runs = json.loads(language_model_page.RUNS.read_text("utf-8"))
    assert (language_model_page.FOLDER / "language-model.md").read_text("utf-8") == language_model_page.write(
        runs
    )
    assert (language_model_page.FOLDER / "language-model.svg").read_text("utf-8") == language_model_page.draw(
        runs
    )
    ends = [run["curve"][-1]["held_out"] for run in runs.values()]
    # What the page says in words.
    assert all(found["interval"][0] <= 0 for end in ends for found in end.values())
    late = [point for point in runs["plain"]["curve"] if point["step"] > 100]
    assert len({json.dumps(point["held_out"]["held-out classes"]) for point in late}) == 1
    for name in ("seed 0", "seed 1"):
        first, last = runs[name]["curve"][0]["held_out"], runs[name]["curve"][-1]["held_out"]
        assert all(last[part]["legal"] > 2 * first[part]["legal"] for part in last)
