#include "gui/drivers/bench_runs.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace vitrine {
namespace {

QJsonObject request(int number, int prompt, int answer, int arrival) {
  QJsonArray ids;
  for (int i = 0; i < prompt; ++i) ids.append(3 + (number * 7 + i * 5) % 300);
  return {{QStringLiteral("token_ids"), ids},
          {QStringLiteral("max_tokens"), answer},
          {QStringLiteral("ignore_eos"), true},
          {QStringLiteral("arrival_step"), arrival}};
}

QByteArray scenario(const QString& title, const QJsonObject& options, const QJsonArray& requests,
                    const QString& model = {}) {
  QJsonObject all{{QStringLiteral("title"), title},
                  {QStringLiteral("options"), options},
                  {QStringLiteral("requests"), requests}};
  if (!model.isEmpty()) all.insert(QStringLiteral("model"), model);
  return QJsonDocument(all).toJson();
}

}  // namespace

QByteArray poolRun(int blocks, int steps) {
  constexpr int kSlots = 16, kPrompt = 64, kAnswer = 400;
  QJsonArray requests;
  for (int i = 0; i / kSlots * kAnswer < steps + kAnswer; ++i)
    requests.append(request(i, kPrompt, kAnswer, i / kSlots * kAnswer));
  return scenario(QStringLiteral("A pool of %1 blocks").arg(blocks),
                  {{QStringLiteral("num_blocks"), blocks},
                   {QStringLiteral("max_sequences"), kSlots},
                   {QStringLiteral("token_budget"), 512}},
                  requests, QStringLiteral("tiny"));
}

QByteArray crowdRun() {
  constexpr int kCrowd = 64, kBeams = 16, kRounds = 6, kPrompt = 16, kAnswer = 900;
  QJsonArray requests;
  for (int round = 0; round < kRounds; ++round) {
    QJsonObject search = request(kCrowd, kPrompt, kAnswer, 0);
    search.insert(QStringLiteral("beam_width"), kBeams);
    requests.append(search);
    for (int i = 0; i < kCrowd; ++i) requests.append(request(i, kPrompt, kAnswer, 0));
  }
  return scenario(QStringLiteral("A crowd"),
                  {{QStringLiteral("num_blocks"), kCrowdBlocks},
                   {QStringLiteral("max_sequences"), kCrowd + kBeams},
                   {QStringLiteral("token_budget"), 1024},
                   {QStringLiteral("draft"), QStringLiteral("exit")},
                   {QStringLiteral("draft_length"), 4}},
                  requests);
}

QByteArray longRun() {
  return scenario(QStringLiteral("A long prompt"),
                  {{QStringLiteral("num_blocks"), kLongBlocks}, {QStringLiteral("token_budget"), 1024}},
                  {request(0, kLongPrompt, 4, 0)});
}

}  // namespace vitrine
