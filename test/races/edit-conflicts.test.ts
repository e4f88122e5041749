import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { call, type Nodes, needsPostgres, newAddress, registerAt, startNodes, tally } from '../nodes/nodes.ts'
import { hiddenFields } from '../screens/support.ts'
import { type RaceReply, raceRounds, releaseTogether } from '../support/races.ts'

const posts = '/api/v1/posts'
const types = '/api/v1/post-types'
const racers = Array.from({ length: 10 }, (_, index) => index)

describe('saves that expect the same version at one instant', needsPostgres, () => {
  let nodes: Nodes
  let sessionToken: string
  before(async () => {
    const modules = {
      MODULES_AUTO_INSTALL: 'blog:all,post-types:all',
      BLOG_ENABLED: 'true',
      POST_TYPES_ENABLED: 'true',
    }
    nodes = await startNodes(2, { ...modules, RATE_LIMIT_ADMIN: '100000/1h' })
    const admin = await registerAt(nodes.urls[0]!)
    await nodes.database.query("UPDATE users SET user_type = 'admin' WHERE id = $1", [admin.id])
    sessionToken = admin.sessionToken
  })
  after(() => nodes?.stop())

  const send = async (path: string, body: object, method = 'POST') => {
    const { status, json } = await call(`${nodes.urls[0]}${path}`, {
      method,
      body,
      headers: { 'x-session-id': sessionToken },
    })
    assert.equal(status, 200, JSON.stringify(json))
    return json.data
  }
  const saveAll = (path: string, method: string, bodyOf: (index: number) => object) =>
    releaseTogether(
      racers.map((index) => ({
        method,
        url: `${nodes.urls[index % 2]}${path}`,
        headers: { 'x-session-id': sessionToken, 'x-forwarded-for': newAddress() },
        body: bodyOf(index),
      })),
    )

  /** Opens the page once, and then submits its form several times with different values. */
  async function submitAll(path: string, valuesOf: (index: number) => Record<string, string>): Promise<RaceReply[]> {
    const browser = { accept: 'text/html', cookie: `session_id=${sessionToken}`, 'sec-fetch-site': 'same-origin' }
    const page = await fetch(`${nodes.urls[0]}${path}`, { headers: { ...browser, 'x-forwarded-for': newAddress() } })
    const hidden = hiddenFields(await page.text(), path)
    return releaseTogether(
      racers.map((index) => ({
        method: 'POST',
        url: `${nodes.urls[index % 2]}${path}`,
        headers: {
          ...{ ...browser, 'x-forwarded-for': newAddress() },
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: `${new URLSearchParams({ ...hidden, ...valuesOf(index) })}`,
      })),
    )
  }
  const onlyOne = (replies: RaceReply[], saved: number, about: string) => {
    const counts = tally(replies)
    assert.deepEqual(counts, { [saved]: 1, 409: racers.length - 1 }, about)
  }

  test('one translation is created, and one change of it is accepted', async () => {
    for (let round = 0; round < raceRounds(5); round++) {
      const { id } = await send(posts, { title: `Race ${round}`, body: 'x', status: 'published' })
      const path = `${posts}/id/${id}/translations`
      const creations = await saveAll(path, 'POST', (index) => ({
        ...{ lang: 'es', title: `Carrera ${index}` },
        expected_updated_at: null,
      }))
      onlyOne(creations, 200, 'created')
      const [{ updated_at: expected_updated_at }] = (await call(`${nodes.urls[0]}${path}`)).json.data
      const changes = await saveAll(`${path}/es`, 'PUT', (index) => ({ body: `by ${index}`, expected_updated_at }))
      onlyOne(changes, 200, 'changed')
      const [{ body }] = (await call(`${nodes.urls[1]}${path}`)).json.data
      assert.equal(body, `by ${changes.findIndex(({ status }) => status === 200)}`)
    }
  })

  test('one form of the same translation page is accepted', async () => {
    for (let round = 0; round < raceRounds(5); round++) {
      const { id } = await send(posts, { title: `Race of pages ${round}`, body: 'x', status: 'published' })
      const path = `/admin/content/posts/${id}/translations/es`
      const fields = { title: 'Carrera', slug: '', excerpt: '' }
      for (const about of ['created', 'changed']) {
        const replies = await submitAll(path, (index) => ({ ...fields, body: `${about} by ${index}` }))
        onlyOne(replies, 303, about)
        for (const [index, { status, body }] of replies.entries())
          if (status === 409) assert.ok(body.includes(`\n${about} by ${index}</textarea>`), 'the text is kept')
      }
    }
  })

  test('one change of a post type is accepted', async () => {
    await send(types, { type_key: 'raced', type_name: 'Raced' })
    for (let round = 0; round < raceRounds(5); round++) {
      const { updated_at: expected_updated_at } = await send(`${types}/raced`, { description: `${round}` }, 'PUT')
      const replies = await saveAll(`${types}/raced`, 'PUT', (index) => ({
        type_name: `By ${index}`,
        expected_updated_at,
      }))
      onlyOne(replies, 200, 'changed')
    }
  })

  test('one form of the same page of the designer is accepted, and the others show the effects', async () => {
    await send(types, { type_key: 'designed', type_name: 'Designed' })
    for (let round = 0; round < raceRounds(5); round++) {
      const replies = await submitAll('/admin/post-types/types/designed', (index) => ({
        ...{ type_name: `By ${index} in ${round}`, is_active: 'on', action: 'save' },
        ...{ format_markdown: 'on', behavior_default_visibility: 'public', behavior_max_per_author: '0' },
      }))
      const saved = replies.filter(({ status }) => status === 303)
      assert.equal(saved.length, 1, JSON.stringify(tally(replies)))
      for (const { status, body } of replies) {
        if (status === 303) continue
        assert.ok(status === 200 || status === 409, body)
        assert.match(body, /Somebody else (has just )?changed this type/)
      }
    }
  })
})
