// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/design/heads_text_field.h"

#include "widgets/layer_editor/heads_line.h"
#include "widgets/look/ranges_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"
#include "widgets/look/theme.h"

#include <QKeyEvent>
#include <QLabel>
#include <QRegularExpression>
#include <QTextBlock>

#include <algorithm>

namespace headroom::app {

using widgets::headsLine;
using widgets::headsOf;
using widgets::HeadsLine;
using widgets::readHeadsLine;

HeadsTextField::HeadsTextField(QWidget* parent) : TextField(parent), m_hint(new QLabel(this)) {
    setAccessibleName(tr("Heads as text, one line per layer"));
    setToolTip(tr("One line per layer: its number and its heads. A line without a layer's number belongs to the "
                  "layer at that position. The last line is the cross-attention of the decoder, if there is one. Ctrl+Enter applies what was typed, as does "
                  "leaving the text."));
    setFrameShape(QFrame::NoFrame);
    setLineWrapMode(NoWrap);
    setTabChangesFocus(true);
    widgets::withTextSize(this, [this] { setFont(widgets::Sizes::mono()); });
    m_hint->setWordWrap(true);
    m_hint->setProperty("caption", true);
    connect(document(), &QTextDocument::contentsChanged, this, &HeadsTextField::showHint);
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, &HeadsTextField::showHint);
    connect(this, &QPlainTextEdit::modificationChanged, this, &HeadsTextField::showHint);
    showHint();
}

int HeadsTextField::placeOf(int layer) const {
    return layer == kCrossAttention ? m_grid.layerCount() + 1 : layer;
}

void HeadsTextField::setGrid(const HeadGrid& grid) {
    m_grid = grid;
    QStringList lines;
    for (int layer = 1; layer <= grid.layerCount(); ++layer)
        lines << headsLine(grid, layer);
    if (grid.has(kCrossAttention))
        lines << headsLine(grid, kCrossAttention);
    if (const QString text = lines.join(u'\n'); text != toPlainText()) {
        if (hasFocus() && document()->isModified()) {
            markMistakes();
            return showHint();
        }
        // The caret stays before the same letters: a line in canonical form may begin elsewhere.
        const QTextCursor before = textCursor();
        const int line = before.blockNumber();
        const int fromEnd = before.block().length() - before.positionInBlock();
        setPlainText(text);
        const QTextBlock block = document()->findBlockByNumber(std::min(line, document()->blockCount() - 1));
        QTextCursor cursor(block);
        cursor.setPosition(block.position() + std::clamp(block.length() - fromEnd, 0, block.length() - 1));
        setTextCursor(cursor);
    }
    document()->setModified(false);
    markMistakes();
    showHint();
}

QString HeadsTextField::hint() const {
    if (m_grid.layerCount() == 0)
        return {};
    if (document()->isModified()) {
        std::vector<int> changed;
        const QStringList lines = toPlainText().split(u'\n');
        for (qsizetype line = 0; line < lines.size(); ++line) {
            if (lines[line].trimmed().isEmpty())
                continue;
            const auto typed = readLine(lines[line], int(line) + 1);
            if (!typed || typed->text != headsOf(m_grid, typed->layer))
                changed.push_back(int(line) + 1);
        }
        const bool isWhole = typedLines() >= m_grid.layerCount();
        if (changed.empty() && isWhole)
            return keyHint();
        const QString keys = isWhole ? tr("Ctrl+Enter applies the text.") : tr("Ctrl+Enter applies the text. Layers without a line stay as they are.");
        if (changed.empty())
            return tr("Not applied yet. %1").arg(keys);
        return (changed.size() == 1 ? tr("Line %1 is not applied yet. %2") : tr("Lines %1 are not applied yet. %2"))
            .arg(widgets::rangesText(changed), keys);
    }
    // The mistake of the line that one is in, else the first.
    const HeadMistake* shown = nullptr;
    const std::vector<HeadMistake>& mistakes = m_grid.mistakes();
    for (const HeadMistake& mistake : mistakes)
        if (!shown || (placeOf(mistake.layer) == textCursor().blockNumber() + 1 && shown->layer != mistake.layer))
            shown = &mistake;
    if (shown)
        return (shown->layer == kCrossAttention ? tr("Cross-attention: %1") : tr("Layer %1: %2").arg(shown->layer)).arg(QString::fromStdString(shown->sentence));
    return keyHint();
}

QString HeadsTextField::keyHint() {
    return tr("Ctrl+Enter applies what you type.");
}

int HeadsTextField::typedLines() const {
    const QStringList lines = toPlainText().split(u'\n');
    return int(std::count_if(lines.begin(), lines.end(), [](const QString& line) {
        return !line.trimmed().isEmpty() && !readHeadsLine(line).isCross;
    }));
}

std::optional<widgets::CellEdit> HeadsTextField::readLine(const QString& line, int place) const {
    static const QRegularExpression onlyNumber(QStringLiteral("^\\s*[0-9]*\\s*[:.]?\\s*$")); // a layer, or a window: it could be either
    const HeadsLine read = readHeadsLine(line, place);
    if (read.isCross && m_grid.has(kCrossAttention))
        return read.heads.isEmpty() ? std::nullopt
                                    : std::optional(widgets::CellEdit{kCrossAttention, 1, int(m_grid.layer(kCrossAttention).cells.size()), read.heads});
    const int layer = read.layer.value_or(place);
    if (layer < 1 || layer > m_grid.layerCount() || onlyNumber.match(line).hasMatch())
        return std::nullopt;
    return widgets::CellEdit{layer, 1, static_cast<int>(m_grid.layer(layer).cells.size()), read.isCross ? line.simplified() : read.heads};
}

int HeadsTextField::currentLayer() const {
    const int place = textCursor().blockNumber() + 1;
    const auto typed = readLine(textCursor().block().text(), place);
    return typed ? typed->layer : std::min(place, m_grid.layerCount());
}

QTextBlock HeadsTextField::lineOf(int layer) const {
    QTextBlock found = document()->findBlockByNumber(std::min(placeOf(layer), document()->blockCount()) - 1);
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next())
        if (const auto typed = readLine(block.text(), block.blockNumber() + 1); typed && typed->layer == layer)
            found = block;
    return found;
}

void HeadsTextField::goToLayer(int layer) {
    QTextCursor cursor(lineOf(layer));
    cursor.movePosition(QTextCursor::EndOfBlock);
    setTextCursor(cursor);
    setFocus(Qt::ShortcutFocusReason);
}

void HeadsTextField::goToNextMistake() {
    apply();
    const std::vector<HeadMistake>& mistakes = m_grid.mistakes();
    if (document()->isModified() || mistakes.empty())
        return;
    const auto next = std::find_if(mistakes.begin(), mistakes.end(), [this, here = placeOf(currentLayer())](const HeadMistake& mistake) {
        return placeOf(mistake.layer) > here;
    });
    goToLayer(next == mistakes.end() ? mistakes.front().layer : next->layer);
}

void HeadsTextField::showHint() {
    m_hint->setText(hint());
    // Inside the frame of the focus; the style sheet leaves a label no margins.
    const int side = qRound(widgets::Sizes::unit()), gap = side / 2, room = width() - 2 * side;
    const int height = m_hint->heightForWidth(room);
    setViewportMargins(0, 0, 0, height + 2 * gap);
    m_hint->setGeometry(side, viewport()->geometry().bottom() + 1 + gap, room, height); // above the scroll bar, if there is one
}

void HeadsTextField::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    showHint();
}

void HeadsTextField::markMistakes() {
    QList<QTextEdit::ExtraSelection> marks;
    for (const HeadMistake& mistake : m_grid.mistakes()) {
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(lineOf(mistake.layer));
        mark.cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        mark.format.setUnderlineColor(widgets::Theme::current().error);
        marks << mark;
    }
    setExtraSelections(marks);
}

void HeadsTextField::apply() {
    if (!document()->isModified())
        return;
    std::vector<widgets::CellEdit> edits;
    std::vector<QString> lineOfLayer(std::size_t(m_grid.layerCount()) + 1);
    int place = 0;
    for (const QString& whole : toPlainText().split(u'\n')) {
        ++place;
        const QString line = whole.simplified();
        if (line.isEmpty())
            continue;
        auto typed = readLine(whole, place);
        if (!typed)
            return void(Q_EMIT mistaken(
                tr("“%1” is not a layer. A line begins with a number from 1 to %2, for example “1  4 full”.")
                    .arg(line)
                    .arg(m_grid.layerCount())));
        QString& before = lineOfLayer[std::size_t(typed->layer)];
        if (!before.isEmpty())
            return void(Q_EMIT mistaken(
                typed->layer == kCrossAttention
                    ? tr("The cross-attention has two lines, “%1” and “%2”. Delete one.").arg(before, line)
                    : tr("Layer %1 has two lines, “%2” and “%3”. Delete one, or begin it with the number of another layer.")
                          .arg(QString::number(typed->layer), before, line)));
        before = line;
        if (typed->text != headsOf(m_grid, typed->layer))
            edits.push_back(std::move(*typed));
    }
    document()->setModified(false);
    if (edits.empty())
        setGrid(m_grid); // a line that was taken away comes back
    else
        Q_EMIT edited(edits);
}

bool HeadsTextField::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (applies(*key)) { // no shortcut of the window takes it
            event->accept();
            return true;
        }
        // What was applied is undone in the architecture, not in this text.
        if ((key->matches(QKeySequence::Undo) && !document()->isUndoAvailable()) ||
            (key->matches(QKeySequence::Redo) && !document()->isRedoAvailable())) {
            event->ignore();
            return true;
        }
    }
    return QPlainTextEdit::event(event);
}

bool HeadsTextField::applies(const QKeyEvent& key) {
    const bool isEnter = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
    return isEnter && (key.modifiers() & Qt::ControlModifier);
}

void HeadsTextField::keyPressEvent(QKeyEvent* event) {
    if (applies(*event))
        return apply();
    QPlainTextEdit::keyPressEvent(event);
}

void HeadsTextField::focusOutEvent(QFocusEvent* event) {
    QPlainTextEdit::focusOutEvent(event);
    apply();
}

} // namespace headroom::app
