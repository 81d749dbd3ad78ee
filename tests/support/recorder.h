// Recorder: a sink that makes a Recording of what is published. Read next: event_log.h, which keeps a list.
#pragma once

#include "vitrine/event_sink.h"
#include "vitrine/recording.h"

namespace vitrine::test {

class Recorder final : public EventSink {
 public:
  void publish(const Event& event) override { recording.append(event); }
  Recording recording;
};

}  // namespace vitrine::test
