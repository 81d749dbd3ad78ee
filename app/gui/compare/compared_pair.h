// ComparedPair: two machines with the same requests and other options, and one cursor for both: in step, or
// each at its own speed.
//
// In step no machine begins step n + 1 before both have finished step n; one that has no work left stands at
// its end. Going back is looking into both recordings. Thread: the window's. Read next: compare_window.h.
#pragma once

#include <QObject>
#include <QTimer>
#include <array>

#include "gui/compare/compared_machine.h"

namespace vitrine {

class ComparedPair : public QObject {
  Q_OBJECT

 public:
  static constexpr int kSides = 2;
  enum class Pace : std::uint8_t { kInStep, kOwnSpeed };

  explicit ComparedPair(QObject* parent = nullptr);

  // Both from their beginning. noticed() says why a machine cannot be made.
  void open(Scenario one, Scenario other);
  void restart();
  void close();
  bool isOpen() const { return m_isOpen; }

  const Scenario& scenario(int side) const { return m_scenarios[static_cast<std::size_t>(side)]; }
  ComparedMachine& side(int side) { return *m_sides[static_cast<std::size_t>(side)]; }
  const ComparedMachine& side(int side) const { return *m_sides[static_cast<std::size_t>(side)]; }

  Pace pace() const { return m_pace; }
  void setPace(Pace pace);
  // Of running in step, in steps a second; 0: as fast as both machines go.
  void setStepsPerSecond(double rate) { m_rate = rate; }

  int step() const { return m_cursor; }  // the step shown; a run that has ended shows its last one
  int lastStep() const;                  // of the longer run
  bool isRunning() const;                // not of a single step
  bool isLoading() const;
  bool haveEnded() const;
  bool canStep() const { return m_isOpen && !isLoading() && (m_cursor < lastStep() || !haveEnded()); }

 public slots:
  void stepBoth();
  void back();
  void goTo(int step);  // clamped to the steps that are there
  void run();
  void pause();

 signals:
  void opened();   // other scenarios
  void changed();  // the cursor, the machines, or what they have done
  void noticed(const vitrine::Notice& notice);

 private:
  void onAdvanced();
  void show(int step);
  bool stand() const;  // neither machine is under way, nor has an order before it
  void goOn();

  std::array<ComparedMachine*, kSides> m_sides{};
  std::array<Scenario, kSides> m_scenarios;
  Pace m_pace = Pace::kInStep;
  double m_rate = 0;
  QTimer m_next;  // of the next step of a run in step
  int m_cursor = 0;
  int m_ordered = 0;  // the last step that was asked for in step
  bool m_isOpen = false, m_runs = false;
  bool m_follows = true;  // the cursor is at the end of what both have done
};

}  // namespace vitrine
