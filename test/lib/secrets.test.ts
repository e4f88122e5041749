import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { maskEmail } from '../../src/lib/contact.ts'
import { equalSecrets, keyedHash, sha256 } from '../../src/lib/hash.ts'
import {
  looksLikeId,
  looksLikeSessionToken,
  newId,
  newSecret,
  newSessionToken,
  newUserName,
} from '../../src/lib/ids.ts'
import { type SealKey, seal, unseal } from '../../src/lib/seal.ts'
import { anyCharacter } from '../support/any-character.ts'

const key = (id: string): SealKey => ({ id, key: randomBytes(32) })

test('sealed text is unsealed unchanged with any known key', () => {
  const [older, newer] = [key('1'), key('2')]
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (plain) => {
      fc.pre(plain.isWellFormed())
      const sealed = seal([older], plain)
      assert.equal(unseal([newer, older], sealed), plain)
      assert.notEqual(seal([older], plain), sealed, 'a fresh nonce each time')
      assert.ok(plain.length < 4 || !sealed.includes(plain))
    }),
  )
  assert.match(seal([newer, older], 'x'), /^2\./, 'the first key encrypts')
})

test('sealed text that was modified, truncated or has another key id is refused', () => {
  const keys = [key('1'), key('2')]
  const sealed = seal(keys, 'a small secret')
  const [id = '', ...parts] = sealed.split('.')
  for (const [index, part] of parts.entries()) {
    const bytes = Buffer.from(part, 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      assert.throws(() => unseal(keys, [id, ...parts.with(index, changed.toString('base64url'))].join('.')))
    }
    for (const length of [0, 4, 8, 12, bytes.length - 1]) {
      if (length === bytes.length) continue
      assert.throws(
        () => unseal(keys, [id, ...parts.with(index, bytes.subarray(0, length).toString('base64url'))].join('.')),
        `${length} bytes`,
      )
    }
  }
  assert.throws(() => unseal(keys, ['2', ...parts].join('.')))
  assert.throws(() => unseal(keys, ['3', ...parts].join('.')), /no data key with id "3"/)
  for (const nothing of ['', '.', '...', '1...', sealed.slice(0, -1), parts.join('.')])
    assert.throws(() => unseal(keys, nothing), nothing)
  assert.throws(() => seal([], 'x'), /no data key/)
})

test('hashes are the known ones, and one key serves purposes that never meet', () => {
  assert.equal(sha256(''), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  assert.equal(sha256('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  const marks = [
    keyedHash('k', 'a', 'bc'),
    keyedHash('k', 'ab', 'c'),
    keyedHash('k', 'abc', ''),
    keyedHash('k2', 'a', 'bc'),
    keyedHash('k', 'a', 'BC'),
  ]
  assert.equal(new Set(marks).size, marks.length)
  for (const mark of marks) assert.match(mark, /^[\w-]{43}$/)
})

test('secrets are equal when they are the same, whole and exact', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (left, right) => assert.equal(equalSecrets(left, right), left === right)),
  )
  for (const [left, right] of [
    ['', ' '],
    ['a', 'A'],
    ['abc', 'ab'],
    ['a\0', 'a'],
    ['é', 'e\u0301'],
  ] as const)
    assert.equal(equalSecrets(left, right), false)
})

test('100,000 bearer values: no two alike, in no order, every bit as often set as not', () => {
  const count = 100_000
  const values = Array.from({ length: count }, newSessionToken)
  assert.equal(new Set(values).size, count)
  assert.ok(values.every(looksLikeSessionToken))
  const ascending = values.filter((value, index) => index > 0 && value > (values[index - 1] ?? '')).length
  assert.ok(Math.abs(ascending - count / 2) < 5 * Math.sqrt(count / 12), `${ascending} follow a smaller one`)
  const set = new Uint32Array(256)
  for (const value of values) {
    const bytes = Buffer.from(value.slice(4), 'base64url')
    for (let bit = 0; bit < 256; bit++) set[bit] = (set[bit] ?? 0) + ((bytes.readUInt8(bit >> 3) >> (bit & 7)) & 1)
  }
  for (const [bit, ones] of set.entries())
    assert.ok(Math.abs(ones - count / 2) < 5 * Math.sqrt(count / 4), `bit ${bit}: ${ones}`)
})

test('only what has the form of a bearer value or an id passes for one', () => {
  const value = newSessionToken()
  for (const other of [
    '',
    value.slice(1),
    `${value}x`,
    `${value}\n`,
    ` ${value}`,
    value.toUpperCase(),
    value.replace('_', '-'),
    sha256(value),
    newId(),
    newSecret(),
  ]) {
    assert.ok(!looksLikeSessionToken(other), other)
  }
  const id = newId()
  assert.ok(looksLikeId(id))
  for (const other of ['', id.toUpperCase(), `${id}\n`, `{${id}}`, id.replaceAll('-', ''), '1', '../'])
    assert.ok(!looksLikeId(other), other)
  assert.match(newSecret(), /^[\w-]{43}$/)
  assert.match(newUserName(), /^user_[a-km-np-z2-9]{10}$/)
  const ids = Array.from({ length: 20_000 }, newId)
  assert.deepEqual(ids.toSorted(), ids, 'rows of one millisecond are in the order of their creation')
  assert.equal(new Set(ids.map((each) => each.slice(19))).size, ids.length, 'the rest is random')
})

test('ids stay in order when the clock is set back by seconds, and follow it when it is set back further', (t) => {
  let now = Date.now() + 60_000
  t.mock.method(Date, 'now', () => now)
  const before = newId()
  now -= 5_000
  const after = newId()
  assert.ok(after > before)
  now -= 60_000
  assert.ok(newId() < before)
})

test('a masked address shows its first letter and its domain', () => {
  const masked = {
    'ada@example.com': 'a***@example.com',
    'a@b.c': 'a***@b.c',
    '"a@b"@c.d': '"***@c.d',
    '@example.com': '***',
    ada: '***',
    '': '***',
  }
  for (const [address, shown] of Object.entries(masked)) assert.equal(maskEmail(address), shown)
})
