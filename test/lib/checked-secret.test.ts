import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkedSecret, isCheckedSecret, newCheckedSecret } from '../../src/lib/checked-secret.ts'

// Computed with another program (Python's zlib.crc32), because other systems must find the same checksum.
const vectors: [random: Buffer, text: string][] = [
  [Buffer.alloc(32), 'wbs_000000000000000000000000000000000000000000049PiPb'],
  [Buffer.alloc(32).fill(112, 31), 'wbs_000000000000000000000000000000000000000001o00X7KZ'],
  [
    Buffer.from(Array.from({ length: 32 }, (_, index) => index)),
    'wbs_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf3nrrNz',
  ],
  [Buffer.alloc(32, 255), 'wbs_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp11L8H6p'],
]

test('a secret consists of its prefix, its random bits and a checksum', () => {
  for (const [random, text] of vectors) {
    assert.equal(checkedSecret('wbs_', random), text)
    assert.ok(isCheckedSecret('wbs_', text))
    assert.match(text, /\bwbs_[0-9A-Za-z]{49}\b/)
  }
})

test('new secrets differ, and pass their own check only', () => {
  const secrets = new Set(Array.from({ length: 1_000 }, () => newCheckedSecret('wbs_')))
  assert.equal(secrets.size, 1_000)
  for (const secret of secrets) {
    assert.match(secret, /^wbs_[0-9A-Za-z]{49}$/)
    assert.ok(isCheckedSecret('wbs_', secret))
    assert.ok(!isCheckedSecret('wkp_', secret))
  }
})

test('a secret that was cut, extended or changed in one place fails its check', () => {
  const secret = newCheckedSecret('wbs_')
  const wrong = [secret.slice(0, -1), secret.slice(0, -10), `${secret}0`, ` ${secret}`, `${secret}\n`, '', 'wbs_']
  for (let index = 0; index < secret.length; index++) {
    const other = secret[index] === 'a' ? 'b' : 'a'
    wrong.push(secret.slice(0, index) + other + secret.slice(index + 1))
  }
  for (const text of wrong) assert.equal(isCheckedSecret('wbs_', text), false, text)
})
