// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/log_view.h"

#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"
#include "widgets/look/theme.h"

#include <QDateTime>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSyntaxHighlighter>

namespace headroom::widgets {

namespace {

constexpr int kMostLines = 20000;
constexpr qsizetype kAtOnce = 100; ///< lines: a few milliseconds

/// Lines begin with the time in UTC, as files should; people read the clock on their wall.
QString withLocalTimes(const QString& text) {
    static const QRegularExpression stamp(
        QStringLiteral("^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)"),
        QRegularExpression::MultilineOption);
    QString result;
    qsizetype from = 0;
    for (auto matches = stamp.globalMatch(text); matches.hasNext();) {
        const auto match = matches.next();
        const QDateTime time = QDateTime::fromString(match.captured(1), Qt::ISODate).toLocalTime();
        result += QStringView(text).mid(from, match.capturedStart() - from);
        result += time.toString(time.date() == QDate::currentDate() ? QStringLiteral("HH:mm:ss")
                                                                    : QStringLiteral("d MMM HH:mm:ss"));
        from = match.capturedEnd();
    }
    result += QStringView(text).mid(from);
    return result;
}

class Highlighter : public QSyntaxHighlighter {
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

protected:
    void highlightBlock(const QString& text) override {
        static const QRegularExpression time(QStringLiteral("^\\S*[0-9]{2}:[0-9]{2}:[0-9]{2}\\S*"));
        const Theme& theme = Theme::current();
        const auto has = [&](const char* word) {
            return text.contains(QLatin1String(word), Qt::CaseInsensitive);
        };
        // The recipe's limits of length are meant to leave some out.
        const bool byLength = has("left out: longer than") || has("left out: shorter than");
        QTextCharFormat format;
        if (has("error") || has("failed") || has("NaN"))
            format.setForeground(theme.error);
        else if (has("warning") || has("clipped") || has("unknown to") || (has("left out") && !byLength))
            format.setForeground(theme.warning);
        else if (has("best") || has("finished"))
            format.setForeground(theme.good);
        else
            format.setForeground(theme.text);
        setFormat(0, static_cast<int>(text.size()), format);
        QTextCharFormat quiet;
        quiet.setForeground(theme.text3);
        if (const auto match = time.match(text); match.hasMatch())
            setFormat(0, static_cast<int>(match.capturedLength()), quiet);
    }
};

} // namespace

LogView::LogView(QWidget* parent) : TextField(parent) {
    setReadOnly(true);
    setLineWrapMode(NoWrap);
    setMaximumBlockCount(kMostLines);
    setFrameShape(QFrame::NoFrame);
    withTextSize(this, [this] { setFont(Sizes::mono()); });
    // The style sheet frames text fields; a log is the panel itself.
    setStyleSheet(QStringLiteral("QPlainTextEdit { border: none; padding: 4px 8px; }"));
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setAccessibleName(tr("Log"));
    new Highlighter(document());
    m_next.setSingleShot(true);
    m_next.setInterval(0);
    connect(&m_next, &QTimer::timeout, this, &LogView::appendSome);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, [this](int value) {
        // Scrolling back stops following; scrolling to the end follows again.
        if (!m_appending)
            setFollows(value >= verticalScrollBar()->maximum());
    });
}

void LogView::clearLog() {
    m_appending = true;
    clear();
    m_appending = false;
    m_waiting.clear();
}

void LogView::append(const QString& text) {
    QStringView lines = text;
    while (lines.endsWith(u'\n'))
        lines.chop(1);
    if (lines.isEmpty())
        return;
    for (const QStringView line : lines.split(u'\n'))
        m_waiting << line.toString();
    if (m_waiting.size() > kMostLines) // would leave at the top before anybody sees them
        m_waiting.remove(0, m_waiting.size() - kMostLines);
    if (!m_next.isActive())
        appendSome();
}

void LogView::appendSome() {
    m_appending = true;
    const int place = verticalScrollBar()->value();
    const QStringList some = m_waiting.mid(0, kAtOnce);
    m_waiting.remove(0, some.size());
    appendPlainText(withLocalTimes(some.join(u'\n')));
    if (!m_waiting.isEmpty())
        m_next.start();
    if (m_follows)
        toEnd();
    else
        verticalScrollBar()->setValue(place);
    m_appending = false;
}

void LogView::setFollows(bool follows) {
    if (follows == m_follows)
        return;
    m_follows = follows;
    if (follows)
        toEnd();
    Q_EMIT followsChanged(follows);
}

void LogView::toEnd() {
    verticalScrollBar()->setValue(verticalScrollBar()->maximum());
    horizontalScrollBar()->setValue(0);
}

/// When it is first shown, Qt scrolls to the text cursor, which what was appended has pushed to the end of a long line.
void LogView::showEvent(QShowEvent* event) {
    m_appending = true;
    const int place = verticalScrollBar()->value(), across = horizontalScrollBar()->value();
    QPlainTextEdit::showEvent(event);
    horizontalScrollBar()->setValue(across);
    if (m_follows)
        toEnd();
    else
        verticalScrollBar()->setValue(place);
    m_appending = false;
}

/// Who follows sees the end in a lower panel, too.
void LogView::resizeEvent(QResizeEvent* event) {
    m_appending = true;
    QPlainTextEdit::resizeEvent(event);
    if (m_follows)
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
    m_appending = false;
}

bool LogView::findNext(const QString& text) {
    QList<QTextEdit::ExtraSelection> marks;
    if (!text.isEmpty())
        for (QTextCursor at = document()->find(text); !at.isNull() && marks.size() < 1000;
             at = document()->find(text, at)) {
            QTextEdit::ExtraSelection mark;
            mark.cursor = at;
            mark.format.setBackground(Theme::current().selectedRow);
            marks << mark;
        }
    setExtraSelections(marks);
    if (marks.isEmpty())
        return false;
    if (!find(text)) {
        moveCursor(QTextCursor::Start);
        find(text);
    }
    return true;
}

void LogView::changeEvent(QEvent* event) {
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        if (auto* highlighter = document()->findChild<QSyntaxHighlighter*>())
            highlighter->rehighlight();
}

} // namespace headroom::widgets
