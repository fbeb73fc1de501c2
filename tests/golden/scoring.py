# SPDX-License-Identifier: GPL-3.0-or-later
"""Scores of ref.txt and hyp.txt by sacreBLEU, jiwer and fairseq's rule for word error rates."""

import unicodedata

import jiwer
import numpy as np
import sacrebleu
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from files import write_json

REFERENCES = """The big man looks for the pictures in the forest at night.
Nobody had seen the small boat since Monday.
Où donc est passé l'été, demanda-t-elle à son frère.
“It is quite late,” she said, «and you know it».
In 1987 the bridge cost 2,500.75 crowns, about 4.5% of the town's money.
A half-open, well-oiled door; thirty-one steps; no light.
They wrote "yes" & sent <nothing>, didn't they?
L'enfant qu'il cherchait n'habitait plus ici.
Vraiment ? Peut-être ! Allons voir.
a b c d e f
one two three four five six seven
Oui.
Yes.
It came to $7.00 + 20% = €8,40 (C++ or C#).
--Attendez!... dit-elle tout bas...
İzmir ve ΛΟΓΟΣ ẞ GROSSE
HER QUIET BROTHER REMEMBERS AN OLD QUESTION
  two  spaces   here 
a tab\tand a no-break\u00a0space
cafe\u0301 and café are spelt alike
Das Mädchen läuft über die Brücke und grüßt den Müller.
¿Dónde están las llaves? ¡Aquí están!
We waited, and waited, and waited, until the lamps were lit.
the same words the same words the same words
She sold the house in spring and moved to the coast with her dog.
the doctor walks towards the heavy door before the next exam
my old friend dreams of seven boxes under a zigzag bridge
a young teacher talks about green apples on monday morning
I can't, won't, and shouldn't have to say so twice.
Mr. Brown met Mrs. Green at 5 p.m. in St. Paul's.
It rained all day; nobody minded.
He reads 3-4 books a week, e.g. novels, plays, etc.
Every map of the island shows another coast.
The clock struck ten, eleven, twelve &quot;and then&quot; stopped.
First the sails, then the mast, and at last the hull itself came into view.""".replace("\\t", "\t").split("\n")
SPARE = "the a of and night Door quickly, blue seven … perhaps".split()


def perturbed(line, random):
    """Words replaced, dropped, inserted, moved, or in another case."""
    words = line.split(" ")
    result = []
    for word in words:
        chance = random.random()
        if chance < 0.07:
            continue
        if chance < 0.16:
            word = SPARE[random.integers(len(SPARE))]
        elif chance < 0.22:
            word = word.swapcase()
        elif chance < 0.27:
            word = word.strip(".,!?;")
        result.append(word)
        if chance > 0.94:
            result.append(SPARE[random.integers(len(SPARE))])
    if len(result) > 6 and random.random() < 0.4:
        at = int(random.integers(2, len(result) - 2))
        result = result[at:] + result[:at]
    return " ".join(result)


def hypotheses(random):
    lines = [perturbed(line, random) for line in REFERENCES]
    lines[0] = REFERENCES[0]
    lines[1] = ""
    lines[19] = "café and cafe\u0301 are spelt alike"
    return lines


def fairseq_words(line):
    words = Tokenizer13a()(line).split(" ")
    words = [word for word in words if not all(unicodedata.category(c)[0] == "P" for c in word)]
    return " ".join(words).lower().split()


def edits(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        previous, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (x != y))
    return row[-1]


def bleu(references, lines, **options):
    metric = sacrebleu.BLEU(**options)
    score = metric.corpus_score(lines, [references])
    return {"score": score.score, "signature": str(metric.get_signature()), "counts": score.counts,
            "totals": score.totals, "precisions": score.precisions, "bp": score.bp,
            "hypothesis_length": score.sys_len, "reference_length": score.ref_len, "printed": str(score)}


def jiwer_counts(reference, hypothesis):
    result = jiwer.process_words(reference, hypothesis)
    return {"correct": result.hits, "substitutions": result.substitutions, "deletions": result.deletions,
            "insertions": result.insertions}


def make(folder):
    lines = hypotheses(np.random.default_rng(11))
    folder.mkdir(parents=True)
    for name, texts in (("ref", REFERENCES), ("hyp", lines)):
        (folder / f"{name}.txt").write_text("".join(text + "\n" for text in texts), encoding="utf-8", newline="")
    chrf, ter, tokenize = sacrebleu.CHRF(), sacrebleu.TER(), Tokenizer13a()
    chrf_score, ter_score = chrf.corpus_score(lines, [REFERENCES]), ter.corpus_score(lines, [REFERENCES])
    errors = [edits(fairseq_words(r), fairseq_words(h)) for r, h in zip(REFERENCES, lines)]
    words = [len(fairseq_words(r)) for r in REFERENCES]
    write_json(folder / "expected.json", {
        "bleu": bleu(REFERENCES, lines), "bleu_tokenize_none": bleu(REFERENCES, lines, tokenize="none", force=True),
        "bleu_lowercase": bleu(REFERENCES, lines, lowercase=True),
        "chrf2": {"score": chrf_score.score, "signature": str(chrf.get_signature())},
        "ter": {"score": ter_score.score, "edits": int(ter_score.num_edits), "signature": str(ter.get_signature())},
        "sentence_bleu": {"scores": [sacrebleu.sentence_bleu(h, [r]).score for r, h in zip(REFERENCES, lines)]},
        "tokens_13a": {"ref": [tokenize(r) for r in REFERENCES], "hyp": [tokenize(h) for h in lines]},
        "jiwer": {"wer": jiwer.wer(REFERENCES, lines), "lines": [jiwer_counts(r, h) for r, h in zip(REFERENCES, lines)]},
        "fairseq_wer": {"wer_percent": 100 * sum(errors) / sum(words), "errors": sum(errors),
                        "reference_words": sum(words), "line_errors": errors, "line_reference_words": words}})
