import type { FastifyReply } from 'fastify'
import { loadPost } from '../post/load-post.ts'
import type { Reader } from '../reader.ts'
import { readingPaths } from '../schemas.ts'
import { lockedView } from './view.ts'

interface UnlockForm {
  slug: string
  place?: string
  lang?: string
  password: string
  form_token?: string
}

export async function unlock(reader: Reader, form: UnlockForm): Promise<FastifyReply> {
  const { slug, place, lang, password, form_token: formToken } = form
  const reject = (problem: string, status: number) =>
    reader.send(lockedView(reader, { slug, place, lang, problem }), { lang, isPersonal: true, status })
  if (!(await reader.isOwn(readingPaths.unlock, formToken))) return reject('PAGE_EXPIRED', 400)
  const loaded = await loadPost(reader, slug, lang, password)
  if (loaded === 'locked') return reject('PASSWORD_REQUIRED', 403)
  const { post, versions } = loaded
  if (loaded.isUnlocked) reader.unlocked.keep([post.slug, ...versions.map((version) => version.slug)], password)
  return reader.lead(reader.links.pathOf(post), 'now')
}
