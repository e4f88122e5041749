import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { sharedPageHeaders } from '../../http/responses/response-headers.ts'
import { documentSender } from '../../http/responses/send-document.ts'
import { minute } from '../../lib/time.ts'
import type { PageLanguage } from '../texts/index.ts'
import { stopFormOf } from './own-form.ts'
import { type PageContext, type PageView, renderParts } from './render.ts'
import { themeOf } from './theme.ts'

interface SharedPage {
  view: (page: PageContext) => PageView
  /** The content language. The visitor's settings do not change the document. */
  lang: PageLanguage
  /** Only pages that are the same for every visitor may be cached. */
  cache: 'shared' | 'none'
  /** Picture sources that the Content-Security-Policy allows, in addition to this service. */
  images: readonly string[]
}

type SendSharedPage = (request: FastifyRequest, reply: FastifyReply, shared: SharedPage) => FastifyReply

/**
 * Sends pages without a nonce and without visitor data so that caches can store them. If `cache` is `none`, or during
 * impersonation, the default `no-store` header applies.
 */
export function sharedPageSender(ctx: Context): SendSharedPage {
  const sendDocument = documentSender(ctx.clock, minute)
  return (request, reply, { view, lang, cache, images }) => {
    const { APP_NAME: appName, PUBLIC_URL: publicUrl } = ctx.config
    const stopForm = stopFormOf(ctx, request)
    const { html, css, script } = renderParts(...withContext(view, { appName, lang, publicUrl, stopForm, ctx }))
    sharedPageHeaders(reply, { style: hashOf(css), script: script && hashOf(script), images })
    if (cache === 'none' || stopForm) return reply.send(html)
    return sendDocument(request, reply, { type: 'text/html', text: html })
  }
}

function withContext(
  view: SharedPage['view'],
  { ctx, ...members }: Pick<PageContext, 'appName' | 'lang' | 'publicUrl' | 'stopForm'> & { ctx: Context },
): [PageView, PageContext] {
  const page = { ...members, nonce: '', theme: themeOf(ctx.config) }
  return [view(page), page]
}

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`
