import { finished } from 'node:stream/promises'
import type { Context } from '../../../context.ts'
import { moduleCommand } from '../../../hub/module-command.ts'
import { createFile } from '../../../lib/create-file.ts'
import { minute } from '../../../lib/time.ts'
import type { ImportOutcome, ImportReport } from '../transfer/report.ts'

export const importCommand = moduleCommand({
  description: 'Import posts from an export of WordPress (XML), Ghost or this service (JSON)',
  args: {
    file: { type: 'positional', description: 'the export', required: true },
    run: { type: 'boolean', description: 'import the posts; without it, only a report is printed' },
    author: {
      type: 'string',
      description: 'email address of the user who becomes the author of posts whose authors have no account',
    },
    lang: {
      type: 'string',
      description: 'language of the posts, such as es, if the file does not specify one per post',
    },
    pages: { type: 'boolean', description: 'import pages as posts' },
    site: { type: 'string', description: 'URL of the exported site, used to complete relative URLs' },
    report: {
      type: 'string',
      description: 'new file for the results, with one line of JSON per post',
    },
  },
  run: async (ctx, input) => {
    const { openSource } = await import('../transfer/open-source.ts')
    const { importPosts } = await import('../transfer/import-posts.ts')
    const { noteText } = await import('../transfer/notes.ts')
    const { createRenderer } = await import('../render.ts')
    const lang = await langOf(input.lang)
    const source = await openSource(input.file, { pages: input.pages ?? false, site: siteOf(input.site), lang })
    const fallbackUserId = await authorOf(ctx, input.author)
    const options = { fallbackUserId }
    // Nobody waits for a response, and a body that is refused would end the import.
    const render = createRenderer({ wait: minute })
    const openReport = async () => (input.report === undefined ? undefined : await createFile(input.report))
    let file = input.run ? undefined : await openReport()
    const write = (outcome: ImportOutcome) => {
      const { notes, ...rest } = outcome
      file?.write(`${JSON.stringify({ ...rest, ...(notes && { notes: notes.map(noteText) }) })}\n`)
    }
    const plan = await importPosts(ctx, render, source, {
      ...{ ...options, mode: 'plan' },
      ...(!input.run && { onOutcome: write }),
    })
    const planned = `${shown(plan, 'would be imported', input.author)}Nothing was written`
    const homeless = [...plan.authors].filter(([, { userId }]) => userId === undefined)
    const needsAuthor = homeless.length > 0 && fallbackUserId === undefined
    if (isNothing(plan)) process.exitCode = 1
    if (!input.run) {
      const author = needsAuthor
        ? ', and --author with the address of the user who becomes the author of the other posts'
        : ''
      if (file) await finished(file.end())
      process.stdout.write(`${planned}. Add --run to import the posts${author}.\n`)
      return
    }
    if (needsAuthor)
      throw new Error(`${planned}: set --author to the user who becomes
the author of posts whose authors have no account.`)
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
    process.stdout.write(shown(report, 'imported', input.author))
    if (isNothing(report)) process.exitCode = 1
  },
})

/** Neither imports a post nor finds one that an earlier run has imported. */
const isNothing = ({ taken, known }: ImportReport): boolean => taken + known === 0

async function authorOf(ctx: Context, email: string | undefined): Promise<string | undefined> {
  if (email === undefined) return undefined
  const { emailField } = await import('../../../users/fields.ts')
  const { findUserIdByEmail } = await import('../transfer/queries.ts')
  const id = await findUserIdByEmail(ctx.db, emailField('--author', email))
  if (id === undefined) throw new Error(`No user has the address ${email}`)
  return id
}

async function langOf(text: string | undefined): Promise<string | undefined> {
  const { postLanguageField } = await import('../read-members.ts')
  return text === undefined ? undefined : postLanguageField('--lang', text)
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

function shown(report: ImportReport, taken: string, fallback: string | undefined): string {
  const { authors, languages, reasons, notes } = report
  const lines = [
    `Export of ${report.format}`,
    `  ${report.taken} posts ${taken}, ${report.known} already exist, ${report.skipped} skipped`,
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
  const whose = email === '' ? 'posts without an author' : `posts of ${email}, who has no account`
  return fallback === undefined ? whose : `${whose}, for ${fallback}`
}

/** Post lists match languages exactly. A list for `en` does not contain posts in `en-US`. */
const warning = ({ isFileLanguage, defaultLang }: ImportReport, lang: string): string =>
  isFileLanguage && lang !== defaultLang
    ? `; the default language is ${defaultLang}; to import them as such, use --lang ${defaultLang}`
    : ''

/** Removes control characters so that text from an imported file cannot control the terminal. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, '')
