import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FileStore } from '../../src/adapters/files/port.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const kind = 'image/webp'

export const badNames = [
  '',
  '.',
  '..',
  'a',
  'a.',
  '.webp',
  '../a.webp',
  'a/b.webp',
  '/etc/passwd',
  'A.webp',
  'a.webp\0',
  'a\n.webp',
  'a.b.webp',
  `${'a'.repeat(200)}.webp`,
]

/** Tests that every file store must pass. `open` returns an empty store. */
export function filesContract(open: () => Promise<FileStore>): void {
  test('returns a stored file byte for byte, replaces it and removes it', async () => {
    const files = await open()
    assert.notEqual(files.kind, 'off')
    assert.equal(await files.get('ada-1.webp'), undefined)
    const all = Uint8Array.from({ length: 256 }, (_, index) => index)
    await files.put('ada-1.webp', all, kind)
    assert.deepEqual(new Uint8Array((await files.get('ada-1.webp')) ?? []), all)
    await files.put('ada-1.webp', bytes('new'), kind)
    assert.deepEqual(Buffer.from((await files.get('ada-1.webp')) ?? []).toString(), 'new')
    await files.remove('ada-1.webp')
    await files.remove('ada-1.webp')
    assert.equal(await files.get('ada-1.webp'), undefined)
  })

  test('refuses foreign names everywhere', async () => {
    const files = await open()
    for (const name of badNames) {
      await assert.rejects(files.put(name, bytes('x'), kind), name)
      await assert.rejects(files.get(name), name)
      await assert.rejects(files.remove(name), name)
    }
  })

  test('a reader sees either the old or the new file, never a mixture', async () => {
    const files = await open()
    const versions = ['a', 'b'].map((letter) => bytes(letter.repeat(200_000)))
    await files.put('ada-1.webp', versions[0]!, kind)
    const writes = Promise.all(Array.from({ length: 20 }, (_, n) => files.put('ada-1.webp', versions[n % 2]!, kind)))
    for (let n = 0; n < 20; n++) {
      const read = Buffer.from((await files.get('ada-1.webp')) ?? [])
      assert.equal(read.length, 200_000)
      assert.equal(new Set(read).size, 1)
    }
    await writes
  })
}
