// Session: the one place in the window where events arrive, and the cursor that says which step is shown.
//
// Everything the window shows is a pure function of an event prefix. append() lengthens the recording; the
// cursor either follows its end (LIVE) or stands at a finished step, and going back is replaying. A new
// EngineLoaded starts a new run and forgets the old one. Holds no engine and calls none.
// Thread: the window's. Read next: vitrine/recording.h, session_model.h.
#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "vitrine/recording.h"
#include "widgets/models/sequence_names.h"

namespace vitrine {

class Session : public QObject {
  Q_OBJECT
 public:
  explicit Session(QObject* parent = nullptr) : QObject(parent) {}

  // A batch of events in the engine's order, as the host drains them. One stateChanged() a batch.
  void append(std::vector<Event> events);
  void clear();

  const MachineState& state() const { return m_past ? *m_past : m_recording.live(); }  // at the cursor
  const Recording& recording() const { return m_recording; }
  const SequenceNames& names() const { return m_names; }
  const std::optional<EngineLoaded>& engine() const {
    return m_engine;
  }  // of this run; none for a late joiner

  bool isLive() const { return !m_past; }
  int step() const { return m_past ? m_cursor : m_recording.lastStep(); }  // the step shown
  int firstStep() const { return m_recording.firstStep(); }
  int lastStep() const { return m_recording.lastStep(); }
  bool isInsideStep() const;  // live, and the last step has begun but not finished
  bool canGoBack() const;
  bool canGoForward() const { return !isLive(); }

  // Of the step shown, with what came between it and the one before; LIVE also what came after it.
  std::span<const Event> stepEvents() const;
  std::span<const Event> shownEvents() const;  // all that the state shown knows

  // What the token at `position` reads as, of a sequence in the state shown; one without text of its own
  // gives "#id".
  QString tokenText(SequenceId sequence, int position) const;
  // The latest sampling detail of a sequence at the cursor; null when there is none.
  const TokenCandidates* candidates(SequenceId sequence) const;
  // Time from submission to the first token, 0 while there is none at the cursor.
  std::int64_t ttftNs(RequestId request) const;

  // The sequence all views point at; 0 for none. The newest running one until somebody chooses.
  SequenceId selectedSequence() const { return m_selected; }

 public slots:
  void goToStep(int step);  // clamped to the steps that have finished
  void goLive();
  void goBack();     // one step; from inside a step, to the last finished one
  void goForward();  // one step; after the last finished one, LIVE
  void selectSequence(int sequence);

 signals:
  void runStarted();    // a new run: forget the old one's events
  void stateChanged();  // what is shown changed: events came while LIVE, or the cursor moved
  void appended();      // events came, LIVE or not; for what shows the whole history
  void cursorChanged(int step, bool live);
  void selectionChanged(int sequence);

  void engineLoaded(const vitrine::EngineLoaded& engine);
  void engineFailed(const QString& code, const QString& message, const QString& hint);
  void requestSubmitted(const vitrine::RequestSubmitted& request);
  void requestRejected(const vitrine::RequestRejected& rejection);
  void requestFinished(const vitrine::RequestFinished& finished);
  void textAppended(int request, int sequenceIndex, const QString& text);
  void stepFinished(int step);
  void streamDamaged(const QString& message);  // an event contradicted the state; it was left out

 private:
  struct TokenNote {
    std::string text;
    TokenId token = 0;
  };
  struct CandidateMark {
    int step;
    std::size_t event;
  };
  struct FirstToken {
    std::int64_t submittedNs = 0, firstNs = 0;
    int step = 0;
  };

  void take(Event event);
  void note(const Event& event);
  void announce(const Event& event);
  void beginRun();
  void followSelection();

  Recording m_recording;
  SequenceNames m_names;
  std::optional<MachineState> m_past;  // the state shown when not LIVE
  int m_cursor = 0;
  SequenceId m_selected = 0;
  bool m_chosen = false;  // somebody chose the selection; it stays
  std::optional<EngineLoaded> m_engine;
  std::map<RequestId, std::vector<std::string>> m_promptPieces;
  std::map<SequenceId, std::map<int, TokenNote>> m_outputPieces;  // by position
  std::map<SequenceId, std::vector<CandidateMark>> m_candidates;
  std::map<RequestId, FirstToken> m_firstTokens;
};

}  // namespace vitrine
