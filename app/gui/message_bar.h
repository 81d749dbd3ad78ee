// MessageBar: what went wrong and how to mend it, above the work instead of in its way. Stays until it is
// closed or the next message comes; Esc closes it when it has the focus.
#pragma once

#include <QFrame>

class QLabel;

namespace vitrine {

class LinesArea;

class MessageBar : public QFrame {
  Q_OBJECT

 public:
  enum class Kind { kNotice, kError };

  explicit MessageBar(QWidget* parent = nullptr);
  void show(Kind kind, const QString& message, const QString& hint);
  QString text() const;

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void applyColours();

  QLabel* m_sign;
  QLabel* m_text;
  LinesArea* m_lines;
  Kind m_kind = Kind::kNotice;
};

}  // namespace vitrine
