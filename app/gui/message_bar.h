// MessageBar: what went wrong and how to correct it, above the panels, so that nothing is covered. A message
// stays until it is closed or the next one comes; Esc closes the bar when it has the focus.
#pragma once

#include <QFrame>
#include <QStringList>
#include <functional>

class QLabel;
class QToolButton;

namespace vitrine {

class LinesArea;
class Session;

class MessageBar : public QFrame {
  Q_OBJECT

 public:
  enum class Kind { kNotice, kError };

  explicit MessageBar(QWidget* parent = nullptr);
  void show(Kind kind, const QString& message, const QString& hint);
  // A notice with a button; taking it closes the notice.
  void offer(const QString& message, const QString& hint, const QString& action,
             const std::function<void()>& take);
  QString text() const;
  const QStringList& codes() const { return m_codes; }  // of the last failures, the oldest first
  void follow(Session& session);                        // shows what goes wrong in it

 public slots:
  // Nothing for the code of a cancelled load: the user has cancelled it.
  void showFailure(const QString& code, const QString& message, const QString& hint);
  void showTrimmed(int messages);  // the oldest of a chat, left out of its prompt

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void applyColours();

  QLabel* m_sign;
  QLabel* m_text;
  LinesArea* m_lines;
  QToolButton* m_action;
  std::function<void()> m_take;  // what m_action does
  Kind m_kind = Kind::kNotice;
  QStringList m_codes;
};

}  // namespace vitrine
