#include "gui/window/setting_table.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>

#include "catalog/proxy_address.h"
#include "gui/chat/chat_menu.h"
#include "gui/chat/chats.h"
#include "gui/library/models_opening.h"
#include "gui/panels/perspectives.h"
#include "gui/parts/appearance.h"
#include "gui/questions/sampling_controller.h"
#include "gui/settings/setting_editors.h"
#include "gui/settings/settings.h"
#include "widgets/support/option_text.h"
#include "widgets/support/translations.h"
#include "widgets/support/window_words.h"
#include "widgets/support/wording.h"

namespace vitrine {
namespace {

// For change(): what cannot be wrong.
template <class Work>
auto always(const Work& work) {
  return [work](const QVariant& value) {
    work(value);
    return QString();
  };
}

MakeEditor listOf(Setting& setting, const std::vector<SettingChoice>& choices) {
  for (const SettingChoice& choice : choices) setting.also << choice.name;
  return choiceEditor(choices);
}

Setting theme(const SettingOwners& to) {
  Setting one{"theme", SettingGroup::kLook, Wording::tr("Theme"), Wording::tr("The colours of all windows.")};
  std::vector<SettingChoice> choices;
  for (const ColourScheme scheme : Appearance::kSchemes)
    choices.push_back({withoutMark(Appearance::nameOf(scheme)), Appearance::keyOf(scheme)});
  one.makeEditor = listOf(one, choices);
  one.fallback = Appearance::keyOf(ColourScheme::kDesktop);
  one.value = [to] { return Appearance::keyOf(to.appearance.scheme()); };
  one.change =
      always([to](const QVariant& key) { to.appearance.setScheme(Appearance::fromKey(key.toString())); });
  return one;
}

Setting language(const SettingOwners& to) {
  Setting one{"language", SettingGroup::kLook, Wording::tr("Language"),
              Wording::tr("The words of the window, of the sentences and of the lessons.")};
  std::vector<SettingChoice> choices = {{Wording::tr("As the desktop"), QString()}};
  for (const OfferedLanguage& offered : offeredLanguages()) choices.push_back({offered.name, offered.key});
  one.makeEditor = listOf(one, choices);
  one.fallback = QString();
  one.value = [to] { return to.settings.language(); };
  one.change = always([to](const QVariant& key) {
    if (key.toString() == to.settings.language()) return;
    to.settings.language.set(key.toString());
    to.speakLanguage();
  });
  return one;
}

Setting textSize(const SettingOwners& to) {
  Setting one{"text_size", SettingGroup::kLook, Wording::tr("Text size"),
              Wording::tr("The letters of all windows.")};
  std::vector<SettingChoice> choices;
  for (const int percent : Appearance::kPercents)
    choices.push_back({Wording::tr("%1 %").arg(percent), percent});
  one.makeEditor = listOf(one, choices);
  one.fallback = Appearance::kSmallestPercent;
  one.value = [to] { return to.appearance.textPercent(); };
  one.change = always([to](const QVariant& percent) { to.appearance.setTextPercent(percent.toInt()); });
  return one;
}

Setting layout(const SettingOwners& to) {
  return {"layout", SettingGroup::kLook, Wording::tr("Places of the panels"),
          Wording::tr(
              "Panels can be moved, closed and put behind one another. This puts them back where they were."),
          buttonEditor(Wording::tr("Restore default layout"), [to] { to.perspectives.restoreDefault(); })};
}

Setting firstPerspective(const SettingOwners& to) {
  Setting one{"first_perspective", SettingGroup::kStart, Wording::tr("Vitrine starts with"),
              Wording::tr("The perspective that the window opens with.")};
  std::vector<SettingChoice> choices = {{Wording::tr("The last one"), QString()}};
  for (const Perspective at : {Perspective::kChat, Perspective::kStep, Perspective::kPresent})
    choices.push_back({withoutMark(Perspectives::nameOf(at)), Perspectives::keyOf(at)});
  one.makeEditor = listOf(one, choices);
  one.fallback = QString();
  one.value = [to] { return to.settings.firstPerspective(); };
  one.change = always([to](const QVariant& key) { to.settings.firstPerspective.set(key.toString()); });
  return one;
}

Setting lastModel(const SettingOwners& to) {
  Setting one{"last_model", SettingGroup::kStart, Wording::tr("Open the model of last time"),
              Wording::tr("When the program starts. Off: it starts with the built-in model."),
              switchEditor()};
  one.fallback = true;
  one.value = [to] { return to.settings.opensLastModel(); };
  one.change = always([to](const QVariant& opens) { to.settings.opensLastModel.set(opens.toBool()); });
  return one;
}

Setting welcome(const SettingOwners& to) {
  return {"welcome", SettingGroup::kStart, Wording::tr("First page"),
          Wording::tr("Look inside, just chat, or open a model of yours."),
          buttonEditor(Wording::tr("Welcome…"), to.showWelcome)};
}

Setting keptChats(const SettingOwners& to) {
  Setting one{
      "keep_chats", SettingGroup::kChat, Wording::tr("Keep the chats on this computer"),
      Wording::tr(
          "From the next start on; until then chats are kept as they are now. Off: chats are gone when "
          "the program ends, and those of before stay in their file, out of sight."),
      switchEditor()};
  one.fallback = true;
  one.also << Wording::tr("History") << Wording::tr("Private");
  one.value = [to] { return to.settings.keepsChats(); };
  one.change = always([to](const QVariant& keeps) { to.settings.keepsChats.set(keeps.toBool()); });
  return one;
}

Setting switchOf(const KeptSwitch& kept) {
  Setting one{kept.key, kept.group, kept.name, kept.help, switchEditor()};
  one.fallback = kept.fallback;
  one.value = [action = kept.action] { return action->isChecked(); };
  one.change = always([action = kept.action](const QVariant& on) { action->setChecked(on.toBool()); });
  return one;
}

void addAnswers(std::vector<Setting>& table, const SettingOwners& to) {
  const auto add = [&](const auto& info, const QVariant& fallback, const std::function<QVariant()>& value,
                       const std::function<void(const QVariant&)>& change) {
    table.push_back({QLatin1String(info.key), SettingGroup::kAnswers, plainLabel(info.label),
                     optionHelp(info.key, info.help), optionEditor(info), fallback, value, always(change)});
    if (*info.zero != '\0') table.back().also << inWindowWords(optionText(info.zero));
  };
  forEachOption<Request>([&](const auto& info, auto field) {
    if constexpr (std::is_same_v<decltype(field), int Request::*>) {
      if (field != &Request::maxTokens) return;
      add(
          info, Settings::kDefaultMaxTokens, [to] { return to.sampling.maxTokens(); },
          [to](const QVariant& tokens) {
            to.sampling.setForNewMessages(to.sampling.sampling(), tokens.toInt());
          });
    }
  });
  forEachOption<SamplingOptions>([&](const auto& info, auto field) {
    using Value = std::decay_t<decltype(SamplingOptions().*field)>;
    add(
        info, QVariant::fromValue(Settings::defaultSampling().*field),
        [to, field] { return QVariant::fromValue(to.sampling.sampling().*field); },
        [to, field](const QVariant& value) {
          SamplingOptions sampling = to.sampling.sampling();
          sampling.*field = value.value<Value>();
          to.sampling.setForNewMessages(sampling, to.sampling.maxTokens());
        });
  });
}

// The fault of a folder as a place for models. The first download makes a missing folder.
QString folderProblem(const QString& folder) {
  if (folder.isEmpty()) return {};
  if (!QDir::isAbsolutePath(folder)) return Wording::tr("Write the whole path of the folder, from / on.");
  QFileInfo place(folder);
  while (!place.exists() && place.path() != place.filePath()) place.setFile(place.path());
  if (!place.isDir()) return Wording::tr("%1 is a file, not a folder.").arg(place.filePath());
  if (!place.isWritable()) return Wording::tr("Nothing can be written in %1.").arg(place.filePath());
  return {};
}

void addDownloads(std::vector<Setting>& table, const SettingOwners& to) {
  const auto add = [&](Setting one, QString (*problem)(const QString&), const Stored<QString>& kept) {
    one.fallback = QString();
    one.value = kept;
    one.change = [to, problem, kept](const QVariant& text) {
      const QString wrong = problem(text.toString());
      if (!wrong.isEmpty()) return wrong;
      kept.set(text.toString());
      to.models.followSettings();
      return QString();
    };
    table.push_back(std::move(one));
  };
  const auto environment = QProcessEnvironment::systemEnvironment();
  add({"download_folder", SettingGroup::kModels, Wording::tr("Folder for downloads"),
       Wording::tr("Where models that you download are put, and looked for."),
       folderEditor(QDir::toNativeSeparators(ownModelsFolder(environment)))},
      folderProblem, to.settings.downloadFolder);
  add(
      {"hub", SettingGroup::kModels, Wording::tr("Where models come from"),
       Wording::tr(
           "The address of Hugging Face, or of a mirror of it. It is asked only when you list or download."),
       textEditor(downloadSettings(environment).hub.toString())},
      [](const QString& text) {
        return text.isEmpty() || !hubFrom(text).isEmpty()
                   ? QString()
                   : Wording::tr("%1 is no address. Write it whole, such as https://huggingface.co.")
                         .arg(text);
      },
      to.settings.hub);
  add(
      {"proxy", SettingGroup::kModels, Wording::tr("Proxy for downloads"),
       Wording::tr(
           "http://host:port, socks5://host:port, or none. A password in it is kept as it is written here."),
       textEditor(Wording::tr("As the desktop has it"))},
      [](const QString& text) { return parseProxy(text).problem; }, to.settings.proxy);
}

Setting modelFolders(const SettingOwners& to) {
  Setting one{
      "model_folders", SettingGroup::kModels, Wording::tr("Folders with models"),
      Wording::tr("Models of other programs are found by themselves; folders of yours are added there."),
      buttonEditor(Wording::tr("Models on this computer…"), [to] { to.models.open(); })};
  one.also << "Hugging Face"
           << "LM Studio"
           << "Ollama"
           << "llama.cpp"
           << "GPT4All"
           << "Jan"
           << "GGUF";
  return one;
}

Setting machineOptions(const SettingOwners& to) {
  Setting one{"machine_options", SettingGroup::kMachine, Wording::tr("Options of the machine"),
              Wording::tr("Scheduling, memory, computing and speculation. A change loads the machine anew."),
              buttonEditor(Wording::tr("Machine options…"), to.chooseMachineOptions)};
  forEachEngineOption([&](const auto& info, const auto&) {
    if (info.offered) one.also << plainLabel(info.label);
  });
  return one;
}

}  // namespace

QString groupTitle(SettingGroup group) {
  switch (group) {
    case SettingGroup::kLook:
      return Wording::tr("Look");
    case SettingGroup::kStart:
      return Wording::tr("Start");
    case SettingGroup::kChat:
      return Wording::tr("Chat");
    case SettingGroup::kAnswers:
      return Wording::tr("Answers to new messages");
    case SettingGroup::kModels:
      return Wording::tr("Models and downloads");
    case SettingGroup::kMachine:
      return Wording::tr("Machine");
  }
  return {};
}

std::vector<KeptSwitch> keptSwitches(const SettingOwners& to) {
  return {
      {"chat/listShown", to.chats.menu().listShown, true, SettingGroup::kChat,
       Wording::tr("Show the list of chats"), Wording::tr("All your chats, beside the conversation.")},
      {"chat/colours", to.chats.colours(), false, SettingGroup::kChat, Wording::tr("Colour surprising words"),
       Wording::tr("The less likely the model held a word of an answer, the stronger its colour.")},
      {"chat/naming", to.chats.menu().naming, false, SettingGroup::kChat,
       Wording::tr("Let the model name new chats"),
       Wording::tr(
           "One short request after the first answer. Any other request goes before it, and a name that you "
           "give stays.")},
      {"chat/thinking", &to.thinking, false, SettingGroup::kChat, Wording::tr("Let the model think first"),
       Wording::tr("For models that can, such as Qwen3: better answers, which come later.")},
  };
}

std::vector<Setting> settingTable(const SettingOwners& to) {
  std::vector<Setting> table = {language(to),         theme(to),     textSize(to), layout(to),
                                firstPerspective(to), lastModel(to), welcome(to),  keptChats(to)};
  for (const KeptSwitch& kept : keptSwitches(to)) table.push_back(switchOf(kept));
  addAnswers(table, to);
  table.push_back(modelFolders(to));
  addDownloads(table, to);
  table.push_back(machineOptions(to));
  return table;
}

}  // namespace vitrine
