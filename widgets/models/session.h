// Session: the one place in the window where events arrive, and the cursor that says which step is shown.
//
// Everything the window shows is a pure function of an event prefix. append() lengthens the recording; the
// cursor either follows its end (LIVE) or stands at a finished step, and going back is replaying. A new
// EngineLoaded starts a new run and forgets the old one. Nothing here walks the whole history: a run may last
// for hours, so what is kept of every step or token is a few bytes. Holds no engine and calls none.
// Thread: the window's. Read next: vitrine/recording.h, session_model.h.
#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "vitrine/recording.h"
#include "widgets/models/sequence_names.h"
#include "widgets/models/token_texts.h"

namespace vitrine {

using EventBatch = std::span<const Event>;

class Session : public QObject {
  Q_OBJECT
 public:
  explicit Session(QObject* parent = nullptr) : Session(std::filesystem::path(), parent) {}
  // The recording's file lies in this folder (recording.h).
  explicit Session(std::filesystem::path folder, QObject* parent = nullptr);

  // A batch of events in the engine's order, as the host drains them; they move into the recording. One
  // stateChanged() for each batch.
  void append(std::vector<Event> events);
  void clear();

  const MachineState& state() const { return moment().state; }  // at the cursor
  // Why each sequence that waits at the cursor was refused when last it was.
  const std::map<SequenceId, SequenceWaiting>& waits() const { return moment().waits; }
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

  // Of the step shown, with what came between it and the one before; LIVE also what came after it. Valid
  // until the next event or the next move of the cursor.
  EventBatch stepEvents() const;
  // So many of the recording's events the state shown knows.
  std::int64_t shownEnd() const;

  // What the token at `position` reads as, of a sequence in the state shown; one without text of its own
  // gives "#id".
  QString tokenText(SequenceId sequence, int position) const;
  // The latest sampling detail of a sequence at the cursor; null when there is none.
  std::shared_ptr<const TokenCandidates> candidates(SequenceId sequence) const;
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
  // Events came, LIVE or not, all of the present run; for views of the whole history. A batch that crosses
  // the end of the recording's chunk comes in parts.
  void appended(vitrine::EventBatch events);
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
  void pastUnreadable(const QString& message, const QString& hint);  // the disk has lost a part of the past
  void recordingInMemory(const QString& why);  // from here on, since the disk takes no more

 private:
  struct FirstToken {
    std::int64_t submittedNs = 0, firstNs = 0;
    int step = 0;
  };

  const Recording::Moment& moment() const { return m_past ? *m_past : m_recording.now(); }
  void take(Event event);
  void tellAppended();
  void note(const Event& event);
  void announce(const Event& event);
  void beginRun();
  void followSelection();

  Recording m_recording;
  SequenceNames m_names;
  std::optional<Recording::Moment> m_past;  // what is shown when not LIVE
  int m_cursor = 0;
  SequenceId m_selected = 0;
  bool m_chosen = false;  // somebody chose the selection; it stays
  std::optional<EngineLoaded> m_engine;
  TokenTexts m_texts;
  std::unordered_map<SequenceId, std::vector<int>> m_candidateSteps;  // that tell of its sampling, in order
  std::map<RequestId, FirstToken> m_firstTokens;
  std::int64_t m_toldPlace = 0;  // appended() has told the events before it
  bool m_toldMemory = false;
  // What was asked for last, since several views ask for the same.
  mutable EventRange m_stepEvents;
  mutable std::pair<int, std::int64_t> m_stepEventsOf{-1,
                                                      -1};  // the cursor (-1: LIVE), events in the recording
  struct Detail {
    SequenceId sequence = 0;
    int step = 0;
    std::int64_t size = 0;
    std::shared_ptr<const TokenCandidates> told;
  };
  mutable Detail m_detail;
};

}  // namespace vitrine
