"""Where a city's clock stands: its names in English and Chinese, and its zone in the IANA database."""

import zoneinfo
from dataclasses import dataclass
from datetime import timedelta, timezone, tzinfo

from pegboard.text import nearest

_CITIES = """
Asia/Shanghai: Beijing 北京; Shanghai 上海; Guangzhou 广州; Shenzhen 深圳; Chengdu 成都;
  Hangzhou 杭州; Wuhan 武汉; Xi'an 西安; Nanjing 南京; Chongqing 重庆; Suzhou 苏州; China 中国
Asia/Hong_Kong: Hong Kong 香港
Asia/Macau: Macau 澳门
Asia/Taipei: Taipei 台北
Asia/Tokyo: Tokyo 东京; Osaka 大阪; Kyoto 京都; Japan 日本
Asia/Seoul: Seoul 首尔; Busan 釜山; South Korea 韩国
Asia/Singapore: Singapore 新加坡
Asia/Kuala_Lumpur: Kuala Lumpur 吉隆坡
Asia/Bangkok: Bangkok 曼谷; Thailand 泰国
Asia/Jakarta: Jakarta 雅加达
Asia/Manila: Manila 马尼拉
Asia/Ho_Chi_Minh: Ho Chi Minh City 胡志明市; Hanoi 河内; Saigon 西贡
Asia/Kolkata: Delhi 德里; New Delhi 新德里; Mumbai 孟买; Bangalore 班加罗尔; Kolkata 加尔各答; India 印度
Asia/Karachi: Karachi 卡拉奇
Asia/Dhaka: Dhaka 达卡
Asia/Kathmandu: Kathmandu 加德满都
Asia/Dubai: Dubai 迪拜; Abu Dhabi 阿布扎比
Asia/Riyadh: Riyadh 利雅得
Asia/Tehran: Tehran 德黑兰
Asia/Jerusalem: Jerusalem 耶路撒冷; Tel Aviv 特拉维夫
Asia/Tbilisi: Tbilisi 第比利斯
Asia/Almaty: Almaty 阿拉木图
Europe/Istanbul: Istanbul 伊斯坦布尔
Europe/Moscow: Moscow 莫斯科; Saint Petersburg 圣彼得堡
Europe/Kyiv: Kyiv 基辅
Europe/London: London 伦敦; Edinburgh 爱丁堡; Manchester 曼彻斯特
Europe/Dublin: Dublin 都柏林
Europe/Lisbon: Lisbon 里斯本
Europe/Paris: Paris 巴黎; Lyon 里昂; France 法国
Europe/Berlin: Berlin 柏林; Munich 慕尼黑; Hamburg 汉堡市; Frankfurt 法兰克福; Germany 德国
Europe/Madrid: Madrid 马德里; Barcelona 巴塞罗那; Spain 西班牙
Europe/Rome: Rome 罗马; Milan 米兰; Italy 意大利
Europe/Vienna: Vienna 维也纳
Europe/Zurich: Zurich 苏黎世; Geneva 日内瓦
Europe/Amsterdam: Amsterdam 阿姆斯特丹
Europe/Brussels: Brussels 布鲁塞尔
Europe/Copenhagen: Copenhagen 哥本哈根
Europe/Stockholm: Stockholm 斯德哥尔摩
Europe/Oslo: Oslo 奥斯陆
Europe/Helsinki: Helsinki 赫尔辛基
Europe/Warsaw: Warsaw 华沙
Europe/Prague: Prague 布拉格
Europe/Budapest: Budapest 布达佩斯
Europe/Athens: Athens 雅典
Africa/Cairo: Cairo 开罗
Africa/Lagos: Lagos 拉各斯
Africa/Nairobi: Nairobi 内罗毕
Africa/Johannesburg: Johannesburg 约翰内斯堡; Cape Town 开普敦
Africa/Casablanca: Casablanca 卡萨布兰卡
Africa/Addis_Ababa: Addis Ababa 亚的斯亚贝巴
America/New_York: New York 纽约; Washington 华盛顿; Boston 波士顿; Miami 迈阿密;
  Philadelphia 费城; Atlanta 亚特兰大
America/Chicago: Chicago 芝加哥; Houston 休斯顿; Dallas 达拉斯; Austin 奥斯汀
America/Denver: Denver 丹佛
America/Phoenix: Phoenix 菲尼克斯
America/Los_Angeles: Los Angeles 洛杉矶; San Francisco 旧金山; Seattle 西雅图;
  San Diego 圣地亚哥市; Las Vegas 拉斯维加斯
America/Anchorage: Anchorage 安克雷奇
Pacific/Honolulu: Honolulu 檀香山; Hawaii 夏威夷
America/Toronto: Toronto 多伦多; Montreal 蒙特利尔; Ottawa 渥太华
America/Vancouver: Vancouver 温哥华
America/Mexico_City: Mexico City 墨西哥城
America/Bogota: Bogota 波哥大
America/Lima: Lima 利马
America/Santiago: Santiago 圣地亚哥
America/Sao_Paulo: Sao Paulo 圣保罗; Rio de Janeiro 里约热内卢
America/Argentina/Buenos_Aires: Buenos Aires 布宜诺斯艾利斯
Australia/Sydney: Sydney 悉尼; Canberra 堪培拉
Australia/Melbourne: Melbourne 墨尔本
Australia/Brisbane: Brisbane 布里斯班
Australia/Perth: Perth 珀斯
Australia/Adelaide: Adelaide 阿德莱德
Pacific/Auckland: Auckland 奥克兰; Wellington 惠灵顿; New Zealand 新西兰
UTC: UTC 协调世界时; GMT 格林尼治
"""


@dataclass(frozen=True, slots=True)
class Place:
    """A place whose time of day is known."""

    name: str
    chinese: str
    zone: str
    """Its IANA name, or `UTC+05:30` for a place that is only an offset."""
    offset: timedelta | None = None
    """Ahead of UTC; None where the zone tells."""

    @property
    def timezone(self) -> tzinfo:
        """What turns a moment into its time of day."""
        return zoneinfo.ZoneInfo(self.zone) if self.offset is None else timezone(self.offset)

    def called(self, language: str) -> str:
        """Return its name in `language`."""
        return self.chinese if language == "zh" else self.name


def _read(table: str) -> dict[str, Place]:
    places: dict[str, Place] = {}
    zone = ""
    for line in table.strip().splitlines():
        head, colon, rest = line.partition(": ")
        zone = head if colon else zone
        for entry in (rest if colon else line).split(";"):
            if entry.strip():
                name, _, chinese = entry.strip().rpartition(" ")
                places[name.lower()] = places[chinese] = Place(name, chinese, zone)
    return places


PLACES = _read(_CITIES)
"""Every place by its names, English ones in lower case."""


def find(name: str) -> Place | None:
    """Return the place that `name` means: a city, or a zone such as `Europe/Paris`; None if unknown."""
    wanted = name.strip(" ?？.,。，!").removeprefix("the ").removesuffix("市")
    found = PLACES.get(wanted) or PLACES.get(wanted.lower())
    if found is None and "/" in wanted and _is_zone(wanted):
        label = wanted.rpartition("/")[2].replace("_", " ")
        return Place(label, label, wanted)
    return found


def mentioned(text: str) -> list[Place]:
    """Return the places that `text` names, in the order of their mention."""
    lowered = f" {text.lower()} "
    found = [
        (lowered.find(name), -len(name), place)
        for name, place in PLACES.items()
        if name in lowered and (not name.isascii() or _is_word(lowered, name))
    ]
    kept: dict[str, Place] = {}
    for _, _, place in sorted(found, key=lambda entry: entry[:2]):
        if not any(place.name in other.name or place.chinese in other.chinese for other in kept.values()):
            kept[place.name] = place
    return list(kept.values())


def near(name: str) -> str | None:
    """Return the name of a place that `name` was probably meant to be."""
    found = nearest(name, PLACES)
    return PLACES[found].name if found else None


def _is_word(text: str, name: str) -> bool:
    start = text.find(name)
    return not text[start - 1].isalnum() and not text[start + len(name)].isalnum()


def _is_zone(name: str) -> bool:
    return name in zoneinfo.available_timezones()
