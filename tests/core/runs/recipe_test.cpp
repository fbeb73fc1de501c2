// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/architecture.h"
#include "core/runs/recipe.h"
#include "core/runs/strict_json.h"
#include "tests/support/runner.h"

#include <QtTest/QtTest>

#include <set>

namespace headroom::testing::recipe_test {

namespace fs = std::filesystem;

namespace {

const fs::path kRecipes = fs::path(HEADROOM_SOURCE_DIR) / "resources" / "recipes";

std::string refusal(const std::function<void()>& action, const std::string& code) {
    try {
        action();
    } catch (const Error& error) {
        return error.code() == code ? error.what() : "wrong code " + error.code();
    }
    return "nothing was refused";
}

/// The default recipe with one text replaced.
std::string with(const std::string& what, const std::string& by) {
    std::string text = canonicalText(Recipe());
    const auto place = text.find(what);
    if (place == std::string::npos)
        qFatal("no such text in a recipe");
    return text.replace(place, what.size(), by);
}

} // namespace

class RecipeTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void deliveredRecipesAreCanonical();
    void whatTheDemosSayIsASentence();
    void everyValueIsVisible();
    void theExampleOfFairseqStandsInItsRecipe();
    void mistakesNameTheKeyAndTheNearest();
    void whatContradictsItselfIsRefused();
    void aPolicyOfSpecAugmentSetsItsValues();
    void theDeviceIsWrittenWhereItIsNotTheCpu();
    void setOverridesOneValue();
    void differencesAreListed();
    void strictJsonRefusesWhatTheLibraryPassesOver();
};

void RecipeTest::deliveredRecipesAreCanonical() {
    const std::string list = readSmallFile(kRecipes / "README.md", "test");
    int recipes = 0, architectures = 0;
    for (const auto& entry : fs::directory_iterator(kRecipes)) {
        const fs::path file = entry.path();
        if (file.extension() != ".json")
            continue;
        const bool isArchitecture = file.stem().extension() == ".architecture";
        const std::string text = readSmallFile(file, "test");
        QVERIFY2((isArchitecture ? canonicalText(readArchitecture(file)) : canonicalText(readRecipe(file))) == text, file.c_str());
        QVERIFY2(list.find("`" + file.filename().string() + "`") != std::string::npos, file.c_str());
        QVERIFY2(isArchitecture || !readRecipe(file).source.empty(), file.c_str());
        if (isArchitecture) // one name in both lists of the form
            QCOMPARE(readArchitecture(file).name, readRecipe(fs::path(file).replace_extension().replace_extension(".json")).name);
        ++(isArchitecture ? architectures : recipes);
    }
    QVERIFY(recipes >= 15 && architectures >= 6);
}

/// Optional keys appear as soon as they change the run.
/// The form shows it below the name; the others name their paper.
void RecipeTest::whatTheDemosSayIsASentence() {
    for (const char* name : {"smoke", "demo", "demo-model", "demo-text", "demo-lm", "aligner"}) {
        const std::string source = readRecipe(kRecipes / (std::string(name) + ".json")).source;
        QVERIFY2(source.front() >= 'A' && source.front() <= 'Z' && source.back() == '.', source.c_str());
    }
}

void RecipeTest::everyValueIsVisible() {
    Recipe changed;
    for (const auto& field : recipeFields())
        if (field.optional)
            field.set(changed, field.kind == RecipeField::Kind::Word   ? nlohmann::json(field.words.back())
                               : field.kind == RecipeField::Kind::Text ? nlohmann::json("0.5 0.25") // probabilities
                                                                       : nlohmann::json(field.most));
    const auto document = nlohmann::json::parse(canonicalText(changed));
    std::set<std::string> keys;
    for (const auto& field : recipeFields()) {
        QVERIFY2(keys.insert(std::string(field.key)).second, field.key.data());
        QVERIFY2(!field.meaning.empty(), field.key.data());
        const auto path = nlohmann::json::json_pointer(
            "/" + QString::fromStdString(std::string(field.key)).replace('.', '/').toStdString());
        QVERIFY2(document.contains(path), field.key.data());
    }
    QVERIFY(parseRecipe(canonicalText(changed), "changed") == changed);
    QVERIFY(canonicalText(Recipe()).find("schedule") == std::string::npos); // as before there was such a key
    QCOMPARE(parseRecipe(canonicalText(Recipe()), "default").name, std::string());
    QVERIFY(parseRecipe(canonicalText(Recipe()), "default") == Recipe());
}

void RecipeTest::theExampleOfFairseqStandsInItsRecipe() {
    const Recipe mustc = readRecipe(kRecipes / "fairseq-mustc.json");
    QCOMPARE(mustc.length.maxUpdates, 100000);
    QCOMPARE(mustc.augmentation.frequencyWidth, 27);
    QCOMPARE(mustc.augmentation.timeWidth, 100);
}

void RecipeTest::mistakesNameTheKeyAndTheNearest() {
    const auto parse = [](const std::string& text) { return [text] { parseRecipe(text, "mine.json"); }; };
    QCOMPARE(refusal(parse(with("\"learningRate\"", "\"learningrat\"")), "recipe.unknownKey"),
             std::string("mine.json, optimiser.learningrat: unknown key; nearest is "
                         "“optimiser.learningRate”."));
    QCOMPARE(refusal(parse(with("    \"accumulate\": 1\n", "").replace(0, 0, "")), "recipe.badJson")
                 .rfind("mine.json is not JSON at line", 0),
             std::size_t(0)); // the comma before it now stands before a brace
    QCOMPARE(refusal(parse(with("    \"beta1\": 0.9,\n", "")), "recipe.missingKey"),
             std::string("mine.json, optimiser.beta1: this key is missing."));
    QCOMPARE(
        refusal(parse(with("\"accumulate\": 1", "\"accumulate\": 0")), "recipe.value"),
        std::string("mine.json, optimiser.accumulate: this must be a whole number from 1 to 10,000, not 0."));
    QCOMPARE(refusal(parse(with("\"accumulate\": 1", "\"accumulate\": 1.5")), "recipe.type"),
             std::string(
                 "mine.json, optimiser.accumulate: this must be a whole number from 1 to 10,000, not 1.5."));
    QCOMPARE(refusal(parse(with("\"fp32\"", "\"fp31\"")), "recipe.value"),
             std::string("mine.json, machine.precision: there is no “fp31”; nearest is “fp32”."));
    QVERIFY(refusal(parse(with("\"asr\"", "\"../asr\"")), "recipe.value").find("task") != std::string::npos);
    QVERIFY(refusal(parse(with("\"version\": 1", "\"version\": 2")), "recipe.format").find("version 1") !=
            std::string::npos);
    QCOMPARE(refusal(parse(R"({"format": "headroom/architecture", "version": 1, "encoder": {}})"),
                     "recipe.format"),
             std::string("mine.json is a headroom/architecture, not a recipe."));
    QVERIFY(refusal(parse("[1]"), "recipe.badJson").find("not a JSON object") != std::string::npos);
    QVERIFY(refusal([] { readRecipe("/nowhere/r.json"); }, "recipe.missing").find("/nowhere/r.json") !=
            std::string::npos);
}

void RecipeTest::whatContradictsItselfIsRefused() {
    const auto parse = [](const std::string& text) { return [text] { parseRecipe(text, "mine.json"); }; };
    QVERIFY(refusal(parse(with("\"maxFrames\": 3000", "\"maxFrames\": 50000")), "recipe.value")
                .find("does not fit into a batch") != std::string::npos);
    QVERIFY(refusal(parse(with("\"minFrames\": 5", "\"minFrames\": 4000")), "recipe.value")
                .find("no utterance") != std::string::npos);
    QVERIFY(refusal(parse(with("\"everyEpochs\": 1", "\"everyEpochs\": 0")), "recipe.value")
                .find("nothing would ever be saved") != std::string::npos);
    Recipe recipe;
    recipe.optimiser.finalFactor = 0;
    QVERIFY(refusal([&] { overrideRecipe(recipe, "optimiser.schedule=\"exponential\""); }, "recipe.value")
                .find("never reaches 0") != std::string::npos);
    recipe.validation.everyEpochs = 0;
    recipe.checkpoints.everyUpdates = 5;
    QVERIFY(refusal([&] { overrideRecipe(recipe, "optimiser.schedule=\"plateau\""); }, "recipe.value")
                .find("there are none") != std::string::npos);
}

void RecipeTest::aPolicyOfSpecAugmentSetsItsValues() {
    Recipe recipe;
    overrideRecipe(recipe, "augmentation.policy=\"SM\"");
    QCOMPARE(recipe.augmentation, (Recipe::Augmentation{2, 15, 2, 70, 0.2}));
    overrideRecipe(recipe, "augmentation.timeMasks=3"); // a later value counts
    QCOMPARE(recipe.augmentation, (Recipe::Augmentation{2, 15, 3, 70, 0.2}));
    QVERIFY(refusal([&] { overrideRecipe(recipe, "augmentation.policy=\"LC\""); }, "recipe.value")
                .find("“LB”, “LD”, “SM”, “SS”, “none”") != std::string::npos);
}

void RecipeTest::theDeviceIsWrittenWhereItIsNotTheCpu() {
    Recipe recipe;
    const std::string without = canonicalText(recipe);
    QVERIFY(without.find("device") == std::string::npos);
    QCOMPARE(parseRecipe(without, "r.json").machine.device, std::string("cpu")); // as every recipe before had it
    recipe.machine.device = "cuda:1";
    const std::string text = canonicalText(recipe);
    QVERIFY2(text.find("\"device\": \"cuda:1\"") != std::string::npos, text.c_str());
    QVERIFY(parseRecipe(text, "r.json") == recipe);
    overrideRecipe(recipe, "machine.device=\"auto\"");
    QCOMPARE(recipe.machine.device, std::string("auto"));
}

void RecipeTest::setOverridesOneValue() {
    Recipe recipe;
    overrideRecipe(recipe, "optimiser.learningRate=1e-3");
    overrideRecipe(recipe, "machine.precision=\"bf16\"");
    overrideRecipe(recipe, "length.maxUpdates=7");
    Recipe expected;
    expected.optimiser.learningRate = 1e-3;
    expected.machine.precision = "bf16";
    expected.length.maxUpdates = 7;
    QVERIFY(recipe == expected);
    QCOMPARE(refusal([&] { overrideRecipe(recipe, "machine.precision=bf16"); }, "recipe.badSet"),
             std::string("--set machine.precision=bf16: the value is not JSON; put text in quotes: "
                         "machine.precision=\"bf16\"."));
    QVERIFY(refusal([&] { overrideRecipe(recipe, "length.maxUpdates=abc"); }, "recipe.type").find("whole number") != std::string::npos);
    QVERIFY(refusal([&] { overrideRecipe(recipe, "length.maxUpdate=7"); }, "recipe.unknownKey")
                .find("nearest is “length.maxUpdates”") != std::string::npos);
    QVERIFY(refusal([&] { overrideRecipe(recipe, "length"); }, "recipe.badSet").find("KEY=VALUE") !=
            std::string::npos);
    refusal([&] { overrideRecipe(recipe, "data.maxFrames=1000000"); }, "recipe.value");
    QVERIFY(recipe == expected); // a refused value leaves the recipe as it was
}

void RecipeTest::differencesAreListed() {
    Recipe changed;
    changed.optimiser.accumulate = 8;
    const auto found = differences(Recipe(), changed);
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(found[0].key, std::string("optimiser.accumulate"));
    QCOMPARE(found[0].left + " " + found[0].right, std::string("1 8"));
}

void RecipeTest::strictJsonRefusesWhatTheLibraryPassesOver() {
    const auto parse = [](const std::string& text) {
        return [text] { parseStrictObject(text, "x.json", "test.bad"); };
    };
    QCOMPARE(refusal(parse(R"({"a": 1, "b": {"a": 2}, "a": 3})"), "test.bad"),
             std::string("x.json: the key “a” is duplicated."));
    QVERIFY(refusal(parse("{\"a\": " + std::string(40, '[') + std::string(40, ']') + "}"), "test.bad")
                .find("deep") != std::string::npos);
    QCOMPARE(refusal(parse("{\n  \"a\": ]\n}"), "test.bad"),
             std::string("x.json is not JSON at line 2, column 8."));
    QVERIFY(parseStrictObject(R"({"a": [1, {"a": 1}, {"a": 2}]})", "x.json", "test.bad").size() == 1);
}

HEADROOM_TEST(RecipeTest)

} // namespace headroom::testing::recipe_test

#include "recipe_test.moc"
