/** From U+3041. Small letters are in upper case. */
const kana = [
  ...'A a I i U u E e O o ka ga ki gi ku gu ke ge ko go sa za shi ji su zu se ze so zo ta da chi ji TSU tsu zu'.split(
    ' ',
  ),
  ...'te de to do na ni nu ne no ha ba pa hi bi pi fu bu pu he be pe ho bo po ma mi mu me mo YA ya YU yu YO yo'.split(
    ' ',
  ),
  ...'ra ri ru re ro WA wa i e o n vu KA KE'.split(' '),
]

/** Returns a word in hiragana or katakana in Hepburn romanization. */
export function kanaWord(word: string): string {
  return [...word]
    .map((character) => {
      const code = character.codePointAt(0) ?? 0
      return kana[code - (code >= 0x30a1 ? 0x30a1 : 0x3041)] ?? ''
    })
    .join(' ')
    .replace(/(sh|ch|j)i Y([AUO])/g, '$1$2')
    .replace(/i Y([AUO])/g, 'y$1')
    .replace(/[aiueo] ([AIUEO])/g, '$1')
    .replace(/TSU (?=ch)/g, 't')
    .replace(/TSU (?=([a-z]))/g, '$1')
    .toLowerCase()
    .replaceAll(' ', '')
}
