// SPDX-License-Identifier: GPL-3.0-or-later
// Drafts of models whose files get another architecture while they are open: no edit is lost.
#include "core/architecture/edits.h"
#include "tests/app/documents/one_draft.h"
#include "tests/support/runner.h"

#include <QSignalSpy>
#include <QTest>
#include <QUndoStack>

namespace headroom::testing::changed_models_test {

using namespace headroom::app;

class ChangedModelsTest : public QObject, private OneDraft {
    Q_OBJECT

private Q_SLOTS:
    void init() { reset(); }

    /// They were replaced by the new layers without a word.
    void editsBecomeAnArchitecture() {
        m_drafts->setWindow(key(), {2, 17});
        m_drafts->write(key(), {{3, 1, 1, QStringLiteral("lokal 5")}}); // a mistake
        const QString model = m_drafts->name(key());
        m_session->setModelOpened(m_model, Workshop::info(6));
        QCOMPARE(m_drafts->keys().size(), std::size_t(2));
        QVERIFY(!m_drafts->isEdited(key()) && m_drafts->grid(key()).layerCount() == 6);
        QCOMPARE(m_drafts->current(), key());
        const DraftKey document = m_drafts->keys()[1];
        QCOMPARE(m_drafts->name(document), model + QStringLiteral(", copy 1"));
        QCOMPARE(m_drafts->origin(document), QStringLiteral("edited, from ") + model);
        QCOMPARE(m_drafts->grid(document).layerCount(), 12);
        QCOMPARE(m_drafts->window(document, 2), std::optional(17));
        QCOMPARE(written(document, 3), QStringLiteral("1 lokal 5 + 3 full"));
        QVERIFY(m_session->isModified());
        const Messages& messages = *m_session->messages();
        QCOMPARE(messages.at(0).sentence,
                 QStringLiteral("“%1” was opened again with other layers or heads. Its edits are now the architecture “%1, copy 1”.").arg(model));
        QSignalSpy requested(m_drafts, &Drafts::documentRequested);
        m_session->messages()->trigger(0);
        QCOMPARE(requested.size(), 1);
        QCOMPARE(requested[0][0].value<DraftKey>(), document);
        QCOMPARE(messages.count(Severity::Warning), 0);
    }

    /// Undo changed the layers of the new model.
    void theirStepsAreThoseOfTheArchitecture() {
        m_drafts->setWindow(key(), {2, 17});
        m_session->setModelOpened(m_model, Workshop::info(6));
        const DraftKey document = m_drafts->keys()[1];
        m_drafts->setWindow(key(), {2, 9});
        undo();
        QVERIFY(!m_drafts->isEdited(key()));
        undo();
        QVERIFY(!m_drafts->isEdited(document));
        QVERIFY(!m_session->undoStack()->canUndo());
        QCOMPARE(m_drafts->current(), document); // what the step changed is shown
        m_session->undoStack()->redo();
        QCOMPARE(m_drafts->window(document, 2), std::optional(17));
        QVERIFY(!m_drafts->isEdited(key()));
    }

    void theFileOfADraftGoesWithItsEdits() {
        const auto file = m_workshop->path() / "mine.json";
        m_drafts->setWindow(key(), {2, 17});
        m_drafts->save(key(), file);
        m_session->setModelOpened(m_model, Workshop::info(6));
        const DraftKey document = m_drafts->keys()[1];
        QCOMPARE(m_drafts->file(document), file);
        QCOMPARE(m_drafts->name(document), QStringLiteral("mine"));
        QVERIFY(m_drafts->isSaved(document));
        QVERIFY(!m_drafts->window(document, 3) && !windowOf(m_drafts->original(document).encoder.layers[1].heads));
        QVERIFY(m_drafts->file(key()).empty());
    }

    /// Another vocabulary, for example: the draft says the same of it.
    void theSameLayersKeepTheirDraft() {
        m_drafts->setWindow(key(), {2, 17});
        m_drafts->write(key(), {{3, 1, 1, QStringLiteral("lokal 5")}});
        ModelDescription other = Workshop::info(12);
        other.architecture.vocabulary = 200;
        m_session->setModelOpened(m_model, other);
        QCOMPARE(m_drafts->keys().size(), std::size_t(1));
        QCOMPARE(m_drafts->architecture(key()).vocabulary, 200);
        QCOMPARE(m_drafts->window(key(), 2), std::optional(17));
        QCOMPARE(written(key(), 3), QStringLiteral("1 lokal 5 + 3 full"));
        QCOMPARE(m_session->messages()->rowCount(), 0);
        undo();
        undo();
        QVERIFY(!m_drafts->isEdited(key()));
    }

    void withoutEditsNothingIsKept() {
        m_drafts->setWindow(key(), {2, 17});
        undo(); // its step can be done again
        m_session->setModelOpened(m_model, Workshop::info(6));
        QCOMPARE(m_drafts->keys().size(), std::size_t(1));
        QVERIFY(!m_session->undoStack()->canRedo());
        QCOMPARE(m_session->messages()->rowCount(), 0);
    }

    /// Maps of another toolkit have windows and no design.
    void windowsOverMapsAreDrawnOverTheNewOnes() {
        m_workshop->text("maps.npz", {});
        const ModelId maps = m_session->openModel(m_workshop->path() / "maps.npz");
        QVERIFY(m_session->models()->find(maps)->maps);
        m_session->setModelOpened(maps, Workshop::info(12));
        m_drafts->setWindow({maps}, {2, 17});
        m_drafts->setWindow({maps}, {9, 5});
        m_session->setModelOpened(maps, Workshop::info(6));
        QCOMPARE(m_drafts->keys().size(), std::size_t(1));
        QCOMPARE(m_drafts->window({maps}, 2), std::optional(17));
        QCOMPARE(m_drafts->grid({maps}).layerCount(), 6);
        undo();
        QVERIFY(!m_drafts->window({maps}, 2));
    }
};

HEADROOM_TEST(ChangedModelsTest)

} // namespace headroom::testing::changed_models_test

#include "changed_models_test.moc"
