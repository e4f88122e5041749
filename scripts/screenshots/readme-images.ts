import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { day } from '../../src/lib/time.ts'
import { pageAreas } from '../../test/browser/pages/list.ts'
import { createWorld, type Visitor, type World } from '../../test/browser/pages/world.ts'
import { withSession } from '../../test/support/people.ts'

const images = join(import.meta.dirname, '../../docs/images')

interface Picture {
  file: string
  as: Visitor
  width: number
  height: number
  colorScheme: 'light' | 'dark'
  path: string | ((world: World) => Promise<string>)
  act?: (page: Page) => Promise<void>
}

const console = { as: 'grace', width: 1280, height: 860, colorScheme: 'light' } as const
const phone = { width: 390, height: 860, colorScheme: 'light' } as const

const pictures: Picture[] = [
  { file: 'sign-in', as: 'nobody', ...phone, path: '/login' },
  { file: 'account', as: 'ada', ...phone, path: '/account' },
  {
    file: 'api',
    as: 'nobody',
    width: 1280,
    height: 800,
    colorScheme: 'dark',
    path: '/docs',
    act: (page) => page.click('details.operation summary'),
  },
  { file: 'console-overview', ...console, path: overviewPath, act: scrollToFigures },
  { file: 'console-users', ...console, path: '/admin/people' },
  { file: 'console-user', ...console, colorScheme: 'dark', path: userPath },
]

/** Writes the pictures of the README to docs/images. */
export async function takeReadmeImages(): Promise<number> {
  mkdirSync(images, { recursive: true })
  const world = await createWorld()
  try {
    await addUsers(world)
    for (const picture of pictures) await take(world, picture)
  } finally {
    await world.stop()
  }
  return pictures.length
}

async function take(world: World, { file, as, width, height, colorScheme, path, act }: Picture): Promise<void> {
  const viewport = { width, height }
  const context = await world.open(as, { viewport, colorScheme, locale: 'en', reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(world.home + (typeof path === 'string' ? path : await path(world)))
  await act?.(page)
  const png = await page.screenshot({ caret: 'hide' })
  await sharp(png)
    .webp({ quality: 82, effort: 6 })
    .toFile(join(images, `${file}.webp`))
  await context.close()
}

const furtherUsers = [
  ['Grace', 'Hopper', 'customer'],
  ['Alan', 'Turing', 'customer'],
  ['Katherine', 'Johnson', 'support'],
  ['Edsger', 'Dijkstra', 'customer'],
  ['Barbara', 'Liskov', 'admin'],
  ['Annie', 'Easley', 'customer'],
  ['Donald', 'Knuth', 'writer'],
  ['Radia', 'Perlman', 'customer'],
] as const

const browser = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'

/**
 * Sets the names of the existing users. Registers further users on different days, signs them in once more, and blocks
 * one of them.
 */
async function addUsers({ app, grace }: World): Promise<void> {
  await app.call('PUT', '/auth/profile', {
    ...withSession(grace.sessionToken),
    body: { name: 'Mary', last_name: 'Jackson' },
  })
  await sql`UPDATE users SET is_verified = true, email = CASE WHEN id = ${grace.id} THEN 'mary@example.com' ELSE email END`.execute(
    app.ctx.db,
  )
  await sql`UPDATE users SET email = 'charles@example.com', name = 'Charles', last_name = 'Babbage'
    WHERE name = '' AND user_type = 'customer'`.execute(app.ctx.db)
  for (const [index, [name, last_name, role]] of furtherUsers.entries()) {
    const email = `${name.toLowerCase()}@example.com`
    const password = `${name} counts seven quiet stones`
    const headers = { 'user-agent': browser }
    const registration = await app.post('/auth/register/public', { email, password, name, last_name }, { headers })
    await app.post('/auth/login', { email, password }, { headers })
    const joined = new Date(app.clock.now() - (index + 1) * 9 * day)
    await sql`UPDATE users SET user_type = ${role}, is_verified = ${index !== 5}, created_at = ${joined}
      WHERE id = ${registration.json.data.id}`.execute(app.ctx.db)
    if (name !== 'Edsger') continue
    const body = { reason: 'Sent unsolicited advertising' }
    await app.post(`/auth/admin/users/${registration.json.data.id}/block`, body, withSession(grace.sessionToken))
  }
}

/** Shows the charts at the end of the page instead of the setup steps at its beginning. */
async function scrollToFigures(page: Page): Promise<void> {
  await page.evaluate('document.querySelector(".plot").closest(".panel").scrollIntoView({ block: "start" })')
}

async function overviewPath(world: World): Promise<string> {
  const path = pageAreas.console.admin?.pages.find(({ name }) => name === 'admin')?.path
  return typeof path === 'function' ? path(world) : '/admin'
}

async function userPath({ app }: World): Promise<string> {
  const found = await sql<{ id: string }>`SELECT id FROM users WHERE email = 'alan@example.com'`.execute(app.ctx.db)
  return `/admin/people/${found.rows[0]?.id}`
}
