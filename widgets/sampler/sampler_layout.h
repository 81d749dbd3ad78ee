// SamplerLayout: where the sampler's parts lie, in content coordinates: the draws, the head, a row for each
// candidate, in it the token and a column for each group of stages, and "try it". Pixels.
//
// In a panel too narrow for all columns, the temperature shares its own with the stages behind it.
// In a panel too low for some roomy rows the candidates come first: rows stand closer, there are no draws,
// and the head has one line. The draws and the head do not scroll, and where the row of the chosen token is
// out of sight, it is pinned as the last one. Made once for a painting or a click. Thread: the window's. Read
// next: sampler_view.h.
#pragma once

#include <QFont>
#include <QRect>
#include <QString>
#include <vector>

#include "widgets/sampler/sampler_model.h"

namespace vitrine {

class SamplerLayout {
 public:
  struct Look {
    bool everyStage = false;  // has a column of its own
    QFont font;
    QRect sight;              // the viewport
    QString position, tryIt;  // words: above the tokens, and at the end of a row
  };
  static constexpr int kSide = 10, kTop = 4;               // margins
  static constexpr int kBesideWord = 9, kBesideTitle = 7;  // of a stage's column, what words leave free

  SamplerLayout(const SamplerModel& model, const Look& look);

  const std::vector<StageColumn>& columns() const { return m_columns; }
  const QFont& bold() const { return m_bold; }
  bool isLow() const { return m_isLow; }
  int line() const { return m_line; }  // the height of a line of text
  int rowHeight() const { return m_rowHeight; }
  int drawsHeight() const { return m_drawsHeight; }
  int rowsTop() const { return m_rowsTop; }
  int heightOf(int rows) const { return m_rowsTop + rows * m_rowHeight; }
  int tokenWidth() const { return m_tokenWidth; }
  int stageWidth() const { return m_stageWidth; }
  QSize size() const { return m_size; }
  QRect headArea() const;  // where it is in sight
  QRect placeOf(int row) const { return {0, heightOf(row), m_size.width(), m_rowHeight}; }
  int pinnedRow() const { return m_pinnedRow; }  // -1: none
  QRect rowArea(int row) const;                  // of a pinned one, where it is pinned
  QRect tryArea(int row) const;                  // at the end of that
  int rowAt(int y) const;                        // none: -1
  int columnAt(int x) const;                     // -1: the tokens'; perhaps one behind the last

 private:
  int widestToken(const SamplerModel& model) const;  // bold, as the chosen token is

  std::vector<StageColumn> m_columns;
  QFont m_bold;
  QRect m_sight;
  int m_rows = 0, m_pinnedRow = -1, m_line = 0;
  bool m_isLow = false;
  int m_rowHeight = 0, m_drawsHeight = 0, m_rowsTop = 0;
  int m_tokenWidth = 0, m_stageWidth = 0, m_tryWidth = 0;
  QSize m_size;
};

}  // namespace vitrine
