// HeadlineLayout: a sentence in large letters in one line, or in as many lines of the body's size as there
// are: words, the chips of sequences, links and terms of the glossary, each with its place.
//
// It is made for a width and a height that stay: what does not fit ends in "…". Thread: the window's. Read
// next: headline_view.h.
#pragma once

#include <QFont>
#include <QRectF>
#include <QString>
#include <vector>

#include "widgets/explain/headline_model.h"
#include "widgets/support/theme.h"

class QPainter;

namespace vitrine {

class HeadlineLayout {
 public:
  enum class Voice { kHeadline, kQuiet };  // large and bold, or as other texts

  // `body`: the font of other texts in the window.
  HeadlineLayout(const HeadlineRow& row, Voice voice, const QFont& body, const QSizeF& room);

  static QFont largeFont(const QFont& body);  // bold, 17 pixels where the body has 15
  bool isWhole() const { return m_isWhole; }
  int linkAt(const QPointF& point) const;          // an index of the row's links; -1: none
  qsizetype letterAt(const QPointF& point) const;  // of the sentence, the first of the part there; -1: none
  // `current`: the link that the mouse or the keyboard is at; -1: none.
  void paint(QPainter& painter, const QPointF& corner, const Theme& theme, int current) const;

 private:
  // A word, or what of it is a link, a term or neither.
  struct Part {
    QString text;
    qsizetype begin = 0;  // letters of the sentence
    int link = -1;
    RequestId chip = 0;  // its text is the letter of this request's sequence
    bool isTerm = false, endsWord = false;
    QRectF area = {};
  };

  void split(const HeadlineRow& row);
  double widthOf(const Part& part) const;
  bool place(const QFont& font, int lines);  // whether all of it fits
  void cut(int lines);

  const QSizeF m_room;
  QFont m_font;
  double m_space = 0;
  bool m_isWhole = true;
  std::vector<Part> m_parts;
};

}  // namespace vitrine
