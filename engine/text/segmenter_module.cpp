#include "text/segmenter_module.h"

#include <sentencepiece_processor.h>

#include <memory>

namespace vitrine {
namespace {

class SentencePieceSegmenter final : public Segmenter {
 public:
  bool load(std::string_view model, std::string& error) {
    return good(m_processor.LoadFromSerializedProto({model.data(), model.size()}), error);
  }
  bool encode(std::string_view text, std::vector<int>& ids, std::string& error) const override {
    return good(m_processor.Encode({text.data(), text.size()}, &ids), error);
  }

 private:
  static bool good(const sentencepiece::util::Status& status, std::string& error) {
    if (!status.ok()) error = status.error_message();
    return status.ok();
  }

  sentencepiece::SentencePieceProcessor m_processor;
};

}  // namespace
}  // namespace vitrine

extern "C" {

__attribute__((visibility("default"))) const char* vitrineModuleVersion() { return VITRINE_VERSION; }

__attribute__((visibility("default"))) vitrine::Segmenter* vitrineMakeSegmenter(std::string_view model,
                                                                                std::string& error) {
  auto segmenter = std::make_unique<vitrine::SentencePieceSegmenter>();
  return segmenter->load(model, error) ? segmenter.release() : nullptr;
}
}
