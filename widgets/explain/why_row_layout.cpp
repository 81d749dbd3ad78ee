#include "widgets/explain/why_row_layout.h"

#include <QFontDatabase>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "vitrine/prose/excerpts.h"

namespace vitrine {
namespace {

constexpr double kInset = 8;  // of what opens, from its frame

QString textOf(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QFont codeFont(const QFont& beside) {
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  if (beside.pointSizeF() > 0)
    font.setPointSizeF(beside.pointSizeF());
  else
    font.setPixelSize(beside.pixelSize());
  return font;
}

QTextLayout::FormatRange formatOf(const SentenceLink& link, const QTextCharFormat& format) {
  return {link.begin, link.length, format};
}

}  // namespace

WhyRowLayout::WhyRowLayout(const WhyRow& row, int depth, const QFont& font, double width)
    : m_row(row), m_width(width) {
  add(Kind::kSentence, row.text, font, 0);
  const QFont code = codeFont(font);
  for (std::size_t i = 0; depth >= kRule && i < row.rules.size(); ++i) {
    const WhyRule& rule = row.rules[i];
    add(Kind::kRule, rule.text, code, 5);
    const bool isToldNext = i + 1 < row.rules.size() && row.rules[i + 1].decision == rule.decision;
    if (depth < kSource || isToldNext) continue;
    const prose::Excerpt& excerpt = prose::excerptOf(rule.decision);
    add(Kind::kPlace, QStringLiteral("%1:%2").arg(textOf(excerpt.file)).arg(excerpt.line), font, 3);
    add(Kind::kCode, textOf(excerpt.text).trimmed(), code, 1);
  }
}

double WhyRowLayout::lineHeight(const QFont& font) {
  QTextLayout layout(QStringLiteral("x"), font);
  layout.beginLayout();
  QTextLine line = layout.createLine();
  line.setLineWidth(QFontMetricsF(font).maxWidth());
  layout.endLayout();
  return line.height();
}

void WhyRowLayout::add(Kind kind, const QString& text, const QFont& font, double gap) {
  const bool opened = kind == Kind::kRule || kind == Kind::kCode;
  const double inset = opened ? kInset : 0, width = std::max(40.0, m_width - 2 * inset);
  Part part{
      kind, std::make_unique<QTextLayout>(QString(text).replace(u'\n', QChar::LineSeparator), font), {}};
  QTextOption option;
  option.setWrapMode(opened ? QTextOption::WrapAtWordBoundaryOrAnywhere : QTextOption::WordWrap);
  part.text->setTextOption(option);
  part.text->setCacheEnabled(true);
  double height = 0;
  part.text->beginLayout();
  for (QTextLine line = part.text->createLine(); line.isValid(); line = part.text->createLine()) {
    line.setLineWidth(width);
    line.setPosition({inset, height});
    height += line.height();
  }
  part.text->endLayout();
  part.area = QRectF(0, m_height + gap, m_width, height);
  m_height = part.area.bottom();
  m_parts.push_back(std::move(part));
}

int WhyRowLayout::letterAt(const QPointF& point) const {
  const Part& sentence = m_parts.front();
  for (int i = 0; i < sentence.text->lineCount(); ++i) {
    const QTextLine line = sentence.text->lineAt(i);
    if (line.naturalTextRect().contains(point))
      return line.xToCursor(point.x(), QTextLine::CursorOnCharacter);
  }
  return -1;
}

int WhyRowLayout::linkAt(const QPointF& point) const {
  const int letter = letterAt(point);
  const auto found = std::ranges::find_if(m_row.links, [letter](const SentenceLink& link) {
    return letter >= link.begin && letter < link.begin + link.length;
  });
  return found == m_row.links.end() ? -1 : static_cast<int>(found - m_row.links.begin());
}

void WhyRowLayout::paint(QPainter& painter, const QPointF& corner, const Theme& theme, int current) const {
  for (const Part& part : m_parts) {
    QList<QTextLayout::FormatRange> formats;
    painter.setPen(part.kind == Kind::kPlace      ? theme.dimText()
                   : part.kind != Kind::kSentence ? theme.text()
                   : m_row.warning                ? theme.warning()
                                                  : theme.text());
    if (part.kind == Kind::kRule || part.kind == Kind::kCode) {
      const QPen pen = painter.pen();
      drawBox(painter, part.area.translated(corner).adjusted(0, -2, 0, 2), 4,
              part.kind == Kind::kRule ? QPen(theme.accent(), 1) : QPen(theme.line(), 1), theme.panel());
      painter.setPen(pen);
    }
    if (part.kind == Kind::kSentence) {
      for (int i = 0; i < static_cast<int>(m_row.links.size()); ++i) {
        QTextCharFormat format;
        format.setUnderlineStyle(i == current ? QTextCharFormat::SingleUnderline : QTextCharFormat::DotLine);
        format.setUnderlineColor(theme.accentText());
        format.setForeground(theme.accentText());
        if (i == current) {
          format.setBackground(theme.accent());
          format.setForeground(Theme::inkOn(theme.accent()));
        }
        formats << formatOf(m_row.links[static_cast<std::size_t>(i)], format);
      }
    }
    part.text->draw(&painter, corner + part.area.topLeft(), formats);
  }
}

}  // namespace vitrine
