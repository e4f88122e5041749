import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { findReturnAddress, shownApplication } from '../../http/responses/redirects.ts'
import { pageHeaders } from '../../http/responses/response-headers.ts'
import { applicationAddress, cancelAddress, type WaitingClient } from '../flow/flow.ts'
import { flowIdOf, flowOf } from '../flow/flow-cookies.ts'
import { pageLanguageOf } from '../language/language.ts'
import { languageForm } from '../language/language-form.ts'
import { cancelPath } from '../paths.ts'
import { createFormToken, stopFormOf } from './own-form.ts'
import type { PageContext } from './render.ts'
import { themeOf } from './theme.ts'

interface PageOptions {
  usersLanguage?: string | null
  /** An additional target that `form-action` allows. */
  returnTo?: string | undefined
}

/** The CSP allows only scripts and styles with the response's nonce. */
export function sendPage(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  render: (page: PageContext) => string,
  { usersLanguage, returnTo }: PageOptions = {},
): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  const { APP_NAME, PUBLIC_URL, FRONTEND_URL } = ctx.config
  const flow = flowOf(ctx, request)
  const application = applicationAddress(ctx.config, flow)
  pageHeaders(reply, nonce, formTargets(ctx, [FRONTEND_URL, returnTo ?? flow?.returnTo, flow?.client?.address]))
  const page = {
    appName: APP_NAME,
    lang: pageLanguageOf(ctx, request, usersLanguage),
    nonce,
    publicUrl: PUBLIC_URL,
    theme: themeOf(ctx.config, openedFor(ctx, flow?.client, returnTo ?? flow?.returnTo)),
    inbox: !ctx.config.isProduction && ctx.config.SMTP_URL === undefined,
    flow: flowIdOf(request),
    application: application && shownApplication(application),
    cancelForm: cancelAddress(ctx.config, flow) && createFormToken(ctx, request, cancelPath),
    stopForm: stopFormOf(ctx, request),
    languageForm: languageForm(ctx, request, reply.statusCode),
  }
  return reply.send(render(page))
}

/** The stored application for which the page is opened. Undefined if it is disabled. */
function openedFor(ctx: Context, client: WaitingClient | undefined, returnTo: string | undefined) {
  if (!client) return findReturnAddress(ctx, returnTo)?.application
  const application = ctx.applications.current().ofKey(client.application)
  return application?.isEnabled ? application : undefined
}

/** Returns the origins and app schemes that `form-action` must allow as redirect targets. */
function formTargets({ config }: Context, addresses: (string | undefined)[]): string[] {
  const own = new URL(config.PUBLIC_URL).origin
  const urls = addresses.filter((address) => address !== undefined).map((address) => new URL(address))
  const targets = urls.map(({ protocol, origin }) => (/^https?:$/.test(protocol) ? origin : protocol))
  return [...new Set(targets)].filter((target) => target !== own)
}
