#include "gui/lessons/lesson_model.h"

#include <algorithm>
#include <utility>

#include "vitrine/error.h"

namespace vitrine {

LessonModel::LessonModel(Session* session, QObject* parent) : QObject(parent), m_session(session) {
  connect(session, &Session::appended, this, &LessonModel::take);
  connect(session, &Session::stateChanged, this, &LessonModel::follow);
}

void LessonModel::open(Lesson lesson, int page) {
  m_lesson = std::move(lesson);
  m_page = std::clamp(page, 0, pageCount() - 1);
  m_pageBegan = m_session->finishedStep();
  m_done.clear();
  m_chosen.clear();
  m_revealed.clear();
  m_moments.begin(watchFrom({0, -1}), m_session->recording().live());
  emit changed();
  emit pageChanged(m_page);
}

void LessonModel::close() {
  m_lesson.reset();
  m_watched.clear();
  m_moments.begin({});
  emit changed();
}

const LessonAction& LessonModel::at(Place place) const {
  return m_lesson->pages[static_cast<std::size_t>(place.page)]
      .actions[static_cast<std::size_t>(place.action)];
}

// The moments behind an action, to the next scenario.
std::vector<Breakpoint> LessonModel::watchFrom(Place begun) {
  m_watched.clear();
  std::vector<Breakpoint> moments;
  for (int page = begun.page; page < pageCount(); ++page) {
    const auto& actions = m_lesson->pages[static_cast<std::size_t>(page)].actions;
    for (int i = page == begun.page ? begun.action + 1 : 0; i < static_cast<int>(actions.size()); ++i) {
      const LessonAction& action = actions[static_cast<std::size_t>(i)];
      if (action.deed == LessonDeed::kScenario) return moments;
      if (action.deed != LessonDeed::kUntil) continue;
      m_watched.push_back({page, i});
      moments.push_back(action.moment);
    }
  }
  return moments;
}

void LessonModel::beginRun(Place begun) {
  if (!m_lesson) return;
  m_moments.begin(watchFrom(begun));
  for (const Place& place : m_watched) m_done.erase(place);
  m_done.insert(begun);
  m_pageBegan = m_session->firstStep();
  try {
    m_session->recording().forEach([this](const Event& event) { m_moments.publish(event); });
  } catch (const EngineError&) {  // the session says what the disk has lost
  }
  noteDone();
  emit changed();
}

std::optional<LessonModel::Place> LessonModel::scenarioBefore(int action) const {
  for (Place place{m_page, action - 1}; place.page >= 0; --place.page) {
    if (place.page < m_page)
      place.action =
          static_cast<int>(m_lesson->pages[static_cast<std::size_t>(place.page)].actions.size()) - 1;
    for (; place.action >= 0; --place.action)
      if (at(place).deed == LessonDeed::kScenario) return place;
  }
  return std::nullopt;
}

void LessonModel::take(EventBatch events) {
  if (!m_lesson || m_watched.empty()) return;
  for (const Event& event : events) m_moments.publish(event);
}

// Batches come thirty times a second, and seldom with what a lesson waits for.
void LessonModel::follow() {
  if (m_lesson && noteDone()) emit changed();
}

// What the run has come to is done, and stays so when a person goes back. Returns whether anything is new.
bool LessonModel::noteDone() {
  const std::size_t before = m_done.size();
  for (std::size_t i = 0; i < m_moments.reached(); ++i) m_done.insert(m_watched[i]);
  const auto& actions = shown().actions;
  for (int i = 0; i < static_cast<int>(actions.size()); ++i)
    if (actions[static_cast<std::size_t>(i)].deed == LessonDeed::kStep &&
        m_session->finishedStep() >= wantedStep(i))
      m_done.insert({m_page, i});
  return m_done.size() != before;
}

// Several such actions of a page count on from each other.
int LessonModel::wantedStep(int action) const {
  int step = m_pageBegan;
  for (int i = 0; i <= action; ++i)
    if (const LessonAction& one = at({m_page, i}); one.deed == LessonDeed::kStep) step += one.steps;
  return step;
}

int LessonModel::nextAction() const {
  const int count = static_cast<int>(shown().actions.size());
  for (int i = 0; i < count; ++i)
    if (!isDone(i)) return i;
  return -1;
}

std::optional<int> LessonModel::chosen() const {
  const auto found = m_chosen.find(m_page);
  return found == m_chosen.end() ? std::nullopt : std::optional(found->second);
}

bool LessonModel::isFollowed(int action) const {
  return std::ranges::count(m_watched, Place{m_page, action}) > 0;
}

std::optional<BreakHit> LessonModel::hitOf(int action) const {
  const auto place = std::ranges::find(m_watched, Place{m_page, action});
  const auto index = static_cast<std::size_t>(place - m_watched.begin());
  return index < m_moments.reached() ? std::optional(m_moments.hits()[index]) : std::nullopt;
}

LessonModel::Next LessonModel::next() const {
  if (nextAction() >= 0) return Next::kAct;
  if (!shown().choices.empty() && !isRevealed()) return Next::kReveal;
  return m_page + 1 < pageCount() ? Next::kPage : Next::kEnd;
}

void LessonModel::setDone(int action) {
  if (!m_lesson || !m_done.insert({m_page, action}).second) return;
  emit changed();
}

void LessonModel::goOn() {
  if (!m_lesson) return;
  switch (next()) {
    case Next::kAct:
      return emit actionRequested(nextAction());
    case Next::kReveal:
      return reveal();
    case Next::kPage:
      return goTo(m_page + 1);
    case Next::kEnd:
      return emit ended();
  }
}

void LessonModel::goBack() {
  if (m_lesson) goTo(m_page - 1);
}

void LessonModel::goTo(int page) {
  if (!m_lesson || page < 0 || page >= pageCount() || page == m_page) return;
  m_page = page;
  m_pageBegan = m_session->finishedStep();
  emit changed();
  emit pageChanged(page);
}

void LessonModel::choose(int choice) {
  if (!m_lesson || isRevealed() || choice < 0 || choice >= static_cast<int>(shown().choices.size())) return;
  m_chosen[m_page] = choice;
  reveal();
}

void LessonModel::reveal() {
  if (!m_lesson || shown().choices.empty() || !m_revealed.insert(m_page).second) return;
  emit changed();
}

}  // namespace vitrine

#include "moc_lesson_model.cpp"
