import assert from 'node:assert/strict'
import { test } from 'node:test'

const { judge } = (await import(new URL('../../src/ui/assets/password-strength.js', import.meta.url).href)) as {
  judge: (password: string, given: { shortest: number; words: string[] }) => string
}

const levels: Record<string, string[]> = {
  short: ['', 'seven77', '🔑🔑🔑🔑🔑🔑🔑'],
  weak: ['password123', '!Wardenry!', 'ada.lovelace1', 'aaaaaaaa', '12345678', 'abababab', '         '],
  fair: ['quiet1lamp', 'relaymoths'],
  strong: ['seven quiet river stones', 'R1ver-st0nes'],
}

for (const [level, passwords] of Object.entries(levels)) {
  test(`the page calls a password ${level} where the service would know more, or the same`, () => {
    const words = ['Wardenry', 'ada.lovelace']
    for (const password of passwords) assert.equal(judge(password, { shortest: 8, words }), level, password)
  })
}
