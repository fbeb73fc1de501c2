# SPDX-License-Identifier: GPL-3.0-or-later
"""Five small random encoders as ESPnet's recipes leave them (config.yaml and *.pth), and what ESPnet's own classes compute
from the start of the demo recording.

    espnet-conformer       ConformerEncoder, conv2d, global statistics in the file of weights
    espnet-e-branchformer  EBranchformerEncoder with feed-forwards, conv2d, the mean of the utterance, frames of 512 every 128
    espnet-branchformer    BranchformerEncoder, conv2d2, mean and variance of the utterance
    espnet-conformer-legacy, -absolute    ConformerEncoder with the relative positions of older recipes, and with absolute ones

Each expected/ holds what conformer_encoders.py writes, and encoder_output.npy, behind the encoder's after_norm.
"""

import numpy as np
import torch
import yaml
from espnet2.asr.ctc import CTC
from espnet2.asr.encoder.branchformer_encoder import BranchformerEncoder
from espnet2.asr.encoder.conformer_encoder import ConformerEncoder
from espnet2.asr.encoder.e_branchformer_encoder import EBranchformerEncoder
from espnet2.asr.frontend.default import DefaultFrontend
from espnet2.layers.global_mvn import GlobalMVN
from espnet2.layers.utterance_mvn import UtteranceMVN
from espnet2.text.char_tokenizer import CharTokenizer
from espnet2.text.sentencepiece_tokenizer import SentencepiecesTokenizer

from conformer_encoders import LETTERS, SAMPLES, decomposed, randomise
from files import demo_samples, write_array, write_json

TOKENS = {"char": ["<blank>", "<unk>", "<space>"] + LETTERS + ["<sos/eos>"],
          "bpe": ["<blank>", "<unk>", "▁"] + LETTERS + ["<sos/eos>"]}
EPSILON = 1e-12  # espnet/nets/pytorch_backend/transformer/layer_norm.py
SHARED = dict(output_size=16, attention_heads=2, num_blocks=2, dropout_rate=0.1, positional_dropout_rate=0.1, attention_dropout_rate=0.1,
              pos_enc_layer_type="rel_pos", rel_pos_type="latest")
BRANCHES = dict(SHARED, attention_layer_type="rel_selfattn", cgmlp_linear_units=40, use_linear_after_conv=False, gate_activation="identity")


def statistics(folder, frontend, samples):
    """feats_stats.npz, as the recipes' stage of statistics writes it: sums over frames."""
    with torch.no_grad():
        features, _ = frontend(samples[None], torch.tensor([len(samples)]))
    features = features[0].numpy() * 0.9 + 0.1  # of another corpus
    file = folder / "feats_stats.npz"
    np.savez(file, count=np.array(len(features)), sum=features.sum(0), sum_square=(features ** 2).sum(0))
    return file


def text_of(tokens, token_type, repository):
    """What ESPnet's own tokenizers make of labels; SentencePiece joins any pieces, whatever its model."""
    tokens = [token for token in tokens if token != "<sos/eos>"]
    if token_type == "char":
        return CharTokenizer().tokens2text(tokens).strip()
    return SentencepiecesTokenizer(repository / "resources/demo/model/sentencepiece.model").tokens2text(tokens).strip()


def one(folder, name, make, conf, frontend_conf, normalize, normalize_conf, samples, seed, token_type, repository):
    (folder / "expected").mkdir(parents=True, exist_ok=True)
    frontend = DefaultFrontend(**frontend_conf).eval()
    stored = dict(normalize_conf)
    if normalize == "global_mvn":
        stats = statistics(folder, frontend, samples)
        norm = GlobalMVN(stats, **normalize_conf)
        stats.unlink()  # what the file of weights holds is enough
        stored = {"stats_file": "exp/asr_stats_raw_en_bpe30/train/feats_stats.npz", **normalize_conf}
    else:
        norm = UtteranceMVN(**normalize_conf)
    encoder = make(input_size=frontend.output_size(), **conf).eval()
    tokens_of = TOKENS[token_type]
    ctc = CTC(odim=len(tokens_of), encoder_output_size=encoder.output_size()).eval()
    randomise(encoder, seed)
    randomise(ctc, seed + 1)

    state = {f"{part}.{key}": tensor for part, module in (("frontend", frontend), ("normalize", norm), ("encoder", encoder), ("ctc", ctc))
             for key, tensor in module.state_dict().items()}
    state["decoder.embed.0.weight"] = torch.zeros(2, 2)  # of a decoder, which is not opened
    torch.save(state, folder / "valid.acc.ave.pth")
    config = {"config": f"conf/tuning/train_asr_{name}.yaml", "print_config": False, "log_level": "INFO", "ngpu": 1, "max_epoch": 35,
              "val_scheduler_criterion": ["valid", "acc"], "init": None, "input_size": None, "bpemodel": "data/en_token_list/bpe.model",
              "frontend": "default", "frontend_conf": frontend_conf, "specaug": "specaug", "specaug_conf": {"apply_time_warp": True},
              "normalize": normalize, "normalize_conf": stored, "preencoder": None, "preencoder_conf": {}, "encoder": name,
              "encoder_conf": conf, "postencoder": None, "postencoder_conf": {}, "decoder": "transformer",
              "decoder_conf": {"attention_heads": 2}, "model_conf": {"ctc_weight": 0.3, "lsm_weight": 0.1, "length_normalized_loss": False},
              "token_type": token_type, "token_list": tokens_of, "version": "202412", "distributed": False}
    (folder / "config.yaml").write_text(yaml.safe_dump(config, indent=4, sort_keys=False, allow_unicode=True), encoding="utf-8")

    states, inputs, maps = [], [], []
    first = lambda value: (value[0] if isinstance(value, tuple) else value)[0]
    for layer in encoder.encoders:
        layer.norm_mha.register_forward_pre_hook(lambda _, a: inputs.append(a[0][0].double().numpy()))
        layer.register_forward_pre_hook(lambda _, a: states.append(first(a[0])) if not states else None)
        layer.register_forward_hook(lambda _, a, out: states.append(first(out[0])))
        attention = layer.self_attn if name == "conformer" else layer.attn
        attention.register_forward_hook(lambda module, *_: maps.append(module.attn[0].numpy()))
    with torch.no_grad():
        features, lengths = frontend(samples[None], torch.tensor([len(samples)]))
        features, lengths = norm(features, lengths)
        output, _, _ = encoder(features, lengths)
        logits = ctc.ctc_lo(output)[0].numpy()
    attention = np.stack(maps)
    tokens = attention.shape[-1]
    contributions, relevance = [], []
    for layer, x, map_ in zip(encoder.encoders, inputs, attention.astype(np.float64)):
        part = {key: tensor.double().numpy() for key, tensor in layer.state_dict().items()}
        place = "self_attn." if name == "conformer" else "attn."
        c, share = decomposed(x, map_, (part["norm_mha.weight"], part["norm_mha.bias"]),
                              (part[place + "linear_v.weight"], part[place + "linear_v.bias"]), part[place + "linear_out.weight"], EPSILON)
        contributions.append(c)
        relevance.append(share)
    ids = logits.argmax(-1)
    best = np.sort(logits, -1)
    assert (best[:, -1] - best[:, -2]).min() > 1e-3, "two best labels too close: another seed"
    collapsed = [int(i) for t, i in enumerate(ids) if i != 0 and (t == 0 or i != ids[t - 1])]
    write_array(folder / "expected/input_features.npy", features[0].numpy())
    write_array(folder / "expected/hidden_states.npy", torch.stack(states).numpy())
    write_array(folder / "expected/encoder_output.npy", output[0].numpy())
    write_array(folder / "expected/attention.npy", attention)
    write_array(folder / "expected/logits.npy", logits)
    write_array(folder / "expected/contribution.npy", np.stack(contributions).astype(np.float32))
    write_array(folder / "expected/head_relevance.npy", np.stack(relevance).astype(np.float32))
    write_json(folder / "expected/expected.json",
               {"audio": "../../audio/demo.wav", "samples": SAMPLES, "tokens": tokens, "valid_tokens": tokens,
                "ctc": {"blank": 0, "ids": ids.tolist(), "collapsed": collapsed,
                        "text": text_of([tokens_of[i] for i in collapsed], token_type, repository)}})


def make(out, repository):
    torch.manual_seed(1)
    samples = torch.from_numpy(demo_samples(repository)[:SAMPLES].astype(np.float32) / 32768)
    one(out / "espnet-conformer", "conformer", ConformerEncoder,
        dict(SHARED, linear_units=24, input_layer="conv2d", macaron_style=True, selfattention_layer_type="rel_selfattn",
             activation_type="swish", use_cnn_module=True, cnn_module_kernel=7),
        {"fs": "16k", "n_fft": 512, "win_length": 400, "hop_length": 160, "n_mels": 20}, "global_mvn", {}, samples, 31, "char", repository)
    one(out / "espnet-e-branchformer", "e_branchformer", EBranchformerEncoder,
        dict(BRANCHES, cgmlp_conv_kernel=7, input_layer="conv2d", use_ffn=True, macaron_ffn=True, linear_units=24, merge_conv_kernel=5),
        {"fs": 16000, "n_mels": 20}, "utterance_mvn", {}, samples, 37, "bpe", repository)
    one(out / "espnet-branchformer", "branchformer", BranchformerEncoder,
        dict(BRANCHES, cgmlp_conv_kernel=5, input_layer="conv2d6", merge_method="concat"),
        {"n_fft": 512, "hop_length": 160, "n_mels": 20}, "utterance_mvn", {"norm_vars": True}, samples, 41, "bpe", repository)
    # The positions of older recipes, small.
    small = dict(SHARED, output_size=8, num_blocks=1, linear_units=8, input_layer="conv2d", macaron_style=True, activation_type="swish",
                 use_cnn_module=True, cnn_module_kernel=3)
    bins = {"fs": "16k", "n_fft": 400, "win_length": 400, "hop_length": 160, "n_mels": 8}
    one(out / "espnet-conformer-legacy", "conformer", ConformerEncoder,
        dict(small, rel_pos_type="legacy", selfattention_layer_type="rel_selfattn"), bins, "utterance_mvn", {}, samples, 43, "char", repository)
    one(out / "espnet-conformer-absolute", "conformer", ConformerEncoder,
        dict(small, pos_enc_layer_type="abs_pos", selfattention_layer_type="selfattn"), bins, "utterance_mvn", {}, samples, 47, "char", repository)
