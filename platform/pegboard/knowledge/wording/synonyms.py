"""Everyday words that mean the same, English and Chinese: what goods do, and what customers ask for.

General by intent: words of any shop, kitchen or help desk, never the terms of one site. How they are applied is
`stems`' business.
"""

import re

SYNONYMS = (
    "battery 续航 电池 runtime playtime",
    "noise cancelling anc 降噪",
    "size dimensions 尺寸 大小 measurements big large",
    "capacity 容量 volume litres",
    "power 功率 wattage watts",
    "waterproof rainproof water-resistant 防水 splash ipx4 ipx7",
    "screen display 屏幕 显示",
    "memory ram storage 内存 存储",
    "charge charging charger 充电",
    "connection bluetooth wireless 连接 蓝牙",
    "microphone mic 麦克风",
    "material fabric 材质 面料",
    "light lamp 光 灯光 照明",
    "noise loud quiet 噪音 噪声",
    "film movie director 导演 电影",
    "resolution pixels 分辨率",
    "sleep temperature comfort 温标 温度",
    "blade steel 刀刃 钢材",
    "wine drink beer 酒 饮料 茶",
    "substitute replace instead swap alternative 代替 替代 替换",
    "freeze freezer frozen 冷冻",
    "store keep fridge 保存 冷藏",
    "volts voltage 电压",
    "oven bake baked roast roasted 烤箱 烤 烘烤 烤制",
    "simmer boil stew 煮 炖 煲",
    "rest stand prove rise chill 静置 醒发 发酵 冷藏",
    "marinate marinade 腌 腌制",
    "climb threshold obstacle 越障 门槛 爬",
)
"""Of goods, recipes and films."""

_SERVICE = (
    "refund refunded reimburse 退款 退钱 退回 返还 返现 到账",
    "return 退货 退换 寄回 退",
    "exchange swap 换货 换 调换 更换",
    "decline refuse reject fail failed unsuccessful 失败 拒绝 被拒",
    "pay payment 付款 支付 付钱",
    "charge debit 扣款 扣钱 扣费 扣",
    "card 银行卡 信用卡 刷卡",
    "instalment installment 分期",
    "twice double duplicate 两次 重复 多扣",
    "damage broken break faulty defective crack 破损 损坏 质量问题 坏了 坏 破 碎",
    "lost missing lose stolen absent 丢失 丢件 丢 少件 缺 漏",
    "deliver delivery arrive 配送 送货 送达 送到 时效",
    "deliver delivery ship shipping postage 配送 快递 寄送 运送 寄 送",
    "dispatch 发货 发出 寄出",
    "shipping postage 运费 邮费",
    "cost price fee 运费 费用 收费 价格 邮费",
    "free gratis cost fee 免费 包邮 费用 运费",
    "parcel package packet 包裹 快递 快件",
    "track tracking 物流 查件",
    "invoice receipt 发票 开票 收据",
    "cancel 取消 撤销",
    "change edit modify amend correct 修改 更改 改",
    "wrong incorrect mistake error mistyped 填错 写错 开错 错误 错",
    "password 密码",
    "login signin 登录 登陆",
    "discount promo voucher coupon 优惠码 优惠券 折扣码 优惠 折扣 打折",
    "expire expiry lapse 过期 失效 作废 有效期 到期 有效 逾期",
    "warranty guarantee 质保 保修",
    "repair fix mend 维修 报修 修理 修",
    "company business firm 公司 企业 单位",
    "agent staff representative 客服 人工",
    "phone call telephone 电话 打电话",
    "complain complaint 投诉",
    "store shop showroom 门店 实体店",
    "account profile 账户 账号 帐号 帐户",
    "delete close remove erase 注销 删除",
    "collect pickup 自提 取件 取货",
    "customs duty duties tariff 关税 海关",
    "abroad international overseas foreign 国外 海外 境外",
    "gift present 礼物 礼品",
    "wrap wrapping 包装",
    "recycle dispose discard 回收",
    "hours open 上班 营业 工作时间",
)
"""Of buying, sending, paying and complaining."""

GROUPS = (*SYNONYMS, *_SERVICE)
"""One group a line; a word may be in several."""

_BACK = r"\b{verb}\b(?:\s+[\w'-]+){{0,3}}?\s+back\b"
_PARCEL = r"(?:order|parcel|package|delivery|stuff|things?)"

PHRASES = tuple(
    (re.compile(pattern, re.IGNORECASE), words)
    for pattern, words in (
        (r"\bmoney\b(?:\s+\w+)?\s+back\b", "refund"),
        (_BACK.format(verb=r"(?:sen[dt]|sending|give|giving|tak(?:e|ing)|bring(?:ing)?)"), "return"),
        (r"\b(?:i|we)(?:'ve| have)? changed (?:my|our) minds?\b[,.;]?", ""),
        (r"\bwhat (?:i|we) (?:just )?(?:bought|ordered)\b", "order"),
        (rf"\bwhere(?:'s| is| are)\s+my\s+(?={_PARCEL}\b)", "tracking "),
        (r"\b(?:sign|log)(?:ging|ged|ning|ned)?[ -]?in\b", "signin"),
        (r"\bpick(?:ed|ing)?[ -]?up\b", "pickup"),
        (r"\b(?:opening|office|business|working)\s+hours\b", "hours"),
        (r"\bmade out to\b", "invoice name"),
        (r"(?:包裹|快递|快件|订单|东西)(?:现在)?(?:到哪|在哪)里?儿?了?", "包裹物流"),
        (r"(?:几天|多久|多长时间|什么时候|何时)(?:才|能|会|可以)*(?:送到|收到|到货|寄到|到(?!账))", "多久送达"),
        (r"(?:要|加|收|另)[要加收付]?钱", "费用"),
        (r"多少钱", "费用"),
        (r"付不了款?", "付款失败"),
        (r"(?:不能用|用不了|没法用|不可用|无效)", "失效"),
        (r"钱(?:什么时候|多久|何时)?(?:能|会)?(?:退|到账)", "退款"),
        (r"几点(?:上班|开门|营业)", "上班时间"),
    )
)
"""Turns of speech, and the words that stand for them."""
