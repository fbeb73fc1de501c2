// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/guide.h"

#include "app/documents/paths.h"
#include "app/settings/resource_folders.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QDesktopServices>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextDocument>

#include <vector>

namespace headroom::app {

using widgets::Sizes;

namespace {

/// Qt's reader lets the face of a heading run on into the paragraph below it.
void plain(const QTextBlock& block) {
    std::vector<QTextFragment> headings;
    for (auto part = block.begin(); !part.atEnd(); ++part)
        if (part.fragment().charFormat().hasProperty(QTextFormat::FontSizeAdjustment))
            headings.push_back(part.fragment());
    for (const QTextFragment& fragment : headings) {
        QTextCursor cursor(block);
        cursor.setPosition(fragment.position());
        cursor.setPosition(fragment.position() + fragment.length(), QTextCursor::KeepAnchor);
        QTextCharFormat format = fragment.charFormat();
        format.clearProperty(QTextFormat::FontSizeAdjustment);
        format.clearProperty(QTextFormat::FontWeight);
        cursor.setCharFormat(format);
    }
}

} // namespace

Guide::Guide(QWidget* parent) : QTextBrowser(parent) {
    setWindowFlag(Qt::Window);
    setObjectName(QStringLiteral("guide"));
    setWindowTitle(tr("Guide – Headroom"));
    setAccessibleName(tr("Guide"));
    setOpenLinks(false); // a page must be laid out, not only loaded
    connect(this, &QTextBrowser::anchorClicked, this, &Guide::follow);
    setFrameShape(QFrame::NoFrame);
    document()->setDocumentMargin(Sizes::unit() * 3);
    resize(qRound(Sizes::unit() * 110), qRound(Sizes::unit() * 110));
}

bool Guide::showPage(const QString& name) {
    m_page = toQString(resourceFolder() / "guide" / toPath(name));
    if (!QFileInfo(m_page).isFile()) {
        setPlainText(tr("The guide is missing from the installation: %1 does not exist.").arg(m_page));
        m_page.clear();
        return false;
    }
    lay();
    return true;
}

QString Guide::page() const {
    return QFileInfo(m_page).fileName();
}

void Guide::follow(const QUrl& link) {
    if (link.path().endsWith(QLatin1String(".md"))) {
        showPage(QFileInfo(link.path()).fileName());
        verticalScrollBar()->setValue(0);
    } else if (link.path().isEmpty()) {
        scrollToAnchor(link.fragment());
    } else {
        QDesktopServices::openUrl(link);
    }
}

void Guide::lay() {
    if (m_page.isEmpty())
        return;
    const int place = verticalScrollBar()->value();
    m_laidWidth = viewport()->width();
    const QUrl page = QUrl::fromLocalFile(m_page);
    if (source() == page)
        reload(); // its pictures are of another width or theme now
    else
        setSource(page, QTextDocument::MarkdownResource);
    QTextCursor cursor(document());
    cursor.beginEditBlock();
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        cursor.setPosition(block.position());
        QTextBlockFormat format = block.blockFormat();
        const bool isHeading = format.headingLevel() > 0;
        format.setTopMargin(isHeading && block.position() > 0 ? Sizes::unit() * 2.5 : 0);
        format.setBottomMargin(cursor.currentTable() ? 0 : Sizes::unit());
        if (!isHeading &&
            !block.text().contains(QChar::ObjectReplacementCharacter)) // a picture is one high line
            format.setLineHeight(120, QTextBlockFormat::ProportionalHeight);
        cursor.setBlockFormat(format);
        if (!isHeading)
            plain(block);
    }
    cursor.endEditBlock();
    verticalScrollBar()->setValue(place);
}

QVariant Guide::loadResource(int type, const QUrl& name) {
    if (type != QTextDocument::ImageResource)
        return QTextBrowser::loadResource(type, name);
    QString file = (name.isRelative() ? source().resolved(name) : name).toLocalFile();
    if (QString dark = file; widgets::Theme::current().isDark &&
                             QFile::exists(dark.replace(QLatin1String("-light."), QLatin1String("-dark."))))
        file = dark;
    QImage image(file);
    if (image.isNull())
        return {};
    const double ratio = devicePixelRatioF();
    const int room = qRound((viewport()->width() - 2 * document()->documentMargin()) * ratio);
    if (room > 0 && image.width() > room)
        image = image.convertToFormat(QImage::Format_RGB32).scaledToWidth(room, Qt::SmoothTransformation);
    image.setDevicePixelRatio(ratio);
    return image;
}

void Guide::resizeEvent(QResizeEvent* event) {
    QTextBrowser::resizeEvent(event);
    if (viewport()->width() != m_laidWidth)
        lay();
}

void Guide::changeEvent(QEvent* event) {
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        lay();
}

} // namespace headroom::app
