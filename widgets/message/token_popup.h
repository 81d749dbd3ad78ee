// TokenPopup: a token of an answer, how likely it was, and what else was likely there, as bars. Beside the
// word, inside the widget that it belongs to.
//
// It looks only, until a click gives it the focus: then Up and Down choose an alternative, Enter takes it,
// Left and Right go to the tokens beside, and Esc closes. A click or the wheel elsewhere closes it, and
// without the focus a mouse that leaves the word. Thread: the window's.
#pragma once

#include <QFrame>
#include <QRect>
#include <vector>

class QLabel;
class QListWidget;
class QListWidgetItem;

namespace vitrine {

struct TokenChoice {
  QString text;
  double probability = 0;
  bool drawn = false;  // the answer has this one
  bool ends = false;   // it stands for no text, and the answer ends with it
};

struct TokenCard {
  int place = 0, count = 0;  // of the answer's tokens, from 0
  bool given = false;        // the answer was begun with it; the model did not draw it
  TokenChoice token = {};
  std::vector<TokenChoice> choices = {};  // the most likely first
};

class TokenPopup : public QFrame {
  Q_OBJECT
 public:
  explicit TokenPopup(QWidget* parent);

  // `word`: in the parent's coordinates; the popup stands below it, or above where there is more room.
  void showCard(const QRect& word, const TokenCard& card);
  void showWords(const QRect& word, const QString& words);  // instead: that it computes, or why it cannot
  void takeFocus();
  bool hasTheFocus() const;
  QListWidget* list() const { return m_list; }

 signals:
  void moved(int by);      // another token is wished for
  void chosen(int index);  // of the card's choices; never the token that was drawn
  void closed();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  bool onKey(int key);
  bool isElsewhere(const QEvent& event) const;
  void choose(const QListWidgetItem* item);
  void place(const QRect& word);

  QLabel *m_title, *m_place, *m_hint;
  QListWidget* m_list;
  QRect m_word;
};

}  // namespace vitrine
