// SPDX-License-Identifier: GPL-3.0-or-later
// The window's side against the real worker and a real model: the one test that would see the two drift
// apart.
#include "app/documents/items/paths.h"
#include "app/jobs/analysis_service.h"
#include "tests/app/jobs/real_worker.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"

#include <QFileInfo>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>

namespace headroom::testing::real_worker_test {

using namespace headroom::app;
using headroom::testing::Workshop;

namespace {

const QString kWorker = realWorker();
const auto kModel = std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests" / "data" / "s2t-reference";

} // namespace

class RealWorkerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (kWorker.isEmpty() || !QFileInfo(kWorker).isExecutable())
            QSKIP("headroom-worker is not built here; HEADROOM_WORKER may name one");
        WorkerProcess::Options options;
        options.program = kWorker;
        m_worker = std::make_unique<WorkerProcess>(options);
        m_service = std::make_unique<AnalysisService>(&m_session, m_worker.get());
        m_session.open({m_workshop.wav("tone.wav", 2.0), kModel});
        QVERIFY2(settle(), qPrintable(m_worker->logTail().join(QLatin1Char('\n'))));
    }
    void cleanupTestCase() {
        m_service.reset();
        m_worker.reset();
    }

    void everyLayerArrivesWithItsChecks() {
        const AnalysisResult* result = m_service->current();
        QVERIFY(result);
        QVERIFY2(result->state == AnalysisResult::State::Ready, qPrintable(result->sentence));
        const OpenModel& model = *m_session.currentModel();
        QCOMPARE(static_cast<int>(result->layers.size()), model.layerCount());
        QCOMPARE(result->frames.value(), 198);
        QCOMPARE(result->tokens.value(), 50);
        QCOMPARE(result->clock.offset().value(), 0.0125);
        QCOMPARE(result->clock.step().value(), 0.04);
        for (const LayerResult& layer : result->layers) {
            QVERIFY(layer.isReady());
            QVERIFY(std::abs(layer.profile.total() - 50) < 1e-3); // rows sum to 1
            QVERIFY(layer.rowSumError < 1e-5);
            QVERIFY(layer.gramError < 1e-5);
            QVERIFY(std::isfinite(layer.rebuildError));
        }
        QCOMPARE(m_session.messages()->rowCount(), 0);
    }

    void attentionOfAHeadSumsToOne() {
        m_session.setCurrentLayer(2);
        m_session.setMapSource({MapSource::Kind::Head, 1});
        QVERIFY(settle());
        const MaxPyramid* map = m_service->currentMap();
        QVERIFY(map);
        double sum = 0;
        for (std::size_t key = 0; key < map->columns(); ++key)
            sum += map->level(0)(7, key);
        QVERIFY(std::abs(sum - 1) < 1e-4);
        m_session.setMapSource({});
    }

    void aKilledWorkerComesBackAndTheWorkGoesOn() {
        m_session.open({m_workshop.wav("other.wav", 3.0)});
        QVERIFY(
            QTest::qWaitFor([&] { return m_session.currentUtterance()->name == QStringLiteral("other"); }, 60000));
        QCOMPARE(::kill(static_cast<pid_t>(m_worker->processId()), SIGKILL), 0);
        QVERIFY(QTest::qWaitFor([&] { return m_session.messages()->count(Severity::Error) == 1; }, 60000));
        QVERIFY(settle());
        QCOMPARE(m_service->current()->state, AnalysisResult::State::Ready);
        QCOMPARE(m_service->current()->readyLayers(), m_session.currentModel()->layerCount());
        QCOMPARE(m_session.currentModel()->state, OpenState::Ready);
    }

    /// "model/sentencepiece.model could not be read." stayed after the folder was back.
    void wordsOfAModelThatWasTakenAwayComeBackWithIt() {
        const std::filesystem::path here = m_workshop.path() / "run" / "model", away = m_workshop.path() / "away";
        std::filesystem::create_directories(here.parent_path());
        std::filesystem::copy(kModel, here, std::filesystem::copy_options::recursive);
        const ModelId id = m_session.openModel(here);
        m_session.setCurrentModel(id);
        QVERIFY(settle());
        QCOMPARE(m_session.currentModel()->state, OpenState::Ready);
        const auto words = [&]() -> const WordsState& { return m_service->current()->wordsOf(TextChoice::Heard); };
        std::filesystem::rename(here, away);
        m_service->requireWords(m_session.currentUtteranceId(), id, TextChoice::Heard);
        QVERIFY(settle());
        QVERIFY2(words().sentence.contains(QStringLiteral("is no longer there: ") + toQString(here)), qPrintable(words().sentence));
        std::filesystem::rename(away, here);
        m_session.setModelFolder(id, here);
        QVERIFY(settle());
        m_service->requireWords(m_session.currentUtteranceId(), id, TextChoice::Heard);
        QVERIFY(settle());
        QVERIFY2(words().words && words().sentence.isEmpty(), qPrintable(words().sentence));
    }

    /// Maps of the old weights were shown for a run that was resumed, after Open in Analyse and after Analyse again too.
    void weightsThatChangedAreReadAgain_data() {
        QTest::addColumn<QString>("how");
        for (const char* how : {"noticed", "opened again", "analysed again"})
            QTest::newRow(how) << QString::fromLatin1(how);
    }
    void weightsThatChangedAreReadAgain() {
        QFETCH(QString, how);
        namespace fs = std::filesystem;
        const bool isNoticed = how == QLatin1String("noticed"); // else the change is one that the system does not report
        const fs::path place = m_workshop.path() / how.toStdString(), run = place / "run", other = place / "other", link = place / "link";
        const fs::path here = (isNoticed ? run : link) / "model", fresh = other / "model";
        for (const fs::path& folder : {run, other}) {
            fs::create_directories(folder);
            fs::copy(kModel, folder / "model", fs::copy_options::recursive);
        }
        fs::create_directory_symlink(run, link);
        const ModelId id = m_session.openModel(here);
        m_session.setCurrentModel(id);
        m_session.setMapSource(MapSource());
        QVERIFY(settle());
        QCOMPARE(m_service->current()->state, AnalysisResult::State::Ready);
        const double before = m_service->current()->layers.front().d1;
        const QString hash = m_session.currentModel()->info->hash;
        eraseQueries(fresh / "model.safetensors");
        if (isNoticed) { // as a run puts its model in place
            fs::remove_all(here);
            fs::rename(fresh, here);
        } else {
            fs::remove(link);
            fs::create_directory_symlink(other, link);
        }
        if (how == QLatin1String("opened again"))
            QCOMPARE(m_session.openModel(here), id);
        else if (how == QLatin1String("analysed again"))
            m_service->analyseAgain();
        QTRY_VERIFY_WITH_TIMEOUT(m_session.currentModel()->info && m_session.currentModel()->info->hash != hash, 60000);
        QCOMPARE(m_session.currentModelId(), id);
        QVERIFY(settle());
        QCOMPARE(m_service->current()->state, AnalysisResult::State::Ready);
        QVERIFY(!m_service->current()->stale);
        QVERIFY(m_service->current()->layers.front().d1 != before);
        QCOMPARE(m_session.currentModel()->warnings,
                 QStringList(QStringLiteral("model.safetensors of “%1” has changed since this session last read it. The new version was loaded.")
                                 .arg(m_session.currentModel()->shownName())));
        m_session.closeModel(id);
        QVERIFY(settle());
    }

private:
    /// Without queries, every token of the encoder attends to all tokens alike.
    static void eraseQueries(const std::filesystem::path& file) {
        std::ifstream in(file, std::ios::binary);
        std::string bytes((std::istreambuf_iterator<char>(in)), {});
        std::uint64_t header = 0;
        std::memcpy(&header, bytes.data(), sizeof header);
        const auto tensors = nlohmann::json::parse(bytes.substr(sizeof header, header));
        for (const auto& [name, tensor] : tensors.items())
            if (name.find("encoder.layers") != std::string::npos && name.find("q_proj") != std::string::npos) {
                const std::size_t from = tensor.at("data_offsets").at(0), to = tensor.at("data_offsets").at(1);
                std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(sizeof header + header + from), to - from, '\0');
            }
        std::ofstream(file, std::ios::binary) << bytes;
    }
    bool settle() {
        return QTest::qWaitFor([&] { return !m_session.isReading() && !m_service->isBusy(); }, 60000);
    }
    Workshop m_workshop;
    Session m_session;
    std::unique_ptr<WorkerProcess> m_worker;
    std::unique_ptr<AnalysisService> m_service;
};

HEADROOM_TEST(RealWorkerTest)

} // namespace headroom::testing::real_worker_test

#include "real_worker_test.moc"
