// The built-in model behind a server on a port of this machine, and what its engine did.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "server/api_server.h"
#include "server/raw_client.h"
#include "server/served_engine.h"
#include "vitrine/engine.h"
#include "vitrine/speculation_report.h"
#include "vitrine/statistics.h"

namespace vitrine::test {

// What a server's answers and figures are compared with. Behind the server's own sink, so that each event has
// changed its figures already.
struct EventTally final : EventSink {
  void publish(const Event& event) override {
    events.publish(event);
    statistics.add(event);
    speculation.add(event);
    if (isA<RequestCancelled>(event)) ++cancelled;
    if (isA<SequencePreempted>(event)) ++preempted;
    if (const auto* step = bodyOf<StepFinished>(event)) {
      const server::EngineFigures& figures = events.metrics().figures();
      ++steps;
      if (figures.running.read() != step->running || figures.waiting.read() != step->waiting) ++wrong;
    }
  }
  server::AnswerEvents events;
  Statistics statistics;  // these two: while nothing is under way
  SpeculationReport speculation;
  std::atomic<int> cancelled = 0, preempted = 0, steps = 0;
  std::atomic<int> wrong = 0;  // steps after which the figures have other numbers of sequences
};

// The built-in model behind a server.
struct Service {
  // name: of the model; empty: its own
  explicit Service(const EngineOptions& options = {}, const std::string& name = {})
      : engine(Engine::load(builtinModelDirectory(), options, tally)),
        served(*engine, tally.events, modelOf(*engine, name)),
        api(served, server::AccessRules::forAddress("127.0.0.1", {}, ""), 256),
        http(api) {
    http.listen("127.0.0.1", 0);
  }
  static server::ServedModel modelOf(const Engine& engine, const std::string& name = {}) {
    server::ServedModel model;
    model.name = name.empty() ? engine.description().model.name : name;
    model.contextLength = engine.description().model.contextLength;
    model.sampling.temperature = 1;
    model.tokenizer = engine.tokenizer();
    return model;
  }
  int port() const { return http.port(); }
  RawAnswer post(const char* path, const std::string& body) const {
    return ask(port(), postText(path, body));
  }

  EventTally tally;
  std::unique_ptr<Engine> engine;
  server::ServedEngine served;
  server::ApiServer api;
  server::HttpServer http;
};

}  // namespace vitrine::test
