# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests headroom-worker on a machine with a GPU and nothing but Python's torch 2.11, in less than 8 minutes.

    packaging/bundle-worker /tmp/worker                  here
    scp -r /tmp/worker packaging/test-gpu gpu-1:         to the machine
    python3 test-gpu worker [--out DIR]                  there

Runs the worker's checks on the device, measures there what is wanted of a GPU, trains a small model on a made corpus until it
reads the corpus, and writes DIR/test-gpu.json and DIR/test-gpu.md. A step that fails, or that the worker refuses, is listed with
its sentence, and the exit status is 1. A figure that misses what is wanted is listed as such and fails nothing. If the
GPU is not there or cannot be used, nothing else is run. --device cpu tests a machine without a GPU; --quick takes seconds,
measures little and trains a few updates only.

Measured, each in a time of its own: contributions beside the materialised form, local attention beside flash attention with a
window and full attention, a study of windows beside its bare passes, and training of S2T-small in bfloat16, with batches of 40,000
frames, beside the same in PyTorch eager (peer_s2t.py of the bundle, run by this Python or the one that HEADROOM_PYTHON names).

The model that was trained decodes its corpus and analyses recordings on the device and on the processor, and texts and numbers must
be the same. Where there are two GPUs, they also train one model together for a few updates.
"""
import argparse
import importlib.util
import json
import math
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # the folder may be one of sources
from inputs import ARCHITECTURE, make_noise, make_recordings, recipe
from report import markdown

MINUTES = 8
FOR_TRAINING = 210  # seconds that the benchmarks leave
# Seconds of each benchmark at most.
BUDGETS = {"contributions": 40, "attention": 40, "studies": 60, "train": 110}
MEASURES = "attention,attention-norm,contributions,alti,value-zeroing,rollout-attention,rollout-contributions"
READS = 10  # per cent of word errors below which the corpus counts as read


def with_torch():
    """A Python that can import torch; None if there is none."""
    named = os.environ.get("HEADROOM_PYTHON")
    return named or (sys.executable if importlib.util.find_spec("torch") else None)


class Tests:
    def __init__(self, options):
        self.bundle = pathlib.Path(options.bundle)
        self.worker = self.bundle / "bin/headroom-worker"
        self.device, self.quick = options.device, options.quick
        self.ends = time.monotonic() + 60 * MINUTES - 10
        self.steps = []
        self.gpus = 0  # that can be used

    def run(self, name, arguments, keep=0, until=math.inf, program=None):
        """Runs the worker, which leaves `keep` seconds and ends before the time `until`; returns its JSON document, or None with the
        reason in the step."""
        began = time.monotonic()
        step = {"step": name, "command": " ".join(map(str, arguments)), "passed": False, "sentence": ""}
        self.steps.append(step)
        document = None
        program = program or [self.worker]
        left = min(self.ends - keep, until) - began
        over = f"{MINUTES} minutes are over" if keep == 0 else f"training needs the rest of the {MINUTES} minutes"
        if until < self.ends - keep:
            over = "its time is over"
        if left < 1:
            step["sentence"] = f"Not started: {over}."
        else:
            print(f"{name} …", file=sys.stderr, flush=True)
            try:
                done = subprocess.run([*program, *map(str, arguments), *(["--json"] if program[0] == self.worker else [])],
                                      capture_output=True, text=True, timeout=left,
                                      env=dict(os.environ, OMP_WAIT_POLICY="PASSIVE"))
                said = [line for line in done.stderr.splitlines() if line.strip()]
                try:
                    document = json.loads(done.stdout)
                except ValueError:
                    document = None
                step["passed"] = done.returncode == 0 and document is not None
                if not step["passed"]:
                    step["sentence"] = said[-1] if said else f"Exit status {done.returncode}."
            except subprocess.TimeoutExpired:
                step["sentence"] = f"Stopped: {over}."
            except OSError as problem:
                step["sentence"] = f"{program[0]} cannot be started: {problem.strerror}."
        step["seconds"] = round(time.monotonic() - began, 2)
        return document

    def fail(self, sentence):
        self.steps[-1].update(passed=False, sentence=sentence)

    def check(self):
        found = self.run("check", ["check", "--device", self.device])
        rows = (found or {}).get("checks", [])
        failed = [row["name"] for row in rows if not row["passed"]]
        if failed:
            self.fail(f"{len(failed)} of {len(rows)} checks failed, the first is {failed[0]}.")
        return rows

    def bench(self, folder):
        rows = []
        # On the CPU `bench` has minutes of other rows; these are those that a GPU has.
        only = {"studies": ["--only", "windows"]}
        if self.device == "cpu":
            only["attention"] = ["--only", "local 21, N 64" if self.quick else "local 21, N 1052"]
        names = [name for name in ("contributions", "attention", "studies") if self.device != "cpu" or name != "studies"]
        for name in names:
            found = self.run(f"bench {name}", ["bench", name, "--device", self.device, *only.get(name, []),
                                               *(["--quick"] if self.quick else [])],
                             FOR_TRAINING, time.monotonic() + BUDGETS[name])
            rows += (found or {}).get("rows", [])
        if self.device != "cpu" or self.quick:
            rows += self.bench_training(folder)
        return rows

    def file_of(self, bundled, source):
        """A file of the bundle, or the same of the sources that this script lies in."""
        file = self.bundle / "share/headroom" / bundled
        return file if file.exists() else pathlib.Path(__file__).resolve().parents[2] / source

    def bench_training(self, folder):
        """S2T-small beside PyTorch eager, in turns, each turn a process of its own. Our time includes reading the recordings."""
        frames, updates, pairs, precision = (1000, 2, 1, "fp32") if self.quick else (40000, 14, 2, "bf16")
        warm_up = 1 if self.quick else 18  # more than an epoch, so that every shape has been seen
        until = time.monotonic() + BUDGETS["train"]
        make_noise(folder / "noise", int(1.05 * frames * updates))
        corpus, batches = folder / "noise-corpus", folder / "batches"
        if self.run("corpus to measure with", ["corpus", "csv", "--from", folder / "noise", "--out", corpus, "--language", "en",
                                               "--pieces", 100], FOR_TRAINING, until) is None:
            return []
        same = ["--warm-up", warm_up, "--updates", updates, "--precision", precision, "--device", self.device]
        ours = ["bench", "train", "--data", corpus, "--frames", frames, "--architecture",
                self.file_of("architectures/s2t-small.json", "resources/architectures/s2t-small.json"), *same]
        python, script = with_torch(), self.file_of("benchmarks/peer_s2t.py", "tests/benchmarks/peer_s2t.py")
        mine, theirs = [], []
        for number in range(pairs):
            found = self.run("bench train", [*ours, *(["--batches", batches] if number == 0 else [])], FOR_TRAINING, until)
            if found is None:
                return []
            mine.append(found["training"])
            if python is None:
                self.steps.append({"step": "PyTorch eager", "command": "", "passed": self.quick, "seconds": 0, "sentence":
                                   "Not started: this Python has no torch. Name one that has it in HEADROOM_PYTHON."})
                break
            peer = self.run("PyTorch eager", [script, "--batches", batches, *same], FOR_TRAINING, until, [python])
            if peer is None:
                break
            theirs.append(peer)
            if (peer["frames"], peer["targetTokens"]) != (mine[-1]["frames"], mine[-1]["targetTokens"]):
                self.fail("It trained on other batches.")
        speed = statistics.median(one["framesPerSecond"] for one in mine)
        beside = statistics.median(one["framesPerSecond"] for one in theirs) if theirs else None
        ratios = [a["framesPerSecond"] / b["framesPerSecond"] for a, b in zip(mine, theirs)]
        waiting = statistics.median(100 * one["waiting"] for one in mine)
        pairs = f"{len(ratios)} pair{'' if len(ratios) == 1 else 's'}"
        return [{"benchmark": "train", "name": f"S2T-small, {precision}, batches of {frames} frames", "ours": speed,
                 "alternative": beside, "unit": "frames/s", "alternativeName": "PyTorch eager, SDPA, fused Adam",
                 "ratio": statistics.median(ratios) if ratios else None, "wanted": 2,
                 "note": f"{pairs}; data included in ours; peak {mine[-1]['peakBytes'] / 1e9:.2f} GB"},
                {"benchmark": "train", "name": "share of its time that waits for data", "ours": waiting, "alternative": 2, "unit": "%",
                 "alternativeName": "what it may be", "ratio": 2 / max(waiting, 0.01), "wanted": 1, "note": ""}]

    def train(self, folder):
        make_recordings(folder / "recordings", self.quick)
        corpus, run = folder / "corpus", folder / "run"
        if self.run("corpus", ["corpus", "csv", "--from", folder / "recordings", "--out", corpus, "--language", "en",
                               "--pieces", 24]) is None:
            return None
        for name, document in (("architecture", ARCHITECTURE), ("recipe", recipe(self.quick))):
            (folder / f"{name}.json").write_text(json.dumps(document))
        found = self.run("train", ["train", "--architecture", folder / "architecture.json", "--recipe",
                                   folder / "recipe.json", "--data", corpus, "--run", run, "--device", self.device])
        if found is None:
            return None
        losses = [event for event in map(json.loads, (run / "events.jsonl").read_text().splitlines())
                  if event.get("kind", event.get("event")) == "validation"]
        result = {"state": found["state"], "updates": found["update"], "best": found["best"],
                  "peakBytes": found["peakBytes"], "predictedBytes": found["predictedBytes"],
                  "validations": losses}
        wer = (found["best"] or {}).get("wer")
        if self.quick:
            result["converged"] = None
        else:
            result["converged"] = wer is not None and wer <= READS
            if not result["converged"]:
                self.fail(f"The run did not converge: {wer} % word errors after {found['update']} updates, "
                          f"{READS} % wanted.")
        result["evaluated"] = self.evaluate(run / "model", corpus, folder)
        result["analysed"] = self.analyse(run / "model", folder)
        result["ranks"] = self.train_ranks(folder, corpus)
        return result

    def train_ranks(self, folder, corpus):
        """Two GPUs train one model for a few updates; None where there are not two."""
        if not self.device.startswith("cuda") or self.gpus < 2:
            return None
        short = recipe(True)
        (folder / "short.json").write_text(json.dumps(short))
        found = self.run("train on 2 GPUs", ["train", "--architecture", folder / "architecture.json", "--recipe",
                                             folder / "short.json", "--data", corpus, "--run", folder / "ranks",
                                             "--ranks", 2, "--device", "cuda"])
        return found and {"updates": found["update"], "best": found["best"]}

    def evaluate(self, model, corpus, folder):
        texts = {}
        for device in dict.fromkeys([self.device, "cpu"]):
            found = self.run(f"evaluate on {device}", ["evaluate", "--model", model, "--data", corpus, "--split", "dev", "--out",
                                                       folder / f"evaluated-{len(texts)}", "--device", device])
            if found is None:
                return None
            texts[device] = [row["hypothesis"] for row in found["utterances"]]
        other = sum(a != b for a, b in zip(texts[self.device], texts["cpu"]))
        if other:
            self.fail(f"{other} of {len(texts['cpu'])} texts differ from the processor's.")
        return {"utterances": len(texts["cpu"]), "differing": other}

    def analyse(self, model, folder):
        """Everything that `analyse` measures, on the device and on the processor. Their numbers must be the same but for rounding."""
        sounds = [folder / "recordings" / f"dev{number}.wav" for number in range(3)]
        summaries = {}
        for device in dict.fromkeys([self.device, "cpu"]):
            summaries[device] = self.run(f"analyse on {device}", [
                "analyse", "--model", model, *sounds, "--out", folder / f"analysed-{len(summaries)}", "--maps", "--states", "--decoder",
                "--mixing", MEASURES, "--device", device])
            if summaries[device] is None:
                return None
        apart = largest_difference(summaries[self.device], summaries["cpu"])
        if not apart <= 1e-3:
            self.fail(f"Its numbers differ from the processor's by up to {apart:.1e}.")
        return {"recordings": len(sounds), "largestDifference": apart if math.isfinite(apart) else None}


# What summary.json says of the machine, and what measures rounding itself.
NOT_COMPARED = {"device", "seconds", "rebuildError", "gramError", "version"}


def largest_difference(one, other):
    """Of two JSON documents, as a share of numbers above 1; infinite where they differ otherwise."""
    if isinstance(one, dict) and isinstance(other, dict):
        if one.keys() != other.keys():
            return math.inf
        return max((largest_difference(one[key], other[key]) for key in one if key not in NOT_COMPARED), default=0)
    if isinstance(one, list) and isinstance(other, list):
        return max(map(largest_difference, one, other), default=0) if len(one) == len(other) else math.inf
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return abs(one - other) / max(1.0, abs(other))
    return 0 if one == other else math.inf


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundle", help="folder made by packaging/bundle-worker")
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--quick", action="store_true", help="seconds instead of minutes; no convergence")
    options = parser.parse_args()
    tests = Tests(options)
    if not os.access(tests.worker, os.X_OK):
        sys.exit(f"test-gpu: {tests.worker} is not there. Make a bundle with packaging/bundle-worker.")
    options.out.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    devices = tests.run("devices", ["devices"]) or {"devices": []}
    tests.gpus = sum(one["usable"] and one["id"] != "cpu" for one in devices["devices"])
    wanted = "cuda:0" if options.device == "cuda" else options.device
    device = next((one for one in devices["devices"] if one["id"] == wanted), None)
    checks = tests.check()
    benchmarks, training, remark = [], None, ""
    if wanted.startswith("cuda") and not (device and device["usable"]):
        remark = "Nothing was measured. Run test-gpu where this GPU can be used, or add --device cpu to test without one."
    else:
        with tempfile.TemporaryDirectory(prefix="test-gpu.") as folder:
            benchmarks = tests.bench(pathlib.Path(folder))
            training = tests.train(pathlib.Path(folder))
    document = {"format": "headroom/test-gpu", "version": 1, "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                "device": options.device, "quick": options.quick,
                "passed": all(step["passed"] for step in tests.steps), "seconds": round(time.monotonic() - began, 1),
                "machine": {"host": platform.node(), "system": platform.platform(), "device": device,
                            "devices": devices["devices"]},
                "remark": remark, "steps": tests.steps, "checks": checks, "benchmarks": benchmarks, "training": training}
    (options.out / "test-gpu.json").write_text(json.dumps(document, indent=2) + "\n")
    text = markdown(document)
    (options.out / "test-gpu.md").write_text(text)
    print(text)
    for step in tests.steps:
        if not step["passed"]:
            print(f"test-gpu: {step['step']}: {step['sentence']}", file=sys.stderr)
    if remark:
        print(f"test-gpu: {remark}", file=sys.stderr)
    sys.exit(0 if document["passed"] else 1)


if __name__ == "__main__":
    main()
