// AnswerText: an answer's Markdown as it streams, as high as its text. Links ask before they open, nothing
// is loaded, and the wheel scrolls the conversation. Thread: the window's. Read next:
// widgets/markdown/README.md.
#pragma once

#include <QPointer>
#include <QTextBrowser>
#include <QTimer>
#include <memory>
#include <optional>
#include <vector>

#include "widgets/conversation/sought_text.h"
#include "widgets/markdown/written_text.h"

namespace vitrine {

class CodeBoxes;
class MarkdownText;
class MathsObject;
class TableBoxes;
struct Tint;

class AnswerText : public QTextBrowser {
  Q_OBJECT
 public:
  explicit AnswerText(QWidget* parent = nullptr);
  ~AnswerText() override;

  // The message as it is now. What it was before with more behind it costs what is new. `grows`: more may
  // come, so footnotes stand as they are written.
  void setSource(const QString& markdown, bool grows = false);
  const MarkdownText& text() const { return *m_text; }
  void applyTheme();
  // As LitLabel has them; hits are lit also in text that comes later.
  void light(const SoughtText& sought, int present);
  QRect hitRect(int hit) const;
  // What is shown, with the sources of the formulas.
  const WrittenText& written() const;

  // Where a range of the source's bytes stands, in this widget: its first line.
  QRect placeOf(std::size_t begin, std::size_t end) const;
  // Sets a range off from the rest; an empty one, none.
  void mark(std::size_t begin, std::size_t end);
  void setTints(std::vector<Tint> tints);
  void setGiven(std::size_t bytes);  // of the source, at its beginning: they were given, not drawn

 signals:
  void linkChosen(const QString& address);
  // A word was clicked, or the mouse has rested on it: the byte of the source under the mouse.
  void wordClicked(qint64 byte);
  void wordHovered(qint64 byte);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool focusNextPrevChild(bool next) override;
  bool viewportEvent(QEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  QVariant loadResource(int, const QUrl&) override { return {}; }
  QMimeData* createMimeDataFromSelection() const override;  // Markdown, and plain text

 private:
  void advance();
  void settle();
  void settleAll();
  void orderStops();
  void reveal(int position);  // in a box that scrolls sideways
  void fit();
  void lightHits();
  std::vector<FoundRange> hits() const;  // in positions of the document
  bool goToNote(const QString& anchor);
  std::optional<qint64> byteAt(const QPoint& mouse) const;

  const std::unique_ptr<MarkdownText> m_text;
  MathsObject* const m_formulas;
  CodeBoxes* const m_code;
  TableBoxes* const m_tables;
  std::vector<QPointer<QWidget>> m_stops;  // what Tab reaches in boxes, in the order of the text
  QTimer m_frames, m_rest;
  QPoint m_restsAt;
  SoughtText m_sought;
  int m_present = -1;
  mutable std::optional<WrittenText> m_written;  // made when it is needed
};

}  // namespace vitrine
