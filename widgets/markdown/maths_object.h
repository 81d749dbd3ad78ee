// A formula as one character of a text document: its format, and what draws it.
//
// The character is U+FFFC, which no text of a message shows otherwise (shown_text.h). The format holds the
// formula's source; a copy and the way back to the source come from the message's blocks. Drawn with the pen
// of the text, so it is as sharp as the text at any ratio of pixels. Thread: the window's.
#pragma once

#include <QCache>
#include <QObject>
#include <QPainterPath>
#include <QTextCharFormat>
#include <QTextObjectInterface>
#include <vector>

#include "widgets/markdown/maths_box.h"

class QTextDocument;

namespace vitrine {

inline constexpr int kMathsObject = QTextFormat::UserObject + 1;            // a format's object type
inline constexpr int kMathsSourceProperty = QTextFormat::UserProperty + 2;  // QString, delimiters included

// `alone`: nothing but formulas stands in the paragraph.
QTextCharFormat mathsFormat(QTextCharFormat around, const std::string& formula, bool alone);

class MathsObject : public QObject, public QTextObjectInterface {
  Q_OBJECT
  Q_INTERFACES(QTextObjectInterface)
 public:
  // Formulas of the document are drawn from here on; without it they take no room. The document owns it.
  static MathsObject& install(QTextDocument& document);
  // Formulas in a selection, above the selection's ground: a view calls it after it has painted the document.
  void drawSelected(QPainter& painter, QTextDocument& document);
  // Of the formula at a position, in pixels, wherever it stands: neither broken nor shrunk.
  double naturalWidth(const QTextDocument& document, int position, const QTextFormat& format);

  QSizeF intrinsicSize(QTextDocument* document, int position, const QTextFormat& format) override;
  void drawObject(QPainter* painter, const QRectF& area, QTextDocument* document, int position,
                  const QTextFormat& format) override;

 private:
  struct Selected {
    QRectF area;
    QPainterPath clip;
    int position = 0;
    QTextFormat format;
  };

  explicit MathsObject(QObject* parent) : QObject(parent) {}

  const MathsBox& boxAt(QTextDocument& document, int position, const QTextFormat& format);
  const MathsBox& boxOf(const QString& formula, double pixels, double room = 0);

  void draw(QPainter& painter, const QRectF& area, QTextDocument& document, int position,
            const QTextFormat& format);

  std::vector<Selected> m_selected;  // since drawSelected() was called
  QCache<QString, MathsBox> m_boxes{256};
};

}  // namespace vitrine
