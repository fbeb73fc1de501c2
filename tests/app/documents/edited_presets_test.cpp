// SPDX-License-Identifier: GPL-3.0-or-later
// Every preset with every kind of edit: what the program writes of it, it reads again and counts.
#include "core/architecture/costs.h"
#include "core/architecture/language_layers.h"
#include "tests/app/documents/one_draft.h"
#include "tests/app/jobs/real_worker.h"
#include "tests/support/runner.h"

#include <QFileInfo>
#include <QProcess>
#include <QTest>

#include <set>

namespace headroom::testing::edited_presets_test {

using namespace headroom::app;
namespace fs = std::filesystem;

namespace {

const QStringList kTexts{QStringLiteral("full"),
                         QStringLiteral("local 5"),
                         QStringLiteral("local 15 block"),
                         QStringLiteral("conv 5/2"),
                         QStringLiteral("conv 5/2 separable"),
                         QStringLiteral("conv 5/2 normal"),
                         QStringLiteral("conv 5/2 speechformer"),
                         QStringLiteral("masked"),
                         QStringLiteral("masked 9"),
                         QStringLiteral("reuse 1"),
                         QStringLiteral("full relaxed 0.1"),
                         QStringLiteral("local 31 relaxed 0.1 matched"),
                         QStringLiteral("full relaxed 0.1 fuzzy 0.03"),
                         QStringLiteral("full smoothed"),
                         QStringLiteral("full suppressed 0.5"),
                         QStringLiteral("lokal 5")};

const QString kDescribes = realWorker();

/// Why it cannot be written, read again and counted; empty: it can.
std::string lostBy(const Architecture& architecture) {
    try {
        const Architecture read = withLanguageLayers(parseArchitecture(canonicalText(architecture), "a.json"));
        if (!(read == architecture))
            return "another one is read";
        return parameterCosts(read).parameters > 0 ? "" : "it has no parameters";
    } catch (const Error& refused) {
        return refused.code() == "architecture.kindNotBuilt" ? "" : refused.what(); // Cost says so
    } catch (const std::exception& failure) {
        return failure.what();
    }
}

} // namespace

class EditedPresetsTest : public QObject, private OneDraft {
    Q_OBJECT

private Q_SLOTS:
    void init() { reset(); }

    void everyEditIsReadAgain_data() {
        QTest::addColumn<QString>("file");
        for (const auto& entry : fs::directory_iterator(HEADROOM_SOURCE_DIR "/resources/architectures"))
            if (entry.path().extension() == ".json")
                QTest::newRow(entry.path().stem().c_str()) << toQString(entry.path());
    }

    void everyEditIsReadAgain() {
        QFETCH(QString, file);
        const Architecture preset = readArchitecture(toPath(file));
        const DraftKey document = m_drafts->newDocument(preset, QString::fromStdString(preset.name));
        const std::string untouched = lostBy(m_drafts->architecture(document));
        QVERIFY2(untouched.empty(), untouched.c_str());
        const int layers = m_drafts->grid(document).layerCount();
        std::set<int> places;
        if (layers > 0)
            places = {1, 2, layers};
        if (m_drafts->grid(document).has(kCrossAttention))
            places.insert(kCrossAttention);
        int changed = 0;
        const auto check = [&](const QString& edit) {
            const Architecture now = m_drafts->architecture(document);
            const bool isOther = !(now.encoder.layers == m_drafts->base(document).encoder.layers);
            changed += isOther;
            QVERIFY2(!isOther || !now.publishedParameters, qPrintable(edit)); // it was another architecture's
            const std::string lost = lostBy(now);
            QVERIFY2(lost.empty(), qPrintable(edit + QStringLiteral(": ") + QString::fromStdString(lost)));
        };
        for (const int layer : places) {
            const int heads = int(m_drafts->grid(document).layer(layer).cells.size());
            for (const QString& text : kTexts)
                for (const int last : {1, heads})
                    if (m_drafts->write(document, {{layer, 1, last, text}})) {
                        const bool valid = m_drafts->grid(document).mistakes().empty();
                        if (valid)
                            m_accepted.insert(text);
                        check(QStringLiteral("layer %1, heads 1 to %2: %3").arg(layer).arg(last).arg(text));
                        undo();
                    }
        }
        for (const std::optional<int> window : {std::optional(5), std::optional<int>()})
            if (layers > 0 && m_drafts->setWindows(document, {{1, window}, {layers, window}}, {})) {
                check(QStringLiteral("windows"));
                undo();
            }
        QVERIFY(changed > 0 || layers == 0); // an LSTM

        // As a session keeps it, and as a file.
        if (layers > 0)
            m_drafts->setWindow(document, {layers, 7});
        const Architecture edited = m_drafts->architecture(document);
        const auto view = nlohmann::json::parse(m_drafts->viewState().dump());
        ++m_presets;
        const fs::path saved = m_workshop->path() / "saved.json";
        m_drafts->save(document, saved);
        QCOMPARE(m_drafts->name(m_drafts->openDocument(saved)), QStringLiteral("saved"));
        Architecture read = withLanguageLayers(readArchitecture(saved));
        read.name = edited.name;
        read.source = edited.source;
        QVERIFY(read == edited);
        m_drafts->restoreView(view);
        QCOMPARE(m_session->messages()->rowCount(), 0);
        QCOMPARE(m_drafts->keys().size(), std::size_t(2));
        QVERIFY(m_drafts->architecture(m_drafts->keys().back()) == edited);

        if (kDescribes.isEmpty() || !QFileInfo(kDescribes).isExecutable())
            QSKIP("headroom-worker is not built here");
        QProcess worker;
        worker.start(kDescribes, {QStringLiteral("describe"), toQString(saved)});
        QVERIFY(worker.waitForFinished(60000));
        QVERIFY2(worker.exitCode() == 0, worker.readAllStandardError().constData());
    }

    /// Edits that no preset takes would prove nothing.
    void everyKindOfEditWasTaken() {
        if (m_presets < 54)
            QSKIP("Only some presets were edited.");
        for (const QString& text : kTexts)
            QVERIFY2(m_accepted.count(text) > 0 || text == QStringLiteral("lokal 5"), qPrintable(text));
    }

private:
    std::set<QString> m_accepted;
    int m_presets = 0;
};

HEADROOM_TEST(EditedPresetsTest)

} // namespace headroom::testing::edited_presets_test

#include "edited_presets_test.moc"
