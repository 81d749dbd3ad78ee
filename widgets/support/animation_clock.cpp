#include "widgets/support/animation_clock.h"

#include <QtGlobal>
#include <algorithm>
#include <optional>

namespace vitrine {
namespace {

constexpr int kTickMs = 33;

// Empty until setReducedMotion(); the environment is the default, since Qt 6.4 has no platform hint for it.
std::optional<bool>& reducedMotionSetting() {
  static std::optional<bool> setting;
  return setting;
}

}  // namespace

AnimationClock::AnimationClock(QObject* parent) : QObject(parent) {
  m_elapsed.start();
  m_timer.setInterval(kTickMs);
  connect(&m_timer, &QTimer::timeout, this, &AnimationClock::onTimeout);
}

void AnimationClock::run(int durationMs) {
  if (reducedMotion()) {
    emit tick();
    return;
  }
  m_endMs = std::max(m_endMs, nowMs() + durationMs);
  if (!m_timer.isActive()) m_timer.start();
}

void AnimationClock::stop() {
  m_timer.stop();
  m_endMs = 0;
}

void AnimationClock::onTimeout() {
  if (nowMs() >= m_endMs) stop();
  emit tick();
}

bool AnimationClock::reducedMotion() {
  if (const auto& setting = reducedMotionSetting()) return *setting;
  return qEnvironmentVariableIntValue("VITRINE_REDUCED_MOTION") != 0;
}

void AnimationClock::setReducedMotion(bool reduced) { reducedMotionSetting() = reduced; }

}  // namespace vitrine

#include "moc_animation_clock.cpp"
