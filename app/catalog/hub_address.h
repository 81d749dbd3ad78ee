// What a person types or pastes to name a model of the hub. Thread: any. Read next: hub_listing.h.
#pragma once

#include <QString>
#include <QUrl>
#include <optional>

namespace vitrine {

struct HubAddress {
  QString repository;         // "owner/name"
  QString revision = "main";  // a branch, a tag or a commit
  QString file = {};          // within the repository; empty: none is named
  QString quantization = {};  // upper case, "Q4_K_M"; empty: none is named
};

// "owner/name" by the hub's rule for names, and nothing else.
bool isRepositoryName(const QString& text);

struct ParsedHubAddress {
  std::optional<HubAddress> address;
  QString problem = {};  // why there is none, in a sentence
};

// "owner/name", "owner/name:Q4_K_M", and the addresses of a page, a folder or a file of a model at `hub`
// (https://huggingface.co/owner/name/blob/main/model.gguf), with or without "https://". "hf.co" is the hub
// too.
ParsedHubAddress parseHubAddress(const QString& text, const QUrl& hub);

}  // namespace vitrine
