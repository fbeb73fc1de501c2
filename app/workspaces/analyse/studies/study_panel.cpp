// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/studies/study_panel.h"

#include "app/documents/items/messages.h"
#include "app/documents/items/paths.h"
#include "app/documents/removals.h"
#include "app/documents/session.h"
#include "app/parts/action_button.h"
#include "app/parts/availability.h"
#include "app/parts/file_dialogs.h"
#include "app/parts/row_delegate.h"
#include "app/studies/study_evidence.h"
#include "app/studies/study_names.h"
#include "app/studies/study_store.h"
#include "app/workspaces/analyse/studies/study_list.h"
#include "app/workspaces/analyse/studies/study_tables_dialog.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>

namespace headroom::app {

using widgets::Sizes;

namespace {
enum Page { List, Form, Empty };
}

StudyPanel::StudyPanel(const StudyForm::Parts& parts, QAction* newStudy, QWidget* parent)
    : QWidget(parent)
    , m_parts(parts)
    , m_list(new StudyList(this))
    , m_form(new StudyForm(parts))
    , m_pages(new QStackedLayout(this)) {
    askName = [this](const QString& now) {
        return FileDialogs().askName(this, tr("Rename the study"), tr("Name"), now).value_or(QString());
    };
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    m_pages->addWidget(makeList(newStudy));
    m_pages->addWidget(m_form);
    m_pages->addWidget(makeEmpty(newStudy));
    connect(m_form, &StudyForm::runRequested, this, &StudyPanel::run);
    connect(m_form, &StudyForm::closed, this, &StudyPanel::showList);
    connect(parts.store, &StudyStore::changed, this, &StudyPanel::refresh);
    refresh();
    showList();
}

QWidget* StudyPanel::makeEmpty(QAction* newStudy) {
    const int unit = qRound(Sizes::unit());
    auto* page = new QWidget(this);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(unit * 3 / 2, unit * 3 / 2, unit * 3 / 2, unit);
    layout->setSpacing(unit);
    auto* sentence = new QLabel(tr("No studies yet. A study measures the ticked models on many utterances. "
                                   "It gives means with intervals, and the places behind every number."),
                                page);
    sentence->setWordWrap(true);
    sentence->setProperty("caption", true);
    layout->addWidget(sentence);
    layout->addWidget(new ActionButton(newStudy, QStringLiteral("plus"), page, ActionButton::Key::Hidden), 0,
                      Qt::AlignLeft);
    layout->addStretch(1);
    return page;
}

QWidget* StudyPanel::makeList(QAction* newStudy) {
    const int unit = qRound(Sizes::unit());
    auto* page = new QWidget(this);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_view = new QListView(page);
    m_view->setModel(m_list);
    m_view->setAccessibleName(tr("Studies"));
    m_view->setMouseTracking(true);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setWordWrap(true); // rows get their height anew with each width; Adjust looks at the height alone
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    auto* delegate = new RowDelegate(
        [this](const QModelIndex& index) { return describeStudy(m_list->at(index.row())); }, this);
    m_view->setItemDelegate(delegate);
    connect(delegate, &RowDelegate::buttonClicked, this,
            [this](const QModelIndex& index, int button) { ask(index.row(), button); });
    connect(m_view, &QListView::activated, this, [this](const QModelIndex& index) {
        if (m_list->at(index.row()).state == StudyItem::State::Finished)
            m_parts.store->open(m_list->at(index.row()).folder);
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &StudyPanel::updateButtons);
    layout->addWidget(m_view, 1);

    auto* foot = new QWidget(page);
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(unit, unit / 2, unit, unit / 2);
    row->setSpacing(unit);
    row->addWidget(new ActionButton(newStudy, QStringLiteral("plus"), foot, ActionButton::Key::Hidden));
    row->addStretch(1);
    const auto button = [&](const char* icon, const QString& text, const QString& tip, auto work) {
        auto* made = new QPushButton(widgets::icon(QLatin1String(icon)), text, foot);
        made->setToolTip(tip);
        connect(made, &QPushButton::clicked, this, work);
        row->addWidget(made);
        return made;
    };
    m_cancel = button("stop", tr("Cancel"), tr("Stop the study and keep its measurements."),
                      [this] { say(m_parts.store->stop(current())); });
    m_resume = button("play", tr("Resume"), tr("Continue where the study stopped."),
                      [this] { say(m_parts.store->resume(current())); });
    m_open = button("open", tr("Open"), tr("Show the results in the tabs. Enter"),
                    [this] { m_parts.store->open(current()); });
    m_open->setObjectName(QStringLiteral("openStudy"));
    m_cancel->setObjectName(QStringLiteral("cancelStudy"));
    m_resume->setObjectName(QStringLiteral("resumeStudy"));
    const auto action = [&](const char* icon, const QString& text, auto work) {
        auto* made = new QAction(widgets::icon(QLatin1String(icon)), text, this);
        connect(made, &QAction::triggered, this, work);
        m_view->addAction(made);
        return made;
    };
    m_folder = action("folder", tr("Show in folder"),
                      [this] { Q_EMIT showInFolderRequested(toQString(current())); });
    m_tables = action("grid", tr("Tables…"), [this] { showTables(); });
    m_tables->setObjectName(QStringLiteral("studyTables"));
    m_tables->setToolTip(tr("Show every table of the study: σ, 95\u202f% intervals and n of each number, and the tests that compare the models."));
    m_copyLeftOut = action("copy", tr("Copy what was not measured"), [this] {
        if (const StudyItem* study = m_parts.store->find(current()))
            QGuiApplication::clipboard()->setText(study->notMeasured.join(u'\n'));
    });
    m_copyLeftOut->setObjectName(QStringLiteral("copyLeftOut"));
    m_copyLeftOut->setToolTip(tr("Copy the names of these utterances, with the reasons."));
    m_rename = action("text", tr("Rename…"), [this] { rename(); });
    m_rename->setShortcut(Qt::Key_F2);
    m_rename->setShortcutContext(Qt::WidgetShortcut);
    m_remove = action("trash", tr("Move to the wastebasket"), [this] { remove(); });
    m_remove->setToolTip(tr("Move the study's folder to the wastebasket."));
    m_remove->setShortcut(QKeySequence::Delete);
    m_remove->setShortcutContext(Qt::WidgetShortcut);
    for (QAction* one : {m_tables, m_folder, m_remove}) {
        auto* tool = new QToolButton(foot);
        tool->setDefaultAction(one);
        tool->setToolButtonStyle(Qt::ToolButtonIconOnly);
        tool->setAutoRaise(true);
        tool->setAccessibleName(one->text());
        row->addWidget(tool);
    }
    layout->addWidget(foot);
    return page;
}

void StudyPanel::showForm(std::optional<StudyKind> kind) {
    m_pages->setCurrentIndex(Page::Form);
    m_form->setKind(kind.value_or(m_form->kind()));
    Q_EMIT formShown(true);
}

void StudyPanel::showList() {
    m_pages->setCurrentIndex(m_list->rowCount() > 0 ? Page::List : Page::Empty);
    Q_EMIT formShown(false);
    if (isVisible() && m_list->rowCount() > 0)
        m_view->setFocus();
}

bool StudyPanel::showsForm() const {
    return m_pages->currentIndex() == Page::Form;
}

std::filesystem::path StudyPanel::current() const {
    return m_view->currentIndex().isValid() ? m_list->at(m_view->currentIndex().row()).folder
                                            : std::filesystem::path();
}

void StudyPanel::setCurrent(const std::filesystem::path& folder) {
    const int row = m_list->rowOf(folder);
    if (row < 0) {
        m_wanted = folder;
        return;
    }
    m_view->setCurrentIndex(m_list->index(row));
}

void StudyPanel::refresh() {
    const std::filesystem::path before = m_wanted.empty() ? current() : m_wanted;
    m_list->setItems(m_parts.store->items());
    if (const int row = m_list->rowOf(before); row >= 0) {
        m_view->setCurrentIndex(m_list->index(row));
        m_wanted.clear();
    } else if (m_list->rowCount() > 0 && !m_view->currentIndex().isValid()) {
        m_view->setCurrentIndex(m_list->index(0));
    }
    m_view->doItemsLayout(); // sentences and buttons change a row's height
    if (!showsForm())
        m_pages->setCurrentIndex(m_list->rowCount() > 0 ? Page::List : Page::Empty);
    updateButtons();
    Q_EMIT countChanged();
}

void StudyPanel::updateButtons() {
    const StudyItem* study = m_parts.store->find(current());
    m_open->setVisible(study && study->state == StudyItem::State::Finished);
    m_cancel->setVisible(study && study->state == StudyItem::State::Running);
    m_resume->setVisible(study && study->canResume());
    const QString none = study ? QString() : tr("Choose a study first.");
    const QString inUse = study && study->runs() ? tr("The study is running. Cancel it first.") : none;
    setAvailable(m_folder, none);
    setAvailable(m_tables, study && study->state != StudyItem::State::Finished ? tr("A study has its tables once it has finished.") : none);
    setAvailable(m_copyLeftOut, !study                          ? none
                                : study->notMeasured.isEmpty() ? tr("The study left out no utterance.")
                                                               : QString());
    setAvailable(m_rename, inUse);
    setAvailable(m_remove, inUse);
}

void StudyPanel::ask(int row, int button) {
    const StudyItem& study = m_list->at(row);
    if (button == 0 && offersTryNow(study))
        return say(m_parts.store->tryNow(study.folder));
    say(study.runs() ? m_parts.store->stop(study.folder) : m_parts.store->resume(study.folder));
}

void StudyPanel::run(const StudyRequest& request) {
    m_wanted = request.folder;
    say(m_parts.store->start(request));
    showList();
}

void StudyPanel::rename() {
    const std::filesystem::path folder = current();
    const StudyItem* study = m_parts.store->find(folder);
    const QString name = askName(study ? studyName(folder, study->kind, study->models) : toQString(folder.filename()));
    if (name.isEmpty())
        return;
    m_wanted = folder.parent_path() / toPath(name.trimmed()); // selected again under its new name
    const QString sentence = m_parts.store->rename(folder, name);
    if (!sentence.isEmpty())
        m_wanted = folder; // not the study that has this name
    else if (m_wanted != folder)
        m_parts.session->messages()->settle(causeOf(folder));
    say(sentence);
}

void StudyPanel::showTables() {
    m_parts.store->read(current(), this, [this](const OpenStudyPtr& study, const QString& sentence) {
        if (!study)
            return say(sentence);
        auto* dialog = new StudyTablesDialog(study, m_parts.store->evidence().model(*study), this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->show();
    });
}

void StudyPanel::remove() {
    if (!m_remove->isEnabled())
        return;
    const auto removed = std::make_shared<RemovedStudy>();
    const auto move = [this, removed, folder = current()] {
        const StudyItem* study = m_parts.store->find(folder);
        MovedFolders moved{{}, tr("the study “%1”").arg(study ? study->name() : toQString(folder.filename())), {}};
        if (const QString sentence = m_parts.store->moveToWastebasket(folder, removed.get()); !sentence.isEmpty()) {
            say(sentence);
            return moved;
        }
        m_parts.session->messages()->settle(causeOf(folder));
        moved.folders.push_back(removed->where);
        return moved;
    };
    removeFolders(m_parts.session, Removed::Study, move, [this, removed](const InWastebasket&) { say(m_parts.store->bringBack(*removed)); });
}

QString StudyPanel::causeOf(const std::filesystem::path& folder) {
    return QStringLiteral("study ") + toQString(folder);
}

void StudyPanel::say(const QString& sentence) {
    if (!sentence.isEmpty())
        Q_EMIT problem(sentence);
}

QString StudyPanel::countText() const {
    const auto& items = m_parts.store->items();
    const auto running =
        std::count_if(items.begin(), items.end(), [](const StudyItem& item) { return item.runs(); });
    if (items.empty())
        return {};
    return running == 0 ? QString::number(items.size()) : tr("%1, %2 running").arg(items.size()).arg(running);
}

} // namespace headroom::app
