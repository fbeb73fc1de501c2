// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/opened/model_panel.h"

#include "app/documents/model_list.h"
#include "app/parts/action_button.h"
#include "app/parts/row_delegate.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QListView>

namespace headroom::app {

namespace {

RowContent describeModel(const QModelIndex& index) {
    RowContent row;
    row.title = index.data().toString();
    row.second = index.data(ModelList::SummaryRole).toString();
    row.sentence = index.data(ModelList::SentenceRole).toString();
    row.checked = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
    const auto& runs = widgets::Theme::current().runs;
    row.bar = runs[static_cast<std::size_t>(
        qBound(0, index.data(ModelList::ColourRole).toInt(), int(runs.size()) - 1))];
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
        row.buttons << ModelPanel::tr("Show in folder") << ModelPanel::tr("Remove");
        break;
    case OpenState::Ready:
        if (!row.sentence.isEmpty())
            row.severity = Severity::Warning;
        break;
    }
    return row;
}

} // namespace

ModelPanel::ModelPanel(ModelList* models, QAction* openModel, QAction* openDemoModel, QWidget* parent)
    : ListPanel(tr("No model yet. You can play and view recordings without one."),
                {{openModel, QStringLiteral("model")}, {openDemoModel, QStringLiteral("model")}}, parent)
    , m_models(models) {
    view()->setModel(models);
    view()->setAccessibleName(tr("Models"));
    auto* delegate = new RowDelegate(describeModel, this);
    view()->setItemDelegate(delegate);
    connect(view()->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& current) {
                if (current.isValid())
                    Q_EMIT chosen(idAt(current));
            });
    connect(delegate, &RowDelegate::checkToggled, this, [this](const QModelIndex& index) {
        const bool checked = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
        m_models->setData(index, checked ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
    });
    connect(delegate, &RowDelegate::buttonClicked, this, [this](const QModelIndex& index, int button) {
        if (button == 0)
            Q_EMIT showInFolderRequested(index.data(ModelList::FolderRole).toString());
        else
            Q_EMIT removeRequested(idAt(index));
    });
    const auto update = [this] {
        setEmpty(m_models->count() == 0);
        view()->doItemsLayout();
    };
    connect(models, &QAbstractItemModel::rowsInserted, this, update);
    connect(models, &QAbstractItemModel::rowsRemoved, this, update);
    connect(models, &QAbstractItemModel::modelReset, this, update);
    connect(models, &QAbstractItemModel::dataChanged, this, update);
    emptyButton(1)->setText(tr("Demo model")); // its whole text is wider than the panel of a small window
    addMenu();
    update();
}

void ModelPanel::addMenu() {
    auto* show = new QAction(tr("Show in folder"), this);
    auto* remove = new QAction(tr("Close this model"), this);
    remove->setShortcut(QKeySequence::Delete);
    remove->setShortcutContext(Qt::WidgetShortcut);
    view()->addActions({show, remove});
    connect(show, &QAction::triggered, this, [this] {
        if (view()->currentIndex().isValid())
            Q_EMIT showInFolderRequested(view()->currentIndex().data(ModelList::FolderRole).toString());
    });
    connect(remove, &QAction::triggered, this, [this] {
        if (view()->currentIndex().isValid())
            Q_EMIT removeRequested(idAt(view()->currentIndex()));
    });
}

ModelId ModelPanel::idAt(const QModelIndex& index) const {
    return static_cast<ModelId>(index.data(ModelList::IdRole).toInt());
}

void ModelPanel::setCurrent(ModelId id) {
    const QModelIndex index = m_models->index(m_models->rowOf(id));
    // A list that gets the focus makes its first row current without selecting it.
    if (index == view()->currentIndex() && (!index.isValid() || view()->selectionModel()->isSelected(index)))
        return;
    const QSignalBlocker blocker(view()->selectionModel());
    view()->selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect);
    if (index.isValid())
        view()->scrollTo(index);
    view()->viewport()->update();
}

} // namespace headroom::app
