"""What a Chinese question names: things, pairs, ingredients, places; found by its turns of phrase."""

import re
from collections.abc import Iterator

_LEAD = re.compile(
    "^(?:请问一下|请问|你好|您好|想问一下|问一下|我想知道|想知道|我想问|告诉我|请告诉我|能不能告诉我|可以告诉我|请|麻烦|帮我|给我|查一下|查查|看一下|看看|说说|讲讲|介绍一下|介绍|了解一下"
    "|我想|我要|想|这个|那个|这款|那款|这道|那道|一下|关于|做一份|做一个|你们的|你们|店里的|家里|家里的|大家对|网友对|买家对|用户对|顾客对"
    "|本店的|用来|比较一下|比较|对比一下|对比)[，,：: ]*"
)
_TAIL = re.compile(
    "(?:[？?。！!，,、：:；;\\s]|的|吗|呢|啊|呀|吧|了|这道菜|这款|这个|好喝|好吃|怎么样|一般|大概|大约|到底|究竟|一共|总共|能|可以|会|要|需要|应该|和|用)+$"
)
_QUOTED = re.compile('[《“"「『]([^》”"」』]{1,60})[》”"」』]')
_ASKED = (
    "怎么做|怎么煮|怎么炒|怎么蒸|怎么烤|怎么炖|怎么弄|怎么用|如何做|如何制作|怎样做|做法|配料|食材|材料|原料|用料|成分|步骤|里面|里有|里放|里要|要放|放了|放什么|放多少"
    "|需要什么|需要准备|需要哪些|要准备|要多久|多久|要多长|多长时间|需要多|要炖|要煮|要蒸|要烤|炖多|煮多|蒸多|烤多|多少时间|几分钟|多少分钟|多少钱|什么价|价格|售价|卖多少|贵不贵"
    "|热量|多少卡|多少大卡|卡路里|营养|蛋白质|评价|评分|口碑|续航|电池|充电|多重|重量|有多|重不重|尺寸|多大|容量|颜色|有货|有没有货|现货|库存|是什么牌|防水|降噪|质保|保修|适合|好不好|好用|能用"
    "|几人份|够几|够吃|辣不辣|辣吗|是素|含不含|含有|支持|有什么功能|功能|的区别|怎么样|能放|可以放|能冷冻|可以冷冻|导演|主演"
)
_BEFORE_ASKED = re.compile(f"^(?P<it>.{{2,40}}?)(?:的|有|是|要|需|会|能|可以|一共|大概)?(?:{_ASKED})")
_BEFORE_PROPERTY = re.compile(
    "^(?P<it>.{2,40}?)的[^的，。？?]{1,8}?(?:是多少|是什么|有多[大高长重快]|多[大高长重快少]|如何|怎么样)"
)
_AFTER_ASKED = re.compile(
    "(?:怎么做|如何做|怎样做|怎么煮|怎么炒|怎么蒸|介绍一下|介绍|关于|做一道|怎么用)(?P<it>[^？?。！，,]{2,40})"
)

_VERSUS = "(?:和|与|跟|同|以及|还有)"
_QUESTION_OF_TWO = (
    "哪个|哪款|哪种|哪一个|哪一款|哪道|哪台|哪|谁|有什么区别|有什么不同|有啥区别|的区别|的不同|的差别|区别"
    "|差别|相比|比起来|比较|对比|比一比|比一下|比|有何不同|怎么选|选哪|之间"
)
_PAIRS = tuple(
    re.compile(pattern)
    for pattern in (
        f"(?:比较|对比|比一比|比一下)(?:一下)?(?P<first>[^，。？]{{1,40}}?)(?:{_VERSUS}|、|，|vs|VS)(?P<second>[^。？?，]{{1,40}})",
        "(?P<first>[^，。？]{1,40}?)\\s*(?:vs\\.?|VS\\.?|对比)\\s*(?P<second>[^。？?，]{1,40})",
        f"(?P<first>[^，。？]{{1,40}}?){_VERSUS}(?P<second>[^，。？]{{1,40}}?)[，,]?\\s*(?:{_QUESTION_OF_TWO})",
        "(?P<first>[^，。？]{1,40}?)[，,]?\\s*还是(?P<second>[^，。？?]{1,40})",
        "(?P<first>[^，。？]{1,40}?)比(?P<second>[^，。？?]{1,40}?)(?:更|要|还|好|贵|便宜|轻|重|快|慢|省|健康|大|小)",
        f"(?P<first>[^，。？]{{1,40}}?){_VERSUS}(?P<second>[^，。？?]{{1,40}})",
    )
)
_LONGEST_COMPARISON = 200
"""Characters in which two things are looked for: each of them takes forty times forty steps."""
_EXCLUDED = re.compile("(?:不含|不放|不加|不要|不吃|没有|过敏)[^，。？?]{1,8}(?:和|与|或|跟|、)")
"""Two things that shall both be left out."""
_PAIR_LEAD = re.compile("^(?:买|选|做|吃|喝|要|应该买|应该选|应该做|我该买|该买|该选|该做)")
_PAIR_TAIL = re.compile(
    f"(?:{_QUESTION_OF_TWO}|更.*|的?(?:价格|热量|时间|续航|重量|评分|做法)|好|好用|好做|好吃|简单|省事|划算)+$"
)

_END = "(?=[，,。？?！!；;\\s]|$|怎么|可以|能|用|拿|该|要|时|的时候|了|吗|行|还)"
_INGREDIENTS = tuple(
    re.compile(pattern)
    for pattern in (
        "(?:代替|替代|替换|取代|换掉|顶替)(?P<it>[^，。？?！的]{1,12}?)(?:的|$|[，。？?！]|比较|好|呢|吗|最|更|合适)",
        "(?P<it>[^，。？?！]{1,12}?)(?:可以|能|应该|要|该|得)?(?:用|拿|换成|换)(?:什么|啥|哪些|别的|其他)(?:东西)?(?:来)?(?:代替|替代|替换|替|换|顶|好)?",
        "(?P<it>[^，。？?！]{1,12}?)(?:用完|吃完|没有|没|用光)了",
        f"(?:没有|没|缺|少了|不吃|不能吃|不放|不用|不喝|不加|不想用|不想放|对)(?P<it>[^，。？?！过]{{1,12}}?)(?:过敏|{_END})",
        "(?P<it>[^，。？?！]{1,12}?)(?:的)?(?:替代品|代替品|替代|平替|替换|代替|替代物)",
        "(?P<it>[^，。？?！]{1,12}?)(?:可以|能)(?:不放|省略|省掉|换掉|换成)",
    )
)
_NO_INGREDIENTS = frozenset(
    {"好", "比较好", "最好", "合适", "它", "这个", "什么", "放什么", "用什么", "东西", "方法", "办法"}
)
_DISH = tuple(
    re.compile(pattern)
    for pattern in (
        "(?:做|烤|煮|炒|蒸|炖|包|烘焙)(?P<it>[^，。？?！没不用]{2,14}?)(?=时|的时候|没有|没|不|，|,|用|可以|能|里|怎么|的话|$)",
        "(?:在)?(?P<it>[^，。？?！没不用]{2,14}?)(?:里面|里|中)(?:的|用|没|不|可以|能|放)",
    )
)
_MAIN = tuple(
    re.compile(pattern)
    for pattern in (
        "(?P<it>[^，。？?！]{2,20}?)(?:可以|应该|要|该|最|适合|一般)?(?:搭配|配|搭|佐|就着)(?:点|些|上)?(?:什么|啥|哪)",
        "(?:什么|啥|哪种|哪些)[^，。？?！]{0,6}?(?:适合)?(?:配|搭配|搭|和|跟|佐)(?P<it>[^，。？?！]{2,20}?)(?:最|更|好|合适|比较|一起|[？?。]|$)",
        "(?:和|跟|与|配|搭配)(?P<it>[^，。？?！]{2,20}?)(?:一起|同吃|搭|好吃|合适|最配|相配|的(?:酒|菜|汤|饮料|茶|小菜|主食|甜点|甜品))",
        "吃(?P<it>[^，。？?！]{2,20}?)(?:时|的时候)?(?:喝|配|吃)(?:什么|啥|哪)",
        "(?:适合|给)?(?P<it>[^，。？?！]{2,20}?)(?:的)?(?:配菜|配酒|搭配|配什么)",
    )
)
_KINDS = re.compile(
    "(红酒|白葡萄酒|葡萄酒|白酒|黄酒|啤酒|酒|茶|饮料|饮品|小菜|凉菜|配菜|主食|汤|甜点|甜品|沙拉|酱|面包|蔬菜|菜)"
)
_PLACE = tuple(
    re.compile(pattern)
    for pattern in (
        "(?:在)?(?P<it>[\u4e00-\u9fff]{2,8}?)(?:市)?(?:的)?(?:现在|当地|当前|今天|明天|此刻|这会儿)(?:是|的)?(?:几点|时间|几号|星期|周|天气)",
        "(?:现在|当地|当前)(?P<it>[\u4e00-\u9fff]{2,6}?)(?:市)?(?:是|的)?(?:几点|时间|几号)",
        "(?P<it>[\u4e00-\u9fff]{2,8}?)(?:市)?(?:的)?(?:时间|几点|天气|时区)",
    )
)
_NOT_PLACES = frozenset({"现在", "今天", "明天", "现在的", "当前", "请问", "请问现在", "总"})
_COURSES = re.compile(
    "(前菜|开胃菜|冷盘|凉菜|沙拉|热汤|汤|主菜|荤菜|热菜|素菜|配菜|主食|甜点|甜品|甜食|饮料|饮品|早餐|小吃|点心)"
)
_DISHES_AND_SOUPS = re.compile("([二两三四五六2-6])菜一汤")
_HAN_COUNTS = {"二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6}
_MEAL = re.compile("家宴|一桌|菜单|套餐|晚餐|午餐|晚饭|午饭|年夜饭|一顿|几道菜|三菜|四菜|宴")
_QUALIFIERS = re.compile(
    "(纯素|素食|素|无麸质|无坚果|不放辣椒|清淡|快手|低脂|低卡|川味|粤式|中式|西式|意大利|日式|韩式|泰式|便宜|轻便)"
)
_LIST = re.compile("(?:[：:]|包括|需要|要有|配齐|有|买)(?P<it>[^？?。！：:]{0,80}[、和与及][^？?。！：:]{0,80})")
_RUN = re.compile(
    "(?P<it>[\u4e00-\u9fff\\w]{1,8}(?:、[\u4e00-\u9fff\\w]{1,8}?){1,12}(?:[和与及][\u4e00-\u9fff\\w]{1,8}?)?)"
    "(?=[，。？?！]|$|一次|都要|各一|配齐|要齐|齐全|全套|一起)"
)
_ENSEMBLE = re.compile("(家宴|晚餐|午餐|菜单|套餐|套装|穿搭|装备|野餐|聚会|露营|书桌)")
_REASON = re.compile("(过敏|素食|吃素|纯素|乳糖不耐|麸质|清真|减肥|控糖|糖尿病)")


def named(question: str) -> Iterator[str]:
    """Yield what may be the name of the thing that `question` is about, the likeliest first."""
    yield from (quoted[1] for quoted in _QUOTED.finditer(question))
    text = _plain(question)
    for pattern in (_BEFORE_ASKED, _BEFORE_PROPERTY, _AFTER_ASKED):
        if (match := pattern.search(text)) and (name := bare(match["it"])):
            yield name


def pairs(question: str) -> list[tuple[str, str]]:
    """Return the ways to read two things out of `question`, the likeliest first."""
    text = re.sub("[？?。！!]+$", "", question.strip())
    text = re.sub("^(?:请问|请|帮我|我想|想|麻烦)+", "", text)[:_LONGEST_COMPARISON]
    if _EXCLUDED.search(text):
        return []
    for pattern in _PAIRS:
        if match := pattern.search(text):
            first = bare(_PAIR_TAIL.sub("", _PAIR_LEAD.sub("", bare(match["first"]))))
            second = bare(_PAIR_TAIL.sub("", _PAIR_LEAD.sub("", bare(match["second"]))))
            if first and second:
                return [(first, second)]
    return []


def ingredient(question: str) -> str:
    """Return the ingredient that shall be replaced, or the empty text."""
    text = _plain(question)
    for pattern in _INGREDIENTS:
        if (match := pattern.search(text)) and (found := _only_ingredient(match["it"])):
            return found
    return ""


def _only_ingredient(text: str) -> str:
    """Return the last thing of `戚风蛋糕里的牛奶`, `做蛋糕没有牛奶`."""
    text = re.split("里面的|里的|中的|里面|里|做.*?(?:没有|没|不放|缺)|没有|没|时|的时候", text)[-1]
    found = bare(re.sub("^(?:家里|家中|的|把|将|如果|要是)+", "", text))
    return "" if found in _NO_INGREDIENTS or found[:1] in "做烤炒煮蒸炖" else found


def dish(question: str) -> str:
    """Return the dish in which something shall be replaced, or the empty text."""
    text = _plain(question)
    wanted = ingredient(question)
    for pattern in _DISH:
        for match in pattern.finditer(text):
            found = bare(match["it"])
            if found and found != wanted and found not in {"家", "家里", "这", "那", "菜"}:
                return found
    return ""


def main_item(question: str) -> str:
    """Return the dish that something shall go with, or the empty text."""
    text = _plain(question)
    for pattern in _MAIN:
        if (match := pattern.search(text)) and (found := bare(match["it"])):
            return found
    return ""


def accompaniment(question: str) -> str:
    """Return what kind of thing shall go with a dish, or the empty text."""
    main = main_item(question)
    rest = question.replace(main, "", 1) if main else question
    match = _KINDS.search(rest.replace("配菜", "配菜 "))
    return match[1] if match else ""


def place(question: str) -> str:
    """Return the place that is named, or the empty text."""
    text = _plain(question)
    for pattern in _PLACE:
        if (match := pattern.search(text)) and (found := bare(match["it"])) and found not in _NOT_PLACES:
            return found
    return ""


def parts(question: str) -> list[str]:
    """Return the searches that a plan is put together from; empty where the question lists none."""
    question = re.sub("不要辣|不吃辣|不能辣|别太辣|免辣|不辣", "不放辣椒", question)
    found = (match[1] for match in _QUALIFIERS.finditer(question))
    qualities = list(dict.fromkeys("素食" if quality == "素" else quality for quality in found))
    if match := _DISHES_AND_SOUPS.search(question):
        dishes = ["凉菜", "荤菜", "素菜", "主菜", "热菜", "家常菜"][: _HAN_COUNTS.get(match[1]) or int(match[1])]
        return ["".join([*(f"{quality}的" for quality in qualities), dish]) for dish in [*dishes, "汤"]]
    courses = list(dict.fromkeys(match[1] for match in _COURSES.finditer(question) if match[1] not in qualities))
    if len(courses) < 2 and _MEAL.search(question):
        courses = ["凉菜", "主菜", "汤", "甜品"] if "汤" in question else ["凉菜", "主菜", "甜品"]
    if len(courses) >= 2:
        return ["".join([*(f"{quality}的" for quality in qualities), course]) for course in courses]
    listed = _RUN.search(question) or _LIST.search(question)
    return [part for text in re.split("[、和与及，,]", listed["it"]) if (part := bare(text))] if listed else []


def ensemble(question: str) -> str:
    """Return what kind of plan is wanted, or the empty text."""
    match = _ENSEMBLE.search(question)
    return match[1] if match else ""


def reason(question: str) -> str:
    """Return why something shall be replaced, or the empty text."""
    match = _REASON.search(question)
    return match[1] if match else ""


def bare(name: str) -> str:
    """Return a name without politeness, particles and marks around it."""
    name = name.strip(' \t《》“”"「」『』，,。？?！!：:、')
    before = ""
    while name != before:
        before = name
        name = _TAIL.sub("", _LEAD.sub("", name))
    return name


def _plain(question: str) -> str:
    text = "".join(re.split(r"(?<=[^\x00-\x7f])\s+(?=[^\x00-\x7f])", question.strip()))
    before = ""
    while text != before:
        before, text = text, _LEAD.sub("", text)
    return text
