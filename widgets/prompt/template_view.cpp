#include "widgets/prompt/template_view.h"

#include <QEvent>
#include <QFontDatabase>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "widgets/painting/named_values_model.h"
#include "widgets/prompt/prompt_colours.h"
#include "widgets/support/formats.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {
namespace {

constexpr double kTemplateTop = 4, kTemplateBar = 3, kTemplateGap = 10;  // pixels

qsizetype lettersIn(const std::string& text, std::size_t bytes) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(std::min(bytes, text.size()))).size();
}

}  // namespace

TemplateView::TemplateView(PromptModel* model, QWidget* parent)
    : CursorView(model, {.ends = true, .leftOnly = true}, parent), m_prompt(model) {
  setAccessibleName(tr("The chat template"));
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  useFont();
}

void TemplateView::useFont() {
  m_fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  m_fixed.setPointSizeF(std::max(font().pointSizeF(), kSmallestTextPt));
}

QString TemplateView::summary() const {
  return m_lines == 0 ? QString() : tr("%n line(s)", nullptr, m_lines);
}

void TemplateView::read() {
  const SeenPrompt& prompt = m_prompt->prompt();
  m_read = prompt.source;
  m_source = windowText(m_read);
  m_parts.clear();
  for (const PromptWriter& writer : prompt.writers)
    m_parts.push_back({lettersIn(m_read, writer.begin), lettersIn(m_read, writer.end)});
}

void TemplateView::wrap() {
  m_rows.clear();
  m_lines = 0;
  const double letter = QFontMetricsF(m_fixed).horizontalAdvance(u'm');
  const auto most = std::max<qsizetype>(
      static_cast<qsizetype>((viewport()->width() - textLeft() - kTemplateGap) / letter), 8);
  const qsizetype size = m_source.endsWith(u'\n') ? m_source.size() - 1 : m_source.size();
  for (qsizetype begin = 0; begin <= size && !m_source.isEmpty();) {
    qsizetype end = m_source.indexOf(u'\n', begin);
    if (end < 0) end = m_source.size();
    ++m_lines;
    qsizetype at = begin;
    do {
      qsizetype length = std::min(most, end - at);
      if (at + length < end)  // between words, where there is one in the last third
        if (const qsizetype blank = m_source.lastIndexOf(u' ', at + length - 1); blank > at + most * 2 / 3)
          length = blank + 1 - at;
      m_rows.push_back({m_lines, at, length, at == begin});
      at += length;
    } while (at < end);
    begin = end + 1;
  }
}

double TemplateView::textLeft() const {
  return kTemplateBar + 4 * QFontMetricsF(m_fixed).horizontalAdvance(u'0') + kTemplateGap;
}

QSize TemplateView::contentSize() const {
  const int height = QFontMetrics(m_fixed).height() + 2;
  return {viewport()->width(), static_cast<int>(2 * kTemplateTop) + static_cast<int>(m_rows.size()) * height};
}

QRect TemplateView::lineRect(int line) const {
  const int height = QFontMetrics(m_fixed).height() + 2;
  const auto first = std::ranges::find(m_rows, line, &Row::line);
  const auto count = std::ranges::count(m_rows, line, &Row::line);
  return {0, static_cast<int>(kTemplateTop) + static_cast<int>(first - m_rows.begin()) * height,
          viewport()->width(), static_cast<int>(count) * height};
}

void TemplateView::paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const {
  const int height = QFontMetrics(m_fixed).height() + 2;
  const double letter = QFontMetricsF(m_fixed).horizontalAdvance(u'm');
  const int count = static_cast<int>(m_rows.size());
  const int first = std::clamp(static_cast<int>(exposed.top() - kTemplateTop) / height, 0, count);
  const int last = std::min(static_cast<int>(exposed.bottom() - kTemplateTop) / height, count - 1);
  painter.setFont(m_fixed);
  for (int i = first; i <= last; ++i) {
    const Row& row = m_rows[static_cast<std::size_t>(i)];
    const QRectF area(0, kTemplateTop + i * height, viewport()->width(), height);
    if (row.line == markedLine())
      painter.fillRect(QRectF(0, area.top(), kTemplateBar, height), theme.warning());
    for (const int writer : m_writers) {
      if (writer < 0 || writer >= std::ssize(m_parts)) continue;
      const Part& part = m_parts[static_cast<std::size_t>(writer)];
      const qsizetype from = std::max(part.begin, row.begin) - row.begin;
      const qsizetype to = std::min(part.end, row.begin + row.length) - row.begin;
      if (from < to)
        painter.fillRect(QRectF(textLeft() + static_cast<double>(from) * letter, area.top(),
                                static_cast<double>(to - from) * letter, height),
                         writtenGround(theme));
    }
    if (row.opensLine) {
      paintText(painter, QRectF(kTemplateBar, area.top(), textLeft() - kTemplateBar - kTemplateGap, height),
                kAtRight | Qt::TextDontClip, QString::number(row.line),
                row.line == markedLine() ? theme.text() : theme.dimText());
    }
    paintText(painter, QRectF(textLeft(), area.top(), area.width(), height), kAtLeft | Qt::TextDontClip,
              m_source.mid(row.begin, row.length).replace(u'\t', u' '), theme.text());
  }
  painter.setFont(font());
}

ViewItem TemplateView::itemAt(const QPoint& content) const {
  const int at = static_cast<int>(content.y() - kTemplateTop) / (QFontMetrics(m_fixed).height() + 2);
  if (content.y() < kTemplateTop || at >= std::ssize(m_rows)) return {};
  const Row& row = m_rows[static_cast<std::size_t>(at)];
  const auto letter =
      static_cast<qsizetype>((content.x() - textLeft()) / QFontMetricsF(m_fixed).horizontalAdvance(u'm'));
  return {row.line - 1, static_cast<int>(row.begin + std::clamp<qsizetype>(letter, 0, row.length))};
}

// The tag there; beside one, all of the line.
std::set<int> TemplateView::writersAt(int line, qsizetype place) const {
  for (std::size_t i = 0; i < m_parts.size(); ++i)
    if (place >= m_parts[i].begin && place < m_parts[i].end) return {static_cast<int>(i)};
  return m_prompt->writersIn(line);
}

QString TemplateView::tipAt(const QPoint& content) const {
  const ViewItem item = itemAt(content);
  return item.exists() ? m_prompt->whatLineWrote(item.row + 1) : QString();
}

QString TemplateView::describeItem(const ViewItem& item) const {
  const int line = item.row + 1;
  const qsizetype begin = std::ranges::find(m_rows, line, &Row::line)->begin,
                  end = m_source.indexOf(u'\n', begin);
  return tr("Line %1 of %2: %3")
             .arg(line)
             .arg(m_lines)
             .arg(m_source.mid(begin, end < 0 ? -1 : end - begin).trimmed()) +
         u'\n' + m_prompt->whatLineWrote(line);
}

std::unique_ptr<SessionModel> TemplateView::makeTableModel() const {
  auto table = std::make_unique<NamedValuesModel>(m_prompt->session(), tr("Line"), tr("Text"));
  std::vector<NamedValue> values;
  for (const QString& line : m_source.split(u'\n'))
    values.push_back({QString::number(values.size() + 1), line, {}});
  table->setValues(std::move(values));
  return table;
}

void TemplateView::contentChanged() {
  m_writers.clear();
  placeCursor({});
  read();
  wrap();
}

void TemplateView::mark(int line, const std::set<int>& writers) {
  if (line == markedLine() && writers == m_writers) return;
  placeCursor({line - 1, -1});
  m_writers = writers;
  if (line > 0) reveal(itemRect({line - 1}));
  viewport()->update();
}

void TemplateView::currentChanged() {
  m_writers = writersAt(markedLine(), currentColumn());
  emit lineChosen(markedLine(), m_writers);
}

void TemplateView::resizeEvent(QResizeEvent* event) {
  wrap();
  PaintedView::resizeEvent(event);
}

void TemplateView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange) {
    useFont();
    wrap();
  }
  PaintedView::changeEvent(event);
}

}  // namespace vitrine

#include "moc_template_view.cpp"
