import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { AppError } from '../../../lib/errors.ts'
import { inFlow } from '../../flow/flow.ts'
import { flowIdOf } from '../../flow/flow-cookies.ts'
import { signFormToken } from '../../shared/form-token.ts'
import { hasOwnToken } from '../../shared/own-form.ts'
import { sendPage } from '../../shared/send-page.ts'
import type { PageLanguage } from '../../texts/index.ts'
import {
  type NoticeKey,
  type NoticeLink,
  type NoticePage,
  noticeFor,
  noticePage,
  noticeWithLink,
} from '../notice/view.ts'
import { type ConfirmLinkPage, confirmLinkPage } from './view.ts'

export function sendConfirmPage(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  data: Omit<ConfirmLinkPage, 'formToken'>,
): FastifyReply {
  const formToken = signFormToken(ctx.config, data.action, data.token, ctx.clock.now())
  return sendPage(ctx, request, reply, (context) => confirmLinkPage({ ...data, formToken }, context))
}

export interface Button {
  action: string
  token: string
  formToken: string | undefined
  /** Returns undefined if the error is not a rejection. */
  onRejected: (error: AppError) => Promise<LinkNotice | undefined>
}

interface LinkNotice {
  key: NoticeKey
  status: number
  way: NoticeLink
}

interface ConfirmationSubmit extends Button {
  /** Performs the action and returns the query parameters that report the result to the front end. */
  redeem: () => Promise<string>
}

/** After the confirmation, redirects to the front end or continues the flow. */
export const confirmAndRedirect = (
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { redeem, ...button }: ConfirmationSubmit,
): Promise<FastifyReply> =>
  submitConfirmation(ctx, request, reply, {
    ...button,
    respond: async () => {
      const result = `/login?${await redeem()}`
      const flow = flowIdOf(request)
      return reply.redirect(flow === undefined ? ctx.config.FRONTEND_URL + result : inFlow(result, flow), 303)
    },
  })

export async function submitConfirmation(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { action, token, formToken, respond, onRejected }: Button & { respond: () => Promise<FastifyReply> },
): Promise<FastifyReply> {
  const show = (status: number, made: (lang: PageLanguage) => NoticePage) =>
    sendPage(ctx, request, reply.code(status), (context) => noticePage(made(context.lang), context))
  if (!(await hasOwnToken(ctx, request, { action, token, formToken })))
    return show(400, (lang) => noticeFor('page_expired', lang))
  try {
    return await respond()
  } catch (error) {
    const rejection = error instanceof AppError ? await onRejected(error) : undefined
    if (!rejection) throw error
    return show(rejection.status, (lang) => noticeWithLink(rejection.key, rejection.way, lang))
  }
}
