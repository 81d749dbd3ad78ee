// Bookmarks: steps that the user wants to find again. They belong to the run shown; a trace keeps them.
// Thread: the window's.
#pragma once

#include <QObject>
#include <set>

#include "widgets/session/session.h"

namespace vitrine {

class Bookmarks : public QObject {
  Q_OBJECT
 public:
  explicit Bookmarks(Session* session, QObject* parent = nullptr) : QObject(parent) {
    connect(session, &Session::runStarted, this, &Bookmarks::clear);
  }

  const std::set<int>& steps() const { return m_steps; }
  void toggle(int step) {
    if (m_steps.erase(step) == 0) m_steps.insert(step);
    emit changed();
  }
  void add(const std::set<int>& steps) {
    m_steps.insert(steps.begin(), steps.end());
    emit changed();
  }
  void clear() {
    m_steps.clear();
    emit changed();
  }

 signals:
  void changed();

 private:
  std::set<int> m_steps;
};

}  // namespace vitrine
