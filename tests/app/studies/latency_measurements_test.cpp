// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/latency_measurements.h"

#include "app/documents/items/paths.h"
#include "app/studies/study_evidence.h"
#include "app/studies/study_store.h"
#include "app/workspaces/design/cost_views.h"
#include "app/workspaces/design/latency_view.h"
#include "core/studies/busy_machine.h"
#include "core/tensors/npy.h"
#include "tests/support/runner.h"
#include "widgets/look/sizes.h"

#include <QAction>
#include <QFile>
#include <QHelpEvent>
#include <QTemporaryDir>
#include <QTest>
#include <QToolTip>

#include <fstream>

namespace headroom::testing::latency_measurements_test {

using namespace headroom::app;
namespace fs = std::filesystem;

namespace {

Architecture twoLayers(const std::string& heads) {
    Architecture architecture;
    architecture.name = heads;
    architecture.encoder.layers = {{parseHeads("4 full")}, {parseHeads(heads)}};
    return architecture;
}

/// A finished study of the first and the second architecture as the worker leaves it: the times of model m at
/// length l are m·(100 l + r) ms for the repeats r = 1, 2, 3.
void makeStudy(const fs::path& folder, const std::vector<Architecture>& models, const std::string& created) {
    const std::vector<std::int64_t> lengths{96, 1000};
    Study study;
    study.kind = StudyKind::Latency;
    study.state = RunState::Finished;
    study.created = study.ended = created;
    study.version = "1";
    study.settings = {{"lengths", lengths}, {"repeats", 3}, {"threads", 1}, {"warmUp", 0}};
    StudyTable table{"latency",
                     "Latency",
                     "Made by a test.",
                     {{"tokens", "tokens", "", 0, false}, {"speedup", "", "", 2, false}},
                     {}};
    StudyArrays arrays;
    fs::create_directories(folder / "architectures");
    for (std::size_t m = 1; m <= models.size(); ++m) {
        StudyModel model;
        model.name = models[m - 1].name;
        model.folder = (folder / "architectures" / (std::to_string(m) + ".json")).string();
        std::ofstream(model.folder) << canonicalText(models[m - 1]);
        study.models.push_back(model);
        std::vector<double> times;
        for (std::size_t l = 1; l <= lengths.size(); ++l) {
            for (int part = 0; part < 3; ++part)
                for (int r = 1; r <= 3; ++r)
                    times.push_back(double(m) * (100.0 * double(l) + r));
            table.rows.push_back({double(lengths[l - 1]), 1.0 / double(m)});
        }
        const std::string name = std::to_string(m) + ".";
        arrays[name + "lengths"] = Tensor::of<std::int64_t>({2}, lengths);
        arrays[name + "milliseconds"] = Tensor::of<double>({2, 3, 3}, times);
    }
    study.tables = {table};
    NpzWriter results(StudyPaths{folder}.results());
    for (const auto& [name, tensor] : arrays)
        results.add(name, tensor.view());
    results.close();
    writeStudy(folder, study);
}

/// What is known of the studies of a folder.
struct Desk {
    explicit Desk(const fs::path& studies) : store(studies, &evidence) {}
    bool finds(const Architecture& now, const Architecture& baseline) {
        return QTest::qWaitFor([&] { return measurements.find(now, baseline).study != nullptr; }, 60000);
    }
    StudyEvidence evidence;
    StudyStore store;
    LatencyMeasurements measurements{&store};
};

} // namespace

class LatencyMeasurementsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_studies = toPath(m_folder->path()) / "studies";
        fs::create_directories(m_studies);
    }
    void cleanup() { qunsetenv("HEADROOM_WORKER"); }

    void aStudyIsFoundByTheEncoderThatItMeasured() {
        const Architecture full = twoLayers("4 full"), local = twoLayers("4 local 17");
        makeStudy(m_studies / "one", {full, local}, "2026-11-23T10:00:00Z");
        Desk desk(m_studies);
        QVERIFY(desk.finds(local, full));
        const auto found = desk.measurements.find(local, full);
        QCOMPARE(found.nowModel, 2);
        QCOMPARE(found.now.tokens, (std::vector<double>{96, 1000}));
        QCOMPARE(found.now.median, (std::vector<double>{204, 404}));
        QCOMPARE(found.now.lower.front(), 203.0);
        QCOMPARE(found.now.upper.front(), 205.0);
        QCOMPARE(found.baseline.median.front(), 102.0);
        QCOMPARE(found.share(1000).value(), 2.0); // by the study's own speed-up
        QVERIFY(!found.share(500));               // never between two lengths
        Architecture renamed = local;
        renamed.name = "another name";
        QCOMPARE(desk.measurements.find(renamed, full).nowModel, 2);
        // An edit of one head is another encoder.
        const auto edited = desk.measurements.find(twoLayers("4 local 19"), full);
        QVERIFY(edited.now.tokens.empty());
        QCOMPARE(edited.baseline.median.front(), 102.0);
        QVERIFY(!edited.share(1000));
        QVERIFY(!desk.measurements.find(twoLayers("4 local 19"), twoLayers("4 local 21")).study);
    }

    /// After an edit the dashed curve is still there: "Not measured yet" over it would be said of the baseline.
    void theLineBelowSaysWhoseCurveIsDrawn() {
        const Architecture full = twoLayers("4 full"), local = twoLayers("4 local 17");
        makeStudy(m_studies / "one", {full, local}, "2026-11-23T10:00:00Z");
        Desk desk(m_studies);
        QVERIFY(desk.finds(local, full));
        LatencyView view(&desk.measurements);
        const auto* plot = view.findChild<widgets::CostPlot*>();
        LatencyMeasurements::Wanted edited;
        edited.architecture = twoLayers("4 local 19");
        edited.baseline = full;
        view.show(edited, {}, 1000);
        QCOMPARE(view.sentence(), QStringLiteral("Dashed: the baseline. This architecture has not been measured yet."));
        QVERIFY(plot->accessibleDescription().isEmpty());
        edited.baseline = twoLayers("4 local 21");
        view.show(edited, {}, 1000);
        QCOMPARE(plot->accessibleDescription(), QStringLiteral("Not measured yet"));
    }

    /// Headroom said 56 % where the curve's tool tip had 73 of 152 ms: one is a median of ratios, the other a ratio of medians.
    void theRatioOfTheRoundsIsNamed() {
        const Architecture full = twoLayers("4 full"), local = twoLayers("4 local 17");
        makeStudy(m_studies / "one", {full, local}, "2026-11-23T10:00:00Z");
        Desk desk(m_studies);
        QVERIFY(desk.finds(local, full));
        LatencyView view(&desk.measurements);
        LatencyMeasurements::Wanted shown;
        shown.architecture = local;
        shown.baseline = full;
        view.show(shown, {}, 1000);
        const QString tip = view.findChild<widgets::CostPlot*>()->toolTip();
        QVERIFY2(tip.contains(QStringLiteral("200\u202f% of it in the median over the rounds")), qPrintable(tip));
        CostBars bars;
        bars.resize(400, 200);
        bars.show(QStringLiteral("at 1,000 tokens"), {{QStringLiteral("Time, measured"), 2, std::nullopt, QStringLiteral("the median over the rounds")}});
        bars.setVisible(true);
        const QPoint row(100, qRound(widgets::Sizes::unit() * 6));
        QHelpEvent help(QEvent::ToolTip, row, bars.mapToGlobal(row));
        QCoreApplication::sendEvent(&bars, &help);
        const QString said = QToolTip::text();
        QCOMPARE(said.section(QLatin1Char('\n'), 0, 0), QStringLiteral("Time, measured: 200\u202f% of the baseline, the median over the rounds."));
        QVERIFY2(said.contains(QStringLiteral("Above 100\u202f%")), qPrintable(said));
        QToolTip::hideText();
    }

    /// That the machine was busy stood in a tool tip only.
    void timesOfABusyMachineSaySo() {
        const Architecture full = twoLayers("4 full"), local = twoLayers("4 local 17");
        const fs::path folder = m_studies / "one";
        const auto sentence = [&] {
            Desk desk(m_studies);
            if (!desk.finds(local, full))
                return QString();
            LatencyView view(&desk.measurements);
            LatencyMeasurements::Wanted shown;
            shown.architecture = local;
            shown.baseline = full;
            view.show(shown, {}, 1000);
            return view.sentence();
        };
        makeStudy(folder, {full, local}, "2026-11-23T10:00:00Z");
        QVERIFY2(sentence().startsWith(QStringLiteral("Medians of 3")) && !sentence().contains(QStringLiteral("idle")), qPrintable(sentence()));
        Study study = readStudy(folder);
        study.notes.push_back(std::string(kBusyMachine) + ": the quartiles of 2 of 2 rows are more than 10 % of their median apart.");
        writeStudy(folder, study);
        QVERIFY2(sentence().contains(QStringLiteral("The machine was not idle")), qPrintable(sentence()));
    }

    void aStudyThatIsRenamedKeepsItsTimes() {
        const Architecture full = twoLayers("4 full"), local = twoLayers("4 local 17");
        makeStudy(m_studies / "one", {full, local}, "2026-11-23T10:00:00Z");
        Desk desk(m_studies);
        QVERIFY(desk.finds(local, full));
        QCOMPARE(desk.store.rename(m_studies / "one", QStringLiteral("Times")), QString());
        const auto found = [&] { return desk.measurements.find(local, full); };
        QVERIFY(QTest::qWaitFor([&] { return found().study && found().study->name() == QStringLiteral("Times"); }, 60000));
        QCOMPARE(found().now.median, (std::vector<double>{204, 404}));
        QCOMPARE(found().baselineModel, 1);
    }

    void theNewestStudyOfBothIsTaken() {
        const Architecture full = twoLayers("4 full"), local = twoLayers("4 local 17"),
                           other = twoLayers("4 local 5");
        makeStudy(m_studies / "a both", {full, local}, "2026-11-23T10:00:00Z");
        makeStudy(m_studies / "b one", {other, local}, "2026-11-23T11:00:00Z");
        makeStudy(m_studies / "c both", {local, full}, "2026-11-23T10:30:00Z");
        Desk desk(m_studies);
        QVERIFY(desk.finds(other, full));
        const auto found = desk.measurements.find(local, full);
        QCOMPARE(found.study->name(), QStringLiteral("c both"));
        QCOMPARE(found.share(96).value(), 0.5); // the speed-up is that of the second model, the baseline
        QCOMPARE(desk.measurements.find(local, other).study->name(), QStringLiteral("b one"));
    }

    void aDocumentThatWasChangedSinceIsNotWhatWasMeasured() {
        const Architecture full = twoLayers("4 full"), local = twoLayers("4 local 17");
        makeStudy(m_studies / "one", {full, local}, "2026-11-23T10:00:00Z");
        const fs::path file = m_studies / "one" / "architectures" / "2.json";
        fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(5));
        Desk desk(m_studies);
        QVERIFY(desk.finds(full, local));
        QVERIFY(desk.measurements.find(local, full).now.tokens.empty());
    }

    void measuringStartsAStudyOfBothInTurn() {
        const QString script = m_folder->filePath(QStringLiteral("worker")),
                      said = m_folder->filePath(QStringLiteral("said"));
        std::ofstream(script.toStdString())
            << "#!/bin/sh\nprintf '%s\\n' \"$@\" > '" << said.toStdString() << ".part'\n"
            << "mv '" << said.toStdString() << ".part' '" << said.toStdString() << "'\n";
        QFile::setPermissions(script, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv("HEADROOM_WORKER", script.toUtf8());
        Desk desk(m_studies);
        LatencyMeasurements::Wanted wanted{twoLayers("4 local 17"),
                                           twoLayers("4 full"),
                                           QStringLiteral("mine, layer 2: full → conv 5/2"),
                                           QStringLiteral("mine"),
                                           {1000, 1'000'000}};
        QCOMPARE(desk.measurements.start(wanted), QString());
        QVERIFY(QTest::qWaitFor([&] { return QFile::exists(said); }, 60000));
        QFile file(said);
        QVERIFY(file.open(QFile::ReadOnly));
        const QStringList words = QString::fromUtf8(file.readAll()).split(u'\n');
        QVERIFY(words.contains(QStringLiteral("latency")));
        QVERIFY(words.contains(
            QStringLiteral("lengths=[96,128,192,256,384,512,768,1000]"))); // a million are too long
        const auto first = words.indexOf(QStringLiteral("--model")),
                   second = words.lastIndexOf(QStringLiteral("--model"));
        QVERIFY(first != second);
        // The baseline is first: what a study calls speed-up is against it.
        QVERIFY(readArchitecture(toPath(words[first + 1])).encoder == wanted.baseline.encoder);
        QVERIFY(readArchitecture(toPath(words[second + 1])).encoder == wanted.architecture.encoder);
        QCOMPARE(toQString(toPath(words[first + 1]).stem()), QStringLiteral("mine"));
        QCOMPARE(toQString(toPath(words[second + 1]).stem()), QStringLiteral("mine, layer 2: full → conv 5∕2")); // looks like a slash
    }

    /// The models of two runs may have one name: the second said "Measuring" and why it failed as of its own.
    void aMeasurementIsOfItsEncoderAndNotOfItsName() {
        const QString script = m_folder->filePath(QStringLiteral("worker")), end = m_folder->filePath(QStringLiteral("end"));
        std::ofstream(script.toStdString()) << "#!/bin/sh\nwhile [ ! -e '" << end.toStdString() << "' ]; do sleep 0.05; done\nexit 3\n";
        QFile::setPermissions(script, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv("HEADROOM_WORKER", script.toUtf8());
        Desk desk(m_studies);
        const QString demo = QStringLiteral("demo");
        const LatencyMeasurements::Wanted first{twoLayers("4 local 17"), twoLayers("4 full"), demo, demo, {}},
            second{twoLayers("4 local 9"), twoLayers("4 full"), demo, demo, {}};
        LatencyView view(&desk.measurements);
        const auto said = [&](const LatencyMeasurements::Wanted& one) {
            view.show(one, {}, 1000);
            return view.sentence();
        };
        said(first);
        view.measureAction()->trigger();
        QVERIFY(QTest::qWaitFor([&] { return desk.measurements.isMeasuring(); }, 60000));
        QVERIFY2(said(first).startsWith(QStringLiteral("Measuring: ")), qPrintable(said(first)));
        QVERIFY2(said(second).startsWith(QStringLiteral("Measuring “demo”: ")), qPrintable(said(second)));
        QVERIFY(QFile(end).open(QFile::WriteOnly));
        QVERIFY(QTest::qWaitFor([&] { return !desk.measurements.isMeasuring(); }, 60000));
        QVERIFY2(said(first).startsWith(QStringLiteral("Not measured. ")), qPrintable(said(first)));
        QVERIFY2(said(second).startsWith(QStringLiteral("Times this architecture")), qPrintable(said(second)));
    }

    /// A study times the encoder of texts as well.
    void whatHasNoEncoderSaysSo() {
        QVERIFY(LatencyMeasurements::whyNot(twoLayers("4 full")).isEmpty());
        Architecture text = twoLayers("4 full");
        text.frontEnd.kind = FrontEndKind::Text;
        text.frontEnd.reads = InputKind::Text;
        QCOMPARE(LatencyMeasurements::whyNot(text), QString());
        text.languageModel.emplace();
        QVERIFY(!LatencyMeasurements::whyNot(text).isEmpty());
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_studies;
};

HEADROOM_TEST(LatencyMeasurementsTest)

} // namespace headroom::testing::latency_measurements_test

#include "latency_measurements_test.moc"
