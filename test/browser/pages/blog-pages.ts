import type { Page } from 'playwright-core'
import { signedInAs, withSession } from '../../support/people.ts'
import type { ListedPage } from './list.ts'
import type { World } from './world.ts'

const inBlog = (path: string) => async (world: World) => {
  await filledBlog(world)
  return path
}

/** The blog's public pages, which are in the posts' language. */
const readingPages: ListedPage[] = [
  { name: 'blog', path: inBlog('/blog') },
  { name: 'blog-empty', path: inBlog('/blog?q=nothing-like-this') },
  { name: 'blog-category', path: inBlog('/blog/category/engines') },
  { name: 'blog-post', path: inBlog('/blog/on-steam') },
  { name: 'blog-post-member', path: inBlog('/blog/on-steam'), as: 'ada' },
  { name: 'blog-preview', path: previewPath },
  { name: 'blog-preview-unknown', path: inBlog(`/blog/preview/pvw_${'A'.repeat(43)}`) },
  { name: 'blog-locked', path: inBlog('/blog/locked'), act: enterWrongPassword },
]

/** The pages for writers and administrators, which are in the visitor's language. */
const contentPages: ListedPage[] = [
  { name: 'content', path: inBlog('/admin/content'), as: 'grace' },
  { name: 'content-empty', path: inBlog('/admin/content?state=trash'), as: 'grace' },
  { name: 'content-new', path: inBlog('/admin/content/new'), as: 'grace' },
  { name: 'content-editor', path: editorPath, as: 'grace' },
  { name: 'content-comments', path: inBlog('/admin/content/comments'), as: 'grace' },
  { name: 'content-translations', path: async (world) => `${await editorPath(world)}/translations`, as: 'grace' },
  { name: 'content-translation', path: async (world) => `${await editorPath(world)}/translations/es`, as: 'grace' },
  { name: 'content-translation-new', path: async (world) => `${await editorPath(world)}/translations/fr`, as: 'grace' },
  { name: 'content-tags', path: inBlog('/admin/content/tags'), as: 'grace' },
  { name: 'content-tag-choose', path: async (world) => mergePath(world), as: 'grace' },
  { name: 'content-tag-merge', path: async (world) => mergePath(world, '?into='), as: 'grace' },
  { name: 'content-revisions', path: async (world) => `${await editorPath(world)}/revisions`, as: 'grace' },
  { name: 'content-revision', path: revisionPath, as: 'grace' },
  { name: 'content-preview-link', path: draftPath, as: 'grace', act: createPreviewLink },
  { name: 'post-types', path: typePath(''), as: 'grace' },
  { name: 'post-type-new', path: '/admin/post-types/new', as: 'grace' },
  { name: 'post-type', path: typePath('/types/recipe'), as: 'grace' },
  { name: 'post-type-effects', path: typePath('/types/recipe'), as: 'grace', act: dropField },
  { name: 'post-type-problem', path: '/admin/post-types/new', as: 'grace', act: defineNothing },
  { name: 'content-preview', path: editorPath, as: 'grace', act: pressPreview },
]

export const blogPages: ListedPage[] = [
  ...contentPages,
  ...readingPages.map((listed) => ({ ...listed, lang: 'en' as const })),
  { name: 'blog-spanish', path: inBlog('/blog/sobre-el-vapor?lang=es'), lang: 'es' },
]

const blogs = new WeakMap<World, Promise<void>>()

/** Creates a writer's posts, once per world. */
function filledBlog(world: World): Promise<void> {
  const filled = blogs.get(world) ?? fillBlog(world)
  blogs.set(world, filled)
  return filled
}

const body = `Water, *heated* in a closed vessel, pushes. This is the whole secret of the engine, and it took a
century to tame it.

## The vessel

1. A boiler of riveted iron
2. A safety valve, which [nobody may tie down](https://example.com/valves)

> It rains, and we have steam.

\`\`\`
pressure = force / area
\`\`\`

| Part | Year |
|---|---|
| Separate condenser | 1765 |
| Governor | 1788 |
`

async function fillBlog({ app, ada }: World): Promise<void> {
  const [admin, writer] = await Promise.all([signedInAs(app, 'admin'), signedInAs(app, 'writer')])
  const call = async (who: { sessionToken: string }, path: string, body: object) => {
    const reply = await app.post(`/api/v1/posts${path}`, body, withSession(who.sessionToken))
    if (reply.status !== 200) throw new Error(reply.text)
    return reply.json.data
  }
  const names = { name: 'Grace', last_name: 'Hopper', display_name: 'Grace Hopper' }
  await app.call('PUT', '/auth/profile', { ...withSession(writer.sessionToken), body: names })
  const category = await call(admin, '/categories', { name: 'Engines', lang: 'en', description: 'What drives us' })
  const tags = [await call(admin, '/tags', { name: 'Steam' }), await call(admin, '/tags', { name: 'History' })]
  const placed = { category_ids: [category.id], tag_ids: tags.map(({ id }) => id), status: 'published' }
  const opening = { title: 'On steam', body, excerpt: 'How a kettle became an engine.', lang: 'en' }
  const { id } = await call(writer, '', { ...opening, ...placed })
  await call(writer, `/${id}/translations`, { lang: 'es', title: 'Sobre el vapor', body: 'Agua *caliente*.' })
  for (const title of ['A governor with two balls', 'What a regulator does to a train that nobody drives'])
    await call(writer, '', { title, body: 'It turns, and by turning it slows what turns it.', ...placed })
  await call(writer, '', { title: 'For members', body: 'Thank you.', status: 'published', visibility: 'auth' })
  const locked = { title: 'Locked', body: 'Behind the door.', visibility: 'password', password: 'open sesame' }
  await call(writer, '', { ...locked, status: 'published' })
  const comment = await call(writer, `/${id}/comments`, { comment_body: 'Which kettle was it?' })
  await call(writer, `/${id}/comments`, { comment_body: 'A copper one.', parent_id: comment.id })
  await call(ada, `/${id}/comments`, { comment_body: 'I would like to see the drawings.' })
}

async function editorPath(world: World): Promise<string> {
  await filledBlog(world)
  const { data } = (await world.app.get('/api/v1/posts/on-steam')).json
  return `/admin/content/posts/${data.id}`
}

/** The editor of an unpublished post. */
async function draftPath(world: World): Promise<string> {
  await filledBlog(world)
  const draft = { title: 'Not yet published', body, excerpt: 'An early version.', lang: 'en' }
  const { data } = (await world.app.post('/api/v1/posts', draft, withSession(world.grace.sessionToken))).json
  return `/admin/content/posts/${data.id}`
}

async function previewPath(world: World): Promise<string> {
  const id = (await draftPath(world)).split('/').at(-1)
  const links = `/api/v1/posts/id/${id}/preview-links`
  const { data } = (await world.app.post(links, {}, withSession(world.grace.sessionToken))).json
  return `/blog/preview/${data.token}`
}

async function createPreviewLink(page: Page): Promise<void> {
  await page.click('#preview-links button')
  await page.waitForSelector('#preview-url')
}

async function revisionPath(world: World): Promise<string> {
  const editor = await editorPath(world)
  const id = editor.split('/').at(-1)
  const path = `/api/v1/posts/id/${id}`
  const admin = withSession(world.grace.sessionToken)
  await world.app.call('PUT', path, { ...admin, body: { title: 'On steam', body: `${body}\nAn afterthought.\n` } })
  const { data } = (await world.app.get(`${path}/revisions`, admin)).json
  return `${editor}/revisions/${data.at(-1).id}`
}

async function mergePath(world: World, query = ''): Promise<string> {
  await filledBlog(world)
  const idOf = async (slug: string) => (await world.app.get(`/api/v1/posts/tags/${slug}`)).json.data.id
  return `/admin/content/tags/${await idOf('steam')}/merge${query && query + (await idOf('history'))}`
}

const recipe = {
  type_key: 'recipe',
  type_name: 'Recipe',
  description: 'What to cook',
  slug_prefix: 'recipes',
  field_schema: [
    { name: 'minutes', label: 'Minutes', type: 'integer', required: true },
    { name: 'course', label: 'Course', type: 'select', options: ['Starter', 'Main', 'Dessert'] },
  ],
}

/** Defines a type, unless an earlier page has already defined it. */
function typePath(path: string) {
  return async (world: World) => {
    const reply = await world.app.post('/api/v1/post-types', recipe, withSession(world.grace.sessionToken))
    if (reply.status !== 200 && reply.json.code !== 'KEY_TAKEN') throw new Error(reply.text)
    return `/admin/post-types${path}`
  }
}

async function dropField(page: Page): Promise<void> {
  await page.click('button[value=drop_1]')
  await page.waitForSelector('#field_1', { state: 'detached' })
  await page.click('.stack button[value=save]')
  await page.waitForSelector('#effects-title')
}

async function defineNothing(page: Page): Promise<void> {
  await page.click('button[value=add]')
  await page.waitForSelector('#field_0')
  await page.click('.stack button[value=save]')
  await page.waitForSelector('#type_key-problem, #type_name-problem')
}

async function pressPreview(page: Page): Promise<void> {
  await page.click('button[value=preview]')
  await page.waitForSelector('#preview')
}

async function enterWrongPassword(page: Page): Promise<void> {
  await page.fill('#password', 'not the password')
  await page.press('#password', 'Enter')
  await page.waitForSelector('[role=alert]')
}
