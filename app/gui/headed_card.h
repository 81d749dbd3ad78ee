// BenchCard: a card of the window with a benchmark's results: a line with a choice at the left and commands
// at the right, and what they are about below it. Thread: the window's.
#pragma once

#include <QWidget>

class QHBoxLayout;
class QToolButton;
class QVBoxLayout;

namespace vitrine {

class BenchCard : public QWidget {
  Q_OBJECT

 public:
  explicit BenchCard(QWidget* parent = nullptr);

 protected:
  QHBoxLayout* head() const { return m_head; }
  QVBoxLayout* column() const { return m_column; }
  // At the end of the head.
  QToolButton* addCommand(const QString& text, const QString& tip);
  void paintEvent(QPaintEvent* event) override;

 private:
  QVBoxLayout* m_column;
  QHBoxLayout* m_head;
};

}  // namespace vitrine
