// SPDX-License-Identifier: GPL-3.0-or-later
// Translation models whose source has a vocabulary and an embedding of its own: FSMT, fairseq, our folder. The pieces of the golden
// model's source are numbered anew, and its rows with them: everything that is computed must stay as it was.
#include "core/text/tokenizer.h"
#include "models/checkpoints/checkpoint.h"
#include "models/checkpoints/import.h"
#include "tests/models/checkpoints/fairseq_file.h"
#include "tests/support/runner.h"

#include <cmath>
#include <set>

namespace headroom::testing::two_vocabularies_test {

using namespace headroom::models;
using nlohmann::json;

namespace {

constexpr int kPieces = 28, kWidth = 12, kFirst = 4, kMore = 1; // kMore: a piece of the source that the target lacks

fs::path golden() {
    return repositoryGoldens() / "parity/decoding/text/model";
}

/// The number of a piece in the new vocabulary of the source: backwards, after one that is new.
int renumbered(int id) {
    return id < kFirst ? id : kPieces - 1 + kFirst - id + kMore;
}

/// The embedding with its rows where `renumbered` puts them; the new row is of ones.
Tensor renumberedRows(const Tensor& table) {
    const std::vector<float> old = toFloats(table.view());
    std::vector<float> rows((kPieces + kMore) * kWidth, 1.0F);
    for (int id = 0; id < kPieces; ++id)
        std::copy_n(old.begin() + id * kWidth, kWidth, rows.begin() + renumbered(id) * kWidth);
    return Tensor::of<float>({kPieces + kMore, kWidth}, rows);
}

Matrix<float> columnOf(const std::vector<int>& ids) {
    return {ids.size(), 1, std::vector<float>(ids.begin(), ids.end())};
}

std::vector<int> renumbered(std::vector<int> ids) {
    for (int& id : ids)
        id = renumbered(id);
    return ids;
}

} // namespace

class TwoVocabulariesTest : public QObject, ModelFolders {
    Q_OBJECT

    fs::path fsmt() {
        const fs::path folder = fresh();
        fs::copy(golden(), folder);
        for (const auto& entry : fs::directory_iterator(folder))
            fs::permissions(entry, fs::perms::owner_all);
        editConfig(folder, [](json& config) {
            config["tie_word_embeddings"] = false;
            config["src_vocab_size"] = kPieces + kMore;
        });
        editConfig(folder, [](json& pieces) {
            for (auto& [piece, id] : pieces.items())
                id = renumbered(id.get<int>());
            pieces["new</w>"] = kFirst;
        }, "vocab-src.json");
        editWeights(folder, [](Named& tensors) {
            Tensor table = renumberedRows(find(tensors, "model.decoder.embed_tokens.weight"));
            std::erase_if(tensors, [](const auto& one) { return one.first == "model.encoder.embed_tokens.weight"; });
            tensors.emplace_back("model.encoder.embed_tokens.weight", std::move(table));
        });
        return folder;
    }

    /// The same network as fairseq would have saved it, with dictionaries and merges.
    fs::path fairseq(const std::function<void(FairseqArgs&)>& edit = {}) {
        const fs::path folder = fresh(), from = fsmt();
        fs::create_directories(folder);
        FairseqArgs args = argsOf(readCheckpoint(golden()).info.architecture);
        for (const char* key : {"conv_channels", "conv_kernel_sizes", "input_channels", "input_feat_per_channel"})
            args.erase(key);
        args["arch"] = "transformer_iwslt_de_en";
        args["encoder_normalize_before"] = args["decoder_normalize_before"] = false;
        args["share_decoder_input_output_embed"] = true;
        args["share_all_embeddings"] = false;
        args["max_source_positions"] = args["max_target_positions"] = 16;
        args["source_lang"] = "en";
        args["target_lang"] = "de";
        if (edit)
            edit(args);
        Named tensors;
        for (auto& [name, tensor] : readAll(from / "model.safetensors"))
            if (name.starts_with("model.") && name.find("embed_positions") == std::string::npos)
                tensors.emplace_back(name.substr(std::string("model.").size()), tensor);
        writeText(folder / "checkpoint_best.pt", fairseqFile(args, tensors));
        for (const auto& [vocabulary, dictionary] : {std::pair("vocab-src.json", "dict.en.txt"), std::pair("vocab-tgt.json", "dict.de.txt")}) {
            std::map<int, std::string> pieces;
            const json numbers = readJson(from / vocabulary);
            for (const auto& [piece, id] : numbers.items())
                pieces[id.get<int>()] = piece.ends_with("</w>") ? piece.substr(0, piece.size() - 4) : piece + "@@";
            std::string text;
            for (const auto& [id, piece] : pieces)
                if (id >= kFirst)
                    text += piece + " " + std::to_string(1000 - id) + "\n";
            writeText(folder / dictionary, text);
        }
        std::string merges = "#version: 0.2\n", line;
        std::ifstream stream(golden() / "merges.txt");
        while (std::getline(stream, line))
            if (!line.empty() && line[0] != '#')
                merges += line.substr(0, line.find(' ', line.find(' ') + 1)) + "\n";
        writeText(folder / "code", merges);
        return folder;
    }

    /// The golden model and this one say the same of every sentence of the golden.
    static void computesTheSame(SpeechModel& model) {
        const auto reference = SpeechModel::open(golden());
        for (const json& sentence : readJson(golden().parent_path() / "sentences.json").at("sentences")) {
            const auto source = sentence.at("source_ids").get<std::vector<int>>(), inputs = sentence.at("decoder_input_ids").get<std::vector<int>>();
            const Matrix<float> own = columnOf(renumbered(source)), theirs = columnOf(source);
            QCOMPARE(model.encode(own).values(), reference->encode(theirs).values());
            QVERIFY(model.encode(theirs).values() != reference->encode(theirs).values());
            QCOMPARE(model.forcedLogits(own, inputs).values(), reference->forcedLogits(theirs, inputs).values());
        }
    }

    fs::path exported(const fs::path& source) {
        ImportOptions options;
        options.format = ModelFormat::HuggingFace;
        return importModel(source, fresh(), options).model.folder;
    }
    static std::set<std::string> filesIn(const fs::path& folder) {
        std::set<std::string> names;
        for (const auto& entry : fs::directory_iterator(folder))
            names.insert(entry.path().filename().string());
        return names;
    }
    /// The same bytes; tables of positions, which are computed, almost the same.
    static void compareTensors(Named expected, Named found) {
        QCOMPARE(found.size(), expected.size());
        for (const auto& [name, tensor] : expected) {
            const Tensor& other = find(found, name);
            QVERIFY2(other.dtype == tensor.dtype && other.shape == tensor.shape, name.c_str());
            if (name.find("embed_positions") == std::string::npos) {
                QVERIFY2(other.bytes == tensor.bytes, name.c_str());
                continue;
            }
            const std::vector<float> one = toFloats(tensor.view()), two = toFloats(other.view());
            for (std::size_t i = 0; i < one.size(); ++i)
                QVERIFY2(std::abs(one[i] - two[i]) < 1e-3F, (name + ", " + std::to_string(i)).c_str());
        }
    }
    void notFsmt(const fs::path& source, const std::string& word) {
        try {
            exported(source);
        } catch (const Error& error) {
            QVERIFY2(error.code() == "model.notFsmt" && std::string(error.what()).find(word) != std::string::npos, error.what());
            return;
        }
        QFAIL(("exported: " + word).c_str());
    }

private Q_SLOTS:
    void theSourceOfAnFsmtFolderHasAVocabularyOfItsOwn() {
        const auto model = SpeechModel::open(fsmt()), reference = SpeechModel::open(golden());
        const ModelInfo& info = model->info();
        QCOMPARE(info.architecture.frontEnd.vocabulary, kPieces + kMore);
        QCOMPARE(info.architecture.vocabulary, kPieces);
        QCOMPARE(info.parameters, reference->info().parameters + (kPieces + kMore) * kWidth);
        computesTheSame(*model);
        const Tokenizer source(info.sourceTokenizer), target(info.tokenizer), both(reference->info().tokenizer);
        QCOMPARE(source.size(), kPieces + kMore);
        QCOMPARE(target.size(), kPieces);
        QCOMPARE(source.encode("abc cd e"), renumbered(both.encode("abc cd e")));
        QCOMPARE(target.encode("abc cd e"), both.encode("abc cd e"));
        QCOMPARE(reference->info().sourceTokenizer, reference->info().tokenizer);
        // The last piece of the source is one, and of the target none.
        QVERIFY(!model->encode(columnOf({kPieces, 2})).values().empty());
        QVERIFY_EXCEPTION_THROWN(model->forcedLogits(columnOf({5, 2}), {2, kPieces}), Error);
        QVERIFY_EXCEPTION_THROWN(model->encode(columnOf({kPieces + kMore, 2})), Error);
    }

    void aFairseqCheckpointHasADictionaryForEachLanguage() {
        const fs::path folder = fairseq();
        const auto model = SpeechModel::open(folder / "checkpoint_best.pt");
        QCOMPARE(model->info().architecture.source, std::string("fairseq transformer_iwslt_de_en"));
        QCOMPARE(model->info().architecture.frontEnd.vocabulary, kPieces + kMore);
        QCOMPARE(model->info().maxSourceFrames, 16);
        QVERIFY2(model->info().report.assumed.empty(), model->info().report.assumed.empty() ? "" : model->info().report.assumed[0].c_str());
        computesTheSame(*model);
        const Tokenizer source(model->info().sourceTokenizer), target(model->info().tokenizer), both(golden() / "vocab-src.json");
        QCOMPARE(source.encode("ABC cd d"), renumbered(both.encode("abc cd d"))); // no piece has a capital letter
        QCOMPARE(target.decode(both.encode("abc cd d")), std::string("abc cd d"));
    }

    void oneTableOfFairseqIsReadOnce() {
        const fs::path folder = fairseq([](FairseqArgs& args) { args["share_all_embeddings"] = true; });
        fs::remove(folder / "dict.en.txt");
        fs::copy(folder / "dict.de.txt", folder / "dict.en.txt");
        const auto model = SpeechModel::open(folder / "checkpoint_best.pt");
        QCOMPARE(model->info().architecture.frontEnd.vocabulary, 0);
        QCOMPARE(model->info().sourceTokenizer.filename(), fs::path("dict.en.txt")); // cuts by the rules of its language
        QCOMPARE(model->info().parameters, SpeechModel::open(golden())->info().parameters);
        QCOMPARE(model->encode(columnOf({9, 14, 2})).values(), SpeechModel::open(golden())->encode(columnOf({9, 14, 2})).values());
    }

    void importedTheyAreTheSame() {
        for (const fs::path& from : {fsmt(), fairseq() / "checkpoint_best.pt"}) {
            const ImportReport report = importModel(from, fresh());
            const auto model = SpeechModel::open(report.model.folder), before = SpeechModel::open(from);
            computesTheSame(*model);
            for (const auto file : {&ModelInfo::sourceTokenizer, &ModelInfo::tokenizer}) {
                QCOMPARE((model->info().*file).parent_path(), report.model.folder);
                const Tokenizer one(model->info().*file), other(before->info().*file);
                QCOMPARE(one.size(), other.size());
                QCOMPARE(one.encode("abc cd e j"), other.encode("abc cd e j"));
            }
        }
    }

    /// With the files, the keys and the tensors of the golden folder, which the library saved, and the source's embedding.
    void exportedTheyAreFsmtFolders() {
        std::set<std::string> files = filesIn(golden());
        files.insert("provenance.json");
        const fs::path ours = importModel(fsmt(), fresh()).model.folder, theirs = fsmt();
        for (const fs::path& from : {theirs, ours, fairseq() / "checkpoint_best.pt"}) {
            const fs::path folder = exported(from);
            QVERIFY(filesIn(folder) == files);
            const auto model = SpeechModel::open(folder), before = SpeechModel::open(from);
            const auto& assumed = model->info().report.assumed; // as of a folder that the library saved
            QVERIFY2(assumed.size() == 1 && assumed[0].find("embed_positions") != std::string::npos, assumed.empty() ? "" : assumed.back().c_str());
            computesTheSame(*model);
            for (const auto file : {&ModelInfo::sourceTokenizer, &ModelInfo::tokenizer}) {
                const Tokenizer one(model->info().*file), other(before->info().*file);
                QCOMPARE(one.size(), other.size());
                for (const char* text : {"abc cd e j", "ABC, ef"})
                    QCOMPARE(one.encode(text), other.encode(text));
                QCOMPARE(one.decode(one.encode("abc cd ef")), std::string("abc cd ef"));
            }
            compareTensors(readAll(theirs / "model.safetensors"), readAll(folder / "model.safetensors"));
            const json written = readJson(folder / "config.json"), library = readJson(theirs / "config.json");
            for (const auto& [key, value] : library.items())
                if (key != "transformers_version" && key != "max_length" && (key != "activation_dropout" || from.extension() != ".pt"))
                    QVERIFY2(written.contains(key) && written.at(key) == value, (key + ": " + written.value(key, json()).dump()).c_str());
        }
        // One vocabulary of both.
        const fs::path one = exported(golden());
        compareTensors(readAll(golden() / "model.safetensors"), readAll(one / "model.safetensors"));
        QVERIFY(readJson(one / "vocab-src.json") == readJson(one / "vocab-tgt.json"));
        QCOMPARE(SpeechModel::open(one)->encode(columnOf({9, 14, 2})).values(), SpeechModel::open(golden())->encode(columnOf({9, 14, 2})).values());
    }

    void whatFsmtCannotSayIsRefused() {
        const fs::path ours = importModel(fsmt(), fresh()).model.folder;
        Architecture architecture = readCheckpoint(ours).info.architecture;
        architecture.encoder.layers[1].heads = parseHeads("2 local 3");
        writeText(ours / "architecture.json", canonicalText(architecture));
        notFsmt(ours, "“2 local 3” in layer 2");
        fs::path folder = fairseq();
        fs::remove(folder / "code");
        notFsmt(folder / "checkpoint_best.pt", "a dictionary of whole words");
        folder = fairseq();
        writeText(folder / "code", "a b\nc d\n"); // no header, no counts
        notFsmt(folder / "checkpoint_best.pt", "merges of subword-nmt 0.1");
    }

    /// A table that a training has changed is no sinusoid: its rows come back where they were.
    void trainedPositionsAreExported() {
        const fs::path folder = fsmt();
        editWeights(folder, [](Named& tensors) {
            for (const char* name : {"model.encoder.embed_positions.weight", "model.decoder.embed_positions.weight"}) {
                Tensor& table = find(tensors, name);
                std::vector<float> values = toFloats(table.view());
                for (std::size_t i = 0; i < values.size(); ++i)
                    values[i] += 0.1F * static_cast<float>(i % 5);
                table = Tensor::of<float>(table.shape, values);
            }
        });
        const auto before = SpeechModel::open(folder), after = SpeechModel::open(exported(folder));
        QVERIFY(before->info().architecture.encoder.positions == Positions::Stored);
        QCOMPARE(after->encode(columnOf({9, 14, 2})).values(), before->encode(columnOf({9, 14, 2})).values());
        QCOMPARE(after->forcedLogits(columnOf({9, 14, 2}), {2, 5, 6}).values(), before->forcedLogits(columnOf({9, 14, 2}), {2, 5, 6}).values());
    }

    void whatDoesNotFitIsSaid() {
        fs::path folder = fsmt();
        editConfig(folder, [](json& config) { config["tie_word_embeddings"] = true; });
        refused(folder, "model.badConfig", {"config.json", "“src_vocab_size” is 29, “tgt_vocab_size” 28"});
        folder = fsmt();
        editConfig(folder, [](json& pieces) { pieces["more"] = kPieces + kMore; }, "vocab-src.json");
        refused(folder, "model.tokenizer", {"vocab-src.json", "30 pieces", "expects 29"});
        folder = fsmt();
        fs::remove(folder / "vocab-tgt.json");
        const auto silent = SpeechModel::open(folder);
        QVERIFY(silent->info().sourceTokenizer.empty() && silent->info().tokenizer.empty());
        QVERIFY(silent->info().report.assumed.at(0).find("vocab-tgt.json") != std::string::npos);
        folder = fairseq();
        writeText(folder / "dict.en.txt", "a@@ 5\nalone\n");
        refused(folder, "model.tokenizer", {"dict.en.txt", "“alone” in line 2"});
        folder = fairseq([](FairseqArgs& args) { args["encoder_learned_pos"] = true; });
        refused(folder, "model.unsupported", {"encoder_learned_pos"});
        folder = fairseq();
        writeText(folder / "dict.de.txt", "▁the 5\n");
        QVERIFY(SpeechModel::open(folder)->info().report.assumed.at(0).find("pieces of SentencePiece") != std::string::npos);
    }
};

HEADROOM_TEST(TwoVocabulariesTest)

} // namespace headroom::testing::two_vocabularies_test

#include "two_vocabularies_test.moc"
