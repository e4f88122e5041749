import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hashListProblem, isInHashList } from '../../src/lib/hash-list.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const directory = temporaryDirectory('hashes')
const hashOf = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase()
const hashes = Array.from({ length: 20_000 }, (_, number) => hashOf(`in ${number}`)).toSorted()

/** Line formats. Counts give the lines different lengths. */
const forms: Record<string, (digits: string, index: number) => string> = {
  'hashes alone': (digits) => `${digits}\n`,
  'hashes with counts': (digits, index) => `${digits}:${10 ** (index % 9)}\r\n`,
  'small letters': (digits) => `${digits.toLowerCase()}:1\n`,
}

for (const [name, write] of Object.entries(forms)) {
  test(`every hash of a list is found, and no other: ${name}`, async () => {
    for (const count of [1, 2, 3, 100, hashes.length]) {
      const path = join(directory, 'list.txt')
      const listed = hashes.slice(0, count)
      const text = listed.map(write).join('')
      for (const content of [text, text.trimEnd()]) {
        writeFileSync(path, content)
        assert.equal(hashListProblem(path), undefined)
        const some = listed.filter((_, index) => index < 3 || index > count - 3 || index % 97 === 0)
        for (const digits of some) assert.equal(await isInHashList(path, digits), true, digits)
        const others = [
          '0'.repeat(40),
          'F'.repeat(40),
          ...some.map((digits) => `${digits.slice(0, 39)}Z`.replace('Z', digits.endsWith('0') ? '1' : '0')),
        ]
        for (const digits of others) assert.equal(await isInHashList(path, digits), false, digits)
      }
    }
  })
}

test('a hash that was never seen is not found', async () => {
  const path = join(directory, 'padded.txt')
  writeFileSync(path, hashes.map((digits, index) => `${digits}:${index % 2}\n`).join(''))
  assert.equal(await isInHashList(path, hashes[4_000]!), false)
  assert.equal(await isInHashList(path, hashes[4_001]!), true)
})

test('a list that has become something else rejects instead of searching on', { timeout: 10_000 }, async () => {
  const path = join(directory, 'other.txt')
  for (const content of ['x'.repeat(1_000_000), 'word\n'.repeat(100_000)]) {
    writeFileSync(path, content)
    await assert.rejects(isInHashList(path, hashes[0]!), /a line that is not a hash/)
  }
})
