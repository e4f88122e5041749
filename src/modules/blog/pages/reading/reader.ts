import type { FastifyReply } from 'fastify'
import type { Context } from '../../../../context.ts'
import type { HttpServer } from '../../../../http/server/types.ts'
import { AppError } from '../../../../lib/errors.ts'
import type { ApiResponse } from '../../../../ui/shared/call-api.ts'
import { declarePages, type PageDeclarations } from '../../../../ui/shared/declare-pages.ts'
import type { PageContext, PageView } from '../../../../ui/shared/render.ts'
import { sharedPageSender } from '../../../../ui/shared/send-shared-page.ts'
import { type PageVisit, visitOf } from '../../../../ui/shared/visit.ts'
import { type PageLanguage, pageLanguages } from '../../../../ui/texts/index.ts'
import { defaultLang } from '../../read-members.ts'
import { typesOf } from '../../read-post.ts'
import { type Links, linksOf } from './links.ts'
import { type UnlockCookie, unlockCookie } from './unlock-cookie.ts'

export interface Reader extends PageVisit {
  ctx: Context
  links: Links
  unlocked: UnlockCookie
  /** `for good` redirects permanently, for posts with a new slug. `now` redirects temporarily. */
  lead(path: string, how: 'for good' | 'now'): FastifyReply
  send(view: (page: PageContext) => PageView, options: SendOptions): FastifyReply
}

interface SendOptions {
  /** The content language. */
  lang: string | undefined
  /** Whether the page contains content that some visitors may not see. */
  isPersonal: boolean
  status?: number
}

/** If BLOG_PAGES is false, the pages return 404. */
export function readingPages(ctx: Context, http: HttpServer): PageDeclarations<Reader> {
  const sendShared = sharedPageSender(ctx)
  const images = ctx.config.BLOG_IMAGE_SOURCES
  return declarePages(http, async (request, reply, work) => {
    if (!ctx.config.BLOG_PAGES) throw new AppError('NOT_FOUND')
    const visit = visitOf(ctx, http, request, reply)
    const links = linksOf(ctx.config, await typesOf(ctx))
    const send: Reader['send'] = (view, { lang, isPersonal, status = 200 }) =>
      sendShared(request, reply.code(status), {
        view,
        lang: pageLanguageFor(ctx, lang),
        cache: isPersonal || visit.bringsSession || status !== 200 ? 'none' : 'shared',
        images,
      })
    const lead: Reader['lead'] = (path, how) => reply.redirect(path, how === 'for good' ? 301 : 303)
    return work({ ...visit, ctx, links, unlocked: unlockCookie(ctx, request, reply), lead, send })
  })
}

function pageLanguageFor({ config }: Context, lang: string | undefined): PageLanguage {
  const wanted = [lang, defaultLang(config), config.DEFAULT_LANG].map((tag) => tag?.split('-')[0])
  return wanted.map((tag) => pageLanguages.find((one) => one === tag)).find((one) => one !== undefined) ?? 'en'
}

/** Returns the body of the API's response. If the API rejected the request, an error page is shown. */
export function contentOf<Body>(answer: ApiResponse<Body>): Body {
  if (answer.ok) return answer.body
  const { code, retryAfter } = answer.rejection
  if (code === 'RATE_LIMITED') throw new AppError('RATE_LIMITED', retryAfter === undefined ? {} : { retryAfter })
  throw new AppError('NOT_FOUND')
}
