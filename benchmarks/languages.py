"""How well the embedded scorer routes a question in a language that a tool has no examples in.

    python benchmarks/languages.py

Ten tools of a town library, written for this benchmark, each with three examples in English and the same in Chinese.
They are trained with the examples of one language, then asked in both: four questions a tool and language, and twenty
a language that fit nothing. Names stay as they are; there are no descriptions.
"""

from dataclasses import dataclass
from typing import Literal

import anyio
import numpy as np

from benchmarks.embedded_scorer import make_tool, make_toolset
from pegboard.catalog.tool import Tool, Toolset
from pegboard.llm.embedder import SentenceEncoder
from pegboard.route.embedded import EmbeddedScorer, train

Language = Literal["en", "zh"]


@dataclass(frozen=True)
class Written:
    """A tool's examples and the questions to it; each Chinese text says what its English twin says."""

    examples: dict[Language, tuple[str, ...]]
    questions: dict[Language, tuple[str, ...]]


TOOLS = {
    "find_book": Written(
        {
            "en": ("do you have the old man and the sea", "which novels by agatha christie are there", "books on bees"),
            "zh": ("你们有《老人与海》吗", "有哪些阿加莎·克里斯蒂的小说", "关于蜜蜂的书"),
        },
        {
            "en": (
                "I am looking for something on the roman empire",
                "is there a copy of frankenstein",
                "what have you got by tolstoy",
                "picture books about trains",
            ),
            "zh": ("我想找关于罗马帝国的书", "有没有《弗兰肯斯坦》", "有托尔斯泰的什么作品", "讲火车的绘本"),
        },
    ),
    "opening_hours": Written(
        {
            "en": ("when do you open on sunday", "are you closed on easter monday", "how late can I come today"),
            "zh": ("你们星期天几点开门", "复活节星期一关门吗", "今天最晚几点能来"),
        },
        {
            "en": (
                "is the library open tomorrow morning",
                "until what time are you there on friday",
                "opening times in the holidays",
                "do you shut over lunch",
            ),
            "zh": ("图书馆明天上午开吗", "星期五你们到几点", "假期的开放时间", "中午关门吗"),
        },
    ),
    "renew_loan": Written(
        {
            "en": ("can I keep this book two weeks longer", "extend my loans", "renew the guide to spain"),
            "zh": ("这本书能再借两个星期吗", "把我借的书续期", "续借西班牙旅行指南"),
        },
        {
            "en": (
                "I need more time for my books",
                "please prolong everything I have borrowed",
                "I have not finished the novel, may I have it until june",
                "push back the date I must return this by",
            ),
            "zh": ("我的书还需要多一点时间", "请把我借的全部延期", "小说还没看完，可以借到六月吗", "把还书日期往后推"),
        },
    ),
    "pay_fine": Written(
        {
            "en": ("how much do I owe for the late books", "I want to pay my fee", "what does a lost book cost me"),
            "zh": ("我的书过期了要交多少钱", "我想交罚款", "书丢了要赔多少"),
        },
        {
            "en": (
                "settle my overdue charges",
                "where can I pay the penalty",
                "why was I charged two euros",
                "I returned it late, what is the fine",
            ),
            "zh": ("结清我的逾期费用", "在哪里交罚金", "为什么收了我两欧元", "我还晚了，罚多少"),
        },
    ),
    "reserve_room": Written(
        {
            "en": (
                "book a study room for tomorrow",
                "is a meeting room free at three",
                "we need a quiet room for four",
            ),
            "zh": ("预订明天的自习室", "三点有空的会议室吗", "我们四个人需要一间安静的房间"),
        },
        {
            "en": (
                "can our reading group have a room on thursday",
                "reserve the piano room for an hour",
                "I want to cancel the room that I booked",
                "which rooms are available this afternoon",
            ),
            "zh": ("我们读书会星期四能用一个房间吗", "订一小时琴房", "我想取消订好的房间", "今天下午哪些房间有空"),
        },
    ),
    "events": Written(
        {
            "en": ("which readings are on this week", "is there a story hour for children", "when is the book fair"),
            "zh": ("这星期有什么朗读会", "有儿童故事会吗", "书展什么时候"),
        },
        {
            "en": (
                "what is happening at the library on saturday",
                "are there any workshops next month",
                "who gives the talk tonight",
                "something to do with a four year old",
            ),
            "zh": ("星期六图书馆有什么活动", "下个月有工作坊吗", "今晚谁来演讲", "有适合四岁孩子的活动吗"),
        },
    ),
    "join": Written(
        {
            "en": ("how do I get a library card", "what does membership cost", "can my daughter sign up too"),
            "zh": ("怎么办借书证", "会员费多少钱", "我女儿也能注册吗"),
        },
        {
            "en": (
                "I would like to become a member",
                "register a new reader",
                "what do I need to bring for a card",
                "is it free for students to join",
            ),
            "zh": ("我想成为会员", "注册新读者", "办证要带什么", "学生办证免费吗"),
        },
    ),
    "recommend": Written(
        {
            "en": ("suggest a thriller for the beach", "what should I read after dune", "a good book for a rainy day"),
            "zh": ("推荐一本适合海滩看的惊悚小说", "看完《沙丘》该读什么", "下雨天看什么书好"),
        },
        {
            "en": (
                "I liked the hobbit, what else would I like",
                "any tips for a funny novel",
                "recommend something short",
                "which book would please my grandmother",
            ),
            "zh": ("我喜欢《霍比特人》，还会喜欢什么", "有什么好笑的小说推荐吗", "推荐一本短的", "送奶奶看哪本书好"),
        },
    ),
    "print": Written(
        {
            "en": ("can I print a document here", "what does a colour copy cost", "the scanner does not work"),
            "zh": ("这里能打印文件吗", "彩色复印一张多少钱", "扫描仪坏了"),
        },
        {
            "en": (
                "I need twenty copies of a flyer",
                "how do I scan to my mail",
                "print from my phone",
                "is there a photocopier",
            ),
            "zh": ("我要复印二十份传单", "怎么扫描到邮箱", "从手机打印", "有复印机吗"),
        },
    ),
    "directions": Written(
        {
            "en": ("how do I get to you by bus", "where can I park", "on which floor are the comics"),
            "zh": ("坐公交车怎么到你们那里", "哪里可以停车", "漫画在几楼"),
        },
        {
            "en": (
                "what is your address",
                "which tram stops near the library",
                "where are the toilets",
                "is there a lift to the second floor",
            ),
            "zh": ("你们的地址是什么", "哪路电车停在图书馆附近", "洗手间在哪里", "有电梯到二楼吗"),
        },
    ),
}

NOTHING: dict[Language, tuple[str, ...]] = {
    "en": (
        "how do I boil an egg",
        "what is the square root of two",
        "my tooth hurts",
        "sort this array in rust",
        "you are an idiot",
        "which party governs norway",
        "sell my shares",
        "dim the lights in the kitchen",
        "who won the world cup",
        "is there life on mars",
        "order a pizza with mushrooms",
        "transfer fifty euros to my son",
        "why do cats purr",
        "tell me about your feelings",
        "will it snow in oslo",
        "fix my washing machine",
        "write a haiku",
        "find me a cheap flight to lisbon",
        "how many calories has an apple",
        "do you believe in god",
    ),
    "zh": (
        "鸡蛋怎么煮",
        "二的平方根是多少",
        "我牙疼",
        "用Rust给数组排序",
        "你是个白痴",
        "挪威哪个党执政",
        "卖掉我的股票",
        "把厨房的灯调暗",
        "世界杯谁赢了",
        "火星上有生命吗",
        "点一个蘑菇披萨",
        "给我儿子转五十欧元",
        "猫为什么打呼噜",
        "说说你的感受",
        "奥斯陆会下雪吗",
        "修我的洗衣机",
        "写一首俳句",
        "帮我找去里斯本的便宜机票",
        "一个苹果有多少卡路里",
        "你信上帝吗",
    ),
}


def library(*languages: Language) -> list[Tool]:
    return [
        make_tool(name, examples=[text for language in languages for text in written.examples[language]])
        for name, written in TOOLS.items()
    ]


async def measure(scorer: EmbeddedScorer, toolset: Toolset, language: Language) -> str:
    rows, right = [], []
    for name, written in TOOLS.items():
        for question in written.questions[language]:
            values = [score.value or 0.0 for score in await scorer.score(question, toolset)]
            rows.append(max(values))
            right.append(toolset.tools[int(np.argmax(values))].name == name)
    away = [max(score.value or 0.0 for score in await scorer.score(text, toolset)) < 70 for text in NOTHING[language]]
    passes = np.array(rows) >= 70
    return (
        f"top-1 {100 * np.mean(right):5.1f}, taken and right {100 * (passes & right).mean():5.1f}, "
        f"sent away {sum(away)} of {len(away)}"
    )


async def main() -> None:
    encoder = SentenceEncoder()
    trained: tuple[tuple[Language, ...], ...] = (("en",), ("zh",), ("en", "zh"))
    asked: tuple[Language, ...] = ("en", "zh")
    for languages in trained:
        tools = library(*languages)
        scorer, toolset = train(encoder, tools), make_toolset(tools)
        for language in asked:
            print(f"examples {'+'.join(languages):5}  asked in {language}  {await measure(scorer, toolset, language)}")


if __name__ == "__main__":
    anyio.run(main)
