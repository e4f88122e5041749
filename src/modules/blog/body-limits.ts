import type { Source } from './render-worker.ts'

const mostTags = 30_000
const mostOpen = 100

/** What opens something in Markdown, over and over: each may have to be held against all that came before it. */
const runs = [/!?\[(?:!?\[){100}/, /(?:>[ \t]{0,3}){101}/, /(?:[-+*][ \t]{1,3}){101}/, /[*_~]{501}/]

const tag = /<(\/?)([a-z][a-z0-9]*)(?=[\s/>])/gi

/** Elements that a parser opens again in every paragraph until they are closed. */
const reopened = new Set('a b big code em font i nobr s small strike strong tt u'.split(' '))

/** Few bytes can ask for minutes and gigabytes. What is known to is seen here, before anything parses it. */
export function problemOfBody({ format, body }: Source): string | undefined {
  if (format === 'text') return undefined
  if (format === 'markdown' && runs.some((run) => run.test(body))) return 'is nested too deeply'
  return problemOfTags(body)
}

function problemOfTags(body: string): string | undefined {
  let [tags, open] = [0, 0]
  for (const [, end, name = ''] of body.matchAll(tag)) {
    if (++tags > mostTags) return `must have at most ${mostTags} tags`
    if (!reopened.has(name.toLowerCase())) continue
    open = Math.max(0, open + (end ? -1 : 1))
    if (open > mostOpen) return `leaves more than ${mostOpen} elements such as b or a open`
  }
  return undefined
}
