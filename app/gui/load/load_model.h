// LoadModel: the load of several servers as a table, a row a server in the order of LoadWatcher.
//
// A figure that a server does not tell is "—", with the reason as its tooltip; none is guessed, and those of
// a server that does not answer any more are not shown. It has a session because views do; the session may be
// an empty one. Thread: the window's. Read next: load_watcher.h, load_figures.h.
#pragma once

#include "gui/load/load_figures.h"
#include "widgets/session/session_model.h"

namespace vitrine {

class LoadWatcher;

struct LoadRow {
  QString server, engine;  // "10.0.0.5:8000", "vLLM"
  LoadFigures figures;
  QString state;  // "answers", or what is wrong
  bool answers = false;

  bool operator==(const LoadRow&) const = default;
};

class LoadModel : public RowsModel<LoadRow> {
  Q_OBJECT

 public:
  enum Column {
    kServer,
    kEngine,
    kRunning,
    kWaiting,
    kCache,
    kHits,
    kGenerated,
    kPrompt,
    kPreemptions,
    kState
  };

  // The watcher outlives it.
  LoadModel(Session* session, const LoadWatcher& watcher, QObject* parent = nullptr);

  // For screen readers: "10.0.0.5:8000, vLLM, answers: Running 21, Waiting 3".
  QString describe(int row) const;

 protected:
  const TableColumns& columns() const override;
  QVariant otherData(const QModelIndex& index, int role) const override;
  void refresh() override;

 private:
  LoadRow rowOf(int server) const;
  QString whyNotTold(const LoadRow& row, int column) const;

  const LoadWatcher& m_watcher;
};

}  // namespace vitrine
