// ApiAnswer: the answers of one request on their way to its client, whole at their end or in chunks while
// they are drawn.
//
// Thread: the engine's, but for its making. Read next: api_writing.h, api_reply.h.
#pragma once

#include <cstdint>
#include <vector>

#include "server/api_reply.h"
#include "server/api_writing.h"

namespace vitrine::server {

class ApiAnswer final : public AnswerSink {
 public:
  ApiAnswer(const ApiPlan& plan, std::shared_ptr<const ServedModel> model, std::shared_ptr<ApiReply> reply);

  void refused(const EngineError& error) override;
  void accepted() override;
  void wrote(Written written) override;
  void finished(const ServedUsage& usage) override;
  void failed(const EngineError& error) override;

 private:
  // A completion is read behind its prompt, so a space that begins its first token belongs to it. The
  // engine's text is that of the answer alone, where SentencePiece's decoder leaves this space out.
  enum class FirstSpace : std::uint8_t { kUnknown, kMissing, kDone };
  void keepFirstSpace(Written& written);
  void say(const std::string& chunk);

  const bool m_streams, m_searches;
  const std::shared_ptr<const ServedModel> m_model;
  const ApiWriting m_writing;
  const std::shared_ptr<ApiReply> m_reply;
  std::vector<ApiChoice> m_choices;       // when it is written whole
  std::vector<std::size_t> m_characters;  // of each answer that were streamed, by the texts of its tokens
  std::vector<FirstSpace> m_firstSpaces;  // of each answer
};

// Has the body of a request answered. Throws ApiError as planOf(), 429 when `mostUnderWay` requests wait or
// run already, and 503 without a model; then the reply has heard nothing. Thread: any.
ServedId submitBody(Served& served, int mostUnderWay, ApiKind kind, const Json& body,
                    std::shared_ptr<ApiReply> reply);

}  // namespace vitrine::server
