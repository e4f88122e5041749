/** Sorts Chinese characters by their reading in Mandarin. Node.js contains the data (CLDR). */
const { compare } = new Intl.Collator('zh-u-co-pinyin')

/** The readings without tones, each with the first character in this order that has the reading. */
const firsts = `
a吖 ai哎 an安 ang肮 ao凹 ba丷 bai紦 ban扳 bang邦 bao勹 bei卑 ben奔 beng獖 bi屄 bian边 biao灬 bie憋 bin汃 bing氞 bo癶 bu峬 ca簿
cai囃 can参 cang仓 cao撡 ce艹 cen嵾 ceng曽 cha叉 chai芆 chan辿 chang伥 chao蟐 che车 chen抻 cheng阷 chi吃 chong充 chou抽
chu出 chuai橻 chuan巛 chuang刅 chui吹 chun旾 chuo逴 ci呲 cong匆 cou凑 cu粗 cuan汆 cui崔 cun乼 cuo搓 da咑 dai呆 dan鮘 dang当
dao刀 de嘚 den扥 deng灯 di氐 dia嗲 dian敁 diao刁 die爹 ding丁 diu丟 dong东 dou吺 du厾 duan耑 dui垖 dun吨 duo多 e妸 ei诶 en奀
er鞥 fa发 fan帆 fang匚 fei飞 fen分 feng丰 fo覅 fou紑 fu夫 ga旮 gai侅 gan甘 gang冈 gao皋 ge戈 gen给 geng刯 gong工 gou勾 gu估
gua瓜 guai乖 guan关 guang光 gui撗 gun丨 guo呙 ha哈 hai咍 han嚡 hang夯 hao茠 he诃 hei黒 hen拫 heng亨 hong噷 hou齁 hu乎 hua花
huai怀 huan欢 huang巟 hui灰 hun昏 huo吙 ji丌 jia加 jian戋 jiang橺 jiao艽 jie鵤 jin巾 jing坕 jiong燝 jiu丩 ju凥 juan爠 jue噘
jun军 ka咔 kai开 kan刊 kang忼 kao尻 ke匼 ken剋 keng劥 kong空 kou抠 ku扝 kua夸 kuai蒯 kuan宽 kuang匡 kui亏 kun鑎 kuo尡 la垃
lai来 lan兰 lang啷 lao唥 le仂 lei雷 leng嘞 li哩 lian俩 liang良 liao煷 lie毟 lin拎 ling伶 liu瀮 long囖 lou瞜 lu噜 luan娈 lue掠
lun擽 luo啰 ma呣 mai埋 man嫚 mang牤 mao猫 me嚒 mei癦 men椚 meng擝 mi咪 mian宀 miao喵 mie乜 min民 ming名 miu谬 mo摸 mou怽 mu毪
na縸 nai腉 nan囡 nang囔 nao孬 ne疒 nei娞 nen恁 ni能 nian拈 niang娘 niao鸟 nie捏 nin囜 ning宁 niu妞 nong农 nou羺 nu譳 nuan奻
nue疟 nuo黁 o喔 ou讴 pa妑 pai拍 pan眅 pang乓 pao抛 pei呸 pen喷 peng匉 pi丕 pian囨 piao剽 pie氕 pin姘 ping乒 po蘋 pou桲 pu仆
qi巬 qia掐 qian千 qiang呛 qiao悄 qie苆 qin亲 qing靑 qiong卭 qiu丘 qu区 quan迲 que炔 qun夋 ran呥 rang穣 rao娆 re惹 ren人
reng扔 ri日 rong戎 rou厹 ru邚 ruan挼 rui婑 run瞤 ruo捼 sa仨 sai虄 san三 sang橵 sao掻 se閪 sen森 seng僧 sha杀 shai繌 shan山
shang伤 shao弰 she奢 shen谁 sheng升 shi尸 shou収 shu书 shua刷 shuai衰 shuan闩 shuang双 shui脽 shun吮 shuo说 si厶 song忪
sou凁 su苏 suan狻 sui夊 sun孙 suo唆 ta他 tai囼 tan粏 tang賧 tao夲 te忑 teng熥 ti剔 tian趯 tiao旫 tie螩 ting厅 tong囲 tou偷
tu綉 tuan湍 tui推 tun吞 tuo畽 wa屲 wai歪 wan弯 wang尢 wei危 wen煀 weng呚 wo挝 wu乌 xi錻 xia呷 xian仙 xiang乡 xiao灱 xie恷
xin心 xing星 xiong裄 xiu休 xu吁 xuan吅 xue削 xun坃 ya丫 yan恹 yang央 yao羪 ye鑰 yi一 yin囙 ying应 yo哟 yong佣 you优 yu蒏
yuan澚 yue曰 yun晕 za繧 zai災 zan兂 zang匨 zao傮 ze则 zei伬 zen怎 zeng譛 zha扎 zhai夈 zhan枬 zhang张 zhao佋 zhe蜇 zhen贞
zheng凧 zhi之 zhong徔 zhou州 zhu朱 zhua抓 zhuan跩 zhuang妆 zhui隹 zhun宒 zhuo拙 zi乲 zong宗 zou潈 zu楱 zuan钻 zui厜 zun穝
zuo嘬
`
  .trim()
  .split(/\s+/)
  .map((text) => ({ reading: text.slice(0, -1), first: text.slice(-1) }))

/** Returns the usual reading of a character, which is right for 19 of 20 characters. */
export function readingOf(character: string): string {
  let [low, high] = [0, firsts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (compare(firsts[middle]?.first ?? '', character) <= 0) low = middle
    else high = middle - 1
  }
  return firsts[low]?.reading ?? ''
}
