// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/layer_editor/layer_editor.h"

#include "widgets/layer_editor/layer_editor_delegate.h"

#include <QHeaderView>
#include <QMouseEvent>
#include <QScrollBar>

#include <algorithm>
#include <set>
#include <utility>

namespace headroom::widgets {

LayerEditor::LayerEditor(QWidget* parent) : QTableView(parent), m_grid(new LayerEditorModel(this)) {
    setModel(m_grid);
    setItemDelegate(new LayerEditorDelegate(this));
    setSelectionBehavior(SelectItems);
    setSelectionMode(ExtendedSelection);
    setEditTriggers(AnyKeyPressed | DoubleClicked | EditKeyPressed);
    setShowGrid(false);
    setMouseTracking(true);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setCornerButtonEnabled(false);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollMode(ScrollPerPixel);
    verticalHeader()->hide();
    horizontalHeader()->setSectionsClickable(false);
    horizontalHeader()->setHighlightSections(false);
    setAccessibleName(tr("Layers and heads"));
    setAccessibleDescription(tr("One row per layer, one cell per head. Type a kind, for example local 17."));
    connect(m_grid, &LayerEditorModel::textEntered, this, &LayerEditor::enter);
    connect(m_grid, &QAbstractItemModel::dataChanged, this, &LayerEditor::fitTexts);
    connect(m_grid, &QAbstractItemModel::headerDataChanged, this, &LayerEditor::fitTexts); // another clock
    connect(m_grid, &QAbstractItemModel::modelReset, this, &LayerEditor::applyMetrics);
    applyMetrics();
}

void LayerEditor::setGrid(const HeadGrid& grid) {
    m_grid->setGrid(grid);
    applySpans();
    viewport()->update();
}

void LayerEditor::setEmptySentence(const QString& sentence) {
    m_emptySentence = sentence;
    viewport()->update();
}

void LayerEditor::applySpans() {
    clearSpans();
    if (m_grid->rowCount() == 0)
        return;
    const int columns = m_grid->columnCount();
    for (const int row : {LayerEditorModel::kFrontEndRow, m_grid->decoderRow()}) {
        setSpan(row, 0, 1, LayerEditorModel::FirstHead);
        setSpan(row, LayerEditorModel::FirstHead, 1, columns - LayerEditorModel::FirstHead);
    }
    for (int layer = 1; layer <= m_grid->grid().layerCount(); ++layer)
        if (m_grid->reuses(layer))
            setSpan(LayerEditorModel::rowOf(layer), LayerEditorModel::FirstHead, 1,
                    int(m_grid->grid().layer(layer).cells.size()));
}

int LayerEditor::currentLayer() const {
    const QModelIndex index = currentIndex();
    return index.isValid() && m_grid->isLayerRow(index.row()) ? LayerEditorModel::layerOf(index.row()) : 0;
}

std::vector<CellEdit> LayerEditor::selectedHeads() const {
    std::vector<CellEdit> runs;
    const QItemSelectionModel* selection = selectionModel();
    for (int layer = 1; layer <= m_grid->grid().layerCount(); ++layer) {
        const int row = LayerEditorModel::rowOf(layer), heads = int(m_grid->grid().layer(layer).cells.size());
        const bool whole = m_grid->reuses(layer);
        for (int head = 1; head <= heads; ++head) {
            if (!selection->isSelected(m_grid->index(row, LayerEditorModel::columnOf(head))))
                continue;
            if (whole) {
                runs.push_back({layer, 1, heads, {}});
                break;
            }
            if (!runs.empty() && runs.back().layer == layer && runs.back().lastHead == head - 1)
                runs.back().lastHead = head;
            else
                runs.push_back({layer, head, head, {}});
        }
    }
    return runs;
}

void LayerEditor::selectHeads(int layer, int first, int last) {
    const int row = LayerEditorModel::rowOf(layer);
    const QModelIndex from = m_grid->index(row, LayerEditorModel::columnOf(first)),
                      to = m_grid->index(row, LayerEditorModel::columnOf(last));
    selectionModel()->setCurrentIndex(from, QItemSelectionModel::NoUpdate);
    selectionModel()->select(QItemSelection(from, to), QItemSelectionModel::ClearAndSelect);
    scrollTo(from);
}

void LayerEditor::selectLayers(int from, int to) {
    QItemSelection layers;
    for (int layer = std::min(from, to); layer <= std::max(from, to); ++layer) {
        const int row = LayerEditorModel::rowOf(layer), heads = int(m_grid->grid().layer(layer).cells.size());
        layers.select(m_grid->index(row, LayerEditorModel::columnOf(1)), m_grid->index(row, LayerEditorModel::columnOf(heads)));
    }
    selectionModel()->setCurrentIndex(m_grid->index(LayerEditorModel::rowOf(from), LayerEditorModel::columnOf(1)),
                                      QItemSelectionModel::NoUpdate);
    selectionModel()->select(layers, QItemSelectionModel::ClearAndSelect);
    scrollTo(m_grid->index(LayerEditorModel::rowOf(to), LayerEditorModel::columnOf(1)));
}

bool LayerEditor::isCrossSelected() const {
    const int row = m_grid->decoderRow();
    return m_grid->isCrossRow(row) && selectionModel()->isSelected(m_grid->index(row, LayerEditorModel::FirstHead)) &&
           selectedHeads().empty();
}

void LayerEditor::selectCross() {
    const QModelIndex index = m_grid->index(m_grid->decoderRow(), LayerEditorModel::FirstHead);
    selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect);
    scrollTo(index);
}

QString LayerEditor::selectionText() const {
    const auto runs = selectedHeads();
    if (runs.empty())
        return isCrossSelected() ? tr("Cross-attention of the decoder") : QString();
    const auto heads = [](const CellEdit& run) {
        return run.firstHead == run.lastHead ? tr("head %1").arg(run.firstHead)
                                             : tr("heads %1 to %2").arg(run.firstHead).arg(run.lastHead);
    };
    if (runs.size() == 1)
        return tr("Layer %1, %2").arg(runs.front().layer).arg(heads(runs.front()));
    int count = 0;
    for (const auto& run : runs)
        count += run.lastHead - run.firstHead + 1;
    std::set<int> layers;
    for (const auto& run : runs)
        layers.insert(run.layer);
    const int first = *layers.begin(), last = *layers.rbegin();
    if (first == last)
        return tr("%1 heads in layer %2").arg(count).arg(first);
    if (last - first + 1 == int(layers.size()) && layers.size() > 2)
        return tr("%1 heads in layers %2 to %3").arg(count).arg(first).arg(last);
    QStringList others;
    for (auto layer = layers.begin(); layer != std::prev(layers.end()); ++layer)
        others << QString::number(*layer);
    return tr("%1 heads in layers %2 and %3").arg(count).arg(others.join(QStringLiteral(", "))).arg(last);
}

void LayerEditor::enter(int layer, int head, const QString& text) {
    std::vector<CellEdit> edits;
    const QModelIndex index = m_grid->index(LayerEditorModel::rowOf(layer), LayerEditorModel::columnOf(head));
    if (selectionModel()->isSelected(index))
        return writeSelected(text);
    Q_EMIT edited({{layer, head, head, text}}, false);
}

void LayerEditor::writeSelected(const QString& text) {
    auto edits = selectedHeads();
    for (CellEdit& edit : edits)
        edit.text = text;
    const auto words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (qsizetype i = 0; i + 1 < words.size(); ++i)
        if (const int window = words[i + 1].toInt();
            (words[i] == QLatin1String("local") || words[i] == QLatin1String("masked")) && window % 2 == 1)
            m_lastWindow = window;
    if (!edits.empty())
        Q_EMIT edited(edits, false);
}

std::vector<std::pair<CellEdit, int>> LayerEditor::reusedBySelected() const {
    std::vector<std::pair<CellEdit, int>> reused;
    std::vector<Architecture::Layer> layers = m_grid->grid().validLayers();
    for (const CellEdit& edit : selectedHeads()) {
        reused.emplace_back(edit, nearestReusable(layers, edit.layer));
        // The next selected layer sees this one as it will be.
        auto& heads = layers[std::size_t(edit.layer) - 1].heads;
        HeadGroup reuse;
        reuse.kind = HeadKind::Reuse;
        reuse.count = headCount(heads);
        heads = {reuse};
    }
    return reused;
}

void LayerEditor::reuseAbove() {
    std::vector<CellEdit> edits;
    for (auto& [edit, from] : reusedBySelected()) {
        edit.text = QStringLiteral("reuse %1").arg(from > 0 ? from : std::max(1, edit.layer - 1));
        edits.push_back(edit);
    }
    if (!edits.empty())
        Q_EMIT edited(edits, false);
}

QString LayerEditor::whyNoReuse() const {
    if (m_grid->grid().isMasked())
        return maskedOnlySentence();
    for (const auto& [edit, from] : reusedBySelected())
        if (from == 0)
            return noReuseSentence(m_grid->grid().validLayers(), edit.layer);
    return {};
}

std::vector<std::pair<CellEdit, HeadGroup>> LayerEditor::selectedWindows() const {
    std::vector<std::pair<CellEdit, HeadGroup>> found;
    for (const CellEdit& run : selectedHeads())
        for (int head = run.firstHead; head <= run.lastHead; ++head) {
            const auto& cell = m_grid->grid().layer(run.layer).cells[std::size_t(head) - 1];
            try {
                auto group = parseHeads("1 " + cell.text).front();
                if (group.kind != HeadKind::Local && (group.kind != HeadKind::Masked || group.window == 0))
                    continue;
                found.push_back({{run.layer, head, head, {}}, group});
            } catch (const Error&) {
                continue; // what is wrong has no width
            }
        }
    return found;
}

QString LayerEditor::whyNoSteps() const {
    if (!selectedWindows().empty())
        return {};
    return m_grid->grid().isMasked() ? tr("The selected heads have no window to change. Type masked 17.")
                                     : tr("Only local heads, and masked ones with a window, get narrower or wider in steps. Type local 17.");
}

void LayerEditor::stepWindows(int tokens) {
    std::vector<CellEdit> edits;
    for (auto& [edit, group] : selectedWindows()) {
        group.window = std::clamp(group.window + tokens, 1, 99'999);
        m_lastWindow = group.window;
        edit.text = QString::fromStdString(toText({group})).mid(2);
        edits.push_back(edit);
    }
    if (!edits.empty())
        Q_EMIT edited(edits, true);
}

void LayerEditor::selectNextMistake() {
    const auto& mistakes = m_grid->grid().mistakes();
    if (mistakes.empty())
        return;
    const auto rowOf = [this](int layer) { return layer == kCrossAttention ? m_grid->decoderRow() : LayerEditorModel::rowOf(layer); };
    const std::pair here(currentIndex().row(),
                         currentIndex().isValid() ? LayerEditorModel::headOf(currentIndex().column()) : 0);
    auto next = std::find_if(mistakes.begin(), mistakes.end(), [&](const HeadMistake& mistake) {
        return std::pair(rowOf(mistake.layer), mistake.firstHead) > here;
    });
    if (next == mistakes.end() || isCrossSelected()) // the last row
        next = mistakes.begin();
    if (next->layer == kCrossAttention)
        selectCross();
    else
        selectHeads(next->layer, next->firstHead, next->lastHead);
    setFocus(Qt::ShortcutFocusReason);
}

SuggestionContext LayerEditor::suggestionContext(const QModelIndex& index) const {
    const auto [first, last] = editedLayers(index);
    const int reusable = nearestReusable(m_grid->grid().validLayers(), first);
    return {first,
            reusable,
            m_lastWindow,
            first == last ? m_grid->facts(first).suggestedWindow : std::nullopt,
            m_grid->millisecondsPerToken(),
            m_grid->grid().isMasked() ? maskedOnlySentence()
            : reusable > 0            ? QString()
                                      : noReuseSentence(m_grid->grid().validLayers(), first),
            m_grid->grid().isMasked(),
            [grid = m_grid->grid(), edits = editedHeads(index)](const QString& text) {
                HeadGrid tried = grid;
                for (const CellEdit& edit : edits)
                    tried.write(edit.layer, edit.firstHead, edit.lastHead, text.toStdString());
                tried.settle();
                std::vector<HeadMistake> mistakes; // of another head, only what was not there before
                for (const HeadMistake& one : tried.mistakes())
                    if (std::ranges::any_of(edits, [&](const CellEdit& edit) {
                            const bool isHere = one.firstHead <= edit.lastHead && one.lastHead >= edit.firstHead;
                            return one.layer == edit.layer && (isHere || !std::ranges::count(grid.mistakes(), one));
                        }))
                        mistakes.push_back(one);
                return mistakes;
            }};
}

std::vector<CellEdit> LayerEditor::editedHeads(const QModelIndex& index) const {
    const int head = LayerEditorModel::headOf(index.column());
    return selectionModel()->isSelected(index) ? selectedHeads() : std::vector<CellEdit>{{LayerEditorModel::layerOf(index.row()), head, head, {}}};
}

/// What is typed in this cell goes to all selected layers if it is one of them.
std::pair<int, int> LayerEditor::editedLayers(const QModelIndex& index) const {
    const int layer = LayerEditorModel::layerOf(index.row());
    std::pair layers(layer, layer);
    for (const CellEdit& run : editedHeads(index))
        layers = {std::min(layers.first, run.layer), std::max(layers.second, run.layer)};
    return layers;
}

QString LayerEditor::editSentence(const QModelIndex& index, bool reuse) const {
    const int layer = LayerEditorModel::layerOf(index.row());
    const auto runs = selectionModel()->isSelected(index) ? selectedHeads() : std::vector<CellEdit>{};
    const auto [first, last] = editedLayers(index);
    QString sentence;
    if (reuse || m_grid->grid().layer(layer).cells.front().text.rfind("reuse ", 0) == 0)
        sentence = first == last ? tr("Enter sets all heads of layer %1.").arg(layer)
                                 : tr("Enter sets all heads of layers %1 to %2.").arg(first).arg(last);
    else if (runs.size() == 1)
        sentence = runs.front().firstHead == runs.front().lastHead
                       ? tr("Enter sets head %1 of layer %2.").arg(runs.front().firstHead).arg(layer)
                       : tr("Enter sets heads %1 to %2 of layer %3.")
                             .arg(runs.front().firstHead)
                             .arg(runs.front().lastHead)
                             .arg(layer);
    else if (runs.size() > 1)
        sentence = tr("Enter sets %1.").arg(selectionText());
    else
        sentence =
            tr("Enter sets head %1 of layer %2.").arg(LayerEditorModel::headOf(index.column())).arg(layer);
    if (const auto window = m_grid->facts(layer).suggestedWindow; window && first == last && !reuse) // each layer has its own
        sentence += QLatin1Char(' ') + tr("Suggested: %1.").arg(*window);
    return sentence;
}

void LayerEditor::mousePressEvent(QMouseEvent* event) {
    m_draggedFrom = 0;
    const QModelIndex index = indexAt(event->position().toPoint());
    // What stands beside the heads of a layer stands for all of them. A menu is of what is selected, so it keeps a selection that has some.
    const bool menu = event->button() == Qt::RightButton;
    if (index.isValid() && (menu || event->button() == Qt::LeftButton) && m_grid->isLayerRow(index.row()) &&
        !m_grid->isHead(index)) {
        const int layer = LayerEditorModel::layerOf(index.row());
        const auto runs = selectedHeads();
        const bool extends = !menu && event->modifiers().testFlag(Qt::ShiftModifier) && !runs.empty() && currentLayer() > 0;
        m_draggedFrom = menu ? 0 : extends ? currentLayer() : layer;
        if (extends)
            selectLayers(m_draggedFrom, layer);
        else if (!menu || std::none_of(runs.begin(), runs.end(), [&](const CellEdit& run) { return run.layer == layer; }))
            selectHeads(layer, 1, int(m_grid->grid().layer(layer).cells.size()));
        return;
    }
    if (index.isValid() && m_grid->isCrossRow(index.row()))
        return selectCross();
    QTableView::mousePressEvent(event);
}

void LayerEditor::mouseMoveEvent(QMouseEvent* event) {
    if (m_draggedFrom == 0 || !event->buttons().testFlag(Qt::LeftButton))
        return QTableView::mouseMoveEvent(event);
    const int row = rowAt(int(event->position().y()));
    if (row >= 0 && m_grid->isLayerRow(row))
        selectLayers(m_draggedFrom, LayerEditorModel::layerOf(row));
}

void LayerEditor::mouseReleaseEvent(QMouseEvent* event) {
    if (std::exchange(m_draggedFrom, 0) == 0)
        QTableView::mouseReleaseEvent(event);
}

void LayerEditor::mouseDoubleClickEvent(QMouseEvent* event) {
    if (m_grid->isCrossRow(indexAt(event->position().toPoint()).row()))
        return Q_EMIT crossRequested();
    QTableView::mouseDoubleClickEvent(event);
}

void LayerEditor::selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) {
    QTableView::selectionChanged(selected, deselected);
    Q_EMIT headsSelected();
}

void LayerEditor::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QTableView::currentChanged(current, previous);
    viewport()->update(); // the row's tint
    Q_EMIT headsSelected();
}

void LayerEditor::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    applyMetrics();
}

void LayerEditor::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange)
        applyMetrics();
}

} // namespace headroom::widgets
