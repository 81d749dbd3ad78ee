// The engine's errors name options as the command line writes them ("--num-blocks", "--kernels native"). A
// window shows the label that the option has in its dialog. Thread: the window's.
#pragma once

#include <QString>

namespace vitrine {

// "give the pool 9 blocks with --num-blocks" as "give the pool 9 blocks with “KV blocks”". An option that has
// no label is called by its key.
QString inWindowWords(const QString& message);

// An option by its key ("prefix_cache"), and a value as a file spells it ("false"), in the words of its
// dialog: "Prefix cache", "off". What has no label stays as it is.
QString optionName(const QString& key);
QString optionValue(const QString& key, const QString& value);

// The schema's help of an option, in the window's words.
QString optionHelp(const char* key, const char* help);

}  // namespace vitrine
