"""Which ingredients a wish such as `without nuts` or `不含坚果` is about.

A wish is tested on the words of a list of ingredients and on nothing else: that finds what is named there. It is no
promise to an allergic reader, and what has no list of ingredients never passes.
"""

import re
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Family:
    """Ingredients that people name together; a question may call `gluten` only by the diet (`facets.DIETS`)."""

    name: str
    """How a filter names it."""
    called: tuple[str, ...]
    """What a question calls it."""
    words: tuple[str, ...]
    """English words, singular, that give it away in a list of ingredients."""
    characters: tuple[str, ...]
    """The same in Chinese: matched anywhere in the text."""
    except_in: tuple[str, ...] = ()
    """Phrases that hold one of the words and mean another thing."""


_PLANTS = (
    "almond", "cashew", "coconut", "dairy-free", "hazelnut", "oat", "plant", "plant-based", "rice", "soy",
    "soya", "vegan",
)  # fmt: skip
_PLANT_MILKS = tuple(
    f"{plant} {product}" for plant in _PLANTS for product in ("milk", "cream", "butter", "yogurt", "yoghurt", "cheese")
)
_SPREADS = ("peanut butter", "almond butter", "cashew butter", "nut butter", "apple butter", "cocoa butter")
_NO_DAIRY = (
    "butter bean",
    "butternut",
    "butter lettuce",
    "cream of tartar",
    "creamed coconut",
    "milk thistle",
)
_NO_DAIRY_ZH = ("椰奶", "豆奶", "燕麦奶", "杏仁奶", "植物奶", "无奶", "不含奶", "花生酱", "奶白菜", "牛奶果")

FAMILIES = (
    Family(
        "nuts",
        ("nuts", "nut", "tree nuts", "tree nut", "坚果", "果仁"),
        ("nut", "almond", "walnut", "cashew", "pecan", "pistachio", "hazelnut", "macadamia", "peanut",
         "groundnut",
         "brazil nut", "pine nut", "praline", "marzipan", "frangipane", "amaretti", "nutella", "gianduja"),
        ("坚果", "果仁", "杏仁", "核桃", "腰果", "榛子", "开心果", "碧根果", "夏威夷果", "松子", "松仁",
         "花生"),
        ("nut-free", "tiger nut"),
    ),
    Family("peanuts", ("peanuts", "peanut", "花生"), ("peanut", "groundnut"), ("花生",)),
    Family(
        "eggs",
        ("eggs", "egg", "鸡蛋", "蛋类", "蛋"),
        ("egg", "yolk", "egg white", "meringue", "mayonnaise", "mayo"),
        ("鸡蛋", "蛋黄", "蛋白", "全蛋", "皮蛋", "咸蛋", "鸭蛋", "鹌鹑蛋", "蛋液", "蛋清", "蛋"),
        ("egg-free", "eggplant", "vegan mayonnaise", "vegan mayo", "无蛋", "不含蛋",
         "蛋白粉", "大豆蛋白", "植物蛋白"),
    ),
    Family(
        "dairy",
        ("dairy", "lactose", "milk", "乳制品", "奶制品", "乳糖", "牛奶", "奶", "乳"),
        ("milk", "butter", "buttermilk", "cream", "cheese", "yogurt", "yoghurt", "ghee", "whey", "curd",
         "kefir",
         "parmesan", "mozzarella", "ricotta", "feta", "mascarpone", "cheddar", "halloumi", "paneer", "labneh",
         "pecorino", "gruyère", "gruyere", "burrata", "custard", "crema", "queso", "cotija",
         "dulce de leche"),
        ("牛奶", "奶油", "黄油", "奶酪", "芝士", "酸奶", "炼乳", "奶粉", "淡奶", "水牛奶", "全脂奶", "鲜奶",
         "乳酪"),
        (*_PLANT_MILKS, *_SPREADS, *_NO_DAIRY, *_NO_DAIRY_ZH),
    ),
    Family(
        "fish",
        ("fish", "鱼"),
        ("fish", "salmon", "tuna", "cod", "anchovy", "anchovies", "haddock", "trout", "mackerel", "sardine",
         "seabass", "sea bass", "snapper", "halibut", "hake", "kingfish", "bonito", "katsuobushi", "dashi"),
        ("鱼", "蚝油"),
        ("鱼香", "鱼腥草", "fish-free", "monkfish-free"),
    ),
    Family(
        "shellfish",
        ("shellfish", "seafood", "海鲜", "贝类", "甲壳类"),
        ("shrimp", "prawn", "crab", "lobster", "mussel", "clam", "oyster", "scallop", "squid", "crayfish"),
        ("虾", "蟹", "贝", "蛤", "蚝", "鱿鱼", "海鲜", "瑶柱", "青口"),
        ("oyster mushroom", "宝贝", "贝贝南瓜"),
    ),
    Family(
        "soy",
        ("soy", "soya", "大豆", "豆制品"),
        ("soy", "soya", "tofu", "miso", "edamame", "tempeh", "tamari"),
        ("豆腐", "酱油", "生抽", "老抽", "豆瓣", "豆豉", "黄豆", "大豆", "豆浆", "味噌", "腐乳", "豆皮",
         "腐竹"),
        ("soy-free",),
    ),
    Family(
        "gluten",
        (),
        ("wheat", "plain flour", "bread flour", "white flour", "all-purpose flour", "strong flour", "cake flour",
         "self-raising flour", "wholemeal flour", "rye", "barley", "spelt", "semolina", "bulgur", "couscous",
         "panko", "breadcrumb", "bread", "pita", "pasta", "spaghetti", "lasagne", "penne", "ditalini", "noodle",
         "filo", "pastry", "bun"),
        ("面粉", "面筋", "小麦", "面条", "饺子皮", "馒头", "意面", "中筋粉", "低筋粉", "高筋粉"),
        ("gluten-free", "rice noodle", "glass noodle", "无麸质"),
    ),
    Family(
        "onion",
        ("onions", "onion", "alliums", "allium", "葱", "洋葱", "大葱", "小葱", "葱花"),
        ("onion", "shallot", "leek", "scallion", "chive", "ramp", "cipollini"),
        ("葱", "韭", "薤"),
        ("onion-free",),
    ),
    Family("garlic", ("garlic", "蒜", "大蒜", "蒜头", "蒜末"), ("garlic", "aioli"), ("蒜",), ("garlic-free",)),
    Family(
        "chilli",
        ("chilli", "chili", "chile", "chillies", "chilies", "chiles", "chilis", "hot pepper", "hot peppers", "辣椒"),
        ("chilli", "chili", "chile", "cayenne", "jalapeño", "jalapeno", "habanero", "scotch bonnet", "serrano",
         "chipotle", "sriracha", "gochujang", "gochugaru", "harissa", "berbere", "tabasco", "pepper flake",
         "kimchi", "sambal"),
        ("辣", "红油", "泡椒", "剁椒", "郫县豆瓣", "老干妈"),
        ("mild chilli", "不辣", "辣根"),
    ),
    Family("sesame", ("sesame", "芝麻"), ("sesame", "tahini"), ("芝麻",)),
    Family(
        "meat",
        ("meat", "肉", "肉类"),
        ("meat", "beef", "pork", "chicken", "lamb", "veal", "turkey", "duck", "bacon", "ham", "sausage",
         "mince",
         "pancetta", "prosciutto", "chorizo", "lard", "steak"),
        ("肉", "排骨", "鸡腿", "鸡胸", "火腿", "腊肠", "培根", "猪油", "鸡汤", "高汤"),
        ("meat-free", "nutmeat", "jackfruit meat", "coconut meat", "肉桂", "肉豆蔻", "果肉", "椰肉",
         "桂圆肉"),
    ),
    Family(
        "alcohol",
        ("alcohol", "wine", "酒精", "酒"),
        ("alcohol", "wine", "beer", "rum", "brandy", "whisky", "whiskey", "vodka", "sherry", "vermouth",
         "sake",
         "mirin", "cider", "bourbon", "liqueur", "amaretto"),
        ("料酒", "黄酒", "白酒", "红酒", "米酒", "绍酒", "绍兴酒", "啤酒", "朗姆酒", "酒酿", "葡萄酒"),
        ("wine vinegar", "cider vinegar", "sherry vinegar", "rice wine vinegar", "alcohol-free",
         "non-alcoholic"),
    ),
)  # fmt: skip

BY_CALLING = {called: family for family in FAMILIES for called in family.called}
"""The families by what a question calls them, lower case."""

_FAMILY_BY_NAME = {family.name: family for family in FAMILIES}


def family_called(words: str) -> Family | None:
    """Return the family that `words` of a question name, or None."""
    return BY_CALLING.get(words.strip().lower())


def holds(ingredients: str, wish: str) -> bool:
    """Tell whether a text of ingredients, lower case, names `wish`: the name of a family, or a plain word."""
    if family := _FAMILY_BY_NAME.get(wish):
        for phrase in family.except_in:
            ingredients = ingredients.replace(phrase, " ")
        return bool(_pattern(family.words, family.characters).search(ingredients))
    is_latin = wish.isascii()
    return bool(_pattern((wish,) if is_latin else (), () if is_latin else (wish,)).search(ingredients))


@lru_cache(maxsize=512)
def _pattern(words: tuple[str, ...], characters: tuple[str, ...]) -> re.Pattern[str]:
    latin = [rf"\b{_either_number(word.lower())}\b" for word in words]
    return re.compile("|".join([*latin, *map(re.escape, characters)]))


def _either_number(word: str) -> str:
    """Return a pattern for the singular and the plural of `word`."""
    if word.endswith("ies"):
        return f"{re.escape(word[:-3])}(?:y|ies)"
    if word.endswith("oes"):
        return f"{re.escape(word[:-2])}(?:es)?"
    if word.endswith("s") and not word.endswith("ss"):
        return f"{re.escape(word[:-1])}s?"
    if word.endswith("y"):
        return f"{re.escape(word[:-1])}(?:y|ies)"
    return f"{re.escape(word)}(?:e?s)?"
