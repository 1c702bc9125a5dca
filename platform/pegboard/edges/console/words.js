// The page's own words, in the visitor's language.

const WORDS = {
  en: {
    skip: "Skip to the question", site: "Site", question: "Your question", placeholder: "Ask anything about this site",
    ask: "Ask", stop: "Stop", examples: "Examples", results: "Results", tool: "Tool", score: "Score", reason: "Reason",
    thinking: "Choosing a tool", running: "Asking {tool}", writing: "Writing", found: "Found {count}",
    nothing: "Nothing was found.", stopped: "Stopped.", lost: "The server cannot be reached. Is it still running?",
    noSites: "No site is declared yet.", noSite: "There is no site {site} here.", noTool: "no tool", unscored: "not scored",
    model: "model: {model}", noModel: "no model: embedded scorer", embedded: "embedded scorer",
    understood: "Understood as: {question}", other: "中文",
    stale: "The last edit is not served: {first} ({errors} in all). The configuration of {since} goes on serving.",
    early_stop: "clear winner", best: "best score", single: "the only candidate", fallback: "no clear match, so the fallback",
    runs: "Runs", allRuns: "All runs", noRuns: "Nothing has been run yet.", step: "Step", state: "State", asked: "Question", began: "Began",
    cancelRun: "Cancel this run", approve: "Approve", deny: "Deny", picture: "The plan as a picture", events: "What has happened",
    tainted: "It has read the text of others ({by}): what cannot be had back, or leaves the house, waits for an approval.",
    state_waiting: "waiting", state_judging: "looking", state_held: "needs an approval", state_running: "running", state_succeeded: "done",
    state_failed: "failed", state_skipped: "left out", state_lost: "lost the race", state_cancelled: "cancelled", state_partly: "done in part", someFailed: "{failed} of {all} steps failed",
    tool_changed: "{tool} has been edited since the run began. Approve it only if it may be called as it was.",
    tool_gone: "{tool} has been taken from the tools of its site since the run began. Approve it only if it may be called all the same, as it was.",
    documents: "Documents", allDocuments: "All documents", noDocuments: "Nothing has been written yet.", titled: "Title", version: "Version",
    written: "Written", versionOf: "version {version} of {latest}", earlier: "earlier", later: "later", itsRun: "the run that wrote it",
    latestOf: "The latest {count} of {total}.", download: "Download as Markdown",
    explicit: "named in the request", rule: "a rule of the site", mode: "the request's mode", none: "no clear match", decision: "How this was decided", hours: "h", minutes: "min", calls: "model calls",
  },
  zh: {
    skip: "跳到问题", site: "站点", question: "你的问题", placeholder: "想问这个站点什么？",
    ask: "提问", stop: "停止", examples: "示例", results: "结果", tool: "工具", score: "得分", reason: "理由",
    thinking: "正在选择工具", running: "正在使用 {tool}", writing: "正在回答", found: "找到 {count} 条",
    nothing: "没有找到相关内容。", stopped: "已停止。", lost: "无法连接服务器，它还在运行吗？",
    noSites: "还没有声明任何站点。", noSite: "这里没有站点 {site}。", noTool: "没有工具", unscored: "未评分",
    model: "模型：{model}", noModel: "没有模型：内置评分器", embedded: "内置评分器",
    understood: "理解为：{question}", other: "English",
    stale: "最近的修改未生效：{first}（共 {errors} 处错误）。仍在使用 {since} 的配置。",
    early_stop: "明显最佳", best: "得分最高", single: "唯一候选", fallback: "没有明确匹配，使用后备工具",
    runs: "运行", allRuns: "全部运行", noRuns: "还没有任何运行。", step: "步骤", state: "状态", asked: "问题", began: "开始时间",
    cancelRun: "取消此运行", approve: "批准", deny: "拒绝", picture: "计划图", events: "经过",
    tainted: "它读取了他人的文字（{by}）：不可撤销或对外的操作需要批准。",
    state_waiting: "等待中", state_judging: "判断中", state_held: "需要批准", state_running: "进行中", state_succeeded: "完成",
    state_failed: "失败", state_skipped: "已略过", state_lost: "未胜出", state_cancelled: "已取消", state_partly: "部分完成", someFailed: "{all} 步中有 {failed} 步失败",
    tool_changed: "{tool} 在运行开始后被修改过。只有允许按原样调用时才批准。",
    tool_gone: "{tool} 在运行开始后已从站点的工具中移除。只有仍允许按原样调用时才批准。",
    documents: "文档", allDocuments: "全部文档", noDocuments: "还没有写过任何文档。", titled: "标题", version: "版本",
    written: "写入时间", versionOf: "第 {version} 版，共 {latest} 版", earlier: "上一版", later: "下一版", itsRun: "写它的运行",
    latestOf: "最近 {count} 篇，共 {total} 篇。", download: "下载 Markdown",
    explicit: "请求中指定", rule: "站点规则", mode: "请求的模式", none: "没有明确匹配", decision: "这是如何决定的", hours: "小时", minutes: "分钟", calls: "次模型调用",
  },
};

const CHOSEN = "pegboard.language";

export let language = chosen() ?? preferred() ?? "en";

function preferred() {
  return navigator.languages.find((each) => /^(en|zh)/i.test(each))?.slice(0, 2).toLowerCase();
}

/** The language that the visitor chose before; browsers may forbid to remember. */
function chosen() {
  try {
    const kept = localStorage.getItem(CHOSEN);
    return Object.hasOwn(WORDS, kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Speak the other language from now on. */
export function switchLanguage() {
  language = language === "zh" ? "en" : "zh";
  try {
    localStorage.setItem(CHOSEN, language);
  } catch {
    // Then it lasts as long as the page.
  }
}

/** The words of `key`; an unknown key is its own word. */
export function text(key, values = {}) {
  const words = WORDS[language][key] ?? WORDS.en[key] ?? key;
  return words.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** Put the visitor's words where the document has `data-text`. */
export function translate(root) {
  document.documentElement.lang = language === "zh" ? "zh-Hans" : "en";
  for (const element of root.querySelectorAll("[data-text]")) element.textContent = text(element.dataset.text);
}

/** The language that `words` are written in, for `lang` attributes. */
export const written = (words) => (/\p{Script=Hiragana}|\p{Script=Katakana}/u.test(words) ? "ja" : /\p{Script=Han}/u.test(words) ? "zh" : "en");
