#include "widgets/sampler/sampler_layout.h"

#include <QFontMetrics>
#include <algorithm>
#include <cmath>

#include "widgets/support/formats.h"
#include "widgets/support/shaped_text.h"
#include "widgets/support/theme.h"

namespace vitrine {
namespace {

constexpr int kRoomy = 8, kClose = 1;  // that a row is higher than its text
constexpr int kRoomyRows = 6;          // a lower panel has close rows
constexpr int kLongestToken = 18;      // letters; a longer one is cut
constexpr int kBesideToken = 8, kBesidePosition = 6, kBesidePercent = 6, kTryGap = 10;

int widthOf(const QFont& font, const QString& text) {
  return static_cast<int>(std::ceil(textWidth(font, text)));
}

int leastStageIn(const QFont& font) { return kBesidePercent + widthOf(font, formatPercent(1)); }

// The grammar's column has a word where the others have a percentage, and a title: neither is cut where there
// is room for both.
int wholeStageIn(const SamplerModel& model, const QFont& font) {
  int whole = leastStageIn(font);
  for (int stage = 0; stage < model.stages(); ++stage)
    if (model.isMask(stage))
      whole = std::max({whole, SamplerLayout::kBesideWord + widthOf(font, SamplerModel::maskedWord()),
                        SamplerLayout::kBesideTitle + widthOf(boldened(font), model.stageTitle(stage))});
  return whole;
}

// The tokens' column is then as wide as the words of the position.
int leastTokenIn(const SamplerLayout::Look& look) {
  return widthOf(boldened(look.font), look.position) + SamplerLayout::kSide + kBesidePosition;
}

int mostForStages(const SamplerLayout::Look& look) {
  return look.sight.width() - SamplerLayout::kSide - leastTokenIn(look);
}

}  // namespace

SamplerLayout::SamplerLayout(const SamplerModel& model, const Look& look)
    : m_columns(model.stageColumns(look.everyStage, mostForStages(look) / wholeStageIn(model, look.font))),
      m_bold(boldened(look.font)),
      m_sight(look.sight),
      m_rows(model.rowCount()) {
  const QFontMetrics metrics(look.font);
  m_line = metrics.height();
  const int roomyRow = m_line + kRoomy, roomyHead = 2 * m_line + kRoomy;
  m_isLow = look.sight.height() < kTop + roomyRow + roomyHead + kRoomyRows * roomyRow;
  m_rowHeight = m_isLow ? m_line + kClose : roomyRow;
  m_drawsHeight = m_isLow ? 0 : kTop + (model.previewed() ? 2 : 1) * m_rowHeight;
  m_rowsTop = m_drawsHeight + (m_isLow ? m_line + 4 : roomyHead);

  // A long token is cut before a stage leaves the view.
  const int count = static_cast<int>(m_columns.size());
  const int whole = wholeStageIn(model, look.font);
  const int leastStage = std::clamp(mostForStages(look) / std::max(1, count), leastStageIn(look.font), whole);
  const int room = look.sight.width() - kSide - count * leastStage;
  const int position = widthOf(m_bold, look.position);
  const int most = metrics.averageCharWidth() * kLongestToken;
  const int wanted =
      std::min(std::max(widestToken(model), position - m_line), most) + kSide + m_line + kBesideToken;
  m_tokenWidth = std::min(wanted, std::max(room, leastTokenIn(look)));
  // Behind the columns, where tokens leave it the room; else "try it" lies on the last column of its row.
  m_tryWidth = widthOf(look.font, look.tryIt) + kTryGap;
  const int tryRoom = room - m_tokenWidth >= m_tryWidth ? m_tryWidth : 0;
  m_stageWidth =
      std::max(leastStage, (look.sight.width() - m_tokenWidth - tryRoom - kSide) / std::max(1, count));
  m_size = {m_tokenWidth + count * m_stageWidth + tryRoom + kSide, heightOf(m_rows) + kTop};
  for (int row = 0; row < m_rows; ++row)
    if (const QRect place = placeOf(row); model.at(row).chosen && (place.top() < m_sight.top() + m_rowsTop ||
                                                                   place.bottom() > m_sight.bottom()))
      m_pinnedRow = row;
}

int SamplerLayout::widestToken(const SamplerModel& model) const {
  double widest = 0;
  for (int row = 0; row < m_rows; ++row) widest = std::max(widest, textWidth(m_bold, model.at(row).text));
  return static_cast<int>(std::ceil(widest));
}

QRect SamplerLayout::headArea() const {
  return {m_sight.left(), m_sight.top() + m_drawsHeight, m_size.width(), m_rowsTop - m_drawsHeight};
}

QRect SamplerLayout::rowArea(int row) const {
  QRect place = placeOf(row);
  if (row >= 0 && row == m_pinnedRow) place.moveBottom(m_sight.bottom());
  return place;
}

QRect SamplerLayout::tryArea(int row) const {
  const QRect area = rowArea(row);
  return {area.right() - kSide - m_tryWidth + 1, area.top(), m_tryWidth, area.height()};
}

int SamplerLayout::rowAt(int y) const {
  if (y < m_sight.top() + m_rowsTop) return -1;
  if (m_pinnedRow >= 0 && y >= rowArea(m_pinnedRow).top()) return m_pinnedRow;
  const int row = (y - m_rowsTop) / m_rowHeight;
  return row < m_rows ? row : -1;
}

int SamplerLayout::columnAt(int x) const { return x < m_tokenWidth ? -1 : (x - m_tokenWidth) / m_stageWidth; }

}  // namespace vitrine
