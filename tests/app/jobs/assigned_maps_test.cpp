// SPDX-License-Identifier: GPL-3.0-or-later
// Imported maps that are assigned to a recording of another name, as a step of the undo stack.
#include "app/documents/assign_maps.h"
#include "app/documents/removals.h"
#include "core/tensors/npy.h"
#include "tests/app/jobs/service_desk.h"
#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::assigned_maps_test {

using namespace headroom::app;

namespace {

/// One layer of one head that looks everywhere.
std::filesystem::path writeUniformMap(const std::filesystem::path& file) {
    constexpr std::int64_t kTokens = 12;
    std::vector<float> times;
    for (int t = 0; t < kTokens; ++t)
        times.push_back(0.0125F + 0.04F * static_cast<float>(t));
    const std::vector<float> map(kTokens * kTokens, 1.0F / kTokens);
    NpzWriter writer(file);
    writer.add("token_seconds", Tensor::of<float>({kTokens}, std::span<const float>(times)).view());
    writer.add("layer.1.attention", Tensor::of<float>({1, kTokens, kTokens}, std::span<const float>(map)).view());
    writer.close();
    return file;
}

/// x.wav, and elsewhere.npz, with a worker that is not there.
struct Desk : ServiceDesk {
    UtteranceId x = UtteranceId::None;
    ModelId maps = ModelId::None;

    Desk() {
        session.open({workshop.wav("x.wav", 0.5)});
        settle();
        x = session.currentUtteranceId();
        session.open({writeUniformMap(workshop.path() / "elsewhere.npz")});
        settle();
        maps = session.currentModelId();
    }
    AnalysisResult::State state() {
        settle();
        return service.current()->state;
    }
};

} // namespace

class AssignedMapsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Only closing and opening the maps again took them off a recording, and the title had no asterisk.
    void anAssignmentCanBeUndone() {
        Desk desk;
        QVERIFY(desk.service.areOfOneRecording(desk.maps));
        QVERIFY(desk.state() == AnalysisResult::State::Failed);
        desk.session.saveAs(desk.workshop.path() / "named.headroom");
        desk.session.messages()->trigger(0); // "Use it for the current recording"
        QVERIFY(desk.state() == AnalysisResult::State::Ready);
        QUndoStack* steps = desk.session.undoStack();
        QCOMPARE(steps->undoText(), QStringLiteral("use of “elsewhere” for “x”"));
        QVERIFY(desk.session.isModified());
        desk.session.save();
        steps->undo();
        QVERIFY(desk.state() == AnalysisResult::State::Failed);
        QVERIFY(desk.session.isModified());
        QCOMPARE(desk.session.messages()->count(Severity::Warning), 1); // it is offered again
        steps->redo();
        QVERIFY(desk.state() == AnalysisResult::State::Ready);
        QVERIFY(!desk.session.isModified());
        QCOMPARE(desk.session.messages()->count(Severity::Warning), 0);
    }

    /// The click did nothing, and nothing said why.
    void aTextCannotHaveThem() {
        Desk desk;
        desk.session.setCurrentUtterance(desk.session.addText(QStringLiteral("three")));
        desk.settle();
        desk.session.messages()->trigger(desk.session.messages()->rowCount() - 1);
        QCOMPARE(desk.session.messages()->at(0).sentence, QStringLiteral("First select the recording that these maps belong to."));
        desk.session.assignMaps(desk.maps, desk.x);
        desk.settle();
        QCOMPARE(desk.session.messages()->count(Severity::Warning), 0);
    }

    /// It stayed in Messages, of a recording that has no maps.
    void whatWasWrongWithThemIsOverWithUndo() {
        Desk desk;
        desk.session.open({desk.workshop.wav("short.wav", 0.2)}); // 12 tokens of 40 ms do not fit
        desk.settle();
        desk.session.assignMaps(desk.maps, desk.session.currentUtteranceId());
        QVERIFY(desk.state() == AnalysisResult::State::Ready);
        const auto said = [&] {
            int late = 0;
            for (int row = 0; row < desk.session.messages()->rowCount(); ++row)
                late += desk.session.messages()->at(row).sentence.contains(QStringLiteral("after the end of the recording"));
            return late;
        };
        QVERIFY(said() == 1);
        desk.session.undoStack()->undo();
        desk.settle();
        QVERIFY(said() == 0);
        const auto file = desk.workshop.path() / "elsewhere.npz", away = desk.workshop.path() / "away.npz";
        std::filesystem::rename(file, away);
        desk.session.undoStack()->redo();
        QVERIFY(desk.state() == AnalysisResult::State::Failed);
        QCOMPARE(desk.session.messages()->count(Severity::Error), 1);
        desk.session.undoStack()->undo();
        desk.settle();
        QCOMPARE(desk.session.messages()->count(Severity::Error), 0);
    }

    void anotherRecordingCanGetThemAfterwards() {
        Desk desk;
        desk.session.assignMaps(desk.maps, desk.x);
        desk.session.open({desk.workshop.wav("y.wav", 0.5)});
        QVERIFY(desk.state() == AnalysisResult::State::Failed);
        desk.session.assignMaps(desk.maps, desk.session.currentUtteranceId());
        QVERIFY(desk.state() == AnalysisResult::State::Ready);
        desk.session.setCurrentUtterance(desk.x);
        QVERIFY(desk.state() == AnalysisResult::State::Failed);
        desk.session.undoStack()->undo();
        QVERIFY(desk.state() == AnalysisResult::State::Ready);
    }

    /// Both come back with Undo, a recording under another number.
    void whatIsClosedAndBroughtBackHasThem() {
        Desk desk;
        desk.session.assignMaps(desk.maps, desk.x);
        removeUtterances(&desk.session, {desk.x});
        desk.session.undoStack()->undo();
        QVERIFY(desk.state() == AnalysisResult::State::Ready);
        removeModel(&desk.session, desk.maps);
        desk.session.undoStack()->undo();
        QVERIFY(desk.state() == AnalysisResult::State::Ready);
        desk.session.undoStack()->undo();
        QVERIFY(desk.state() == AnalysisResult::State::Failed);
    }
};

HEADROOM_TEST(AssignedMapsTest)

} // namespace headroom::testing::assigned_maps_test

#include "assigned_maps_test.moc"
