// An answer in a window of its own, with a button behind it in the order of the keyboard.
#pragma once

#include <QApplication>
#include <QScrollBar>
#include <QTest>
#include <QTextCursor>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWheelEvent>

#include "widgets/message/answer_text.h"

namespace vitrine::test {

struct ShownAnswer {
  QWidget window;
  AnswerText* shown = new AnswerText(&window);
  QToolButton* after = new QToolButton(&window);

  explicit ShownAnswer(const QString& text, int width = 400) {
    auto* rows = new QVBoxLayout(&window);
    rows->addWidget(shown);
    rows->addWidget(after);
    after->setFocusPolicy(Qt::StrongFocus);
    window.resize(width, 300);
    shown->setSource(text);
    window.show();
    window.activateWindow();
    [[maybe_unused]] const bool seen = QTest::qWaitForWindowActive(&window);
  }
  QList<QScrollBar*> bars() const { return shown->viewport()->findChildren<QScrollBar*>(); }
  QRect placeOf(const QString& word) const {
    QTextCursor at = shown->document()->find(word);
    at.setPosition(at.selectionStart());
    return shown->cursorRect(at);
  }
  bool isSeen(const QString& word) const {
    return shown->viewport()->rect().contains(placeOf(word).center());
  }
  bool wheel(const QString& over, const QPoint& angle, Qt::KeyboardModifiers keys = {}) {
    const QPointF place(50, placeOf(over).center().y());
    QWheelEvent event(place, shown->viewport()->mapToGlobal(place), {}, angle, Qt::NoButton, keys,
                      Qt::NoScrollPhase, false);
    event.ignore();
    QApplication::sendEvent(shown->viewport(), &event);
    return event.isAccepted();
  }
};

}  // namespace vitrine::test
