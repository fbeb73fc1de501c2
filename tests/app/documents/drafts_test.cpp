// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/removals.h"
#include "tests/app/documents/one_draft.h"
#include "tests/support/runner.h"

#include <QSignalSpy>
#include <QTest>

#include <set>

namespace headroom::testing::drafts_test {

using namespace headroom::app;
using headroom::testing::Workshop;

class DraftsTest : public QObject, private OneDraft {
    Q_OBJECT

private Q_SLOTS:
    void init() { reset(); }
    void anOpenedModelHasADraft();
    void aTypedHeadIsInTheModelsDraft();
    void theBandAndTheGridShareDraftAndUndo();
    void theBandOverAMistakeGivesItBackOnUndo();
    void aMistakeIsKeptAndUndone();
    void undoBringsBackTheHeadsBeforeAMistake();
    void repeatedStepsAreOneStep();
    void anEditThatChangesNothingLeavesNoStep();
    void closingAModelMovesOn();
    void undoAfterClosingIsHarmless();
    void undoShowsTheModelThatItChanges();
    void theGridKnowsWhatStandsAroundTheLayers();
    void aRestartedWorkerKeepsWhatIsWritten();
    void aClosedModelComesBackAsItWas();
    void moreModelsThanColoursAreToldApart();
};

void DraftsTest::anOpenedModelHasADraft() {
    QCOMPARE(m_drafts->keys(), (std::vector<DraftKey>{key()}));
    QCOMPARE(m_drafts->current(), key());
    QCOMPARE(m_drafts->grid(key()).layerCount(), 12);
    QVERIFY(!m_drafts->isEdited(key()));
    QCOMPARE(m_drafts->architecture(key()), m_session->models()->find(m_model)->info->architecture);
}

void DraftsTest::aTypedHeadIsInTheModelsDraft() {
    QSignalSpy drafts(m_drafts, &Drafts::draftChanged);
    m_drafts->write(key(), {{9, 2, 4, QStringLiteral("local 15")}});
    QCOMPARE(heads(9), QStringLiteral("1 full + 3 local 15"));
    QCOMPARE(drafts.count(), 1);
    QCOMPARE(drafts.first().at(0).value<DraftKey>(), key());
    for (int layer = 1; layer <= 12; ++layer)
        QCOMPARE(heads(layer) == QStringLiteral("4 full"), layer != 9);
    QVERIFY(m_session->isModified());
    QCOMPARE(m_session->undoStack()->undoText(),
             QStringLiteral("heads of layer 9: 4 full → 1 full + 3 local 15"));
    undo();
    QCOMPARE(heads(9), QStringLiteral("4 full"));
    QVERIFY(!m_drafts->isEdited(key()));
}

void DraftsTest::theBandAndTheGridShareDraftAndUndo() {
    m_session->drafts()->setWindow({m_model}, {5, 17}); // the band
    QCOMPARE(written(key(), 5), QStringLiteral("4 local 17"));
    m_drafts->write(key(), {{5, 1, 2, QStringLiteral("local 9")}}); // the grid
    QCOMPARE(m_drafts->window(key(), 5), std::optional(17));
    m_session->drafts()->setWindow({m_model}, {5, 21});
    QCOMPARE(written(key(), 5), QStringLiteral("4 local 21"));
    undo();
    QCOMPARE(written(key(), 5), QStringLiteral("2 local 9 + 2 local 17"));
    QCOMPARE(heads(5), QStringLiteral("2 local 9 + 2 local 17"));
    undo();
    QCOMPARE(written(key(), 5), QStringLiteral("4 local 17"));
    undo();
    QCOMPARE(written(key(), 5), QStringLiteral("4 full"));
    QCOMPARE(heads(5), QStringLiteral("4 full"));
}

void DraftsTest::theBandOverAMistakeGivesItBackOnUndo() {
    m_drafts->write(key(), {{7, 4, 4, QStringLiteral("local 14")}});
    m_drafts->setWindow(key(), {7, 9}); // the band
    QCOMPARE(written(key(), 7), QStringLiteral("4 local 9"));
    QVERIFY(m_drafts->grid(key()).mistakes().empty());
    undo();
    QCOMPARE(written(key(), 7), QStringLiteral("3 full + 1 local 14"));
    QCOMPARE(heads(7), QStringLiteral("4 full"));
    m_session->undoStack()->redo();
    QCOMPARE(written(key(), 7), QStringLiteral("4 local 9"));
    QCOMPARE(heads(7), QStringLiteral("4 local 9"));
}

void DraftsTest::aMistakeIsKeptAndUndone() {
    m_drafts->write(key(), {{7, 4, 4, QStringLiteral("local 14")}});
    QCOMPARE(heads(7), QStringLiteral("4 full")); // the last valid text
    QCOMPARE(written(key(), 7), QStringLiteral("3 full + 1 local 14"));
    QCOMPARE(m_drafts->grid(key()).mistakes().size(), std::size_t(1));
    QVERIFY(m_drafts->isEdited(key()));
    undo();
    QVERIFY(m_drafts->grid(key()).mistakes().empty());
    m_session->undoStack()->redo();
    QCOMPARE(m_drafts->grid(key()).mistakes().size(), std::size_t(1));
}

void DraftsTest::undoBringsBackTheHeadsBeforeAMistake() {
    m_drafts->write(key(), {{7, 1, 4, QStringLiteral("local 14")}});
    m_drafts->write(key(), {{7, 1, 4, QStringLiteral("local 15")}});
    QCOMPARE(heads(7), QStringLiteral("4 local 15"));
    undo(); // wrong again: what is valid is what was valid then
    QCOMPARE(written(key(), 7), QStringLiteral("4 local 14"));
    QCOMPARE(heads(7), QStringLiteral("4 full"));
}

void DraftsTest::repeatedStepsAreOneStep() {
    m_drafts->write(key(), {{5, 1, 4, QStringLiteral("local 17")}});
    m_drafts->write(key(), {{5, 1, 4, QStringLiteral("local 19")}}, EditStep::Continue);
    m_drafts->write(key(), {{5, 1, 4, QStringLiteral("local 21")}}, EditStep::Continue);
    m_drafts->write(key(), {{6, 1, 4, QStringLiteral("local 21")}}, EditStep::Continue); // another layer
    QCOMPARE(m_session->undoStack()->count(), 2);
    undo();
    undo();
    QCOMPARE(heads(5), QStringLiteral("4 full"));
}

void DraftsTest::anEditThatChangesNothingLeavesNoStep() {
    m_drafts->write(key(), {{5, 1, 4, QStringLiteral("full")}});
    QCOMPARE(m_session->undoStack()->count(), 0);
}

void DraftsTest::closingAModelMovesOn() {
    const ModelId second = m_session->openModel(m_workshop->model("n"));
    m_session->setModelOpened(second, Workshop::info(2));
    m_session->setCurrentModel(second);
    QCOMPARE(m_drafts->current(), (DraftKey{second, 0}));
    m_session->closeModel(second);
    QCOMPARE(m_drafts->current(), key());
    m_session->closeModel(m_model);
    QVERIFY(m_drafts->current().isNone());
}

void DraftsTest::undoAfterClosingIsHarmless() {
    const DraftKey document = m_drafts->newDocument(Workshop::info(3).architecture, QStringLiteral("x"));
    m_drafts->write(document, {{2, 1, 4, QStringLiteral("local 5")}});
    m_drafts->write(key(), {{2, 1, 4, QStringLiteral("local 5")}});
    m_drafts->closeDocument(document);
    m_session->closeModel(m_model);
    undo();
    undo();
    QCOMPARE(m_session->undoStack()->count(), 0);
}

void DraftsTest::undoShowsTheModelThatItChanges() {
    const ModelId second = m_session->openModel(m_workshop->model("n"));
    m_session->setModelOpened(second, Workshop::info(12));
    m_drafts->setWindow(key(), {5, 17});
    m_session->setCurrentModel(second);
    m_drafts->setWindow({second, 0}, {5, 9});
    QCOMPARE(m_session->currentModelId(), second);
    undo();
    QCOMPARE(m_session->currentModelId(), second);
    undo();
    QCOMPARE(m_session->currentModelId(), m_model);
    QCOMPARE(m_drafts->current(), key());
    QCOMPARE(heads(5), QStringLiteral("4 full"));
    m_session->setCurrentModel(second);
    m_session->undoStack()->redo();
    QCOMPARE(m_session->currentModelId(), m_model);
}

void DraftsTest::theGridKnowsWhatStandsAroundTheLayers() {
    Architecture relative = m_drafts->architecture(key());
    relative.encoder.positions = Positions::Relative;
    const DraftKey document = m_drafts->newDocument(relative, {});
    m_drafts->write(document, {{2, 1, 4, QStringLiteral("local 64 block")}});
    QVERIFY(m_drafts->grid(document).isMistaken(2));
    QVERIFY(m_drafts->grid(document).mistakes().front().sentence.find("Relative positions") == 0);
    m_drafts->write(key(), {{2, 1, 4, QStringLiteral("local 64 block")}});
    QVERIFY(!m_drafts->grid(key()).isMistaken(2));
}

void DraftsTest::aRestartedWorkerKeepsWhatIsWritten() {
    m_drafts->write(key(), {{7, 4, 4, QStringLiteral("local 14")}});
    m_drafts->write(key(), {{8, 1, 4, QStringLiteral("local 9")}});
    m_session->setModelReading(m_model);
    m_session->setModelOpened(m_model, Workshop::info(12));
    QCOMPARE(written(key(), 7), QStringLiteral("3 full + 1 local 14"));
    QCOMPARE(heads(8), QStringLiteral("4 local 9"));
}

void DraftsTest::aClosedModelComesBackAsItWas() {
    Workshop workshop;
    Session session;
    for (const char* name : {"a", "b", "c"})
        session.setModelOpened(session.openModel(workshop.model(name)), Workshop::info(3));
    const ModelId id = session.models()->at(1).id;
    const int colour = session.models()->at(1).colour;
    const DraftKey key{id, 0};
    QVERIFY(session.drafts()->setWindow(key, {2, 7}));
    QVERIFY(session.drafts()->setWindow(key, {3, 9}));
    QVERIFY(session.drafts()->write(key, {{1, 1, 1, QStringLiteral("no head")}}));
    const auto mistakes = session.drafts()->grid(key).mistakes().size();
    QVERIFY(mistakes > 0);
    session.setModelEnabled(id, false);
    session.setCurrentModel(id);
    removeModel(&session, id);
    QCOMPARE(session.models()->count(), 2);
    session.messages()->trigger(0); // “Undo”
    QCOMPARE(session.models()->count(), 3);
    const OpenModel& back = session.models()->at(1);
    QCOMPARE(back.folder, workshop.path() / "b");
    QCOMPARE(back.colour, colour);
    QVERIFY(!back.enabled);
    QCOMPARE(back.state, OpenState::Reading);
    QCOMPARE(session.currentModelId(), back.id);
    session.setModelOpened(back.id, Workshop::info(3));
    const DraftKey again{session.models()->at(1).id, 0};
    QCOMPARE(session.drafts()->window(again, 2), std::optional<int>(7));
    QCOMPARE(session.drafts()->window(again, 3), std::optional<int>(9));
    QCOMPARE(session.drafts()->grid(again).mistakes().size(), mistakes);
    session.undoStack()->undo(); // the steps are those of the model that is back
    session.undoStack()->undo();
    QVERIFY(session.drafts()->window(again, 3) != std::optional<int>(9));
}

void DraftsTest::moreModelsThanColoursAreToldApart() {
    Workshop workshop;
    Session session;
    std::set<int> styles;
    for (int i = 0; i < 12; ++i) {
        session.openModel(workshop.path() / QString::number(i).toStdString());
        styles.insert(session.models()->at(i).colour);
    }
    QCOMPARE(styles.size(), std::size_t(12));
    session.saveAs(workshop.path() / "many");
    Session again;
    again.openSession(session.folder());
    for (int i = 0; i < 12; ++i)
        QCOMPARE(again.models()->at(i).colour, session.models()->at(i).colour);
}

HEADROOM_TEST(DraftsTest)

} // namespace headroom::testing::drafts_test

#include "drafts_test.moc"
