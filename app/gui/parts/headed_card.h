// HeadedCard: a card of a window of its own (bench results, what is inside a model) or of a page of the chat
// (the prompt as tokens): a line with choices at the left and commands at the right, and what they are about
// below it. Thread: the window's.
#pragma once

#include <QStringList>
#include <QWidget>

class QButtonGroup;
class QHBoxLayout;
class QToolButton;
class QVBoxLayout;

namespace vitrine {

class HeadedCard : public QWidget {
  Q_OBJECT

 public:
  explicit HeadedCard(QWidget* parent = nullptr);

 protected:
  QHBoxLayout* head() const { return m_head; }
  QVBoxLayout* column() const { return m_column; }
  // At the end of the head: a button of each page, whose id in the group is its place.
  void addPages(const QStringList& titles, QButtonGroup* choice);
  // At the end of the head.
  QToolButton* addCommand(const QString& text, const QString& tip);
  void paintEvent(QPaintEvent* event) override;

 private:
  QVBoxLayout* m_column;
  QHBoxLayout* m_head;
};

// The same with a title in bold as its head, for others to fill.
class TitledCard final : public HeadedCard {
 public:
  TitledCard(const QString& title, QWidget* parent);
  using HeadedCard::column;
};

}  // namespace vitrine
