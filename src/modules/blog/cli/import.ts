import { finished } from 'node:stream/promises'
import type { Context } from '../../../context.ts'
import { moduleCommand } from '../../../hub/module-command.ts'
import { createFile } from '../../../lib/create-file.ts'
import type { Outcome, Report } from '../transfer/report.ts'

export const importCommand = moduleCommand({
  description: 'Import posts from an export of WordPress (XML), Ghost or this service (JSON)',
  args: {
    file: { type: 'positional', description: 'the export', required: true },
    run: { type: 'boolean', description: 'write the posts; without it, only report what would be done' },
    author: { type: 'string', description: 'address of the user who gets the posts of authors who are not here' },
    lang: { type: 'string', description: 'language of the posts, such as es, where the file does not say it of each' },
    pages: { type: 'boolean', description: 'take pages as posts, too' },
    site: { type: 'string', description: 'address of the site that was exported, for addresses that leave it out' },
    report: {
      type: 'string',
      description: 'new file that gets one line of JSON for each post: all that becomes of it',
    },
  },
  run: async (ctx, given) => {
    const { openSource } = await import('../transfer/open-source.ts')
    const { importPosts } = await import('../transfer/import-posts.ts')
    const { noteText } = await import('../transfer/notes.ts')
    const { createRenderer } = await import('../render.ts')
    const lang = await langOf(given.lang)
    const source = await openSource(given.file, { pages: given.pages ?? false, site: siteOf(given.site), lang })
    const fallbackUserId = await authorOf(ctx, given.author)
    const options = { fallbackUserId }
    const render = createRenderer()
    const openReport = async () => (given.report === undefined ? undefined : await createFile(given.report))
    let file = given.run ? undefined : await openReport()
    const write = (outcome: Outcome) => {
      const { notes, ...rest } = outcome
      file?.write(`${JSON.stringify({ ...rest, ...(notes && { notes: notes.map(noteText) }) })}\n`)
    }
    const plan = await importPosts(ctx, render, source, {
      ...{ ...options, mode: 'plan' },
      ...(!given.run && { onOutcome: write }),
    })
    const planned = `${shown(plan, 'would be taken', given.author)}Nothing has been written`
    const homeless = [...plan.authors].filter(([, { userId }]) => userId === undefined)
    const needsAuthor = homeless.length > 0 && fallbackUserId === undefined
    if (!given.run) {
      const author = needsAuthor ? ', and --author with the address of the user who gets the posts of others' : ''
      if (file) await finished(file.end())
      process.stdout.write(`${planned}. Add --run to do it${author}.\n`)
      return
    }
    if (needsAuthor)
      throw new Error(`${planned}: --author must say whose posts those are
whose authors are not here.`)
    file = await openReport()
    const progress = showProgress(plan.taken + plan.known + plan.skipped)
    const report = await importPosts(ctx, render, source, {
      ...options,
      mode: 'run',
      onOutcome: (outcome) => {
        write(outcome)
        progress()
      },
    })
    if (file) await finished(file.end())
    process.stdout.write(shown(report, 'taken', given.author))
  },
})

async function authorOf(ctx: Context, email: string | undefined): Promise<string | undefined> {
  if (email === undefined) return undefined
  const { emailField } = await import('../../../users/fields.ts')
  const { findUserIdByEmail } = await import('../transfer/queries.ts')
  const id = await findUserIdByEmail(ctx.db, emailField('--author', email))
  if (id === undefined) throw new Error(`No user has the address ${email}`)
  return id
}

async function langOf(text: string | undefined): Promise<string | undefined> {
  const { languageField } = await import('../read-members.ts')
  return text === undefined ? undefined : languageField('--lang', text)
}

function siteOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new Error('--site must be an address such as https://blog.example.com')
  return text.replace(/\/+$/, '')
}

function showProgress(total: number): () => void {
  let [done, last] = [0, performance.now()]
  return () => {
    done++
    if (performance.now() - last < 1000) return
    last = performance.now()
    process.stderr.write(`${done} of ${total}\n`)
  }
}

function shown(report: Report, taken: string, fallback: string | undefined): string {
  const { authors, languages, reasons, notes } = report
  const lines = [
    `An export of ${report.format}`,
    `  ${report.taken} posts ${taken}, ${report.known} were here already, ${report.skipped} skipped`,
    `  ${report.comments} comments, ${report.translations} translations`,
    ...[...authors].map(([email, { posts, userId }]) => `  ${author(email, userId, fallback)}: ${posts}`),
    ...[...languages].map(([lang, posts]) => `  in the language ${lang}: ${posts}${warning(report, lang)}`),
    ...[...reasons].map(([reason, times]) => `  skipped ${times}: ${reason}`),
    ...[...notes].flatMap(([what, { times, examples }]) => [
      `  note for ${times}: ${what}`,
      ...examples.map((example) => `    such as ${example}`),
    ]),
  ]
  return `${lines.map(printable).join('\n')}\n`
}

function author(email: string, userId: string | undefined, fallback: string | undefined): string {
  if (userId !== undefined) return `posts of ${email}`
  const whose = email === '' ? 'posts without an author' : `posts of ${email}, who is no user here`
  return fallback === undefined ? whose : `${whose}, for ${fallback}`
}

/** Lists match languages exactly: a list for `en` does not contain posts in `en-US`. */
const warning = ({ isFileLanguage, defaultLang }: Report, lang: string): string =>
  isFileLanguage && lang !== defaultLang
    ? `; the default language here is ${defaultLang}, and --lang ${defaultLang} would take them as such`
    : ''

/** Texts from an imported file must not control the terminal. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, '')
