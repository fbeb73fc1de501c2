// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/session_changes.h"

#include "app/documents/drafts/drafts.h"
#include "app/documents/session.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"

#include <QTest>

#include <functional>

namespace headroom::testing::session_changes_test {

using namespace headroom::app;
using nlohmann::json;

namespace {

SessionDocument::UtteranceEntry recording(const char* name) {
    SessionDocument::UtteranceEntry entry;
    entry.name = QString::fromLatin1(name);
    entry.audio.path = std::string("/sounds/") + name + ".wav";
    return entry;
}

SessionDocument::UtteranceEntry text(const char* name, const char* words) {
    SessionDocument::UtteranceEntry entry;
    entry.name = QString::fromLatin1(name);
    entry.text = QString::fromLatin1(words);
    return entry;
}

SessionDocument::ModelEntry model(const char* name) {
    SessionDocument::ModelEntry entry;
    entry.name = QString::fromLatin1(name);
    entry.folder = std::string("/models/") + name;
    return entry;
}

Architecture withHeads(int layer, const char* heads) {
    Architecture architecture = Workshop::info(12).architecture;
    architecture.encoder.layers[std::size_t(layer - 1)].heads = parseHeads(heads);
    return architecture;
}

/// What a session was saved with.
SessionDocument saved() {
    SessionDocument document;
    document.utterances = {recording("a"), recording("b"), text("t", "one"), text("t", "two")};
    document.models = {model("demo"), model("other")};
    document.view = json::parse(R"({"studies": {"open": ["/studies/x"]}, "gamma": 1})");
    return document;
}

const OwnArchitecture kKnown = [](const std::filesystem::path&) { return Workshop::info(12).architecture; };
const OwnArchitecture kUnknown = [](const std::filesystem::path&) { return std::nullopt; };

QString changesAfter(const std::function<void(SessionDocument&)>& change, const OwnArchitecture& ownOf = kKnown) {
    SessionDocument now = saved();
    change(now);
    return changesText(saved(), now, ownOf);
}

} // namespace

class SessionChangesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachChangeIsNamed_data() {
        using Change = std::function<void(SessionDocument&)>;
        QTest::addColumn<Change>("change");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* expected, const Change& change) { QTest::newRow(*expected ? expected : "nothing") << change << QString::fromUtf8(expected); };
        row("1 recording added", [](auto& now) { now.utterances.push_back(recording("c")); });
        row("2 recordings added", [](auto& now) { now.utterances.insert(now.utterances.begin(), {recording("c"), recording("d")}); });
        row("2 recordings removed", [](auto& now) { now.utterances.erase(now.utterances.begin(), now.utterances.begin() + 2); });
        row("location of 1 recording changed", [](auto& now) { now.utterances[0].audio.path = "/moved/a.wav"; });
        row("alignment of 1 recording changed", [](auto& now) { now.utterances[0].alignment = SessionDocument::FileEntry{"/sounds/a.TextGrid", {}}; });
        row("selected part of 1 recording changed", [](auto& now) { now.utterances[1].part = Part{Seconds(1), Seconds(2)}; });
        row("transcript of 1 recording changed", [](auto& now) { now.utterances[1].texts.transcript = QStringLiteral("hello"); });
        row("1 text added", [](auto& now) { now.utterances.push_back(text("t", "three")); });
        row("1 text removed", [](auto& now) { now.utterances.erase(now.utterances.begin() + 2); }); // the other one of that name stays
        row("1 text edited", [](auto& now) { now.utterances[3].target = QStringLiteral("zwei"); });
        row("utterances reordered", [](auto& now) { std::swap(now.utterances[0], now.utterances[1]); });
        row("1 model opened", [](auto& now) { now.models.push_back(model("third")); });
        row("1 model closed", [](auto& now) { now.models.pop_back(); });
        row("location of 1 model changed", [](auto& now) { now.models[0].folder = "/moved/demo"; });
        row("1 model ticked or unticked", [](auto& now) { now.models[0].enabled = false; });
        row("heads of “demo” edited (layer 3: full → 9)", [](auto& now) { now.models[0].draft = withHeads(3, "4 local 9"); });
        row("1 study opened", [](auto& now) { now.view["studies"]["open"].push_back("/studies/y"); });
        row("1 study closed", [](auto& now) { now.view.erase("studies"); });
        row("1 curve kept", [](auto& now) { now.view["keptCurves"] = json::parse(R"([{"model": 0}])"); });
        row("", [](auto& now) { // none of it makes a session modified
            now.currentModel = 1;
            now.currentLayer = 7;
            now.view["gamma"] = 0.5;
            now.utterances[0].audio.sha256 = "a1";
            now.models[0].sha256["model.safetensors"] = "a1";
        });
    }
    void eachChangeIsNamed() {
        QFETCH(std::function<void(SessionDocument&)>, change);
        QFETCH(QString, expected);
        QCOMPARE(changesAfter(change), expected);
    }

    void headsComeFirstAndManyAreCounted() {
        const auto edit = [](SessionDocument& now) {
            now.utterances.push_back(recording("c"));
            for (auto& one : now.models)
                one.draft = withHeads(2, "2 local 5 + 2 full");
        };
        QCOMPARE(changesAfter(edit), QStringLiteral("heads of “demo” edited (layer 2: full → 2 local 5 + 2 full), "
                                                    "heads of “other” edited (layer 2: full → 2 local 5 + 2 full), 1 recording added"));
        QCOMPARE(changesAfter(edit, kUnknown), QStringLiteral("heads of “demo” edited, heads of “other” edited, 1 recording added"));
        SessionDocument before = saved();
        before.models.push_back(model("third"));
        SessionDocument now = before;
        edit(now);
        QCOMPARE(changesText(before, now, kKnown), QStringLiteral("heads of 3 architectures edited, 1 recording added"));
    }

    /// A draft that was saved is what later edits are told from, and Undo back to the model's own heads is an edit too.
    void aSavedDraftIsComparedWithTheNewOne() {
        SessionDocument before = saved(), now = saved();
        before.models[0].draft = withHeads(3, "4 local 9");
        now.models[0].draft = withHeads(3, "4 local 5");
        QCOMPARE(changesText(before, now, kUnknown), QStringLiteral("heads of “demo” edited (layer 3: 9 → 5)"));
        now.models[0].draft.reset();
        QCOMPARE(changesText(before, now, kKnown), QStringLiteral("heads of “demo” edited (layer 3: 9 → full)"));
    }

    void architecturesOfTheirOwnAndMistakesAreNamed() {
        Session session;
        Drafts& drafts = *session.drafts();
        const auto now = [&] {
            SessionDocument document = saved();
            document.view["design"] = {{"drafts", drafts.viewState()}};
            return document;
        };
        Architecture small = Workshop::info(4).architecture;
        small.name = "small";
        const SessionDocument without = now();
        const DraftKey key = drafts.newDocument(small, QStringLiteral("Preset"));
        const SessionDocument with = now();
        QCOMPARE(changesText(without, with, kKnown), QStringLiteral("1 architecture opened"));
        QCOMPARE(changesText(with, without, kKnown), QStringLiteral("1 architecture closed"));
        QVERIFY(drafts.setWindow(key, {2, 9}));
        QCOMPARE(changesText(with, now(), kKnown), QStringLiteral("heads of “%1” edited (layer 2: full → 9)").arg(drafts.name(key)));
        session.undoStack()->undo();
        QCOMPARE(changesText(with, now(), kKnown), QString());
        QVERIFY(drafts.write(key, {{1, 1, 1, QStringLiteral("nonsense")}}));
        QCOMPARE(changesText(with, now(), kKnown), QStringLiteral("heads of “%1” edited").arg(drafts.name(key)));
    }

    /// Files come from strangers.
    void aViewOfAnotherShapeIsPassedOver() {
        SessionDocument odd = saved();
        odd.view = json::parse(R"({"studies": 3, "design": {"drafts": {"documents": [1, "x"], "models": [{"written": 4}]}}, "keptCurves": "no"})");
        QCOMPARE(changesText(odd, odd, kKnown), QString());
        QCOMPARE(changesText(odd, saved(), kKnown), QStringLiteral("2 architectures closed, 1 study opened"));
    }
};

HEADROOM_TEST(SessionChangesTest)

} // namespace headroom::testing::session_changes_test

#include "session_changes_test.moc"
