import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { call, type Nodes, needsPostgres, newAddress, registerAt, startNodes } from '../nodes/nodes.ts'
import { drawn } from '../pictures/support.ts'

describe('pictures of one user from two nodes at one instant', needsPostgres, () => {
  let nodes: Nodes
  const directory = mkdtempSync(join(tmpdir(), 'wardenry-pictures-'))
  before(async () => {
    nodes = await startNodes(2, { DATA_DIR: directory })
  })
  after(async () => {
    await nodes?.stop()
    rmSync(directory, { recursive: true })
  })

  const upload = async (url: string, sessionToken: string, bytes: Buffer) => {
    const body = new FormData()
    body.append('picture', new Blob([Uint8Array.from(bytes)]), 'me.png')
    const headers = { 'x-session-id': sessionToken, 'x-forwarded-for': newAddress() }
    const reply = await fetch(`${url}/auth/upload/picture`, { method: 'POST', headers, body })
    const { data } = (await reply.json()) as { data?: { picture_url: string } }
    return { status: reply.status, picture: data?.picture_url }
  }

  test('one of them is the picture in the end, and no file of another is left', async () => {
    const picture = await drawn(60, 60).png().toBuffer()
    const ada = await registerAt(nodes.urls[0]!)
    for (let round = 0; round < 8; round++) {
      const headers = { 'x-session-id': ada.sessionToken }
      const [deletion, ...uploads] = await Promise.all([
        call(`${nodes.urls[round % 2]}/auth/upload/picture`, { method: 'DELETE', headers }),
        ...nodes.urls.map((url) => upload(url, ada.sessionToken, picture)),
      ])
      assert.equal(deletion.status, 200)
      assert.deepEqual(
        uploads.map(({ status }) => status),
        [200, 200],
      )
      const { json } = await call(`${nodes.urls[0]}/auth/me`, { headers })
      const answered = uploads.map((one) => one.picture)
      const kept = json.user.picture === '' ? [] : [nameOf(json.user.picture)]
      assert.ok(kept.every((name) => answered.some((address) => address && nameOf(address) === name)))
      const rows = await nodes.database.query<{ name: string }>('SELECT name FROM pictures')
      assert.deepEqual(
        rows.map(({ name }) => name),
        kept,
      )
      const files = readdirSync(join(directory, 'files')).toSorted()
      assert.deepEqual(files, kept.flatMap((name) => [name.replace('.webp', '-96.webp'), name]).toSorted())
    }
  })

  const nameOf = (address: string): string => address.split('/').at(-1) ?? ''
})
