"""Questions of visitors over the demo content, with the real embedder: a measured test.

Each question names what a visitor would accept as the first answer. The weights of `rank.py` were chosen on `ITEMS`
and `PASSAGES`, so their figures flatter; `UNSEEN` was asked once everything was fixed. Known misses: 炖牛肉 (the dish
is there in English only), 发票抬头写错了, "how much is shipping" (the article says delivery), 年夜饭的鱼, "a light laptop
for students", "headphones for children" (the article says kids).
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pegboard.knowledge.facets import facts_of, fits
from pegboard.knowledge.index import Index
from pegboard.knowledge.refresh import refresh
from pegboard.knowledge.search import SiteSearch
from pegboard.llm.embedder import SentenceEncoder
from tests.knowledge.conftest import DEMO_BASES, open_at

pytestmark = pytest.mark.anyio

Question = tuple[str, str, tuple[str, ...]]

ITEMS: tuple[Question, ...] = (
    ("kitchen", "gluten free pasta", ("gluten-free-red-pepper-penne",)),
    ("kitchen", "用什么代替鸡蛋", ("jidan-tidai-zh",)),
    ("kitchen", "what can I use instead of eggs", ("egg-substitutes",)),
    ("kitchen", "30分钟以内的鸡肉菜", ("huasheng-gongbao-jiding",)),
    (
        "kitchen",
        "vegan dessert without nuts",
        (
            "crackle-top-vegan-brownies",
            "mango-sticky-rice-toasted-mung",
        ),
    ),
    (
        "kitchen",
        "cozy soup for a cold day",
        (
            "grandmas-dill-dumpling-chicken-soup",
            "lakeside-lohikeitto",
            "brides-red-lentil-soup",
            "typhoon-night-beef-noodles",
            "snowed-in-kimchi-stew",
        ),
    ),
    (
        "kitchen",
        "spicy tofu",
        (
            "scarlet-apron-mapo-tofu",
            "green-lantern-tofu-curry",
        ),
    ),
    ("kitchen", "麻婆豆腐", ("mala-mapo-doufu",)),
    (
        "kitchen",
        "something sweet with chocolate",
        (
            "midnight-flourless-chocolate-cake",
            "crackle-top-vegan-brownies",
            "rye-brown-butter-chunk-cookies",
            "cinnamon-champurrado",
        ),
    ),
    (
        "kitchen",
        "quick weeknight salmon",
        (
            "ten-minute-miso-salmon",
            "lakeside-lohikeitto",
        ),
    ),
    (
        "kitchen",
        "lasagna",
        (
            "rainy-sunday-lasagna",
            "forest-floor-lasagna",
        ),
    ),
    ("kitchen", "意大利面", ("naiyou-mogu-yimian",)),
    (
        "kitchen",
        "下饭的猪肉菜",
        (
            "bingtang-hongshaorou",
            "suyuxiang-qiezi",
            "mala-mapo-doufu",
        ),
    ),
    (
        "kitchen",
        "夏天的凉菜",
        (
            "suanni-pai-huanggua",
            "hongyou-koushui-ji",
        ),
    ),
    (
        "kitchen",
        "what wine goes with beef stew",
        (
            "drinks-for-spicy-rich-sweet-dishes",
            "old-port-beef-daube",
        ),
    ),
    (
        "kitchen",
        "bread for beginners",
        (
            "grape-rosemary-focaccia",
            "feather-milk-bread-rolls",
            "dark-rye-caraway-tin-loaf",
        ),
    ),
    ("kitchen", "Chinese cucumber salad", ("sichuan-smashed-cucumbers",)),
    (
        "kitchen",
        "炖牛肉",
        (
            "old-port-beef-daube",
            "typhoon-night-beef-noodles",
        ),
    ),
    (
        "kitchen",
        "Mexican tacos",
        (
            "smoky-mushroom-tinga-tacos",
            "low-tide-fish-tacos",
        ),
    ),
    (
        "kitchen",
        "dessert with mango",
        (
            "mango-sticky-rice-toasted-mung",
            "yangzhi-ganlu",
        ),
    ),
    ("kitchen", "芒果甜品", ("yangzhi-ganlu",)),
    ("kitchen", "vegan burger", ("midnight-black-bean-burgers",)),
    ("kitchen", "buttermilk substitute", ("dairy-substitutes",)),
    ("kitchen", "饺子", ("baicai-zhurou-shuijiao",)),
    (
        "kitchen",
        "dinner with chickpeas",
        (
            "railway-platform-chana",
            "ditalini-with-two-kinds-of-chickpea",
            "peri-peri-roast-chickpeas",
        ),
    ),
    (
        "shop",
        "headphones under $100",
        (
            "brambley-commuter-40-headphones",
            "tinderell-lark-on-ear-headphones",
            "pebblewick-otter-kids-headphones",
            "tinderell-thimble-wired-earphones",
            "ferrant-skirmish-gaming-headset",
        ),
    ),
    ("shop", "低于300元的耳机", ("luyu-doujia-earbuds",)),
    (
        "shop",
        "noise cancelling headphones for flights",
        (
            "orrin-nightjar-2-headphones",
            "brambley-commuter-40-headphones",
            "sorrelle-drift-pro-earbuds",
        ),
    ),
    (
        "shop",
        "a gift for someone who loves coffee",
        (
            "morrowmill-no-4-coffee-grinder",
            "belfiamma-nove-espresso-machine",
            "emberlow-egret-gooseneck-kettle",
        ),
    ),
    (
        "shop",
        "tent for two people",
        (
            "fellhaven-plover-2-tent",
            "stonemarten-lodge-2-plus-tent",
        ),
    ),
    ("shop", "mechanical keyboard", ("clatterby-75-mechanical-keyboard",)),
    ("shop", "机械键盘", ("koushi-k84-keyboard",)),
    (
        "shop",
        "charger for my laptop",
        (
            "voltwren-trio-65w-charger",
            "ampelope-trek-20000-power-bank",
            "voltwren-pip-30w-charger",
        ),
    ),
    ("shop", "扫地机器人", ("yuanshi-p7-robot-vacuum",)),
    ("shop", "robot vacuum", ("yuanshi-p7-robot-vacuum",)),
    (
        "shop",
        "something to read in bed at night",
        (
            "vellumar-page-7-e-reader",
            "wickstead-heron-desk-lamp",
            "the-lighthouse-auditor-film-dvd",
        ),
    ),
    ("shop", "冬天穿的衣服", ("shuoyuan-poxiao-down-jacket",)),
    ("shop", "降噪耳机", ("tinglan-yunque-2-earbuds",)),
    ("shop", "comfortable chair for long work days", ("settlecombe-alder-office-chair",)),
    ("shop", "knife for vegetables under $100", ("torvane-northfield-chefs-knife",)),
    ("help", "how do I return an order", ("return-an-order",)),
    ("help", "怎么退货", ("returns-and-refunds-zh",)),
    ("help", "my package never arrived", ("damaged-or-missing-parcel",)),
    ("help", "forgot my password", ("password-and-two-step-sign-in",)),
    ("help", "可以开发票吗", ("fapiao-zh",)),
    ("help", "can I pay with paypal", ("payment-methods",)),
    ("help", "快递多久能到", ("delivery-zh",)),
    ("help", "do you ship to Canada", ("international-shipping",)),
    ("help", "when do I get my money back", ("refund-times",)),
    ("help", "is my broken kettle covered", ("warranty-and-repairs",)),
    ("help", "cancel my order", ("change-or-cancel-order",)),
    ("help", "登录不了", ("sign-in-and-support-zh",)),
    ("help", "student discount", ("discount-codes-and-student-discount",)),
    ("help", "I want my data erased", ("delete-account-and-personal-data",)),
    ("help", "物流好几天没动了", ("parcel-problems-zh",)),
)
MOST_ITEM_MISSES = 2

UNSEEN: tuple[Question, ...] = (
    (
        "kitchen",
        "something with lentils",
        (
            "brides-red-lentil-soup",
            "slow-flame-misir-wot",
        ),
    ),
    ("kitchen", "thai curry without meat", ("green-lantern-tofu-curry",)),
    (
        "kitchen",
        "cookies for christmas",
        (
            "rye-brown-butter-chunk-cookies",
            "chewy-orange-amaretti",
        ),
    ),
    (
        "kitchen",
        "a warming drink",
        (
            "cinnamon-champurrado",
            "drinks-for-spicy-rich-sweet-dishes",
            "hibiscus-ginger-bissap",
        ),
    ),
    ("kitchen", "Korean stew", ("snowed-in-kimchi-stew",)),
    (
        "kitchen",
        "potato side dish",
        (
            "dill-butter-hasselback-potatoes",
            "sides-for-meat-and-fish",
        ),
    ),
    ("kitchen", "breakfast eggs turkish style", ("istanbul-menemen",)),
    ("kitchen", "粥", ("pidan-shourou-zhou",)),
    ("kitchen", "年夜饭的鱼", ("congyou-qingzheng-luyu",)),
    (
        "kitchen",
        "不用烤箱的甜品",
        (
            "yangzhi-ganlu",
            "jiangzhi-zhuangnai",
            "heizhima-tangyuan",
        ),
    ),
    ("kitchen", "羊肉", ("xinjiang-yangrou-zhuafan",)),
    ("kitchen", "what can I use instead of soy sauce", ("umami-substitutes",)),
    ("kitchen", "牛奶用完了怎么办", ("niunai-huangyou-naiyou-tidai-zh",)),
    ("shop", "bluetooth speaker for camping", ("orrin-campfire-portable-speaker",)),
    ("shop", "a light laptop for students", ("merrow-tidepool-14-laptop",)),
    ("shop", "knife for japanese cooking", ("sorahagi-reed-gyuto",)),
    ("shop", "suitcase for the cabin under $150", ("osmer-lane-courier-40-carry-on",)),
    ("shop", "headphones for children", ("pebblewick-otter-kids-headphones",)),
    ("shop", "空气净化器", ("chengxu-a5-air-purifier",)),
    ("shop", "送爸爸的茶具", ("shiou-yuguo-tea-set",)),
    (
        "shop",
        "something to charge my phone on a hike",
        (
            "ampelope-stroll-10000-power-bank",
            "ampelope-trek-20000-power-bank",
        ),
    ),
    ("shop", "wireless mouse for my wrist pain", ("lodewick-upright-vertical-mouse",)),
    ("help", "how long is the warranty", ("warranty-and-repairs",)),
    ("help", "can I change the delivery address", ("change-or-cancel-order",)),
    ("help", "my card was declined", ("declined-payments",)),
    ("help", "怎么联系人工客服", ("sign-in-and-support-zh",)),
    ("help", "gift wrapping", ("gift-cards-and-gift-wrapping",)),
    (
        "help",
        "where is my parcel",
        (
            "track-your-parcel",
            "damaged-or-missing-parcel",
        ),
    ),
    ("help", "积分怎么用", ("codes-and-points-zh",)),
    ("help", "do I have to pay customs", ("international-shipping",)),
    ("help", "保修多久", ("warranty-repairs-zh",)),
)
MOST_UNSEEN_MISSES = 3

NOTHING = (
    ("kitchen", "quantum chromodynamics lattice"),
    ("kitchen", "how do I change a car tyre"),
    ("kitchen", "量子力学导论"),
    ("kitchen", "stock market prices today"),
    ("shop", "how do I cook rice pudding"),
    ("shop", "visa requirements for Brazil"),
    ("shop", "北京明天天气"),
    ("help", "capital of Mongolia"),
    ("help", "recipe for lasagna"),
    ("help", "宇宙有多大"),
    ("kitchen", "python list comprehension"),
    ("shop", "wedding dress"),
    ("help", "who won the world cup"),
    ("kitchen", "北京明天天气怎么样"),
)
MOST_FALSE_ANSWERS = 3

PASSAGES: tuple[tuple[str, str, str, str], ...] = (
    ("help", "how do I return an order", "return-an-order", "start a return"),
    ("help", "怎么退货", "returns-and-refunds-zh", ""),
    ("help", "how long does a refund take", "refund-times", "How long does a refund"),
    ("help", "can I return opened earbuds", "return-an-order", "cannot be returned"),
    ("kitchen", "用什么代替鸡蛋", "jidan-tidai-zh", ""),
    ("kitchen", "what can replace eggs in a cake", "egg-sub", "cakes"),
    ("shop", "how long does the battery of the nightjar last", "nightjar", "Specifications"),
    ("kitchen", "how long does the miso salmon take", "miso-salmon", "Times"),
    ("help", "delivery to Hawaii", "delivery-times", "Alaska"),
    ("help", "发票抬头写错了", "fapiao", "抬头"),
    ("kitchen", "what to drink with curry", "drinks-for", "curries"),
    ("kitchen", "how many calories does the katsu curry have", "katsu", "Times"),
    ("shop", "is the rain jacket waterproof", "skerrow", "Specifications|"),
    ("help", "do you match prices", "price-match", "match"),
    ("shop", "what do people say about the clatterby keyboard", "clatterby", "Reviews"),
    ("kitchen", "can I freeze the rainy sunday lasagna", "rainy-sunday", "Tips|Steps"),
    ("kitchen", "ingredients of the mapo tofu", "scarlet", "Ingredients"),
    ("shop", "how heavy is the merrow laptop", "merrow", "Specifications|"),
    ("kitchen", "麻婆豆腐要哪些配料", "mala-mapo", "配料"),
    ("kitchen", "宫保鸡丁怎么做", "gongbao", "做法"),
    ("shop", "云雀2续航多久", "yunque", "规格|"),
    ("help", "how much is shipping", "delivery-times", "cost"),
    ("help", "can I pay by invoice", "invoices", "|"),
    ("help", "I forgot my password", "password", ""),
    ("kitchen", "gluten free flour for a cake", "flour-gluten", "cake"),
    ("help", "do you ship to Canada", "international", "|"),
    ("kitchen", "substitute for fish sauce", "umami", "ish sauce"),
    ("help", "运费多少钱", "delivery-zh", "运费"),
    ("shop", "price of the standing desk", "risingham", "Price"),
    ("help", "how do I get a person on the phone", "contact", "|"),
)
"""Site, question, a part of the item's address, and a part of the heading that has the answer."""
MOST_PASSAGE_MISSES = 4

NAMES: tuple[tuple[str, str, str], ...] = (
    ("kitchen", "the lasagna", "lasagna"),
    ("kitchen", "laasgna", "lasagna"),
    ("kitchen", "miso salmon", "ten-minute-miso-salmon"),
    ("kitchen", "番茄炒蛋", "fanqie-chaodan"),
    ("kitchen", "西红柿炒鸡蛋", "fanqie-chaodan"),
    ("kitchen", "麻婆豆腐", "mala-mapo-doufu"),
    ("kitchen", "mapo tofu", "scarlet-apron-mapo-tofu"),
    ("kitchen", "宫保鸡丁", "huasheng-gongbao-jiding"),
    ("kitchen", "the tofu curry recipe", "green-lantern-tofu-curry"),
    ("shop", "Orrin Nightjar", "orrin-nightjar-2-headphones"),
    ("shop", "the nightjar headphones", "orrin-nightjar-2-headphones"),
    ("shop", "nigthjar", "orrin-nightjar-2-headphones"),
    ("shop", "听岚云雀", "tinglan-yunque-2-earbuds"),
    ("shop", "LY-DJ-01", "luyu-doujia-earbuds"),
    ("shop", "the Fellhaven tent", "fellhaven-plover-2-tent"),
    ("shop", "", ""),
    ("kitchen", "beef wellington", ""),
    ("kitchen", "carrot cake", ""),
    ("kitchen", "北京烤鸭", ""),
    ("kitchen", "糖醋排骨", ""),
    ("shop", "sony headphones", ""),
    ("shop", "samsung monitor", ""),
)
"""Site, name, and a part of the address of what is meant; empty: nothing that is there."""


@pytest.fixture(scope="module")
def demo(encoder: SentenceEncoder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder: Path = tmp_path_factory.mktemp("demo")
    index = open_at(folder, embedder=encoder.name, dimensions=encoder.dimensions)
    report = refresh(index, DEMO_BASES, encoder)
    assert report.problems == ()
    yield index
    index.close()


@pytest.fixture
def searches(demo: Index, encoder: SentenceEncoder) -> dict[str, SiteSearch]:
    return {base: SiteSearch(demo, encoder, [base]) for base in DEMO_BASES}


def slug(url: str) -> str:
    return url.rsplit("/", 1)[-1]


@pytest.mark.parametrize(
    ("questions", "most"), [(ITEMS, MOST_ITEM_MISSES), (UNSEEN, MOST_UNSEEN_MISSES)], ids=["tuned on", "unseen"]
)
async def test_the_first_item_is_what_a_visitor_asked_for(
    searches: dict[str, SiteSearch], questions: tuple[Question, ...], most: int
) -> None:
    misses = []
    for site, question, wanted in questions:
        hits = (await searches[site].items(question)).hits
        found = [slug(hit.item.url) for hit in hits[:3]]
        if not found or found[0] not in wanted:
            misses.append((question, found))
    assert len(misses) <= most, misses


async def test_a_question_that_has_no_answer_finds_nothing(searches: dict[str, SiteSearch]) -> None:
    found = {question: (await searches[site].items(question)).hits for site, question in NOTHING}
    false = {question: (hits[0].item.name, hits[0].score) for question, hits in found.items() if hits}
    assert len(false) <= MOST_FALSE_ANSWERS, false
    assert all(score < 60 for _, score in false.values()), false


async def test_the_passage_with_the_answer_is_among_the_first_three(searches: dict[str, SiteSearch]) -> None:
    misses = []
    for site, question, address, heading in PASSAGES:
        passages = await searches[site].passages(question, limit=3)
        found = [(slug(passage.item.url), passage.heading) for passage in passages]
        if not any(address in url and any(part in head for part in heading.split("|")) for url, head in found):
            misses.append((question, found))
    assert len(misses) <= MOST_PASSAGE_MISSES, misses


@pytest.mark.parametrize(("site", "name", "address"), NAMES)
async def test_a_name_finds_what_is_meant(searches: dict[str, SiteSearch], site: str, name: str, address: str) -> None:
    hits = await searches[site].named(name)
    if address:
        assert address in hits[0].item.url
        assert hits[0].score >= 50
    else:
        assert all(hit.score < 50 for hit in hits)


async def test_conditions_hold_for_every_hit(searches: dict[str, SiteSearch]) -> None:
    cases = (("shop", "headphones under $100"), ("kitchen", "30分钟以内的鸡肉菜"), ("kitchen", "gluten free pasta"))
    for site, question in cases:
        found = await searches[site].items(question)
        assert found.hits
        assert len(found.filters) == 1
        for hit in found.hits:
            assert fits(facts_of(hit.item.schema_object), found.filters[0]), hit.item.name


COUNTED: tuple[tuple[str, str, int, str], ...] = (
    ("kitchen", "three soups", 3, "Soup"),
    ("kitchen", "top ten soups", 7, "Soup"),
    ("kitchen", "two soups under 35 minutes", 2, "Soup"),
    ("kitchen", "推荐三道汤", 3, "汤"),
    ("kitchen", "推荐三道适合今天的汤", 3, "汤"),
    ("kitchen", "the two best rated pasta recipes", 2, "pasta"),
    ("kitchen", "the two best rated pasta recipes under 30 minutes", 2, "pasta"),
    ("kitchen", "seven pasta recipes", 6, "pasta"),
    ("kitchen", "推荐两道菜", 2, ""),
    ("shop", "two headphones under 100 dollars", 2, "Headphones"),
)
"""Site, question, how many are found, and what each of them says that it is."""


@pytest.mark.parametrize(("site", "question", "count", "kind"), COUNTED)
async def test_as_many_are_found_as_are_asked_for_and_no_other_kind(
    searches: dict[str, SiteSearch], site: str, question: str, count: int, kind: str
) -> None:
    found = await searches[site].items(question)
    assert not found.is_weak
    assert len(found.hits) == count
    for hit in found.hits:
        claims = facts_of(hit.item.schema_object).claims
        assert kind.lower() in "\n".join((*claims.kinds, *claims.keywords)), hit.item.name
        assert all(fits(facts_of(hit.item.schema_object), one) for one in found.filters)
