import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { onlyCookie } from '../http/cookies.ts'
import { isOwnForm } from '../http/origins.ts'
import { isOurPage, signPage } from './page-value.ts'

/** The hidden value of a form, for its action and the session of this browser. */
export const formValue = (ctx: Context, request: FastifyRequest, action: string): string =>
  signPage(ctx.config, action, sessionOf(ctx, request), ctx.clock.now())

/** Whether a form that was posted is ours, made for this browser a short while ago, and sent from a page of ours. */
export const isFromOwnForm = (ctx: Context, request: FastifyRequest, action: string, page: string | undefined) =>
  isOwnForm(request.headers, ctx.config) &&
  isOurPage(ctx.config, action, sessionOf(ctx, request), page, ctx.clock.now())

/** What the browser holds as its session; empty when that is nothing, or nothing clear. */
export const sessionOf = ({ config }: Context, request: FastifyRequest): string =>
  onlyCookie(request.headers.cookie, config.SESSION_COOKIE_NAME) ?? ''
