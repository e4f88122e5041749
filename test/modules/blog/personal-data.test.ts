import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { deleteUsers } from '../../../src/users/queries.ts'
import { withSession } from '../../support/people.ts'
import type { TestApp } from '../../support/test-app.ts'
import { type Author, somebody, startBlog } from './support.ts'

let app: TestApp
let owner: Author
let ada: Author
before(async () => {
  app = await startBlog({ COMMENTS_REQUIRE_APPROVAL: 'never', MODULES_AUTO_INSTALL: 'blog:all,privacy' })
  ;[owner, ada] = (await Promise.all([somebody(app), somebody(app)])) as [Author, Author]
})
after(() => app?.stop())

test('people get what they said and did on the blog; erased, they leave only words without a name', async () => {
  const post = await owner.write({ status: 'published' })
  await ada.call('POST', `/${post}/comments`, { comment_body: 'Mine' })
  await owner.call('POST', `/${post}/comments`, { comment_body: 'Not hers' })
  await ada.call('POST', `/${post}/reactions`, { reaction: 'wow' })
  await ada.call('POST', `/${post}/bookmark`)
  await ada.call('POST', `/id/${post}/translations`, { lang: 'es', title: 'Hola', body: 'Texto' })
  const own = await ada.write({ title: 'Hers', status: 'published' })

  const exported = (await app.get('/auth/user/me/privacy/export', withSession(ada.sessionToken))).json.data
  const { posts, comments, reactions, bookmarks, translations } = exported
  assert.deepEqual(
    [posts, comments, reactions, bookmarks, translations].map((rows) => rows.length),
    [1, 1, 1, 1, 1],
  )
  assert.deepEqual([comments[0].comment_body, reactions[0].reaction, bookmarks[0].post_id], ['Mine', 'wow', post])
  assert.deepEqual([translations[0].title, translations[0].body], ['Hola', 'Texto'])
  assert.match(comments[0].created_at, /^\d{4}-.*Z$/)

  await deleteUsers(app.ctx.db, [ada.id])
  const said = (await owner.call('GET', `/${post}/comments`)).json.data
  assert.deepEqual(
    said.map((one: Record<string, unknown>) => [one.comment_body, one.user_id, one.author === null]),
    [
      ['Mine', null, true],
      ['Not hers', owner.id, false],
    ],
  )
  const { counts, translations: languages } = (await owner.read(post)).json.data
  assert.deepEqual([counts.reactions, counts.bookmarks, languages], [0, 0, ['es']])
  const left = (await owner.call('GET', `/id/${own}`)).json.data
  assert.deepEqual([left.title, left.user_id, left.author], ['Hers', null, null])
})
