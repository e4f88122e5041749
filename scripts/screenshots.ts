import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pageAreas } from '../test/browser/pages/list.ts'
import { createWorld, type World } from '../test/browser/pages/world.ts'
import { skipWithoutChromium } from '../test/support/browser.ts'
import { takeReadmeImages } from './screenshots/readme-images.ts'

const usage = 'npm run screenshots [-- [--lang es] [part of a name]…], or npm run screenshots -- --readme'
const folder = join(import.meta.dirname, '../screenshots')

const { lang, isForReadme, wanted } = readArguments()
const reason = skipWithoutChromium()
if (reason) throw new Error(reason)
if (isForReadme) {
  process.stdout.write(`${await takeReadmeImages()} pictures are in docs/images\n`)
} else {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const width of [360, 1280])
    for (const colorScheme of ['light', 'dark'] as const) await takeAll(width, colorScheme)
  process.stdout.write(`screenshots of ${wanted.length} pages are in ${folder}\n`)
}

function readArguments() {
  const { values, positionals } = parseArgs({
    options: { lang: { type: 'string', default: 'en' }, readme: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const wanted = Object.values(pageAreas)
    .flatMap((areas) => Object.values(areas))
    .flatMap(({ pages }) => pages)
    .filter(({ name }) => positionals.length === 0 || positionals.some((one) => name.includes(one)))
  if (wanted.length === 0) {
    console.error(`usage: ${usage}`)
    process.exit(2)
  }
  return { lang: values.lang, isForReadme: values.readme, wanted }
}

/** Starts a new service for each size and colour scheme because the actions on the pages change its data. */
async function takeAll(width: number, colorScheme: 'light' | 'dark'): Promise<void> {
  const world = await createWorld()
  try {
    await takeEach(world, width, colorScheme)
  } finally {
    await world.stop()
  }
}

async function takeEach(world: World, width: number, colorScheme: 'light' | 'dark'): Promise<void> {
  const look = { viewport: { width, height: 800 }, colorScheme, locale: lang, reducedMotion: 'reduce' } as const
  for (const { name, path, as = 'nobody', act } of wanted) {
    const context = await world.open(as, look)
    const page = await context.newPage()
    await page.goto(world.home + (typeof path === 'string' ? path : await path(world)))
    await act?.(page, world)
    await page.screenshot({ path: join(folder, `${name}-${lang}-${width}-${colorScheme}.png`), fullPage: true })
    await context.close()
  }
}
