// ContextParts: how many tokens of the prompt of the chat shown are its system prompt and its files, and how
// many were left out, and how many all of its conversation would take, for the meter.
// Counted by the engine's tokenizer, in its thread, when they change.
//
// Thread: the window's. Read next: token_counter.h, widgets/chat/context_meter.h.
#pragma once

#include <QObject>

#include "desk/desk.h"
#include "gui/questions/token_counter.h"

namespace vitrine {

class ContextMeter;

class ContextParts : public QObject {
  Q_OBJECT

 public:
  ContextParts(Desk& desk, EngineHost& host, ContextMeter& meter, QObject* parent = nullptr);

  // The messages of the chat may be others.
  void read();

 private:
  void tell();

  Desk& m_desk;
  const EngineHost& m_host;
  ContextMeter& m_meter;
  TokenCounter m_system, m_files, m_leftOut, m_conversation;
};

}  // namespace vitrine
