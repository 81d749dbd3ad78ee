// ApiAnswer: the answers of one request on their way to its client, whole at their end or as a stream of
// server-sent events while they are drawn.
//
// Thread: the engine's, but for its making. Read next: api_writing.h, http_server.h.
#pragma once

#include "server/api_writing.h"
#include "server/http_server.h"

namespace vitrine::server {

class ApiAnswer final : public AnswerSink {
 public:
  // The model must outlive it.
  ApiAnswer(const ApiPlan& plan, const ServedModel& model, std::shared_ptr<Responder> responder);

  void refused(const EngineError& error) override;
  void accepted() override;
  void wrote(Written written) override;
  void finished(const ServedUsage& usage) override;
  void failed(const EngineError& error) override;

 private:
  const bool m_streams;
  const ApiWriting m_writing;
  const std::shared_ptr<Responder> m_responder;
  std::vector<ApiChoice> m_choices;       // when it is written whole
  std::vector<std::size_t> m_characters;  // of each answer that were streamed, by the texts of its tokens
};

}  // namespace vitrine::server
