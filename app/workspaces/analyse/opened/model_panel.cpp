// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/opened/model_panel.h"

#include "app/documents/items/paths.h"
#include "app/documents/model_list.h"
#include "app/parts/action_button.h"
#include "app/parts/availability.h"
#include "app/parts/row_delegate.h"
#include "core/model_folders/language_adapter.h"

#include <QAction>
#include <QCursor>
#include <QListView>
#include <QMenu>

namespace headroom::app {

namespace {

RowContent describeModel(const QModelIndex& index, bool hasLanguages) {
    RowContent row;
    row.title = index.data().toString();
    row.second = index.data(ModelList::SummaryRole).toString();
    row.sentence = index.data(ModelList::SentenceRole).toString();
    row.checked = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
    row.bar = index.data(ModelList::ColourRole).toInt();
    switch (static_cast<OpenState>(index.data(ModelList::StateRole).toInt())) {
    case OpenState::Reading:
        row.second = ModelPanel::tr("Opening");
        row.working = true;
        break;
    case OpenState::Failed:
        row.checked.reset();
        row.bar.reset();
        row.iconName = QStringLiteral("error");
        row.severity = Severity::Error;
        row.buttons << (index.data(ModelList::MissingRole).toBool() ? ModelPanel::tr("Locate…") : ModelPanel::tr("Show in folder"))
                    << ModelPanel::tr("Close");
        break;
    case OpenState::Ready:
        if (!row.sentence.isEmpty())
            row.severity = Severity::Warning;
        if (hasLanguages)
            row.buttons << ModelPanel::tr("Language");
        break;
    }
    return row;
}

/// What the window calls the folder that a model was opened from: itself, or the one that its adapters lie
/// in.
std::filesystem::path folderOfLanguages(const std::filesystem::path& model) {
    return languageOfAdapter(model).empty() ? model : model.parent_path();
}

} // namespace

ModelPanel::ModelPanel(ModelList* models, QAction* openModel, QAction* openDemoModel, QWidget* parent)
    : ListPanel(tr("No model yet. You can play and view recordings without one."),
                {{openModel, QStringLiteral("model")}, {openDemoModel, QStringLiteral("model")}}, parent)
    , m_models(models) {
    view()->setModel(models);
    view()->setAccessibleName(tr("Models"));
    auto* delegate = new RowDelegate(
        [this](const QModelIndex& index) { return describeModel(index, !languagesOf(index).empty()); }, this);
    view()->setItemDelegate(delegate);
    connect(view()->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& current) {
                followCurrent();
                if (current.isValid())
                    Q_EMIT chosen(idAt(current));
                updateMenu();
            });
    connect(delegate, &RowDelegate::checkToggled, this, [this](const QModelIndex& index) {
        const bool checked = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
        m_models->setData(index, checked ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
    });
    connect(delegate, &RowDelegate::buttonClicked, this, [this](const QModelIndex& index, int button) {
        if (static_cast<OpenState>(index.data(ModelList::StateRole).toInt()) == OpenState::Ready) {
            fillLanguages(index);
            m_languages->popup(QCursor::pos());
        } else if (button == 0 && index.data(ModelList::MissingRole).toBool())
            Q_EMIT locateRequested(idAt(index));
        else if (button == 0)
            Q_EMIT showInFolderRequested(index.data(ModelList::FolderRole).toString());
        else
            Q_EMIT removeRequested(idAt(index));
    });
    const auto update = [this] {
        setEmpty(m_models->count() == 0);
        view()->doItemsLayout();
        keepInSight(); // rows above it may be higher now
        updateMenu();
    };
    connect(models, &QAbstractItemModel::rowsInserted, this, update);
    connect(models, &QAbstractItemModel::rowsRemoved, this, update);
    connect(models, &QAbstractItemModel::modelReset, this, update);
    connect(models, &QAbstractItemModel::dataChanged, this, update);
    emptyButton(1)->setText(tr("Demo model")); // its whole text is wider than the panel of a small window
    addMenu();
    updateMenu();
    update();
}

void ModelPanel::addMenu() {
    QAction* show = m_show = new QAction(tr("Show in folder"), this);
    QAction* remove = m_close = new QAction(tr("Close this model"), this);
    remove->setShortcut(QKeySequence::Delete);
    remove->setShortcutContext(Qt::WidgetShortcut);
    m_languages = new QMenu(tr("Language"), this);
    m_languages->menuAction()->setObjectName(QStringLiteral("language"));
    m_languages->setToolTipsVisible(true);
    m_locate = new QAction(tr("Locate…"), this);
    m_locate->setToolTip(tr("Choose the folder that the model was moved to. Others that were moved with it are found there too."));
    connect(m_locate, &QAction::triggered, this, [this] { Q_EMIT locateRequested(idAt(view()->currentIndex())); });
    view()->addActions({m_languages->menuAction(), show, m_locate, remove});
    connect(show, &QAction::triggered, this, [this] {
        if (view()->currentIndex().isValid())
            Q_EMIT showInFolderRequested(view()->currentIndex().data(ModelList::FolderRole).toString());
    });
    connect(remove, &QAction::triggered, this, [this] {
        if (view()->currentIndex().isValid())
            Q_EMIT removeRequested(idAt(view()->currentIndex()));
    });
}

const std::vector<std::string>& ModelPanel::languagesOf(const QModelIndex& index) const {
    const auto folder = folderOfLanguages(toPath(index.data(ModelList::FolderRole).toString()));
    const auto found = m_found.find(folder);
    return found != m_found.end() ? found->second
                                  : m_found.emplace(folder, adapterLanguages(folder)).first->second;
}

/// An MMS model may have a thousand: more than fit are sorted into menus by their first letter.
void ModelPanel::fillLanguages(const QModelIndex& index) {
    constexpr std::size_t kInOneMenu = 30;
    m_languages->clear();
    qDeleteAll(m_languages->findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly));
    const auto model = toPath(index.data(ModelList::FolderRole).toString()),
               folder = folderOfLanguages(model);
    const auto& languages = languagesOf(index);
    const std::string own = ownLanguage(folder);
    QMenu* menu = m_languages;
    for (const std::string& language : languages) {
        const QString name = QString::fromStdString(language);
        if (languages.size() > kInOneMenu && (menu == m_languages || menu->title() != name.left(1)))
            menu = m_languages->addMenu(name.left(1));
        const auto adapters = adapterOf(folder, language);
        QAction* action = menu->addAction(name);
        action->setCheckable(true);
        const bool isOwn = language == own;
        action->setChecked(adapters == model || (isOwn && folder == model));
        // In its own language the model is the folder; the one that is here is not opened again.
        const auto opened = action->isChecked() ? model : isOwn ? folder : adapters;
        action->setToolTip(tr("Open the model in this language, beside the ones that are open"));
        // Later: the menu is filled anew for the model that opens.
        connect(
            action, &QAction::triggered, this, [this, opened] { Q_EMIT languageChosen(opened); },
            Qt::QueuedConnection);
    }
}

void ModelPanel::updateMenu() {
    const QModelIndex now = view()->currentIndex();
    for (QAction* ofRow : {m_show, m_close})
        setAvailable(ofRow, now.isValid() ? QString() : tr("Choose a model first."));
    setAvailable(m_locate, now.data(ModelList::MissingRole).toBool() ? QString() : tr("Only for a model whose folder is missing."));
    const bool any = now.isValid() && !languagesOf(now).empty();
    m_languages->menuAction()->setVisible(any);
    if (any)
        fillLanguages(now);
}

ModelId ModelPanel::idAt(const QModelIndex& index) const {
    return static_cast<ModelId>(index.data(ModelList::IdRole).toInt());
}

void ModelPanel::setCurrent(ModelId id) {
    if (!makeCurrent(m_models->index(m_models->rowOf(id))))
        return;
    followCurrent();
    updateMenu();
}

} // namespace headroom::app
