"""Train a small language model on exact rewards: GRPO in plain PyTorch, on single decisions of Bit Flip.

It needs torch and transformers, for a GGUF file also gguf and accelerate, and for a model of 135 million
parameters a GPU. The answer is begun with `Move:`, so the model writes the few tokens of a move. One that
keeps the best result that can be forced earns 1, another legal move 0.2. Held out are a fifth of the classes
of positions that are equal by symmetry, a size between those trained on, and a larger one.

python3 examples/train_language_model.py FOLDER --gguf SmolLM2-135M-Instruct.Q4_1.gguf --out curve.json
"""

import argparse
import json
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, NamedTuple

import perfectplay as pp
from perfectplay.evals.measures import measure
from perfectplay.evals.positions import find_decisions
from perfectplay.evals.questions import SingleQuestion, count_answer, draw_decisions, write_question
from perfectplay.evals.samples import question_sample
from perfectplay.evals.setup import Setup

with suppress(ImportError):  # questions and rewards need nothing else
    import torch

BEGUN = "Move:"
"""How every answer begins."""
SIZES, BETWEEN, LARGER = (5, 6, 7, 8, 9, 10, 11, 13, 14, 15), 12, 16
"""The sizes that are trained on, and the two that are held out."""
END = r"\n|<\|"
"""Where an answer ends: with its line, or with a token like `<|im_end|>`."""
REWARD_LEGAL = 0.2


@dataclass(frozen=True)
class TrainingSettings:
    """How to train. With `seconds`, training ends early; the steps before are the same."""

    steps: int = 1000
    seconds: float = 0
    questions: int = 64
    answers: int = 16
    rate: float = 2e-5
    kl: float = 0.02
    """The weight of the distance from the model at the start."""
    grow: int = 150
    """The step from which on all sizes are asked; the smallest come first."""
    tokens: int = 4
    every: int = 25
    """The steps between measures."""
    seed: int = 0


class Sets(NamedTuple):
    """Questions by their use."""

    train: dict[int, list[SingleQuestion]]
    """By size."""
    held_out: dict[str, list[SingleQuestion]]


def draw_sets(seed: int, sizes: Sequence[int] = SIZES, between: int = BETWEEN, larger: int = LARGER) -> Sets:
    """The questions to train on, and three held-out sets; no class of positions is in two of them."""

    def draw(size: int, count: int = 10_000) -> list[SingleQuestion]:
        return draw_decisions([pp.load(f"bit-flip:bits={size}")], count, seed)

    train: dict[int, list[SingleQuestion]] = {}
    held_out = []
    for size in sizes:
        game: pp.Game[Any] = pp.load(f"bit-flip:bits={size}")
        for item in draw(size):
            if Random(f"{seed}/{item.cluster}").random() < 0.2:
                held_out.append(item)
            else:  # all positions of the class, mirror images included
                states = find_decisions(game)[game.canonical(game.parse_state(item.position))]
                texts = [game.state_text(state) for state in states]
                train.setdefault(size, []).extend(item._replace(position=text) for text in texts)
    other = {f"{between} bits": draw(between, 200), f"{larger} bits": draw(larger, 200)}
    return Sets(train, {"held-out classes": held_out, **other})


def reward(item: SingleQuestion, answer: str) -> float:
    """What an answer earns.

    >>> item = SingleQuestion("choose", "bit-flip:bits=5", "00000 1", "start")
    >>> [reward(item, f"Move: {bit}") for bit in (2, 1, 7)]
    [1.0, 0.2, 0.0]
    """
    counts = count_answer(item, Setup(item.game), answer)
    return 1.0 if counts.kept else REWARD_LEGAL * counts.answers["legal"]


def draw_batch(
    train: dict[int, list[SingleQuestion]], step: int, settings: TrainingSettings
) -> list[SingleQuestion]:
    """The questions of a step, from sizes that grow until step `grow`."""
    sizes = sorted(train)
    reached = 1 + round((len(sizes) - 1) * min(1.0, step / max(1, settings.grow)))
    asked = [item for size in sizes[:reached] for item in train[size]]
    return Random(f"{settings.seed}/{step}").choices(asked, k=settings.questions)


class Learner:
    """A causal language model with its tokenizer, and the answers it gives."""

    def __init__(self, model: Any, tokenizer: Any, tokens: int) -> None:
        self.model, self.tokenizer, self.tokens = model, tokenizer, tokens
        self._prompts: dict[SingleQuestion, list[int]] = {}

    def prompt(self, item: SingleQuestion) -> list[int]:
        """The tokens of a question, with the answer begun."""
        if item not in self._prompts:
            text = write_question(item, Setup(item.game))
            if self.tokenizer.chat_template:
                chat = [{"role": "user", "content": text}]
                text = self.tokenizer.apply_chat_template(chat, tokenize=False, add_generation_prompt=True)
            self._prompts[item] = self.tokenizer.encode(f"{text}{BEGUN}", add_special_tokens=False)
        return self._prompts[item]

    def logits(self, model: Any, items: Sequence[SingleQuestion], tokens: Any) -> Any:
        """The logits of each next token; `tokens` has questions, answers and what is written so far.

        All answers to a question share one reading of it: they stand behind it, and none sees another.
        """
        prompts = [self.prompt(item) for item in items]
        many, answers, written = tokens.shape
        longest = max(map(len, prompts))
        place = tokens.device
        ids = torch.tensor([[0] * (longest - len(each)) + each for each in prompts], device=place)
        own = torch.tensor([len(each) for each in prompts], device=place)[:, None]
        start = longest - own
        positions = torch.arange(longest, device=place) - start
        behind = own + torch.arange(written, device=place).repeat(answers)
        branch = torch.arange(1, answers + 1, device=place).repeat_interleave(written)
        branch = torch.cat([torch.zeros(longest, dtype=branch.dtype, device=place), branch])
        places = torch.arange(len(branch), device=place)
        sees = (places <= places[:, None]) & ((branch == 0) | (branch == branch[:, None]))
        sees = sees & (places >= start)[:, None] | (places == places[:, None])
        out = model(
            torch.cat([ids, tokens.flatten(1)], 1),
            attention_mask=sees[:, None],
            position_ids=torch.cat([positions.clamp(min=0), behind], 1),
            logits_to_keep=answers * written + 1,
            use_cache=False,
        ).logits.float()
        first = out[:, None, :1].expand(-1, answers, -1, -1)
        return torch.cat([first, out[:, 1:].view(many, answers, written, out.shape[-1])], 2)

    def sample(
        self, items: Sequence[SingleQuestion], answers: int, generator: Any = None
    ) -> tuple[Any, list[list[str]]]:
        """The tokens of answers to each question, and their texts; the likeliest without a generator."""
        tokens = torch.zeros(len(items), answers, 0, dtype=torch.long, device=self.model.device)
        with torch.no_grad():
            for _ in range(self.tokens):
                logits = self.logits(self.model, items, tokens)[:, :, -1].flatten(0, 1)
                if generator is None:
                    token = logits.argmax(-1)
                else:
                    token = logits.softmax(-1).multinomial(1, generator=generator)
                tokens = torch.cat([tokens, token.view(len(items), answers, 1)], -1)
        texts = self.tokenizer.batch_decode(tokens.flatten(0, 1))
        said = [BEGUN + re.split(END, text, maxsplit=1)[0] for text in texts]
        return tokens, [said[first : first + answers] for first in range(0, len(said), answers)]

    def chances(self, model: Any, items: Sequence[SingleQuestion], tokens: Any) -> Any:
        """The logarithms of the chances of the tokens of answers."""
        logits = self.logits(model, items, tokens[:, :, :-1])
        return logits.log_softmax(-1).gather(-1, tokens[..., None])[..., 0]

    def mask_answers(self, tokens: Any) -> Any:
        """Which tokens of answers are part of them: all up to the one that ends the line."""
        texts = [[self.tokenizer.decode([each]) for each in row] for row in tokens.flatten(0, 1).tolist()]
        ends = torch.tensor([[bool(re.search(END, text)) for text in row] for row in texts])
        return (ends.cumsum(-1) - ends.long() == 0).view(tokens.shape).to(tokens.device)

    def measure(self, items: Sequence[SingleQuestion], at_once: int = 128) -> dict[str, Any]:
        """The exact measures of the likeliest answers."""
        answers: list[str] = []
        for first in range(0, len(items), at_once):
            answers += [said for [said] in self.sample(items[first : first + at_once], 1)[1]]
        asked = zip(items, answers, strict=True)
        found = measure([question_sample(item, Setup(item.game), said, "learner") for item, said in asked])
        counts, corrected = found.counts, found.corrected
        assert corrected is not None
        return {
            "questions": len(items),
            "legal": counts.answers["legal"] / len(items),
            "kept": counts.kept / counts.decisions,
            "guess": counts.guess / counts.decisions,
            "corrected": corrected.value,
            "interval": corrected.interval,
            "answers": len(set(answers)),
        }


def train(learner: Learner, sets: Sets, settings: TrainingSettings) -> Iterator[dict[str, Any]]:
    """Train, and give the measures after every few steps."""
    model = learner.model
    start = deepcopy(model).eval().requires_grad_(False)
    generator = torch.Generator(model.device).manual_seed(settings.seed)
    adam = torch.optim.AdamW(model.parameters(), lr=settings.rate, weight_decay=0.0)
    earn = cache(reward)  # a question comes again, with the same answers
    began = time.monotonic()
    recent: list[dict[str, float]] = []
    half = torch.autocast(model.device.type, torch.bfloat16, enabled=model.device.type == "cuda")
    for step in range(settings.steps + 1):
        late = 0 < settings.seconds < time.monotonic() - began
        if step % settings.every == 0 or step == settings.steps or late:
            with half:
                found = {name: learner.measure(items) for name, items in sets.held_out.items()}
            mean = {name: fmean(each[name] for each in recent) for name in (recent or [{}])[0]}
            spent = round(time.monotonic() - began, 1)
            yield {"step": step, "seconds": spent, "batches": mean, "held_out": found}
            recent = []
        if late or step == settings.steps:
            break
        items = draw_batch(sets.train, step, settings)
        with half:
            tokens, texts = learner.sample(items, settings.answers, generator)
            rewards = [[earn(item, text) for text in said] for item, said in zip(items, texts, strict=True)]
            earned = torch.tensor(rewards, device=model.device)
            better = (earned - earned.mean(1, keepdim=True)) / (earned.std(1, keepdim=True) + 0.1)
            chances = learner.chances(model, items, tokens)
            with torch.no_grad():
                at_start = learner.chances(start, items, tokens)
            counted = learner.mask_answers(tokens)
            apart = at_start - chances
            distance = apart.exp() - apart - 1  # never negative, and right in the mean
            # The answers are those of the model as it is: the ratio to the old chances is 1, with a gradient.
            ratio = (chances - chances.detach()).exp()
            loss = -(ratio * better[..., None] - settings.kl * distance)[counted].mean()
        adam.param_groups[0]["lr"] = settings.rate * min(1.0, (step + 1) / 10)
        adam.zero_grad(set_to_none=True)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
        recent.append(
            {
                "reward": earned.mean().item(),
                "kept": (earned == 1).float().mean().item(),
                "legal": (earned > 0).float().mean().item(),
                "distance": distance[counted].mean().item(),
                "gradient": float(norm),
            }
        )


def load_model(folder: str, gguf: str | None) -> tuple[Any, Any]:
    """A model of 32 bits on the GPU, if there is one, and its tokenizer."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    options = {"gguf_file": gguf} if gguf else {}
    tokenizer = AutoTokenizer.from_pretrained(folder, **options)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, **options)
    return model.to("cuda" if torch.cuda.is_available() else "cpu").eval(), tokenizer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("model", help="a folder, or the name of a model on a hub")
    parser.add_argument("--gguf", help="a file of weights in that folder")
    parser.add_argument("--out", type=Path, default=Path("curve.json"))
    for name, value in asdict(TrainingSettings()).items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    options = vars(parser.parse_args())
    folder, gguf, out = options.pop("model"), options.pop("gguf"), options.pop("out")
    settings = TrainingSettings(**options)
    sets = draw_sets(settings.seed)
    model, tokenizer = load_model(folder, gguf)
    about = {
        "model": gguf or folder,
        "device": torch.cuda.get_device_name() if model.device.type == "cuda" else "cpu",
        "versions": {name: version(name) for name in ("perfectplay", "torch", "transformers")},
        "settings": asdict(settings),
        "trained on": {str(size): len(items) for size, items in sets.train.items()},
        "curve": [],
    }
    for point in train(Learner(model, tokenizer, settings.tokens), sets, settings):
        about["curve"].append(point)
        out.write_text(json.dumps(about, indent=1) + "\n")
        shown = ", ".join(
            f"{name}: legal {each['legal']:.2f}, corrected {each['corrected']:.2f}"
            for name, each in point["held_out"].items()
        )
        print(f"step {point['step']}, {point['seconds']:.0f} s: {shown}", flush=True)


if __name__ == "__main__":
    main()
