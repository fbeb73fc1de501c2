// SPDX-License-Identifier: GPL-3.0-or-later
// Drafts and their files: architectures that are edited beside the models, what is saved, and what a session brings back.
#include "app/documents/items/paths.h"
#include "tests/app/documents/one_draft.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

namespace headroom::testing::draft_files_test {

using namespace headroom::app;

class DraftFilesTest : public QObject, private OneDraft {
    Q_OBJECT

private Q_SLOTS:
    void init() { reset(); }
    void aDocumentIsEditedBesideTheModels();
    void aDocumentIsSavedAsCanonicalText();
    void theDraftOfAModelKeepsItsFile();
    void aFileThatAnotherProgramChangedIsReadAgain();
    void aFileThatIsGoneIsNotSaved();
    void whatCannotBeReadOrWrittenIsSaid();
    void filesOfOneNameAreToldApart();
    void documentsComeBackWithTheView();
    void mistakesComeBackWithTheView();
};

void DraftFilesTest::aDocumentIsEditedBesideTheModels() {
    Architecture preset = Workshop::info(3, "4 local 5").architecture;
    preset.name = "Preset";
    const DraftKey document = m_drafts->newDocument(preset, QStringLiteral("Preset"));
    QCOMPARE(m_drafts->current(), document);
    QCOMPARE(m_drafts->name(document), QStringLiteral("Preset, copy 1"));
    m_drafts->write(document, {{2, 1, 4, QStringLiteral("full")}});
    QCOMPARE(m_drafts->origin(document), QStringLiteral("edited, from Preset"));
    QCOMPARE(heads(2), QStringLiteral("4 full")); // the model's is its own
    QCOMPARE(QString::fromStdString(toText(m_drafts->architecture(document).encoder.layers[1].heads)),
             QStringLiteral("4 full"));
    undo(); // the same stack
    QVERIFY(!m_drafts->isEdited(document));
    m_session->setCurrentModel(ModelId::None);
    m_session->setCurrentModel(m_model);
    QCOMPARE(m_drafts->current(), document); // a chosen document stays
    m_drafts->setCurrent(key());
    QCOMPARE(m_drafts->current(), key());
}

void DraftFilesTest::aDocumentIsSavedAsCanonicalText() {
    const auto file = m_workshop->path() / "mine.json";
    m_drafts->write(key(), {{1, 1, 4, QStringLiteral("local 5")}});
    const Architecture draft = m_drafts->architecture(key());
    m_drafts->save(key(), file);
    const Architecture saved = readArchitecture(file);
    QVERIFY(saved.encoder == draft.encoder);
    QCOMPARE(saved.name, std::string("mine")); // no longer the model, and its source says so
    QCOMPARE(saved.source, "edited from " + draft.name + (draft.source.empty() ? "" : ": " + draft.source));
    const DraftKey document = m_drafts->openDocument(m_workshop->text("copy.json", canonicalText(saved)));
    QCOMPARE(m_drafts->openDocument(m_workshop->path() / "copy.json"), document); // not twice
    m_drafts->write(document, {{1, 1, 4, QStringLiteral("local 7")}});
    m_drafts->save(document, file);
    QVERIFY(!m_drafts->isEdited(document));
    std::ifstream in(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    QCOMPARE(bytes, canonicalText(parseArchitecture(bytes, "mine.json")));
}

/// It was asked for a file again and again, and no header said that the draft was safe.
void DraftFilesTest::theDraftOfAModelKeepsItsFile() {
    const QTemporaryDir place; // outlives the sessions
    const auto file = toPath(place.filePath(QStringLiteral("mine.json")));
    m_drafts->write(key(), {{1, 1, 4, QStringLiteral("local 5")}});
    QVERIFY(!m_drafts->isSaved(key()));
    m_drafts->save(key(), file);
    QVERIFY(m_session->isModified() && m_drafts->isSaved(key()) && m_drafts->isEdited(key())); // told from the model, as before
    QCOMPARE(m_drafts->file(key()), file);
    QCOMPARE(m_drafts->origin(key()), QStringLiteral("draft, saved as mine.json"));
    QCOMPARE(m_drafts->openDocument(file), key()); // no second editor of one file

    m_drafts->write(key(), {{2, 1, 4, QStringLiteral("local 9")}});
    QVERIFY(!m_drafts->isSaved(key()));
    QCOMPARE(m_drafts->origin(key()), QStringLiteral("draft, edited since mine.json was saved"));
    m_drafts->save(key(), file);
    QCOMPARE(readArchitecture(file).name, std::string("mine"));
    undo();
    const auto view = nlohmann::json::parse(m_drafts->viewState().dump());
    const auto written = m_drafts->written(m_model);

    // In a session that is opened, before its model and after it, and with a model that was closed.
    for (const bool first : {true, false}) {
        reset();
        const auto folder = m_session->models()->find(m_model)->folder;
        auto moved = view;
        moved["models"][0]["folder"] = folder.string();
        m_session->closeModel(m_model);
        if (first)
            m_drafts->restoreView(moved);
        else
            m_drafts->keepWritten(folder, written);
        m_model = m_session->openModel(folder);
        m_session->setModelOpened(m_model, Workshop::info(12));
        QCOMPARE(m_drafts->file(key()), file);
        QCOMPARE(m_drafts->origin(key()), QStringLiteral("unchanged, unlike mine.json"));
        m_drafts->write(key(), {{1, 1, 4, QStringLiteral("local 5")}, {2, 1, 4, QStringLiteral("local 9")}});
        QVERIFY(m_drafts->isSaved(key()));
    }
}

void DraftFilesTest::whatCannotBeReadOrWrittenIsSaid() {
    const auto bad = m_workshop->text("bad.json", "{ \"format\": 3 }");
    QVERIFY_EXCEPTION_THROWN(m_drafts->openDocument(bad), Error);
    QCOMPARE(m_drafts->keys().size(), std::size_t(1));
    try {
        m_drafts->openDocument(m_workshop->text("other.json", "{ \"foo\": 1 }"));
        QFAIL("opened");
    } catch (const Error& error) {
        QVERIFY2(QString::fromUtf8(error.what()).endsWith(QStringLiteral("other.json is not an architecture: it has none of its keys.")), error.what());
    }
    try {
        m_drafts->save(key(), m_workshop->path() / "nowhere" / "a.json");
        QFAIL("written into a folder that is not there");
    } catch (const Error& error) {
        QVERIFY(QString::fromUtf8(error.what()).contains(QStringLiteral("a.json")));
    }
}

/// The old content was shown as saved, and the next save wrote it over the new one.
void DraftFilesTest::aFileThatAnotherProgramChangedIsReadAgain() {
    const auto write = [&](const char* heads) {
        Architecture architecture = Workshop::info(3, heads).architecture;
        architecture.name = "mine";
        return m_workshop->text("mine.json", canonicalText(architecture));
    };
    const auto headsOf = [&](DraftKey key) { return QString::fromStdString(toText(m_drafts->heads(key, 1))); };
    const auto file = write("4 local 5");
    const DraftKey first = m_drafts->openDocument(file);
    QVERIFY(!m_drafts->isFileChanged(first));
    write("4 local 7");
    QVERIFY(m_drafts->isFileChanged(first));
    const DraftKey second = m_drafts->openDocument(file);
    QCOMPARE(headsOf(second), QStringLiteral("4 local 7"));
    QVERIFY(!m_drafts->has(first) && !m_drafts->isFileChanged(second)); // nothing was edited in it

    m_drafts->write(second, {{1, 1, 4, QStringLiteral("local 9")}});
    write("4 local 11");
    // A session that was closed meanwhile finds it as well.
    const auto view = nlohmann::json::parse(m_drafts->viewState().dump());
    m_drafts->restoreView(view);
    const DraftKey edited = m_drafts->keys().back();
    QVERIFY(m_drafts->isFileChanged(edited));
    const DraftKey third = m_drafts->openDocument(file);
    QCOMPARE(m_drafts->current(), third);
    QCOMPARE(headsOf(third), QStringLiteral("4 local 11"));
    QCOMPARE(headsOf(edited), QStringLiteral("4 local 9"));
    QCOMPARE(m_drafts->name(third), QStringLiteral("mine"));
    QCOMPARE(m_drafts->name(edited), QStringLiteral("mine, copy 2"));
    QVERIFY(m_drafts->file(edited).empty() && !m_drafts->isSaved(edited));
    QVERIFY(m_session->messages()->at(0).sentence.contains(QStringLiteral("mine, copy 2")));

    // The same of a model's draft.
    const auto own = m_workshop->path() / "own.json";
    m_drafts->write(key(), {{1, 1, 4, QStringLiteral("local 5")}});
    m_drafts->save(key(), own);
    QVERIFY(!m_drafts->isFileChanged(key()));
    m_workshop->text("own.json", "[]");
    QVERIFY(m_drafts->isFileChanged(key()));
    QVERIFY_THROWS_EXCEPTION(Error, m_drafts->openDocument(own));
    QCOMPARE(m_drafts->file(key()), own); // nothing was let go
    m_drafts->save(key(), own);
    QVERIFY(m_drafts->isSaved(key()) && !m_drafts->isFileChanged(key()));
}

void DraftFilesTest::aFileThatIsGoneIsNotSaved() {
    Architecture architecture = Workshop::info(3, "4 local 5").architecture;
    architecture.name = "mine";
    const auto file = m_workshop->text("mine.json", canonicalText(architecture));
    const DraftKey document = m_drafts->openDocument(file);
    QVERIFY(m_drafts->isSaved(document) && !m_drafts->isFileGone(document));
    std::filesystem::remove(file);
    QVERIFY(!m_drafts->isSaved(document) && m_drafts->isFileGone(document) && !m_drafts->isFileChanged(document));
    QCOMPARE(m_drafts->origin(document), QStringLiteral("mine.json is no longer there"));
    m_drafts->save(document, file);
    QVERIFY(m_drafts->isSaved(document) && std::filesystem::exists(file));
}

/// Two rows of the list were called the same.
void DraftFilesTest::filesOfOneNameAreToldApart() {
    Architecture architecture = Workshop::info(3, "4 local 5").architecture;
    architecture.name = "narrow";
    const std::string text = canonicalText(architecture);
    const auto open = [&](const char* file) { return m_drafts->openDocument(m_workshop->text(file, text)); };
    const DraftKey one = open("ann/narrow.json");
    QCOMPARE(m_drafts->shownName(one), QStringLiteral("narrow"));
    const DraftKey other = open("bob/narrow.json"), third = open("bob/wide.json");
    QCOMPARE(m_drafts->shownName(one), QStringLiteral("ann/narrow"));
    QCOMPARE(m_drafts->shownName(other), QStringLiteral("bob/narrow"));
    QCOMPARE(m_drafts->shownName(third), QStringLiteral("wide.json/narrow"));
    QCOMPARE(m_drafts->name(other), QStringLiteral("narrow")); // its own name stays
    m_drafts->closeDocument(one);
    m_drafts->closeDocument(third);
    QCOMPARE(m_drafts->shownName(other), QStringLiteral("narrow"));

    // A model beside the file.
    const ModelId model = m_session->openModel(m_workshop->model("bob/narrow"));
    auto info = Workshop::info(3);
    info.name = QStringLiteral("narrow");
    m_session->setModelOpened(model, info);
    QVERIFY(m_drafts->shownName(other) != m_drafts->shownName({model, 0}));
    QCOMPARE(m_drafts->shownName(other), QStringLiteral("narrow.json/narrow"));
}

void DraftFilesTest::documentsComeBackWithTheView() {
    const DraftKey document = m_drafts->newDocument(Workshop::info(3).architecture, QStringLiteral("x"));
    m_drafts->write(document, {{2, 1, 4, QStringLiteral("local 5")}});
    const auto view = nlohmann::json::parse(m_drafts->viewState().dump());
    const Architecture edited = m_drafts->architecture(document);
    m_drafts->closeDocument(document);
    m_drafts->restoreView(view);
    QCOMPARE(m_drafts->keys().size(), std::size_t(2));
    const DraftKey again = m_drafts->keys().back();
    QCOMPARE(m_drafts->current(), again);
    QCOMPARE(m_drafts->architecture(again), edited);
    QVERIFY(m_drafts->isEdited(again));
    m_drafts->restoreView({});
    QCOMPARE(m_drafts->keys().size(), std::size_t(1));
}

void DraftFilesTest::mistakesComeBackWithTheView() {
    m_drafts->write(key(), {{7, 4, 4, QStringLiteral("local 14")}});
    const Architecture base = m_drafts->architecture(key());
    const DraftKey document = m_drafts->newDocument(base, {});
    m_drafts->write(document, {{3, 1, 2, QStringLiteral("lokal 5")}, {4, 1, 4, QStringLiteral("local 9")}});
    const auto view = nlohmann::json::parse(m_drafts->viewState().dump());
    const Architecture valid = m_drafts->architecture(document);

    // The model is open already.
    undo();
    undo();
    m_drafts->restoreView(view);
    QCOMPARE(written(key(), 7), QStringLiteral("3 full + 1 local 14"));
    QCOMPARE(heads(7), QStringLiteral("4 full"));
    const DraftKey again = m_drafts->keys().back();
    QCOMPARE(written(again, 3), QStringLiteral("2 lokal 5 + 2 full"));
    QVERIFY(m_drafts->grid(again).isMistaken(3) && !m_drafts->grid(again).isMistaken(4));
    QCOMPARE(m_drafts->architecture(again), valid);

    // It opens later; until then another saving keeps what waits for it.
    reset();
    m_session->closeModel(m_model);
    m_drafts->restoreView(view);
    QCOMPARE(m_drafts->viewState()["models"].size(), std::size_t(1));
    const auto folder = view["models"][0]["folder"].get<std::string>();
    m_model = m_session->openModel(folder);
    m_session->setModelOpened(m_model, Workshop::info(12));
    QCOMPARE(written(key(), 7), QStringLiteral("3 full + 1 local 14"));

    // Nonsense is left out, the rest stays.
    m_drafts->restoreView({{"models", {{{"folder", 3}}}}, {"documents", nlohmann::json::array({5})}});
    QCOMPARE(m_drafts->keys().size(), std::size_t(1));
}

HEADROOM_TEST(DraftFilesTest)

} // namespace headroom::testing::draft_files_test

#include "draft_files_test.moc"
