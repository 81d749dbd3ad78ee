// ModelLoading: which model or scenario is open, which loads are ordered, and the way back from a scenario.
//
// The open model changes only when a load succeeds. A load that fails, is cancelled or is replaced by a newer
// order changes nothing, so the model that was open stays open. Thread: the window's. Read next:
// engine_host.h, which loads.
#pragma once

#include <QObject>
#include <functional>
#include <map>
#include <optional>

#include "gui/machine/engine_host.h"
#include "scenarios/scenario.h"

namespace vitrine {

class ModelLoading : public QObject {
  Q_OBJECT

 public:
  // A model, or a scenario with its model.
  struct Setup {
    LoadOrder order;  // once it is open, with the number of blocks that its pool got
    std::optional<Scenario> scenario;
    bool poolIsFitted = false;  // nothing but the free memory has chosen that number
  };

  explicit ModelLoading(EngineHost& host, QObject* parent = nullptr);  // the host must outlive it

  // Of the memory, for the KV pool of models opened from now on.
  void setKvShare(KvShare share) { m_kvShare = share; }
  // Of scenarios opened from now on, in place of their own.
  void setDevice(std::optional<Device> device) { m_device = device; }
  // Decides whether the machine may be taken away for this change, at once or later. Without it: always.
  using MayChange = std::function<void(const QString& change, const std::function<void(bool goOn)>& decided)>;
  void setMayChange(MayChange mayChange) { m_mayChange = std::move(mayChange); }
  // For another change that takes the machine away, such as a recording: `work` is done when it may be. The
  // change is a button's name.
  void whenFree(const QString& change, const std::function<void()>& work);

  const Setup& current() const { return m_open; }  // an empty path: nothing was opened yet
  bool isUnderWay() const { return m_underWay; }
  bool isExpected() const { return !m_ordered.empty(); }  // an ordered load has not yet made its machine

  void openModel(LoadOrder order);
  // Reads the scenario's file on this thread; noticed() says why it cannot be read.
  void openScenario(const QString& nameOrFile);
  void playScenario(Scenario scenario);  // a changed one, from its beginning
  // Loads what was open before the first of the scenarios opened in a row; false if that was nothing.
  bool leaveScenario();
  // Loads the open model from its beginning, without a question: it was asked for. Outside of a scenario
  // with these requests.
  void reload(std::vector<ChatOrder> staged);
  void reloadWith(const EngineOptions& options);
  // A run that was loaded so goes on after one of its steps.
  void resume(Setup run, Resumption resumption);
  void cancel() { m_host.cancelLoad(); }

 signals:
  void begun();  // a load was ordered
  void progressed(double fraction, const QString& what);
  void opened(const QString& templateProblem);  // current() has changed
  void ended();  // no load is under way any more, whether or not one succeeded or was begun
  void noticed(const vitrine::Notice& notice);  // of a scenario's file

 private:
  void play(Scenario scenario);
  template <class Action>
  void guarded(Action action);
  void begin(Setup setup);
  void beginWhenFree(const QString& change, Setup setup);
  void onLoaded(LoadTicket ticket, const QString& templateProblem, int numBlocks);
  void onModeChanged();

  EngineHost& m_host;
  MayChange m_mayChange;
  std::map<LoadTicket, Setup> m_ordered;  // under way, or replaced by a newer one
  Setup m_open;
  Setup m_before;  // what was open before the scenario
  KvShare m_kvShare = KvShare::kHalf;
  std::optional<Device> m_device;
  bool m_underWay = false;
};

}  // namespace vitrine
