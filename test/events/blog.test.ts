import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { publishDue } from '../../src/modules/blog/scheduling/publish-due.ts'
import { type Author, everybody } from '../modules/blog/support.ts'
import { administrator, startTypes } from '../modules/post-types/support.ts'
import { eventsDuring, recordedEvents } from '../support/service-events.ts'
import type { TestApp } from '../support/test-app.ts'

describe('events of the blog', () => {
  let app: TestApp
  let owner: Author
  let reader: Author
  let moderator: Author
  before(async () => {
    app = await startTypes({ USER_TYPES: 'moderator' })
    ;[owner, reader, moderator] = await everybody(app, 'admin', 'customer', 'moderator')
  })
  after(() => app.stop())

  const during = async (who: Author, ...calls: [method: string, path: string, body?: unknown][]) =>
    eventsDuring(app, async () => {
      for (const [method, path, body] of calls) {
        const reply = await who.call(method, path, body)
        assert.equal(reply.status, 200, reply.text)
      }
    })
  const named = (events: { type: string; data: Record<string, unknown> }[]) =>
    events.map(({ type, data }) => [type, data.status])

  test('the life of a post', async () => {
    let id = ''
    const created = await eventsDuring(app, async () => {
      id = await owner.write({ title: 'The canary sings', body: 'about a canary' })
    })
    const data = { post_id: id, slug: 'the-canary-sings', lang: 'en', status: 'draft', post_type: 'post' }
    assert.deepEqual(created, [{ type: 'post.created', data }])
    const scheduled_at = new Date(app.clock.now() + 60_000).toISOString()
    const events = await during(
      owner,
      ['PUT', `/${id}`, { title: 'Another title' }],
      ['POST', `/${id}/publish`],
      ['POST', `/${id}/publish`],
      ['PUT', `/${id}`, { slug: 'sung' }],
      ['POST', `/${id}/unpublish`],
      ['POST', `/${id}/schedule`, { scheduled_at }],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/restore`],
      ['DELETE', `/${id}`],
      ['DELETE', `/${id}?force=true`],
    )
    assert.deepEqual(named(events), [
      ['post.updated', 'draft'],
      ['post.published', 'published'],
      ['post.updated', 'published'],
      ['post.unpublished', 'draft'],
      ['post.scheduled', 'scheduled'],
      ['post.deleted', 'scheduled'],
      ['post.restored', 'draft'],
      ['post.deleted', 'draft'],
    ])
    assert.deepEqual(events[2]?.data, { ...data, slug: 'sung', status: 'published' })
    assert.doesNotMatch(JSON.stringify(events), /canary sings|about a canary|Another/)
  })

  test('a post that is created as published, and one whose time comes', async () => {
    const published = await eventsDuring(app, () => owner.write({ status: 'published' }))
    assert.deepEqual(named(published), [
      ['post.created', 'published'],
      ['post.published', 'published'],
    ])
    const scheduled_at = new Date(app.clock.now() + 60_000).toISOString()
    await owner.write({ status: 'scheduled', scheduled_at })
    app.clock.advance(61_000)
    const due = await eventsDuring(app, () => publishDue(app.ctx))
    assert.deepEqual(
      due.map(({ type, data }) => [type, data.status, data.post_type]),
      [['post.published', 'published', 'post']],
    )
    assert.deepEqual(await eventsDuring(app, () => publishDue(app.ctx)), [])
  })

  test('revisions that are restored', async () => {
    const id = await owner.write()
    await owner.call('PUT', `/${id}`, { body: 'Other words.' })
    const { json } = await owner.call('GET', `/${id}/revisions`)
    const events = await during(owner, ['POST', `/${id}/revisions/${json.data.at(-1).id}/restore`, {}])
    assert.deepEqual(named(events), [['post.updated', 'draft']])
  })

  test('translations', async () => {
    const id = await owner.write()
    const events = await during(
      owner,
      ['POST', `/${id}/translations`, { lang: 'es', title: 'Apuntes' }],
      ['POST', `/${id}/translations`, { lang: 'es', title: 'Notas' }],
      ['PUT', `/${id}/translations/es`, { title: 'Notas nuevas' }],
      ['DELETE', `/${id}/translations/es`],
    )
    const data = { post_id: id, lang: 'es' }
    assert.deepEqual(events, [
      { type: 'translation.saved', data: { ...data, created: true } },
      { type: 'translation.saved', data: { ...data, created: false } },
      { type: 'translation.saved', data: { ...data, created: false } },
      { type: 'translation.deleted', data: { ...data, created: false } },
    ])
  })

  test('comments that wait, are approved and are deleted', async () => {
    const post_id = await owner.write({ status: 'published' })
    const [added] = await during(reader, ['POST', `/${post_id}/comments`, { comment_body: 'A canary of a comment' }])
    const comment_id = String(added?.data.comment_id)
    const about = (status: string) => ({ comment_id, post_id, status })
    assert.deepEqual(added, { type: 'comment.created', data: about('pending') })
    const events = await during(
      moderator,
      ['POST', `/comments/${comment_id}/moderate`, { action: 'approve', reason: 'a canary of a reason' }],
      ['DELETE', `/comments/${comment_id}`],
    )
    assert.deepEqual(events, [
      { type: 'comment.moderated', data: about('approved') },
      { type: 'comment.deleted', data: about('approved') },
    ])
  })

  test('post types', async () => {
    const admin = await administrator(app)
    const events = await eventsDuring(app, async () => {
      await admin.define('recipe')
      await admin.call('PUT', '/recipe', { type_name: 'Recipes' })
      await admin.call('DELETE', '/recipe')
    })
    const data = { type_key: 'recipe' }
    assert.deepEqual(events, [
      { type: 'post_type.created', data },
      { type: 'post_type.updated', data },
      { type: 'post_type.deleted', data },
    ])
  })

  test('every event has the declared type and members', async () => {
    const { eventTypes } = await import('../../src/events/types.ts')
    for (const { type, data } of await recordedEvents(app))
      assert.deepEqual(Object.keys(data).sort(), Object.keys(eventTypes().get(type)?.properties ?? {}).sort(), type)
  })
})
