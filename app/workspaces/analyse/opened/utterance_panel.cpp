// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/opened/utterance_panel.h"

#include "app/documents/items/paths.h"
#include "app/documents/utterance_list.h"
#include "app/parts/availability.h"
#include "app/parts/number_text.h"
#include "app/parts/row_delegate.h"
#include "core/alignment/alignment_folders.h"
#include "core/alignment/readers.h"
#include "core/audio/audio_name.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"

#include <QAction>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QSortFilterProxyModel>

#include <algorithm>
#include <map>
#include <utility>

namespace headroom::app {

using widgets::Sizes;

namespace {

/// QString: why the analysis with the current model failed; empty: it did not.
constexpr int kFailureRole = Qt::UserRole + 100;

constexpr int kSentenceLines = 2; ///< the list of a small window has few

RowContent describeUtterance(const QModelIndex& index) {
    RowContent row;
    row.title = index.data().toString();
    row.sentence = index.data(UtteranceList::SentenceRole).toString();
    row.sentenceLines = kSentenceLines;
    const auto state = static_cast<OpenState>(index.data(UtteranceList::StateRole).toInt());
    row.iconName = QStringLiteral("audio");
    const QString failure = index.data(kFailureRole).toString();
    const auto addFailure = [&] {
        row.sentence = row.sentence.isEmpty() ? failure : failure + u'\n' + row.sentence;
        row.iconName = QStringLiteral("error");
        row.severity = Severity::Error;
    };
    if (index.data(UtteranceList::TextRole).isValid()) {
        row.iconName = QStringLiteral("text");
        if (!failure.isEmpty())
            addFailure();
        return row;
    }
    row.working = state == OpenState::Reading;
    const bool isMissing = index.data(UtteranceList::MissingRole).toBool();
    if (isMissing)
        row.buttons << UtterancePanel::tr("Locate…");
    if (state == OpenState::Failed) {
        row.iconName = QStringLiteral("error");
        row.severity = Severity::Error;
        if (!isMissing && !index.data(UtteranceList::FileRole).toString().isEmpty())
            row.buttons << UtterancePanel::tr("Show in folder");
        row.buttons << UtterancePanel::tr("Remove");
    } else if (!row.sentence.isEmpty()) {
        row.iconName = QStringLiteral("warning");
        row.severity = Severity::Warning;
    }
    const bool isLeftOut = index.data(UtteranceList::LeftOutRole).toBool();
    if (const QString finding = index.data(UtteranceList::FindingRole).toString();
        state == OpenState::Ready && (isLeftOut || !finding.isEmpty())) {
        row.sentence +=
            (row.sentence.isEmpty() || finding.isEmpty() ? QString() : QStringLiteral("\n")) + finding;
        if (isLeftOut)
            row.sentence = (row.sentence + QLatin1Char(' ') + UtterancePanel::tr("Phone studies leave it out.")).trimmed();
        row.iconName = QStringLiteral("warning"); // the recording itself did not fail: the header does not count it
        row.severity = Severity::Warning; // severityOf()
        row.buttons << UtterancePanel::tr("Show");
    }
    if (!failure.isEmpty())
        addFailure();
    if (state == OpenState::Ready)
        row.right = secondsInList(Seconds(index.data(UtteranceList::DurationRole).toDouble()));
    return row;
}

/// One that is found at every opening is read whatever the session says. Folders are not searched for a menu: of a list, removing it
/// tells.
bool isFoundAtOpening(const OpenUtterance& utterance) {
    const std::filesystem::path& file = utterance.alignmentFile;
    return audioName(utterance.file).isWhole() && !utterance.isAlignmentGone && file.stem() == utterance.file.stem() &&
           std::ranges::count(alignmentFolders(utterance.file), file.parent_path()) > 0 && alignmentBeside(utterance.file) == file;
}

QString whyNotRemoved(const OpenUtterance* utterance) {
    if (!utterance)
        return UtterancePanel::tr("Choose an utterance first.");
    if (utterance->alignmentFile.empty())
        return UtterancePanel::tr("The utterance has no alignment.");
    if (isFoundAtOpening(*utterance))
        return UtterancePanel::tr("It lies beside the recording and is read whenever that is opened. Move or rename the file instead.");
    return {};
}

} // namespace

/// Name or transcript contains what was typed. Adds what the utterances themselves do not know; it owns that, because the list still asks
/// while the panel is destroyed.
class UtterancePanel::NameFilter : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    QVariant data(const QModelIndex& index, int role) const override {
        return role == kFailureRole ? failureOf(static_cast<UtteranceId>(index.data(UtteranceList::IdRole).toInt()))
                                    : QSortFilterProxyModel::data(index, role);
    }
    QString failureOf(UtteranceId id) const {
        const auto found = m_failures.find(id);
        return found == m_failures.end() ? QString() : found->second;
    }
    /// Returns whether they are others than before.
    bool setFailures(const std::map<UtteranceId, QString>& failures) {
        return std::exchange(m_failures, failures) != failures;
    }
    void setWanted(const QString& text) {
        m_wanted = text;
        invalidateFilter();
    }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
        const QModelIndex index = sourceModel()->index(row, 0, parent);
        return m_wanted.isEmpty() || index.data().toString().contains(m_wanted, Qt::CaseInsensitive) ||
               index.data(UtteranceList::TextRole).toString().contains(m_wanted, Qt::CaseInsensitive) ||
               index.data(UtteranceList::TranscriptRole).toString().contains(m_wanted, Qt::CaseInsensitive);
    }

private:
    std::map<UtteranceId, QString> m_failures;
    QString m_wanted;
};

UtterancePanel::UtterancePanel(UtteranceList* utterances, QAction* openAudio, QWidget* parent)
    : ListPanel(tr("No audio yet. Drop files or folders here."), {{openAudio, QStringLiteral("open")}},
                parent)
    , m_utterances(utterances)
    , m_filtered(new NameFilter(this))
    , m_filter(new QLineEdit) {
    const int unit = qRound(Sizes::unit());
    m_filter->setPlaceholderText(tr("Filter by name or text"));
    m_filter->setAccessibleName(tr("Filter utterances by name or text"));
    m_filter->setToolTip(m_filter->placeholderText()); // elided in a narrow panel
    m_filter->setClearButtonEnabled(true);
    m_filter->setProperty("small", true);
    m_filter->addAction(widgets::icon(QStringLiteral("search")), QLineEdit::LeadingPosition)->setText(tr("Search"));
    auto* above = new QWidget(this);
    auto* aboveLayout = new QHBoxLayout(above);
    aboveLayout->setContentsMargins(unit, unit, unit, unit);
    aboveLayout->addWidget(m_filter);
    addAboveList(above);

    m_filtered->setSourceModel(utterances);
    view()->setModel(m_filtered);
    view()->setAccessibleName(tr("Utterances"));
    view()->setSelectionMode(QAbstractItemView::ExtendedSelection); // several are removed together
    auto* delegate = new RowDelegate(describeUtterance, this);
    view()->setItemDelegate(delegate);
    connect(m_filter, &QLineEdit::textChanged, this,
            [this](const QString& text) {
                // A row that is filtered away hands its place to its neighbour; nobody chose that one.
                const QScopedValueRollback filtering(m_filtering, true);
                m_filtered->setWanted(text);
                setCurrent(m_current);
                Q_EMIT countChanged();
            });
    m_filter->installEventFilter(this);
    connect(view()->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& current) {
                if (current.isValid() && !m_filtering)
                    Q_EMIT chosen(idAt(current));
            });
    connect(delegate, &RowDelegate::buttonClicked, this, [this](const QModelIndex& index, int button) {
        const QString file = index.data(UtteranceList::FileRole).toString();
        if (button == 0 && index.data(UtteranceList::MissingRole).toBool())
            Q_EMIT locateRequested(idAt(index));
        else if (static_cast<OpenState>(index.data(UtteranceList::StateRole).toInt()) == OpenState::Ready)
            Q_EMIT alignmentRequested(idAt(index));
        else if (button == 0 && !file.isEmpty())
            Q_EMIT showInFolderRequested(file);
        else
            Q_EMIT removeRequested({idAt(index)});
    });
    const auto update = [this] {
        setEmpty(m_utterances->count() == 0);
        if (m_utterances->count() == 0)
            m_filter->clear(); // of another session; its field cannot be seen now
        showFailures();
        Q_EMIT countChanged();
    };
    connect(utterances, &QAbstractItemModel::rowsInserted, this, [this, update](const QModelIndex&, int first, int last) {
        update();
        for (int row = first; row <= last; ++row) // opened, recorded or refused: its row says so
            endFilterThatHides(row);
    });
    connect(utterances, &QAbstractItemModel::rowsRemoved, this, update);
    connect(utterances, &QAbstractItemModel::modelReset, this, update);
    connect(utterances, &QAbstractItemModel::dataChanged, this, [this, update] {
        view()->doItemsLayout(); // a sentence may have appeared: the row's height changes
        update();
        if (const OpenUtterance* current = m_utterances->find(m_current); current && current->state == OpenState::Reading)
            endFilterThatHides(m_utterances->rowOf(m_current)); // opened once more
    });
    // Rows that come, or grow, above the chosen one push it out of sight.
    connect(view()->verticalScrollBar(), &QScrollBar::rangeChanged, this, &UtterancePanel::keepInSight, Qt::QueuedConnection);
    addMenu();
    update();
}

void UtterancePanel::addMenu() {
    QAction* show = m_show = new QAction(tr("Show in folder"), this);
    QAction* remove = m_remove = new QAction(tr("Remove from the session"), this);
    remove->setShortcut(QKeySequence::Delete);
    remove->setShortcutContext(Qt::WidgetShortcut);
    auto* align = new QAction(tr("Align…"), this);
    align->setObjectName(QStringLiteral("align"));
    align->setToolTip(tr("Find the words and phones of a known transcript with the built-in aligner"));
    connect(align, &QAction::triggered, this, [this] {
        if (view()->currentIndex().isValid())
            Q_EMIT alignRequested(idAt(view()->currentIndex()));
    });
    auto* findings = new QAction(tr("Show problems in the alignment"), this);
    findings->setObjectName(QStringLiteral("showFindings"));
    findings->setToolTip(tr("List problems in the alignment, and go to the worst one"));
    m_locate = new QAction(tr("Locate…"), this);
    m_locate->setToolTip(tr("Choose the folder that the recording was moved to. Others that were moved with it are found there too."));
    connect(m_locate, &QAction::triggered, this, [this] { Q_EMIT locateRequested(idAt(view()->currentIndex())); });
    m_removeAlignment = new QAction(tr("Remove the alignment"), this);
    m_removeAlignment->setObjectName(QStringLiteral("removeAlignment"));
    m_removeAlignment->setToolTip(tr("Use the recording without this alignment. Its file stays where it is."));
    connect(m_removeAlignment, &QAction::triggered, this, [this] { Q_EMIT alignmentRemovalRequested(idAt(view()->currentIndex())); });
    view()->addActions({show, m_locate, findings, align, m_removeAlignment, remove});
    connect(findings, &QAction::triggered, this, [this] {
        if (view()->currentIndex().isValid())
            Q_EMIT alignmentRequested(idAt(view()->currentIndex()));
    });
    m_align = align;
    m_findings = findings;
    connect(view()->selectionModel(), &QItemSelectionModel::currentChanged, this, &UtterancePanel::updateMenu);
    connect(m_filtered, &QAbstractItemModel::dataChanged, this, &UtterancePanel::updateMenu);
    updateMenu();
    connect(show, &QAction::triggered, this, [this] {
        const QString file = view()->currentIndex().data(UtteranceList::FileRole).toString();
        if (!file.isEmpty())
            Q_EMIT showInFolderRequested(file);
    });
    connect(remove, &QAction::triggered, this, [this] {
        QList<UtteranceId> ids;
        for (const QModelIndex& index : view()->selectionModel()->selectedRows())
            ids << idAt(index);
        if (!ids.isEmpty())
            Q_EMIT removeRequested(ids);
    });
}

void UtterancePanel::updateMenu() {
    const QModelIndex now = view()->currentIndex();
    const bool any = now.data(UtteranceList::LeftOutRole).toBool() || !now.data(UtteranceList::FindingRole).toString().isEmpty();
    setAvailable(m_findings, !now.isValid() ? tr("Choose an utterance first.")
                             : any          ? QString()
                                            : tr("Its alignment has no problems."));
    const OpenUtterance* utterance = m_utterances->find(idAt(now));
    const QString noRow = now.isValid() ? QString() : tr("Choose an utterance first.");
    setAvailable(m_remove, noRow);
    setAvailable(m_show, !noRow.isEmpty() || !now.data(UtteranceList::FileRole).toString().isEmpty() ? noRow : tr("The utterance has no file."));
    setAvailable(m_locate, utterance && utterance->lacksFile() ? QString() : tr("Only for a recording whose file is missing."));
    setAvailable(m_removeAlignment, whyNotRemoved(utterance));
    setAvailable(m_align, !noRow.isEmpty() ? noRow : utterance && utterance->isText ? tr("A text has no recording to align it with.") : QString());
}

UtteranceId UtterancePanel::idAt(const QModelIndex& proxyIndex) const {
    return static_cast<UtteranceId>(proxyIndex.data(UtteranceList::IdRole).toInt());
}

void UtterancePanel::endFilterThatHides(int row) {
    if (row >= 0 && !m_filtered->mapFromSource(m_utterances->index(row)).isValid())
        m_filter->clear();
}

void UtterancePanel::setCurrent(UtteranceId id) {
    // Where the one before is closed, nobody asked for this one.
    const bool isAskedFor = id != m_current && m_utterances->rowOf(m_current) >= 0;
    if (id != m_current)
        followCurrent();
    m_current = id;
    if (isAskedFor)
        endFilterThatHides(m_utterances->rowOf(id));
    if (makeCurrent(m_filtered->mapFromSource(m_utterances->index(m_utterances->rowOf(id)))))
        updateMenu();
}

void UtterancePanel::setFailureOf(FailureOf failureOf) {
    m_failureOf = std::move(failureOf);
    showFailures();
}

void UtterancePanel::showFailures() {
    std::map<UtteranceId, QString> failures;
    for (int row = 0; m_failureOf && row < m_utterances->count(); ++row)
        if (const QString failure = m_failureOf(m_utterances->at(row).id); !failure.isEmpty())
            failures.emplace(m_utterances->at(row).id, failure);
    if (!m_filtered->setFailures(failures))
        return; // as after each layer that is read
    view()->doItemsLayout(); // a sentence may have appeared: the row's height changes
    Q_EMIT countChanged();
}

/// ↓ and Enter go from the filter to what was found.
bool UtterancePanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_filter || event->type() != QEvent::KeyPress)
        return ListPanel::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if ((key != Qt::Key_Down && key != Qt::Key_Return && key != Qt::Key_Enter) || m_filtered->rowCount() == 0)
        return ListPanel::eventFilter(watched, event);
    const QModelIndex current = m_filtered->mapFromSource(m_utterances->index(m_utterances->rowOf(m_current)));
    view()->setFocus(Qt::TabFocusReason);
    view()->setCurrentIndex(current.isValid() ? current : m_filtered->index(0, 0));
    return true;
}

/// With those that could be read and not analysed.
int UtterancePanel::failedCount() const {
    int failed = 0;
    for (int row = 0; row < m_utterances->count(); ++row) {
        const OpenUtterance& one = m_utterances->at(row);
        failed += one.state == OpenState::Failed || !m_filtered->failureOf(one.id).isEmpty();
    }
    return failed;
}

QString UtterancePanel::countText() const {
    const int all = m_utterances->count(), failed = failedCount();
    if (all == 0)
        return {};
    const QString count = m_filter->text().isEmpty() ? QString::number(all) : tr("%1 of %2").arg(m_filtered->rowCount()).arg(all);
    return failed == 0 ? count : tr("%1, %2 failed").arg(count).arg(failed);
}

QString UtterancePanel::briefCountText() const {
    if (countsFailed())
        return QString::number(failedCount()); // with the sign of an error: words have no room
    return m_filter->text().isEmpty() || m_utterances->count() == 0 ? QString() : tr("%1 of %2").arg(m_filtered->rowCount()).arg(m_utterances->count());
}

bool UtterancePanel::countsFailed() const {
    return m_filter->text().isEmpty() && failedCount() > 0;
}

} // namespace headroom::app
