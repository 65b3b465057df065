"""Words that talk of travel is full of: one of them alone gives no single statement away."""

from __future__ import annotations

from text.terms import stem

_ENGLISH = """
    able abroad access active activity add address adult afternoon age agent air aircraft airline airport aisle
    allow allergic allergy alone amount apartment area arrival arrive art ask available away baby back bad bag
    baggage balcony bar bath bathroom beach bed bedroom beer best better big bike bill birthday board boarding boat
    bottle breakfast bridge bring brother budget bus business busy buy cabin cafe call car card care carry castle
    center central centre chain chair change charge cheap check child choice church city class clean close coast
    coach coffee cold comfortable company companion concert confirm connect connection cook cool corner cost country
    couple cover credit crowd cruise culture currency custom daily dairy dance date daughter day deal december deck
    delay departure desk dessert diet different difficult dinner direct distance dish dollar door double downtown
    drink drive driver early east easy eat economy egg elevator email end english enough entry euro evening event
    exit expensive experience extra fact family far fare fast father fee ferry find fine first fish fixed flat
    flexible flight floor fly food foot free fresh friday friend front fruit full fun garden gate gluten gold good
    great ground group guide gym half hall hand happy hard health heat heavy help high hike hill hire history hold
    holiday home hot hotel hour house husband idea important include information insurance international island
    january july june kid kind king kitchen know lake large last late layover leave left leg less level life lift
    light line list little live local location long look lounge love low luggage lunch luxury machine main map march
    market may meal meat medical medium meet meeting member menu middle midweek milk mind minute miss monday money
    month more morning mother mountain move much museum music name narrow nature near neighborhood neighbourhood new
    next nice night no noise noisy non nonstop north note november number nut october offer office old online open
    option order outside overnight pack page park parking part partner party pass passenger passport pay peace
    people person phone photo pick place plan plane play pm point pool port pound power premium price private public
    quality quick quiet rail rain rate read ready receipt red refund relax remember rent rental request reservation
    rest restaurant return ride right river road room route row safe sale saturday save sea search season seat
    second see selection september service share shop short show shower side sight silver single sister sit size
    sleep slow small smoke smoking snack snow soft son soon south space special spend sport spring staff stair stairs
    standard star start station stay step stop storage store street strong suite summer sun sunday sure swim table
    talk tax taxi tea tell temple terminal thing third thursday ticket tight time tip today tomorrow top tour tower
    town traffic train transfer transport travel trip try tuesday twin type under understand union upgrade vacation
    van vegetable view village visa visit wait walk wall want warm water way wednesday week weekday weekend weekly
    west wheel white wide wife wifi window wine winter work world year yen yesterday young zone
    april august february monthly
    adore aeroplane agree always anniversary answer anybody april arrange august avoid book booking bother business
    cancel chance conversation decide easily enjoy favourite favorite forget forgot forgotten happen hate keep later
    let like likes long maybe memory mention need never noted once prefer preference promise question really
    reason recommend remove require said say seem sometimes sound speak suggest suit switch take tend thank
    think understand use usual usually wish wonder wrong
"""
_JAPANESE = """
    旅行 旅 出張 観光 予約 便 席 座席 窓側 窓際 通路側 前方 後方 飛行機 空港 航空 航空会社 直行便 乗り継ぎ
    機内食 食事 朝食 昼食 夕食 料理 野菜 魚 肉 酒 水 ホテル 宿 旅館 部屋 和室 洋室 禁煙 喫煙 高層階 低層階 階
    温泉 風呂 駅 電車 列車 新幹線 バス 車 レンタカー タクシー 荷物 手荷物 料金 値段 予算 円 安 高 静 近 遠 早 遅
    朝 昼 夜 夕方 今日 明日 昨日 今週 来週 今月 来月 今年 来年 年 月 日 週末 平日 時間 分 午前 午後 家族 子供 妻
    夫 友人 友達 仕事 会社 海 山 川 街 町 市内 中心 美術館 博物館 公園 庭園 散歩 買物 買い物 写真 天気 雨 雪 春
    夏 秋 冬 北 南 東 西 円 人 名 泊 話 会話 記憶 記録 保険 エコノミー ビジネス ファースト クラス ツイン
    シングル ダブル プール ジム レストラン カフェ アレルギー パスポート ビザ
"""

COMMON = frozenset({*map(stem, _ENGLISH.split()), *_JAPANESE.split()})
"""Stems of English words, and Japanese terms as they are written."""
