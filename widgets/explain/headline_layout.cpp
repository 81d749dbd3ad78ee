#include "widgets/explain/headline_layout.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/painting/row_delegate.h"
#include "widgets/support/formats.h"
#include "widgets/support/glossary_tips.h"
#include "widgets/support/request_style.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {

namespace {

constexpr int kMostLines = 2;
constexpr double kLargeShare = 17.0 / 15;  // of the body's size

QFont scaled(QFont font, double by) {
  if (font.pointSizeF() > 0)
    font.setPointSizeF(font.pointSizeF() * by);
  else
    font.setPixelSize(static_cast<int>(std::lround(font.pixelSize() * by)));
  return font;
}

// For each letter the term that it belongs to; -1: none.
std::vector<int> termsOf(const QString& text) {
  std::vector<int> terms(static_cast<std::size_t>(text.size()), -1);
  const std::string bytes = text.toStdString();
  int number = 0;
  for (const prose::TermPlace& place : prose::termsIn(bytes, windowGlossary())) {
    const auto letters = [&](std::size_t end) {
      return static_cast<std::size_t>(QString::fromUtf8(bytes.data(), static_cast<qsizetype>(end)).size());
    };
    std::fill(terms.begin() + static_cast<std::ptrdiff_t>(letters(place.begin)),
              terms.begin() + static_cast<std::ptrdiff_t>(letters(place.begin + place.length)), number++);
  }
  return terms;
}

std::vector<int> linksOf(const HeadlineRow& row) {
  std::vector<int> links(static_cast<std::size_t>(row.text.size()), -1);
  for (std::size_t i = 0; i < row.links.size(); ++i)
    std::fill_n(links.begin() + row.links[i].begin, row.links[i].length, static_cast<int>(i));
  return links;
}

// Its text is the letter on the request's colour.
RequestId chipOf(const HeadlineRow& row, int link) {
  if (link < 0) return 0;
  const SentenceLink& one = row.links[static_cast<std::size_t>(link)];
  const bool isLetter = one.target.sequence != 0 && one.target.request != 0 && one.target.position < 0 &&
                        row.text.mid(one.begin, one.length).startsWith(requestLetter(one.target.request));
  return isLetter ? one.target.request : 0;
}

}  // namespace

HeadlineLayout::HeadlineLayout(const HeadlineRow& row, Voice voice, const QFont& body, const QSizeF& room)
    : m_room(room) {
  split(row);
  const bool isLoud = voice == Voice::kHeadline;
  const int lines = room.height() < 2 * QFontMetricsF(body).height() ? 1 : kMostLines;
  if ((isLoud && place(largeFont(body), 1)) || place(boldened(body, isLoud), lines)) return;
  m_isWhole = false;
  cut(lines);
}

QFont HeadlineLayout::largeFont(const QFont& body) { return boldened(scaled(body, kLargeShare)); }

void HeadlineLayout::split(const HeadlineRow& row) {
  const std::vector<int> terms = termsOf(row.text), links = linksOf(row);
  const auto at = [](const std::vector<int>& of, qsizetype i) { return of[static_cast<std::size_t>(i)]; };
  for (qsizetype i = 0; i < row.text.size();) {
    if (row.text[i].isSpace()) {
      if (!m_parts.empty()) m_parts.back().endsWord = true;
      ++i;
      continue;
    }
    qsizetype end = i + 1;
    while (end < row.text.size() && !row.text[end].isSpace() && at(links, end) == at(links, i) &&
           at(terms, end) == at(terms, i))
      ++end;
    m_parts.push_back(
        {row.text.mid(i, end - i), i, at(links, i), chipOf(row, at(links, i)), at(terms, i) >= 0});
    i = end;
  }
}

double HeadlineLayout::widthOf(const Part& part) const {
  return part.chip != 0 ? chipSize(m_font, part.text).width() : textWidth(m_font, part.text);
}

// Words in lines from the left; the lines stand in the middle of the room.
bool HeadlineLayout::place(const QFont& font, int lines) {
  m_font = font;
  m_space = textWidth(font, QStringLiteral(" "));
  const double height = QFontMetricsF(font).height();
  const double chip = chipSize(font, QStringLiteral("A")).height();
  const double step = lines > 1 ? std::max(height, chip) : height;
  double x = 0;
  int line = 0;
  for (std::size_t i = 0; i < m_parts.size();) {
    std::size_t end = i;
    double width = 0;
    do width += widthOf(m_parts[end]);
    while (!m_parts[end++].endsWord && end < m_parts.size());
    if (x > 0 && x + width > m_room.width()) ++line, x = 0;
    for (; i < end; ++i) {
      const double own = widthOf(m_parts[i]);
      m_parts[i].area = QRectF(x, line * step, own, step);
      x += own;
    }
    x += m_space;
  }
  const double used = (line + 1) * step, top = (m_room.height() - used) / 2;
  const double right =
      std::ranges::max(m_parts, {}, [](const Part& part) { return part.area.right(); }).area.right();
  for (Part& part : m_parts) part.area.translate(0, top);
  return line < lines && right <= m_room.width();
}

// What lies behind the last line, and what is wider than a line, goes; the last part ends in "…".
void HeadlineLayout::cut(int lines) {
  const double first = m_parts.front().area.top();
  const double step = m_parts.front().area.height();
  std::erase_if(m_parts, [&](const Part& part) { return part.area.top() > first + (lines - 0.5) * step; });
  Part& last = m_parts.back();
  const QString more = QStringLiteral("…");
  const double room = std::max(m_room.width() - last.area.left(), 1.0);
  if (last.chip == 0) last.text = elidedText(m_font, last.text + more, room);
  last.area.setWidth(std::min(widthOf(last), room));
  const bool isTwoLines = last.area.top() > first + 0.5 * step;
  const double top = (m_room.height() - (isTwoLines ? 2 : 1) * step) / 2 - first;
  for (Part& part : m_parts) part.area.translate(0, top);
}

int HeadlineLayout::linkAt(const QPointF& point) const {
  const auto found =
      std::ranges::find_if(m_parts, [&](const Part& part) { return part.area.contains(point); });
  return found == m_parts.end() ? -1 : found->link;
}

qsizetype HeadlineLayout::letterAt(const QPointF& point) const {
  const auto found =
      std::ranges::find_if(m_parts, [&](const Part& part) { return part.area.contains(point); });
  return found == m_parts.end() ? -1 : found->begin;
}

void HeadlineLayout::paint(QPainter& painter, const QPointF& corner, const Theme& theme, int current) const {
  painter.setFont(m_font);
  const QFontMetricsF metrics(m_font);
  for (const Part& part : m_parts) {
    const QRectF area = part.area.translated(corner);
    const bool isCurrent = part.link >= 0 && part.link == current;
    if (part.chip != 0) {
      const QSizeF size = chipSize(m_font, part.text);
      const QRectF chip(area.left(), area.center().y() - size.height() / 2, size.width(), size.height());
      paintChip(painter, chip, part.chip, part.text, theme);
      painter.setFont(m_font);
      if (isCurrent) drawBox(painter, chip.adjusted(-1.5, -1.5, 1.5, 1.5), 5, QPen(theme.accentText(), 2));
      continue;
    }
    if (isCurrent) drawBox(painter, area, 3, Qt::NoPen, theme.accent());
    const QColor ink = isCurrent        ? Theme::inkOn(theme.accent())
                       : part.link >= 0 ? theme.accentText()
                                        : theme.text();
    paintText(painter, area, Qt::AlignLeft | Qt::AlignVCenter, part.text, ink);
    if (part.link < 0 && !part.isTerm) continue;
    const double base = area.center().y() + metrics.height() / 2 - metrics.descent() + 2.5;
    painter.setPen(QPen(part.link >= 0 ? ink : theme.dimText(), 1.4, Qt::DotLine));
    painter.drawLine(QPointF(area.left(), base), QPointF(area.right(), base));
  }
}

}  // namespace vitrine
