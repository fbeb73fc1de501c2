# SPDX-License-Identifier: GPL-3.0-or-later
"""A random Speech2Text model: width 16, 4 + 2 layers, 4 heads, 200 pieces; 29,776 parameters in 126 tensors.

The same float32 weights in four files: model.safetensors, pytorch_model.bin (zip), old_format.bin (before
PyTorch 1.6) and fairseq_checkpoint.pt (fairseq's names). Sharp attentions, biases and LayerNorm parameters far
from their initial values, so that a swapped or forgotten tensor shows.
"""

import argparse
import collections
import io
import pickle
import struct

import numpy as np
import safetensors.torch
import sentencepiece
import torch
import transformers

from files import write_json

SEED = 20253
PIECES = 200
SUBJECTS = "THE BIG MAN|A SMALL GIRL|MY OLD FRIEND|THE YOUNG DOCTOR|HER QUIET BROTHER|OUR NEW TEACHER".split("|")
VERBS = "LOOKS FOR|WAITS BESIDE|WALKS TOWARDS|TALKS ABOUT|DREAMS OF|SINGS NEAR|LAUGHS AT|REMEMBERS".split("|")
OBJECTS = "THE PICTURES|A BRIGHT SHADOW|SEVEN BOXES|THE HEAVY DOOR|HIS JOURNEY|GREEN APPLES|AN OLD QUESTION".split("|")
PLACES = ("IN THE FOREST AT NIGHT|BEHIND THE VILLAGE|UNDER A ZIGZAG BRIDGE|ON MONDAY MORNING|WITH GREAT JOY|"
          "BEFORE THE NEXT EXAM|WITHOUT ANY VOICE|ACROSS THE QUAY").split("|")
WORDS = ("ABOVE AGAIN ALMOST ANIMAL ANSWER ARRIVE AUTUMN BASKET BECAUSE BETWEEN BORROW BOTTLE BREAKFAST BUTTER CARRY "
         "CATCH CHAIR CIRCLE CLOUD COLOUR CORNER COUNTRY DANGER DECIDE DINNER DOUBLE EARLY EIGHT ENGINE EVENING EXPECT "
         "FAMILY FEATHER FINGER FLOWER FOLLOW FOUNTAIN GARDEN GENTLE GOLDEN HAMMER HARBOUR HUNDRED ISLAND JACKET KITCHEN "
         "LADDER LEARN LETTER MARKET MEASURE MIRROR MOUNTAIN NARROW NEEDLE NOTHING OCEAN ORANGE PAPER PENCIL PLENTY "
         "POCKET QUARTER RABBIT READY RIVER ROUND SADDLE SCHOOL SILVER SLEEP SOLDIER SPRING STATION STREET SUMMER TABLE "
         "THUNDER TICKET TOGETHER TRAVEL UNTIL VALLEY WATER WEATHER WINDOW WINTER WONDER YELLOW YESTERDAY "
         "ANCHOR BALCONY CANDLE DESERT ELBOW FROZEN GUITAR HONEST INSECT JUNGLE KETTLE LEMON MAGNET NAPKIN OYSTER PEBBLE "
         "RIBBON SAUSAGE TIMBER UMBRELLA VELVET WHISPER ACROBAT BICYCLE CARAVAN DOLPHIN EMERALD FORTUNE GLACIER HARVEST").split()


def sentences():
    whole = [f"{s} {v} {o} {p}" for s in SUBJECTS for v in VERBS for o in OBJECTS for p in PLACES]
    return whole + [f"{a} {b}" for a in WORDS for b in WORDS[::7]]


def make_tokenizer(folder):
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences()), model_writer=model, model_type="unigram", vocab_size=PIECES,
        character_coverage=1.0, bos_id=0, pad_id=1, eos_id=2, unk_id=3, normalization_rule_name="identity",
        num_threads=1, minloglevel=2)
    (folder / "sentencepiece.bpe.model").write_bytes(model.getvalue())
    pieces = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    names = [pieces.id_to_piece(i) for i in range(PIECES)]
    write_json(folder / "vocab.json", {name: i for i, name in enumerate(names)})
    (folder / "dict.txt").write_text("".join(f"{name} 1\n" for name in names[4:]), encoding="utf-8")
    special = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}
    write_json(folder / "special_tokens_map.json", special)
    write_json(folder / "tokenizer_config.json", {  # the library writes int(1e30) where there is no limit
        **special, "do_lower_case": False, "do_upper_case": False, "tokenizer_class": "Speech2TextTokenizer",
        "model_max_length": int(1e30)})
    return pieces


def weights_for(model):
    """Draws every tensor from one seeded stream, in the order of their names."""
    random = np.random.default_rng(SEED)
    for name, tensor in sorted(model.state_dict().items()):
        values = random.standard_normal(tensor.shape)
        if "layer_norm" in name:
            values = values * 0.3 + (1 if name.endswith("weight") else 0)
        elif name.endswith("bias"):
            values *= 0.25
        elif "q_proj" in name or "k_proj" in name:
            values *= 0.7 if "encoder.layers" in name else 0.35
        elif "v_proj" in name:
            values *= 0.25
        elif "embed_tokens" in name or "out_proj" in name:
            values *= 0.15
        elif "lm_head" in name:
            values *= 0.3
        else:
            values *= 0.8 / np.sqrt(np.prod(tensor.shape[1:]))
        tensor.copy_(torch.from_numpy(values.astype(np.float32)))


def make_model(folder):
    config = transformers.Speech2TextConfig(
        vocab_size=PIECES, d_model=16, encoder_layers=4, decoder_layers=2, encoder_attention_heads=4,
        decoder_attention_heads=4, encoder_ffn_dim=32, decoder_ffn_dim=32, conv_channels=16,
        conv_kernel_sizes=(5, 5), num_conv_layers=2, max_source_positions=6000, max_target_positions=1024,
        dropout=0.1, attention_dropout=0.1, activation_dropout=0.1, tie_word_embeddings=False,
        bos_token_id=0, pad_token_id=1, eos_token_id=2, decoder_start_token_id=2)
    config._attn_implementation = "eager"
    model = transformers.Speech2TextForConditionalGeneration(config).eval()
    with torch.no_grad():
        weights_for(model)
    model.save_pretrained(folder, safe_serialization=True)
    write_json(folder / "preprocessor_config.json", {
        "feature_extractor_type": "Speech2TextFeatureExtractor", "feature_size": 80, "num_mel_bins": 80,
        "sampling_rate": 16000, "do_ceptral_normalize": True, "normalize_means": True, "normalize_vars": True,
        "dither": 0.0, "padding_side": "right", "padding_value": 0.0, "return_attention_mask": True})
    return model


def save_before_1_6(state, path):
    """torch.save without zip, with storage keys that count from 0: torch names them after addresses."""
    storages = {}

    class Pickler(pickle.Pickler):
        def persistent_id(self, value):
            if not isinstance(value, torch.storage.TypedStorage):
                return None
            storage = value._untyped_storage
            key = storages.setdefault(value._cdata, (f"{len(storages):04}", storage))[0]
            return ("storage", torch.FloatStorage, key, "cpu", storage.nbytes() // 4, None)

    with open(path, "wb") as file:
        for header in (0x1950A86A20F9469CFC6C, 1001,
                       {"protocol_version": 1001, "little_endian": True,
                        "type_sizes": {"short": 2, "int": 4, "long": 4}}):
            pickle.dump(header, file, protocol=2)
        Pickler(file, protocol=2).dump(state)
        pickle.dump([key for key, _ in storages.values()], file, protocol=2)
        for _, storage in storages.values():
            values = bytes(storage.tolist())
            file.write(struct.pack("<q", len(values) // 4) + values)


def fairseq_names(state):
    """Hugging Face's conversion of fairseq's speech_to_text checkpoints, backwards."""
    result = collections.OrderedDict()
    for name, tensor in state.items():
        name = name.removeprefix("model.")
        name = name.replace("encoder.conv.", "encoder.subsample.")
        name = name.replace("encoder.layers.", "encoder.transformer_layers.")
        name = name.replace("lm_head.weight", "decoder.output_projection.weight")
        result[name] = tensor
    result["decoder.version"] = torch.tensor([3.0])
    for side in ("encoder", "decoder"):
        result[f"{side}.embed_positions._float_tensor"] = torch.zeros(1)
    return result


def fairseq_arguments():
    return argparse.Namespace(
        arch="s2t_transformer_s", task="speech_to_text", criterion="label_smoothed_cross_entropy",
        activation_fn="relu", dropout=0.1, attention_dropout=0.1, activation_dropout=0.1, config_yaml="config.yaml",
        conv_channels=16, conv_kernel_sizes="5,5", input_feat_per_channel=80, input_channels=1,
        encoder_embed_dim=16, encoder_ffn_embed_dim=32, encoder_layers=4, encoder_attention_heads=4,
        encoder_normalize_before=True, decoder_embed_dim=16, decoder_ffn_embed_dim=32, decoder_layers=2,
        decoder_attention_heads=4, decoder_normalize_before=True, decoder_output_dim=16, decoder_input_dim=16,
        share_decoder_input_output_embed=False, no_scale_embedding=False, decoder_learned_pos=False,
        layernorm_embedding=False, adaptive_softmax_cutoff=None, max_source_positions=6000,
        max_target_positions=1024, label_smoothing=0.1, lr=[0.002], optimizer="adam", adam_betas="(0.9, 0.999)",
        lr_scheduler="inverse_sqrt", warmup_updates=10000, seed=1)


def make(folder):
    """Writes the model's files; returns (model, tokenizer)."""
    folder.mkdir(parents=True)
    pieces = make_tokenizer(folder)
    model = make_model(folder)
    state = collections.OrderedDict((name, tensor.clone()) for name, tensor in model.state_dict().items())
    state._metadata = model.state_dict()._metadata
    assert len(state) == 126 and sum(tensor.numel() for tensor in state.values()) == 29_776
    torch.save(state, folder / "pytorch_model.bin")
    save_before_1_6(state, folder / "old_format.bin")
    torch.save({"args": fairseq_arguments(), "model": fairseq_names(state),
                "optimizer_history": [{"criterion_name": "LabelSmoothedCrossEntropyCriterion",
                                       "optimizer_name": "FairseqAdam", "lr_scheduler_state": {"best": 4.25},
                                       "num_updates": 1000}],
                "extra_state": {"epoch": 3, "val_loss": 4.25}, "last_optimizer_state": None},
               folder / "fairseq_checkpoint.pt")
    return model, pieces
