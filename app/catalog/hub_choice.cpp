#include "catalog/hub_choice.h"

#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "vitrine/gguf_name.h"

namespace vitrine {
namespace {

bool readsQuantization(const QString& quantization) {
  static const QRegularExpression read(
      QStringLiteral("^(?:Q[23]_K|IQ4_XS|(?:UD-)?(?:Q4_[01K]|Q5_[01K]|Q6_K|Q8_0|IQ4_NL|MXFP4|BF16|F16|F32))"
                     "(?:_|$)"));  // below four bits, UD files mix in types that are not read
  return quantization.isEmpty() || read.match(quantization).hasMatch();
}

QList<HubChoice> ggufChoices(const HubListing& listing) {
  std::map<std::pair<QString, int>, std::map<int, HubFile>> models;  // of a path and its parts: the files
  for (const HubFile& file : listing.files) {
    const std::string path = file.path.toStdString();
    if (!isGgufName(path)) continue;
    const GgufName name = readGgufName(path);
    if (name.isVision) continue;
    const QString folder = file.path.left(file.path.lastIndexOf('/') + 1);
    models[{folder + QString::fromStdString(name.base), name.parts}][name.part] = file;
  }
  QList<HubChoice> choices;
  for (const auto& [key, files] : models) {
    if (qsizetype(files.size()) != key.second || files.begin()->first != 1) continue;
    const GgufName name = readGgufName(files.begin()->second.path.toStdString());
    HubChoice choice{QString::fromStdString(name.quantization.empty() ? name.base : name.quantization), {}};
    for (const auto& part : files) choice.files.append(part.second);
    choice.isReadable = readsQuantization(QString::fromStdString(name.quantization));
    choices.append(choice);
  }
  std::ranges::stable_sort(choices, {}, &HubChoice::bytes);
  return choices;
}

// Of a folder with config.json at the top. Mistral's repositories hold the weights twice, once as
// "consolidated".
QList<HubChoice> folderChoice(const HubListing& listing) {
  static const QRegularExpression wanted(QStringLiteral(
      "^(?:config|generation_config|tokenizer|tokenizer_config|special_tokens_map|added_tokens|vocab|"
      "chat_template|model\\.safetensors\\.index)\\.json$|^tokenizer\\.model$|^merges\\.txt$|^chat_"
      "template\\.jinja$|"
      "^LICEN[CS]E(?:\\.\\w+)?$|^model[^/]*\\.safetensors$"));
  HubChoice choice{"safetensors", {}, true};
  bool hasConfig = false, hasWeights = false;
  for (const HubFile& file : listing.files) {
    if (!wanted.match(file.path).hasMatch()) continue;
    hasConfig = hasConfig || file.path == "config.json";
    hasWeights = hasWeights || file.path.endsWith(".safetensors");
    choice.files.append(file);
  }
  if (!hasConfig || !hasWeights) return {};
  return {choice};
}

// The smaller the better: the list's length for what is not in it, one more for what is not read.
int rankOf(const HubChoice& choice) {
  static const QStringList kOrder = {"Q4_K_M", "Q4_K_S", "IQ4_XS", "Q4_0",  "Q5_K_M", "Q5_K_S",
                                     "Q5_0",   "Q6_K",   "Q8_0",   "MXFP4", "Q3_K_L", "Q3_K_M",
                                     "Q3_K_S", "BF16",   "F16",    "F32",   "Q2_K",   "Q2_K_S"};
  const int rank = int(kOrder.indexOf(choice.label));
  if (rank >= 0) return rank;
  return int(kOrder.size()) + (choice.isReadable ? 0 : 1);
}

void suggest(QList<HubChoice>& choices, const HubAddress& wish) {
  const auto named = std::ranges::find_if(choices, [&](const HubChoice& choice) {
    const bool hasFile =
        !wish.file.isEmpty() && std::ranges::count(choice.files, wish.file, &HubFile::path) > 0;
    return hasFile || (!wish.quantization.isEmpty() && choice.label == wish.quantization);
  });
  if (named != choices.end()) {
    named->isSuggested = true;
  } else if (!choices.isEmpty()) {
    std::ranges::min_element(choices, {}, rankOf)->isSuggested = true;
  }
}

}  // namespace

qint64 HubChoice::bytes() const {
  qint64 sum = 0;
  for (const HubFile& file : files) sum += file.bytes;
  return sum;
}

QList<HubChoice> hubChoices(const HubListing& listing, const HubAddress& wish) {
  QList<HubChoice> choices = ggufChoices(listing);
  choices += folderChoice(listing);
  suggest(choices, wish);
  return choices;
}

}  // namespace vitrine
