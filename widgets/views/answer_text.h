// AnswerText: an answer's Markdown as it streams, as high as its text. Links ask before they open, nothing
// is loaded, and the wheel scrolls the conversation. Thread: the window's. Read next:
// widgets/markdown/README.md.
#pragma once

#include <QTextBrowser>
#include <QTimer>
#include <memory>

class QToolButton;

namespace vitrine {

class MarkdownText;

class AnswerText : public QTextBrowser {
  Q_OBJECT
 public:
  explicit AnswerText(QWidget* parent = nullptr);
  ~AnswerText() override;

  // The message as it is now. What it was before with more behind it costs what is new.
  void setSource(const QString& markdown);
  const MarkdownText& text() const { return *m_text; }
  void applyTheme();

 signals:
  void linkChosen(const QString& address);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  QVariant loadResource(int, const QUrl&) override { return {}; }
  QMimeData* createMimeDataFromSelection() const override;  // Markdown, and plain text

 private:
  void advance();
  void fit();
  void offerCode(const QPoint& mouse);

  const std::unique_ptr<MarkdownText> m_text;
  QTimer m_frames;
  QToolButton* m_copyCode;
  QString m_code;  // that the button copies
};

}  // namespace vitrine
