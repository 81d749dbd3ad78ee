// Session: receives the window's events, and holds the cursor: the step that is shown.
//
// Everything the window shows is a pure function of an event prefix. append() extends the recording. The
// cursor either follows its end (LIVE) or stays in the past: at a finished step, or inside one, before a
// phase, as a machine that is held there. Going back is replaying. A new EngineLoaded starts a new run and
// drops the old one. A run may last for hours, so no function reads the whole history, and a step or token
// costs a few bytes. Holds no engine and calls none. Thread: the window's, which dev checks. Read next:
// vitrine/recording.h, session_model.h.
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "vitrine/recording.h"
#include "widgets/session/candidate_index.h"
#include "widgets/session/picture_turn.h"
#include "widgets/session/sampling_history.h"
#include "widgets/session/sequence_names.h"
#include "widgets/session/spotlight.h"
#include "widgets/session/token_texts.h"

namespace vitrine {

using EventBatch = std::span<const Event>;

class Session : public QObject {
  Q_OBJECT
 public:
  explicit Session(QObject* parent = nullptr) : Session(std::filesystem::path(), parent) {}
  // The folder of the recording's file (recording.h).
  explicit Session(std::filesystem::path folder, QObject* parent = nullptr);

  // A batch of events in the engine's order, as the host drains them; they move into the recording. One
  // stateChanged() for each batch.
  void append(std::vector<Event> events);
  // Recording::sharePast(), of a branch that has just begun.
  void sharePast(const Recording& origin, std::int64_t end) { m_recording->sharePast(origin, end); }
  void clear();

  const MachineState& state() const { return m_past ? *m_past : m_recording->live(); }  // at the cursor
  const Recording& recording() const { return *m_recording; }
  // The same, for readers that take their time: it stays as it is when a new run begins.
  std::shared_ptr<const Recording> sharedRecording() const { return m_recording; }
  const SequenceNames& names() const { return m_names; }
  // Of this run; none for a late joiner.
  const std::optional<EngineLoaded>& engine() const { return m_engine; }

  // Why a view of what is inside an engine has nothing to show: this one is another program's. Empty for
  // ours.
  QString unseenWords() const;

  bool isLive() const { return !m_past; }
  int step() const { return m_past ? m_cursor : m_recording->lastStep(); }  // the step shown
  int firstStep() const { return m_recording->firstStep(); }
  int lastStep() const { return m_recording->lastStep(); }
  bool isInsideStep() const;  // the state shown has the step's beginning, and not its end
  int finishedStep() const;   // the last step that the state shown has whole
  // Of the past: the phase before which the cursor stands inside a step; none: at a step's end.
  std::optional<Phase> phaseAhead() const { return m_hold ? std::optional(m_hold->ahead) : std::nullopt; }
  bool canGoBack() const;
  bool canGoForward() const { return !isLive(); }

  // The events of the step shown, as far as it is shown, and those between it and the step before; LIVE also
  // those after it. Valid until the next event or the next move of the cursor.
  EventBatch stepEvents() const;
  // Number of the recording's events that the state shown includes.
  std::int64_t shownEnd() const;

  // The text of the token at `position` of a sequence in the state shown; "#id" for a token without text of
  // its own.
  QString tokenText(SequenceId sequence, int position) const;
  // The same for a sequence of any step of the run; empty for a token without text of its own.
  QString recordedText(SequenceId sequence, int position) const { return m_texts.textAt(sequence, position); }
  // The text of a sequence in the state shown, with the names of tokens without text: "Hi</s>". Where there
  // are names it is in `named`, otherwise in `sequence`.
  std::string_view writtenText(const SequenceState& sequence, std::string& named) const {
    return m_texts.writtenBy(sequence, named);
  }
  // What sentences call sequences and tokens in the state shown. Valid until the cursor moves.
  prose::Names proseNames() const;
  // The latest sampling detail of a sequence at the cursor; null when there is none.
  std::shared_ptr<const TokenCandidates> candidates(SequenceId sequence) const;
  int candidatesStep(SequenceId sequence) const;  // in which they were published; 0: there are none
  // The sampling options of the run's requests at any step.
  const SamplingHistory& sampling() const { return m_sampling; }
  // The sequence that all views show; 0: none. Until the user selects one, the newest running sequence.
  SequenceId selectedSequence() const { return m_selected; }
  Spotlight* spotlight() { return &m_spotlight; }  // what the user points at, for all views
  PictureTurn* pictureTurn() { return &m_pictureTurn; }

 public slots:
  void goToStep(int step);  // clamped to the steps that have finished
  void goLive();
  void goBack();     // one step; from inside a step, to the last finished one
  void goForward();  // one step, or to the end of this one; after the last finished one, LIVE
  // Of the past: as a machine that is stepped by phases. A new step goes on to its second phase, and behind
  // the last phase the step is at its end; after the last finished step, LIVE.
  void goToNextPhase();
  void selectSequence(int sequence);

 signals:
  // Before runStarted(): what was recorded of the run that ends, at least one step.
  void runReplaced(std::shared_ptr<const vitrine::Recording> recording);
  void runStarted();    // a new run: drop the old one's events
  void stateChanged();  // events came while LIVE, or the cursor moved
  // Events of the present run came, LIVE or not; for views of the whole history. A batch that crosses the end
  // of the recording's chunk comes in parts.
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
  void streamDamaged(const QString& message);  // an event contradicted the state and was skipped
  void pastUnreadable(const QString& message, const QString& hint);  // the disk has lost a part of the past
  void recordingInMemory(const QString& why);                        // from now on, since the disk is full

 private:
  void take(Event event);
  void publishAppended();
  void note(const Event& event);
  void announce(const Event& event);
  void beginRun();
  void followSelection();
  std::string missedText(TokenId token, const PrefixMissed& missed) const;
  // Inside a step of the past, where a part of its events is shown.
  struct Hold {
    Phase ahead = Phase::kAdmit;
    std::size_t events = 0;  // shown of the step
    std::int64_t end = 0;    // the place behind them
  };
  std::optional<Hold> nextHold(int step) const;
  MachineState stateIn(int step, const Hold& hold) const;
  void moveTo(int step, std::optional<Hold> hold);
  void leavePast();
  std::shared_ptr<const TokenCandidates> heldCandidates(SequenceId sequence) const;

  const std::filesystem::path m_folder;
  std::shared_ptr<Recording> m_recording;  // of the present run
  SequenceNames m_names;
  std::optional<MachineState> m_past;  // the state shown when not LIVE
  int m_cursor = 0;
  std::optional<Hold> m_hold;  // none: the past step is shown whole
  SequenceId m_selected = 0;
  bool m_chosen = false;  // the user made the selection; it stays
  Spotlight m_spotlight;
  PictureTurn m_pictureTurn;
  std::optional<EngineLoaded> m_engine;
  TokenTexts m_texts;
  CandidateIndex m_candidates;
  SamplingHistory m_sampling;
  std::int64_t m_publishedPlace = 0;  // appended() has published the events before it
  bool m_memoryReported = false;
  // The last answer, since several views ask for the same; of a cursor (-1: LIVE) and a number of events.
  mutable EventRange m_stepEvents;
  mutable std::pair<int, std::int64_t> m_stepEventsOf{-1, -1};
};

}  // namespace vitrine
