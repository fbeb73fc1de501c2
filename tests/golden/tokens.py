# SPDX-License-Identifier: GPL-3.0-or-later
"""Token ids that the sentencepiece library gives for the demo model's tokenizer, which normalises its input."""

import sentencepiece

from files import write_json

TEXTS = ["the big man looks for the pictures in the forest at night.", "The Big Man", "", " ", "two  spaces   here ",
         "a\u00a0b\tc", "ﬁne ｆｕｌｌ ｗｉｄｔｈ №", "cafe\u0301 café", "日本語", "don't — “quoted” …", "½ ² Ⅷ", "▁ under_score"]


def make(folder, repository):
    pieces = sentencepiece.SentencePieceProcessor(
        model_file=str(repository / "resources/demo/model/sentencepiece.model"))
    rows = [{"text": text, "ids": pieces.encode(text), "decoded": pieces.decode(pieces.encode(text))} for text in TEXTS]
    write_json(folder / "demo.json", {"tokenizer": "resources/demo/model/sentencepiece.model",
                                      "size": pieces.get_piece_size(), "texts": rows})
