import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { visitor } from '../support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({
    env: { MODULES_AUTO_INSTALL: 'all', BLOG_ENABLED: 'true', POST_TYPES_ENABLED: 'true', RATE_LIMIT_WRITE: '1000/1m' },
  })
})
after(() => app?.stop())

const id = '01a22751-663a-770e-b1b2-0801a67be3bc'

/** The fields that the forms require. */
const fields: Record<string, Record<string, string>> = {
  [`/admin/content/tags/${id}/merge`]: { into: id },
  '/admin/content/restore': { id },
}

const pages = {
  'that contains the form, if it has the same path': {
    '/admin/content/new': '/admin/content/new',
    [`/admin/content/posts/${id}`]: `/admin/content/posts/${id}`,
    [`/admin/content/posts/${id}/translations/es`]: `/admin/content/posts/${id}/translations/es`,
    [`/admin/content/tags/${id}/merge`]: `/admin/content/tags/${id}/merge`,
    '/admin/post-types/new': '/admin/post-types/new',
    '/admin/post-types/types/recipe': '/admin/post-types/types/recipe',
    [`/admin/people/${id}/block`]: `/admin/people/${id}/block`,
    '/admin/webhooks': '/admin/webhooks',
  },
  'that contains the form, if only the form has its path': {
    [`/admin/webhooks/${id}/edit`]: `/admin/webhooks/${id}`,
    [`/admin/content/posts/${id}/delete`]: `/admin/content/posts/${id}`,
    '/admin/content/restore': '/admin/content',
  },
}

for (const [what, forms] of Object.entries(pages))
  test(`after a form is submitted too late, the user signs in and returns to the page ${what}`, async () => {
    for (const [form, page] of Object.entries(forms)) {
      const reply = await visitor(app).send(form, fields[form])
      assert.equal(reply.status, 303, form)
      const stored = reply.cookies.kept_wanted?.value ?? ''
      assert.equal(Buffer.from(stored, 'base64url').toString(), page, form)
    }
  })
