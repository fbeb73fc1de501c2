# SPDX-License-Identifier: GPL-3.0-or-later
"""What test-gpu trains: the architecture, the recipe, and corpora that it makes itself."""
import array
import csv
import math
import random
import wave

WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight"]
RATE = 16000

ARCHITECTURE = {
    "format": "headroom/architecture", "version": 1, "name": "test-gpu", "source": "packaging/test-gpu",
    "frontEnd": {"kind": "conv1d", "features": 80, "channels": 64, "kernels": [5, 5], "strides": [2, 2]},
    "encoder": {"kind": "transformer", "width": 64, "feedForward": 128, "norm": "pre", "positions": "sinusoidal",
                "activation": "relu", "queryKeyValueBias": True, "dropout": 0.1, "attentionDropout": 0,
                "layers": [{"heads": "4 full"}, {"heads": "4 local 9"}]},
    "decoder": {"layers": 1, "width": 64, "feedForward": 128, "selfAttention": "4 masked", "crossAttention": "4 full"},
    "ctc": None, "vocabulary": 24}


def recipe(quick):
    updates = 10 if quick else 1000
    return {
        "format": "headroom/recipe", "version": 1, "name": "test-gpu", "source": "packaging/test-gpu", "task": "asr",
        "data": {"trainSplit": "train", "validationSplit": "dev", "minFrames": 5, "maxFrames": 1500,
                 "maxBatchFrames": 3000, "maxBatchUtterances": 0, "loaderThreads": 2, "cacheMegabytes": 512,
                 "unknownPieces": "keep"},
        "augmentation": {"frequencyMasks": 0, "frequencyWidth": 15, "timeMasks": 0, "timeWidth": 30, "timeShare": 1.0},
        "loss": {"labelSmoothing": 0.1, "ctcWeight": 0.3},
        "optimiser": {"kind": "adam", "beta1": 0.9, "beta2": 0.98, "epsilon": 1e-08, "weightDecay": 0.0,
                      "learningRate": 0.002, "warmupUpdates": updates // 8, "clipNorm": 10.0, "accumulate": 1},
        "length": {"maxUpdates": updates, "maxEpochs": 0, "patience": 0},
        "validation": {"everyUpdates": max(5, updates // 5), "everyEpochs": 0, "best": "loss", "maxUtterances": 30,
                       "maxTokens": 40, "samples": 3},
        "checkpoints": {"everyUpdates": 0, "keep": 1, "average": 1},
        "machine": {"precision": "fp32", "threads": 0, "seed": 1, "logEvery": 5}}


def make_recordings(folder, quick):
    """Every word is a tone of its own with a little noise."""
    folder.mkdir(parents=True)
    draw = random.Random(1)
    for split, count in (("train", 24 if quick else 300), ("dev", 6 if quick else 30)):
        rows = []
        for number in range(count):
            words = [draw.randrange(len(WORDS)) for _ in range(draw.randint(2, 5))]
            samples = array.array("h")
            for word in words:
                pitch = 300 + 350 * word
                for t in range(draw.randint(2400, 3200)):
                    tone = 0.3 * math.sin(2 * math.pi * pitch * t / RATE)
                    samples.append(int(32000 * (tone + 0.01 * draw.uniform(-1, 1))))
                samples.extend(int(320 * draw.uniform(-1, 1)) for _ in range(1200))
            name = f"{split}{number}.wav"
            with wave.open(str(folder / name), "wb") as file:
                file.setnchannels(1)
                file.setsampwidth(2)
                file.setframerate(RATE)
                file.writeframes(samples.tobytes())
            rows.append([f"{split}{number}", name, " ".join(WORDS[word] for word in words)])
        with open(folder / f"{split}.csv", "w", newline="") as file:
            table = csv.writer(file)
            table.writerow(["id", "audio", "text"])
            table.writerows(rows)


def make_noise(folder, frames):
    """Recordings as long as those of a corpus for training, and texts of invented words. Nothing can be learnt of them."""
    folder.mkdir(parents=True)
    draw = random.Random(2)
    for split, wanted in (("train", frames), ("dev", 3000)):
        rows, made = [], 0
        while made < wanted:
            seconds = min(25.0, max(1.0, draw.lognormvariate(1.7, 0.6)))
            name = f"{split}{len(rows)}.wav"
            with wave.open(str(folder / name), "wb") as file:
                file.setnchannels(1)
                file.setsampwidth(2)
                file.setframerate(RATE)
                file.writeframes(draw.randbytes(2 * int(seconds * RATE)))
            words = ["".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=draw.randint(2, 8))) for _ in range(int(2.5 * seconds) + 1)]
            rows.append([name[:-4], name, " ".join(words)])
            made += int(100 * seconds)
        with open(folder / f"{split}.csv", "w", newline="") as file:
            table = csv.writer(file)
            table.writerow(["id", "audio", "text"])
            table.writerows(rows)
