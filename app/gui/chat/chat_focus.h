// ChatFocus: gives the keyboard back to the message input when what had it is gone: a popup, a menu, a
// dialog, another window of the program, an editor in a list, a button that was hidden or clicked. Qt would
// give it to the next part in the order of Tab, or leave it where the letters typed next are lost.
//
// A widget to which a person or a command has given the keyboard in the meantime keeps it, and so does a
// button whose menu was left with Escape: keys that walk from part to part go on from there. A letter typed
// at a button begins the message all the same. Thread: the window's.
#pragma once

#include <QMap>
#include <QObject>
#include <QPointer>
#include <QWidget>
#include <functional>

namespace vitrine {

class ChatView;

class ChatFocus : public QObject {
  Q_OBJECT

 public:
  // `page` has the conversation and what belongs to it. `alone`: the window shows the chat and nothing else,
  // so that what stands outside of the page counts as well.
  ChatFocus(QWidget& window, ChatView& view, QWidget& page, std::function<bool()> alone, QObject* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Opened {
    QPointer<QWidget> before;  // which had the keyboard
    bool left = false;         // a menu, with Escape
  };

  bool isOfWindow(const QWidget& part) const;
  bool isOurs(const QWidget* before) const;
  void onFocus(QWidget* old, QWidget* now);
  void settle(const Opened& closed);
  void settleLost();

  QWidget& m_window;
  ChatView& m_view;
  QWidget& m_page;
  const std::function<bool()> m_alone;
  QPointer<QWidget> m_last;               // of the window, which has or had the keyboard
  QMap<const QObject*, Opened> m_opened;  // menus and windows that are open
};

}  // namespace vitrine
