// WelcomeDialog: the first page: three ways into the program, each with a sentence. Tab and the arrow keys
// move, Enter chooses; Esc or Skip leaves everything as it is by default. Thread: the window's. Read next:
// welcome_opening.h.
#pragma once

#include <QDialog>
#include <array>

class QPushButton;

namespace vitrine {

enum class WelcomeChoice { kLookInside, kChat, kOwnModel };

class WelcomeDialog : public QDialog {
  Q_OBJECT

 public:
  explicit WelcomeDialog(QWidget* parent = nullptr);

  QPushButton* button(WelcomeChoice choice) const { return m_buttons[static_cast<std::size_t>(choice)]; }
  QPushButton* skip() const { return m_skip; }

 signals:
  void chosen(vitrine::WelcomeChoice choice);  // or QDialog::rejected()

 private:
  QWidget* makeWays();

  std::array<QPushButton*, 3> m_buttons{};
  QPushButton* m_skip;
};

}  // namespace vitrine
