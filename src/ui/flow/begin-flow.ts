import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import { deviceOf } from '../../http/access/device.ts'
import { maxAddressLength, rejectionOf, shownOrigin } from '../../http/responses/redirects.ts'
import { rememberLanguage } from '../language/language.ts'
import { noticePage } from '../messages/notice/view.ts'
import { sendPage } from '../shared/send-page.ts'
import type { PageVisit } from '../shared/visit.ts'
import { pageLanguages, textsFor } from '../texts/index.ts'
import type { SignInFlow } from './flow.ts'
import { fitsCookie, newFlowId } from './flow-cookies.ts'
import { asksForSignIn, readSignIn, type SignInQuery, type SignInScreen } from './sign-in-request.ts'

interface StartedFlow {
  flow: SignInFlow
  screen: SignInScreen | undefined
}

export async function beginFlow(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<StartedFlow | { refused: FastifyReply }> {
  const query = request.query as SignInQuery
  const read = readSignIn(ctx, query, ctx.clock.now())
  if ('wrong' in read) return { refused: await rejectParameter(ctx, request, reply, read.wrong) }
  const flow = { ...read.flow, id: newFlowId() }
  if (!fitsCookie(ctx, flow)) return { refused: await rejectParameter(ctx, request, reply, 'state') }
  const lang = read.locales
    .map((tag) => pageLanguages.find((one) => one === tag.toLowerCase().split('-')[0]))
    .find((one) => one !== undefined)
  if (lang) rememberLanguage(ctx, request, reply, lang)
  return { flow, screen: read.screen }
}

export function viaSignInPage(query: SignInQuery, screen: SignInScreen): string | undefined {
  if (!asksForSignIn(query)) return undefined
  const input = Object.entries(query).filter(([name, value]) => value !== undefined && name !== 'flow')
  return `/login?${new URLSearchParams({ ...Object.fromEntries(input), screen })}`
}

/** Returns the flow to store when sending a message, so that the link in the message continues this flow. */
export const flowForMessage = ({ clock }: Context, visit: PageVisit): SignInFlow =>
  visit.flow ?? { id: newFlowId(), startedAt: clock.now() }

export const rejectParameter = (
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  name: keyof SignInQuery,
): Promise<FastifyReply> => reject(ctx, request, reply, { name, returnTo: (request.query as SignInQuery).return_to })

export const rejectReturn = (
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  returnTo: string,
): Promise<FastifyReply> => reject(ctx, request, reply, { name: 'return_to', returnTo })

interface Rejected {
  name: keyof SignInQuery
  returnTo: string | undefined
}

/** Shows an error page and records an audit event. Never redirects, because the return address might be disallowed. */
async function reject(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { name, returnTo }: Rejected,
): Promise<FastifyReply> {
  const details = {
    parameter: name,
    origin: originIn(returnTo),
    ...(returnTo !== undefined && rejectionOf(ctx, returnTo)),
  }
  await recordAudit(ctx, { event: 'return_rejected', outcome: 'failure', device: deviceOf(request), details })
  return sendPage(ctx, request, reply.code(400), (page) => {
    const texts = textsFor(page.lang).returning
    const isAddress = name === 'return_to' && returnTo !== undefined
    const { title, message, operator } = isAddress ? texts.address : texts.parameter
    const values = { address: originIn(returnTo) ?? texts.noAddress, setting: 'ALLOWED_REDIRECTS', parameter: name }
    const links = [{ href: '/', label: texts.back }]
    return noticePage({ kind: 'error', title, message, links, operator: { text: operator, values } }, page)
  })
}

function originIn(address: string | undefined): string | undefined {
  const isShort = address !== undefined && address.length <= maxAddressLength
  if (!isShort || !URL.canParse(address)) return undefined
  const origin = shownOrigin(address)
  // Keeps the end of the origin, which contains the registrable domain.
  return origin.length > 200 ? `…${origin.slice(-199)}` : origin
}
