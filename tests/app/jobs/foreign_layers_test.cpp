// SPDX-License-Identifier: GPL-3.0-or-later
// Maps that another toolkit wrote, opened beside their recording; no worker takes part.
#include "app/jobs/analysis_service.h"
#include "app/jobs/foreign_layers.h"
#include "app/parts/actions.h"
#include "app/parts/panel_header.h"
#include "app/studies/windows_rows.h"
#include "app/workspaces/analyse/compare/compared_curves.h"
#include "app/workspaces/analyse/compare/map_beside.h"
#include "app/workspaces/analyse/map/checks.h"
#include "app/workspaces/analyse/map/head_words.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "app/workspaces/analyse/sound/time_column.h"
#include "core/tensors/npy.h"
#include "tests/app/jobs/service_desk.h"
#include "tests/support/runner.h"

#include <QComboBox>
#include <QTest>

#include <cmath>

namespace headroom::testing::foreign_layers_test {

using namespace headroom::app;
using headroom::testing::Workshop;

namespace {

constexpr std::size_t kTokens = 12;

/// Two layers of two heads: head 1 looks at itself, head 2 everywhere.
std::vector<float> heads() {
    std::vector<float> values(2 * kTokens * kTokens, 0);
    for (std::size_t i = 0; i < kTokens; ++i) {
        values[i * kTokens + i] = 1;
        for (std::size_t j = 0; j < kTokens; ++j)
            values[(kTokens + i) * kTokens + j] = 1.0F / kTokens;
    }
    return values;
}

std::filesystem::path writeMaps(const std::filesystem::path& file, bool contributions, float spoilt = 0) {
    const auto n = std::int64_t(kTokens);
    NpzWriter writer(file);
    const auto add = [&](const char* name, std::vector<std::int64_t> shape,
                         const std::vector<float>& values) {
        writer.add(name, Tensor::of<float>(std::move(shape), std::span<const float>(values)).view());
    };
    std::vector<float> times, map = heads();
    for (std::size_t t = 0; t < kTokens; ++t)
        times.push_back(0.0125F + 0.04F * static_cast<float>(t));
    add("token_seconds", {n}, times);
    add("layer.1.attention", {2, n, n}, map);
    map[5] += spoilt;
    add("layer.2.attention", {2, n, n}, map);
    if (contributions)
        add("layer.1.contributions", {n, n}, std::vector<float>(kTokens * kTokens, 1.0F / kTokens));
    writer.close();
    return file;
}

using Desk = ServiceDesk;

} // namespace

class ForeignLayersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void attentionAloneOpensBesideItsRecording() {
        Desk desk;
        desk.session.open(
            {desk.workshop.wav("x.wav", 0.5), writeMaps(desk.workshop.path() / "x.npz", false)});
        QVERIFY(desk.settle());
        const OpenModel* model = desk.session.currentModel();
        QVERIFY(model && model->maps && model->state == OpenState::Ready);
        QCOMPARE(model->summary(), QStringLiteral("2 layers × 2 heads, maps only"));
        QCOMPARE(desk.worker.state(), WorkerProcess::State::Stopped);
        const AnalysisResult* result = desk.service.current();
        QVERIFY(result);
        QCOMPARE(result->state, AnalysisResult::State::Ready);
        QCOMPARE(result->tokens.value(), std::int64_t(kTokens));
        QVERIFY(std::abs(result->clock.step().value() - 0.04) < 1e-6);
        const LayerResult* layer = result->layer(1);
        QVERIFY(layer->isReady() && !layer->contributions &&
                layer->reason.contains(QStringLiteral("only attention")));
        const MaxPyramid* mean = layer->map({MapSource::Kind::HeadMean});
        QVERIFY(mean);
        QCOMPARE(mean->level(0)(3, 3), 0.5F + 0.5F / kTokens);
        QCOMPARE(layer->attentionProfiles.size(), 2U);
        // D(1) of the mean of an identity and a uniform map.
        QVERIFY(std::abs(layer->d1 - (0.5 + 0.5 / kTokens)) < 1e-6);
        // Design has no draft of it.
        const WindowSuggestions windows = windowSuggestions(desk.session, desk.service, nullptr, model->id, {model->id, 0});
        QVERIFY(windows.rows.size() == 2 && windows.rows[0].inDesign.isEmpty());

        desk.session.setMapSource({MapSource::Kind::Head, 2});
        QVERIFY(desk.settle());
        const MaxPyramid* head = desk.service.currentMap();
        QVERIFY(head);
        QCOMPARE(head->level(0)(0, 7), 1.0F / kTokens);
        desk.session.setMapSource({MapSource::Kind::Head, 1});
        QCOMPARE(desk.service.currentMap()->level(0)(0, 7), 0.0F);
    }

    /// What is exported from the map is one layer.
    void oneLayerOfManyIsDescribedAsOne() {
        Desk desk;
        const auto file = desk.workshop.path() / "x.npz";
        const auto n = std::int64_t(kTokens);
        NpzWriter writer(file);
        std::vector<float> times;
        for (std::size_t t = 0; t < kTokens; ++t)
            times.push_back(0.0125F + 0.04F * static_cast<float>(t));
        const std::vector<float> map = heads();
        writer.add("token_seconds", Tensor::of<float>({n}, std::span<const float>(times)).view());
        writer.add("layer.6.attention", Tensor::of<float>({2, n, n}, std::span<const float>(map)).view());
        writer.close();
        desk.session.open({desk.workshop.wav("x.wav", 0.5), file});
        QVERIFY(desk.settle());
        QCOMPARE(desk.session.currentModel()->summary(), QStringLiteral("layer 6, 2 heads, maps only"));
    }

    void contributionsAreTakenWhereTheyAre() {
        Desk desk;
        desk.session.open({desk.workshop.wav("x.wav", 0.5), writeMaps(desk.workshop.path() / "x.npz", true)});
        QVERIFY(desk.settle());
        const AnalysisResult* result = desk.service.current();
        QVERIFY(result->layer(1)->contributions && !result->layer(2)->contributions);
        QVERIFY(std::abs(result->layer(1)->profile.at(0) - 1) < 1e-6);
    }

    /// Curves of attention and of contributions stood in one plot under the name of the one.
    void curvesOfSeveralMeasuresSayOfWhatTheyAre() {
        Desk desk;
        const auto other = desk.workshop.path() / "other";
        std::filesystem::create_directory(other);
        desk.session.open({desk.workshop.wav("x.wav", 0.5), writeMaps(desk.workshop.path() / "x.npz", true)});
        QVERIFY(desk.settle());
        const ModelId full = desk.session.currentModelId();
        const UtteranceId here = desk.session.currentUtteranceId();
        desk.session.setCurrentLayer(1);
        const auto curves = [&](const std::vector<KeptCurve>& kept) { return comparedCurves(desk.session, desk.service, std::nullopt, kept); };
        QVERIFY(!curves({}).severalMeasures);
        const ComparedCurves own = curves({{{full, 2, {}, here}, {}}}); // one file, whose layers differ
        QCOMPARE(own.own.name, QStringLiteral("layer 1, contributions"));
        QCOMPARE(own.curves.at(0).name, QStringLiteral("layer 2, attention"));
        const ModelId attention = desk.session.openModel(writeMaps(other / "x.npz", false));
        desk.session.setModelEnabled(attention, true);
        QVERIFY(desk.settle());
        QTRY_VERIFY_WITH_TIMEOUT(desk.service.result(here, attention) && desk.service.result(here, attention)->layer(1)->isReady(), 60000);
        desk.session.setCurrentModel(full);
        desk.session.setCurrentLayer(1);
        const ComparedCurves both = curves({{{full, 1, {MapSource::Kind::Head, 2}, here}, {}}});
        QVERIFY(both.severalMeasures);
        QVERIFY2(both.own.name.endsWith(QStringLiteral(", contributions")), qPrintable(both.own.name));
        QVERIFY2(both.curves.at(0).name.endsWith(QStringLiteral(", attention")), qPrintable(both.curves.at(0).name));
        QVERIFY2(both.curves.at(1).name.endsWith(QStringLiteral("head 2")), qPrintable(both.curves.at(1).name)); // as it is called
        QCOMPARE(drawnMeasures(*desk.service.result(here, attention)), QStringLiteral("attention"));
        QCOMPARE(drawnMeasures(*desk.service.result(here, full)), QStringLiteral("contributions and attention"));
        desk.session.setCurrentModel(attention);
        QVERIFY(curves({}).own.name.endsWith(QStringLiteral(", attention")));
    }

    /// "Contributions" could be chosen, and "Mean of heads" was shown without a word.
    void whatTheFileLacksCannotBeChosen() {
        Desk desk;
        desk.session.open({desk.workshop.wav("x.wav", 0.5), writeMaps(desk.workshop.path() / "x.npz", true)}); // contributions of layer 1
        QVERIFY(desk.settle());
        const QString why = QStringLiteral("Imported maps contain only attention. Contributions need the model itself.");
        const MapSource head{MapSource::Kind::Head, 2}, mean{MapSource::Kind::HeadMean}, third{MapSource::Kind::Head, 3};
        const ModelId maps = desk.session.currentModelId();
        widgets::TimeAxis axis;
        const Actions actions(desk.session.undoStack(), nullptr);
        MatrixPanel panel(&axis, actions);
        panel.setHeads(desk.session.currentModel()->info->architecture.encoder.layers.front().heads);
        QComboBox* field = panel.sourceField();
        const auto canBeChosen = [&](int row) { return field->model()->index(row, 0).flags().testFlag(Qt::ItemIsEnabled); };
        for (const int number : {1, 2}) {
            const LayerResult& layer = *desk.service.current()->layer(number);
            QCOMPARE(whyNotImported(layer, {}), number == 1 ? QString() : why);
            QVERIFY(whyNotImported(layer, head).isEmpty() && whyNotImported(layer, mean).isEmpty());
            QCOMPARE(whyNotImported(layer, third), QStringLiteral("This layer has no head 3."));
            panel.setMissing([&](const MapSource& source) { return whyNotImported(layer, source); });
            QCOMPARE(canBeChosen(0), number == 1);
            QCOMPARE(field->itemData(0, Qt::ToolTipRole).toString() == why, number == 2);
            QVERIFY(canBeChosen(1) && canBeChosen(field->count() - 1));
            Comparison::Side side;
            side.model = maps;
            side.layer = number;
            const auto offered = offeredMaps(mapBeside(side, desk.session, desk.service));
            QCOMPARE(offered.front().whyNot, whyNotImported(layer, {}));
            QVERIFY(offered.back().whyNot.isEmpty());
        }
        LayerResult without = *desk.service.current()->layer(1); // of a file that has nothing else
        without.attentionProfiles.clear();
        without.mean.reset();
        QCOMPARE(whyNotImported(without, mean), QStringLiteral("The imported maps do not contain the attention of this layer."));
        without.foreign = false; // a model's attention is fetched when it is looked at
        QVERIFY(whyNotImported(without, mean).isEmpty());
    }

    /// Both were “x” in every list and legend.
    void mapsOfTheNameOfAModelAreCalledMaps() {
        for (const bool mapsFirst : {false, true}) {
            Desk desk;
            const auto file = writeMaps(desk.workshop.path() / "x.npz", false);
            ModelDescription info = Workshop::info(2);
            info.name = QStringLiteral("x");
            if (mapsFirst)
                desk.session.open({file});
            QVERIFY(desk.settle());
            const ModelId model = desk.session.openModel(desk.workshop.model("x"));
            desk.session.setModelOpened(model, info);
            desk.session.open({file});
            QVERIFY(desk.settle());
            const OpenModel* maps = desk.session.models()->of(file);
            QVERIFY(maps && maps->maps);
            QCOMPARE(maps->name, QStringLiteral("x (maps)"));
            QCOMPARE(desk.session.models()->find(model)->name, QStringLiteral("x"));
        }
    }

    void whatCannotBeVerifiedIsSaid() {
        Desk desk;
        desk.session.open(
            {desk.workshop.wav("x.wav", 0.5), writeMaps(desk.workshop.path() / "x.npz", false)});
        QVERIFY(desk.settle());
        const auto checks = checksOf(desk.session.currentUtterance(), desk.service.current()->layer(1));
        QVERIFY(checks[0].state == Check::State::Passed); // rows
        for (const int other : {1, 2}) {
            QVERIFY(checks[other].state == Check::State::Unknown);
            QVERIFY(checks[other].toolTip.contains(QStringLiteral("without the model")));
        }
    }

    void aFolderHoldsOneFilePerRecording() {
        Desk desk;
        const auto folder = desk.workshop.path() / "maps";
        std::filesystem::create_directory(folder);
        writeMaps(folder / "a.npz", false);
        writeMaps(folder / "b.npz", false);
        const auto a = desk.workshop.wav("a.wav", 0.5), b = desk.workshop.wav("b.wav", 0.5),
                   c = desk.workshop.wav("c.wav", 0.5);
        desk.session.open({a, b, c, folder});
        QVERIFY(desk.settle());
        for (const auto& [file, ready] : {std::pair(a, true), {b, true}, {c, false}}) {
            desk.session.setCurrentUtterance(desk.session.openUtterance(file));
            QVERIFY(desk.settle());
            const AnalysisResult* result = desk.service.current();
            QVERIFY(result);
            QCOMPARE(result->state == AnalysisResult::State::Ready, ready);
            if (!ready)
                QCOMPARE(result->sentence, QStringLiteral("The folder %1 does not contain c.npz, the imported maps of c. Add this file to the "
                                                          "folder; it is then opened automatically.")
                                               .arg(QString::fromStdString(folder.string())));
        }
        writeMaps(folder / "c.npz", false); // as the sentence asks
        QTRY_VERIFY_WITH_TIMEOUT(desk.service.current() && desk.service.current()->state == AnalysisResult::State::Ready, 60000);
    }

    /// “a does not contain b.npz.” a is a file.
    void aFileOfMapsSaysOfWhatItIs() {
        Desk desk;
        writeMaps(desk.workshop.path() / "a.npz", false);
        desk.session.open({desk.workshop.wav("a.wav", 0.5), desk.workshop.wav("b.wav", 0.5), desk.workshop.path() / "a.npz"});
        QVERIFY(desk.settle());
        desk.session.setCurrentUtterance(desk.session.openUtterance(desk.workshop.path() / "b.wav"));
        QVERIFY(desk.settle());
        QVERIFY(desk.service.current());
        QCOMPARE(desk.service.current()->sentence, QStringLiteral("These imported maps belong to a. There are none for b."));
    }

    void aRowThatIsNoShareIsRefusedWithItsPlace() {
        Desk desk;
        desk.session.open(
            {desk.workshop.wav("x.wav", 0.5), writeMaps(desk.workshop.path() / "x.npz", false, 0.25F)});
        QVERIFY(desk.settle());
        const OpenModel& model = desk.session.models()->at(0);
        QVERIFY(model.state == OpenState::Failed);
        QVERIFY2(model.sentence.contains(QStringLiteral("layer 2, head 1: row 0 sums to 1.25")),
                 qPrintable(model.sentence));
    }

    /// For the recording that was current when it was opened; and a session that was opened again had forgotten it.
    void aFileOfAnotherNameIsOfferedForTheCurrentRecording() {
        Desk desk, later;
        desk.session.open({desk.workshop.wav("x.wav", 0.5), desk.workshop.wav("y.wav", 0.5)});
        QVERIFY(desk.settle());
        desk.session.open({writeMaps(desk.workshop.path() / "elsewhere.npz", false)});
        QVERIFY(desk.settle());
        QVERIFY(desk.service.current()->state == AnalysisResult::State::Failed);
        Messages* messages = desk.session.messages();
        const QString sentence = messages->at(0).sentence;
        QVERIFY2(sentence.contains(QStringLiteral("none is called elsewhere")), qPrintable(sentence));
        for (int row = 0; row < 2; ++row)
            if (const UtteranceId id = desk.session.utterances()->at(row).id; desk.session.utterances()->at(row).name == QLatin1String("y"))
                desk.session.setCurrentUtterance(id);
        messages->trigger(0);
        QVERIFY(desk.settle());
        QVERIFY(desk.service.current()->utterance == desk.session.currentUtteranceId() && desk.service.current()->state == AnalysisResult::State::Ready);
        QCOMPARE(messages->count(Severity::Warning), 0); // it has a recording now
        QVERIFY(desk.session.isModified());
        desk.session.saveAs(desk.workshop.path() / "named.headroom");
        later.session.openSession(desk.workshop.path() / "named.headroom");
        QVERIFY(later.settle());
        QVERIFY(later.service.current() && later.service.current()->state == AnalysisResult::State::Ready);
        QCOMPARE(later.session.messages()->count(Severity::Warning), 0);
    }

    /// The warning and its button stayed in Messages and in the status bar.
    void whatWasOfferedGoesWithTheMaps() {
        Desk desk;
        desk.session.open({desk.workshop.wav("x.wav", 0.5)});
        QVERIFY(desk.settle());
        const ModelId maps = desk.session.openModel(writeMaps(desk.workshop.path() / "elsewhere.npz", false));
        QVERIFY(desk.settle());
        QCOMPARE(desk.session.messages()->count(Severity::Warning), 1);
        desk.session.closeModel(maps);
        QCOMPARE(desk.session.messages()->count(Severity::Warning), 0);
    }

    /// Where a part was selected, maps of the whole recording were called those of the part.
    void mapsSayThemselvesOfWhichPartTheyAre() {
        for (const double duration : {0.5, 2.0}) {
            Desk desk;
            desk.session.open({desk.workshop.wav("x.wav", duration), writeMaps(desk.workshop.path() / "x.npz", false)});
            QVERIFY(desk.settle());
            desk.session.setPart(desk.session.currentUtteranceId(), Part{Seconds(0.1), Seconds(0.3)});
            QVERIFY(desk.settle());
            const AnalysisResult* result = desk.service.current();
            QVERIFY(result && result->state == AnalysisResult::State::Ready && result->imported);
            QCOMPARE(result->tokens.value(), std::int64_t(kTokens));
            QCOMPARE(result->imported->file, QStringLiteral("x.npz"));
            QCOMPARE(result->covered().has_value(), duration > 1); // 12 tokens of 40 ms
            if (result->covered())
                QVERIFY(result->covered()->start == Seconds(0) && std::abs(result->covered()->end.value() - 0.4725) < 1e-6);
            widgets::TimeAxis axis;
            const Actions actions(desk.session.undoStack(), nullptr);
            TimeColumn column(&axis, actions);
            column.setUtterance(desk.session.currentUtterance());
            column.setCounts(12, std::nullopt, result->imported);
            QCOMPARE(column.header()->detail(), duration > 1 ? QStringLiteral("12 tokens of x.npz from 0.00 to 0.47 s")
                                                             : QStringLiteral("12 tokens of x.npz (the whole recording)"));
            column.setCounts(5, std::nullopt);
            QCOMPARE(column.header()->detail(), QStringLiteral("5 tokens in the selection"));
            column.setCounts(5, 20);
            QCOMPARE(column.header()->detail(), QStringLiteral("5 tokens, 20 frames in the selection"));
        }
    }

    /// A step of twice the length hid half of the tokens without a word.
    void tokensAfterTheEndOfTheRecordingAreTold() {
        for (const double duration : {0.44, 0.25}) { // the last of 12 tokens is at 0.45 s
            Desk desk;
            desk.session.open({desk.workshop.wav("x.wav", duration), writeMaps(desk.workshop.path() / "x.npz", false)});
            QVERIFY(desk.settle());
            const AnalysisResult* result = desk.service.current();
            QVERIFY(result && result->state == AnalysisResult::State::Ready && result->imported);
            QCOMPARE(result->imported->late, duration > 0.4 ? 0 : 6);
            QCOMPARE(desk.session.messages()->count(Severity::Warning), duration > 0.4 ? 0 : 1);
            if (duration > 0.4)
                continue;
            const QString said = desk.session.messages()->at(0).sentence;
            QCOMPARE(said, QStringLiteral("x.npz: 6 of 12 tokens lie after the end of the recording (0.25 s). The last one is at 0.45 s. Check "
                                          "token_seconds, whose step is 40 ms."));
            desk.session.closeModel(desk.session.currentModelId());
            QCOMPARE(desk.session.messages()->count(Severity::Warning), 0);
        }
    }

    void aModelFolderIsNoFolderOfMaps() {
        Workshop workshop;
        const auto model = workshop.model("m");
        writeMaps(model / "x.npz", false);
        QVERIFY(!holdsMaps(model));
        QVERIFY(holdsMaps(model / "x.npz"));
        QVERIFY(!holdsMaps(workshop.path() / "missing"));
    }
};

HEADROOM_TEST(ForeignLayersTest)

} // namespace headroom::testing::foreign_layers_test

#include "foreign_layers_test.moc"
