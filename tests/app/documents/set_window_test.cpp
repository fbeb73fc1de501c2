// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/removals.h"
#include "tests/app/documents/one_draft.h"
#include "tests/support/runner.h"

#include <QSignalSpy>
#include <QTest>

namespace headroom::testing::set_window_test {

using namespace headroom::app;
using headroom::testing::Workshop;

class SetWindowTest : public QObject, private OneDraft {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void anEditIsOneStepThatSaysWhatItDid();
    void repeatedEditsAreOneStep();
    void aNewEditOrAnotherLayerIsAStepOfItsOwn();
    void comingBackToTheStartLeavesNoStep();
    void mixedLayersComeBackExactly();
    void anEvenWindowIsRefusedAndNothingChanges();
    void undoMarksTheSessionAsSaved();
    void undoAfterTheModelWasClosedIsHarmless();
    void closingAModelIsAStepOfItsOwn();
    void aClosedArchitectureComesBackWithItsEdits();
};

void SetWindowTest::init() {
    ModelDescription info = Workshop::info(12);
    info.architecture.encoder.layers[2].heads = parseHeads("2 full + 1 local 9 + 1 local 64 block");
    reset(info);
}

void SetWindowTest::anEditIsOneStepThatSaysWhatItDid() {
    QSignalSpy drafts(m_session->drafts(), &Drafts::draftChanged);
    m_session->drafts()->setWindow({m_model}, {11, 17});
    QCOMPARE(heads(11), QStringLiteral("4 local 17"));
    QCOMPARE(m_session->undoStack()->undoText(), QStringLiteral("window of layer 11: full → 17"));
    m_session->drafts()->setWindow({m_model}, {11, 23});
    QCOMPARE(m_session->undoStack()->undoText(), QStringLiteral("window of layer 11: 17 → 23"));
    QCOMPARE(m_session->undoStack()->count(), 2);
    m_session->undoStack()->undo();
    QCOMPARE(heads(11), QStringLiteral("4 local 17"));
    m_session->undoStack()->undo();
    QCOMPARE(heads(11), QStringLiteral("4 full"));
    m_session->undoStack()->redo();
    QCOMPARE(heads(11), QStringLiteral("4 local 17"));
    QCOMPARE(drafts.count(), 5);
    QCOMPARE(drafts.last().at(0).value<DraftKey>(), DraftKey{m_model});
    for (int layer = 1; layer <= 12; ++layer)
        QCOMPARE(heads(layer) == QStringLiteral("4 local 17"), layer == 11);
    m_session->drafts()->setWindow({m_model}, {11, 17}); // nothing changes: no step
    QCOMPARE(m_session->undoStack()->count(), 2);
}

void SetWindowTest::repeatedEditsAreOneStep() {
    m_session->drafts()->setWindow({m_model}, {5, 17});
    m_session->drafts()->setWindow({m_model}, {5, 19}, EditStep::Continue);
    m_session->drafts()->setWindow({m_model}, {5, 21}, EditStep::Continue);
    QCOMPARE(m_session->undoStack()->count(), 1);
    QCOMPARE(m_session->undoStack()->undoText(), QStringLiteral("window of layer 5: full → 21"));
    m_session->undoStack()->undo();
    QCOMPARE(heads(5), QStringLiteral("4 full"));
}

void SetWindowTest::aNewEditOrAnotherLayerIsAStepOfItsOwn() {
    m_session->drafts()->setWindow({m_model}, {5, 17});
    m_session->drafts()->setWindow({m_model}, {6, 17}, EditStep::Continue);
    m_session->drafts()->setWindow({m_model}, {6, 19}, EditStep::New);
    QCOMPARE(m_session->undoStack()->count(), 3);
}

void SetWindowTest::comingBackToTheStartLeavesNoStep() {
    m_session->drafts()->setWindow({m_model}, {5, 17});
    m_session->drafts()->setWindow({m_model}, {5, 19}, EditStep::New);
    m_session->drafts()->setWindow({m_model}, {5, 17}, EditStep::Continue);
    QCOMPARE(m_session->undoStack()->count(), 1);
    QCOMPARE(heads(5), QStringLiteral("4 local 17"));
}

void SetWindowTest::mixedLayersComeBackExactly() {
    const QString before = heads(3);
    m_session->drafts()->setWindow({m_model}, {3, 17});
    QCOMPARE(heads(3), QStringLiteral("3 local 17 + 1 local 64 block"));
    m_session->drafts()->setWindow({m_model}, {3, std::nullopt});
    QCOMPARE(heads(3), QStringLiteral("3 full + 1 local 64 block"));
    m_session->undoStack()->undo();
    m_session->undoStack()->undo();
    QCOMPARE(heads(3), before);
}

void SetWindowTest::anEvenWindowIsRefusedAndNothingChanges() {
    try {
        m_session->drafts()->setWindow({m_model}, {5, 14});
        QFAIL("14 was taken");
    } catch (const Error& error) {
        QVERIFY(QString::fromUtf8(error.what()).contains(QStringLiteral("13")));
    }
    QCOMPARE(m_session->undoStack()->count(), 0);
    m_session->drafts()->setWindow({m_model}, {99, 17}); // no such layer
    QCOMPARE(m_session->undoStack()->count(), 0);
}

void SetWindowTest::undoMarksTheSessionAsSaved() {
    m_session->saveAs(m_workshop->path() / "s.headroom");
    QSignalSpy modified(m_session.get(), &Session::modifiedChanged);
    m_session->drafts()->setWindow({m_model}, {5, 17});
    QVERIFY(m_session->isModified());
    m_session->undoStack()->undo();
    QVERIFY(!m_session->isModified());
    QCOMPARE(modified.count(), 2);
}

void SetWindowTest::undoAfterTheModelWasClosedIsHarmless() {
    m_session->drafts()->setWindow({m_model}, {5, 17});
    m_session->closeModel(m_model);
    m_session->undoStack()->undo();
    QCOMPARE(m_session->undoStack()->count(), 0);
}

/// An edit of a closed model was offered, did nothing, and was lost.
void SetWindowTest::closingAModelIsAStepOfItsOwn() {
    Workshop workshop;
    Session session;
    const ModelId id = session.openModel(workshop.model("a"));
    session.setModelOpened(id, Workshop::info(3));
    QUndoStack& steps = *session.undoStack();
    const DraftKey key{id, 0};
    QVERIFY(session.drafts()->setWindow(key, {2, 7}));
    removeModel(&session, id);
    QCOMPARE(steps.undoText(), QStringLiteral("closing of “small”"));
    QVERIFY(!steps.canRedo());
    steps.undo();
    QCOMPARE(session.models()->count(), 1);
    QCOMPARE(session.messages()->rowCount(), 0); // what was undone is not offered again
    QVERIFY(steps.undoText().startsWith(QStringLiteral("window of layer 2")));
    steps.undo(); // before the worker has read it again
    QVERIFY(!session.drafts()->window(key, 2));
    session.setModelOpened(id, Workshop::info(3));
    QVERIFY(!session.drafts()->window(key, 2));
    steps.redo();
    QCOMPARE(session.drafts()->window(key, 2), std::optional<int>(7));
    steps.redo();
    QCOMPARE(session.models()->count(), 0);

    // By the message, and with a step after it.
    session.messages()->trigger(0);
    QCOMPARE(session.models()->count(), 1);
    QCOMPARE(steps.index(), 1);
    const DraftKey document = session.drafts()->newDocument(Workshop::info(3).architecture, QStringLiteral("x"));
    removeModel(&session, id);
    QVERIFY(session.drafts()->write(document, {{2, 1, 4, QStringLiteral("local 5")}}));
    session.messages()->trigger(0);
    QCOMPARE(session.models()->count(), 1);
    steps.undo();
    QVERIFY(steps.undoText().startsWith(QStringLiteral("window of layer 2"))); // the closing is no step any more
    session.closeModel(id); // for good: its edits are not offered
    steps.redo();
    session.drafts()->closeDocument(document);
    QVERIFY(!steps.canUndo() && !steps.canRedo());
}

/// Closing an edited architecture lost its edits, and the next Ctrl+Z changed another one.
void SetWindowTest::aClosedArchitectureComesBackWithItsEdits() {
    Workshop workshop;
    Session session;
    Drafts* drafts = session.drafts();
    const DraftKey first = drafts->newDocument(Workshop::info(3).architecture, QStringLiteral("x"));
    const DraftKey second = drafts->newDocument(Workshop::info(3).architecture, QStringLiteral("y"));
    QVERIFY(drafts->write(first, {{1, 1, 4, QStringLiteral("local 9")}}));
    QVERIFY(drafts->write(second, {{2, 1, 4, QStringLiteral("local 5")}}));
    const Architecture edited = drafts->architecture(second);
    removeArchitecture(&session, second);
    QVERIFY(!drafts->has(second) && drafts->current() == first);
    QVERIFY(session.messages()->at(0).sentence.contains(QStringLiteral("never saved")));
    session.undoStack()->undo();
    QCOMPARE(drafts->architecture(second), edited);
    QCOMPARE(drafts->current(), second);
    session.undoStack()->undo(); // the step before is its own edit
    QVERIFY(!drafts->isEdited(second) && drafts->isEdited(first));
    session.undoStack()->redo();
    session.undoStack()->redo();
    QVERIFY(!drafts->has(second));
    session.messages()->trigger(0); // “Undo”
    QCOMPARE(drafts->architecture(second), edited);
}

HEADROOM_TEST(SetWindowTest)

} // namespace headroom::testing::set_window_test

#include "set_window_test.moc"
