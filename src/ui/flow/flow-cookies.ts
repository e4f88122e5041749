import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { isInProcess } from '../../http/access/in-process.ts'
import { onlyCookie, writeCookie } from '../../http/cookies/cookies.ts'
import { needsSecure } from '../../http/cookies/session-cookie.ts'
import { allowedReturnAddress } from '../../http/responses/redirects.ts'
import { decodeFlow, encodeFlow, flowLifetime, looksLikeFlowId, maxFlowSize, type SignInFlow } from './flow.ts'

/** All flow cookies together take at most 7.2 kB because proxies may limit headers to 8 kB. */
const shortNames = ['1', '2', '3', '4', '5']
const longName = 'long'
const maxShortSize = 650

export const newFlowId = (): string => randomBytes(9).toString('base64url')

/** The flow of the page that calls the API in this process. */
export const flowHeader = 'x-sign-in-flow'

/** Returns the id in the query, or that of the calling page. The flow may have started in another browser. */
export function flowIdOf(request: FastifyRequest): string | undefined {
  const { flow = isInProcess(request) ? request.headers[flowHeader] : undefined } = (request.query ?? {}) as {
    flow?: unknown
  }
  return looksLikeFlowId(flow) ? flow : undefined
}

/** Returns undefined if the flow began in another browser, or if its return address is no longer allowed. */
export function flowOf(ctx: Context, request: FastifyRequest): SignInFlow | undefined {
  const id = flowIdOf(request)
  return id === undefined ? undefined : readFlow(ctx, request, id)
}

export function readFlow(ctx: Context, request: FastifyRequest, id: string): SignInFlow | undefined {
  const cookie = flowCookies(ctx.config, request).find((one) => one.id === id)
  const flow = cookie && decodeFlow(ctx.config, id, cookie.value, ctx.clock.now())
  // The application may have been disabled since the flow began.
  const isOver = flow?.returnTo !== undefined && allowedReturnAddress(ctx, flow.returnTo) === undefined
  return isOver ? undefined : flow
}

export const fitsCookie = ({ config }: Context, flow: SignInFlow): boolean =>
  encodeFlow(config, flow).length <= maxFlowSize

/** If all cookie names are in use, replaces the oldest flow. */
export function keepFlow(ctx: Context, request: FastifyRequest, reply: FastifyReply, flow: SignInFlow): void {
  const value = encodeFlow(ctx.config, flow)
  const names = value.length <= maxShortSize ? shortNames : [longName]
  const cookies = flowCookies(ctx.config, request)
  const name =
    cookies.find((one) => one.id === flow.id && names.includes(one.name))?.name ?? roomIn(ctx, names, cookies)
  for (const one of cookies) if (one.id === flow.id && one.name !== name) clear(ctx, reply, one.name)
  write(ctx, reply, name, `${flow.id}.${value}`, flowLifetime / 1000)
}

/** Names are assigned cyclically because tabs opened at the same time see the same free names. */
let turns = 0

function roomIn({ config, clock }: Context, names: string[], cookies: FlowCookie[]): string {
  const startOf = new Map(
    cookies.map(({ name, id, value }) => [name, decodeFlow(config, id, value, clock.now())?.startedAt]),
  )
  const free = names.filter((name) => startOf.get(name) === undefined)
  if (free.length > 0) return free[turns++ % free.length] ?? longName
  return names.toSorted((one, other) => (startOf.get(one) ?? 0) - (startOf.get(other) ?? 0))[0] ?? longName
}

export function forgetFlow(ctx: Context, request: FastifyRequest, reply: FastifyReply, id: string): void {
  for (const cookie of flowCookies(ctx.config, request)) if (cookie.id === id) clear(ctx, reply, cookie.name)
}

export function forgetFlows(ctx: Context, request: FastifyRequest, reply: FastifyReply, except?: string): void {
  for (const cookie of flowCookies(ctx.config, request)) if (cookie.id !== except) clear(ctx, reply, cookie.name)
}

interface FlowCookie {
  name: string
  id: string
  value: string
}

const flowCookies = (config: Context['config'], request: FastifyRequest): FlowCookie[] =>
  [...shortNames, longName].flatMap((name) => {
    const [id, ...rest] = onlyCookie(request.headers.cookie, prefixOf(config) + name)?.split('.') ?? []
    return looksLikeFlowId(id) ? [{ name, id, value: rest.join('.') }] : []
  })

// The prefix prevents other hosts in the domain from setting the cookie.
const prefixOf = (config: Context['config']): string => (needsSecure(config) ? '__Host-flow_' : 'flow_')

const clear = (ctx: Context, reply: FastifyReply, name: string): void => write(ctx, reply, name, '', 0)

function write({ config }: Context, reply: FastifyReply, name: string, value: string, maxAge: number): void {
  // `SameSite` is `Lax` because users return from other sites, such as providers and webmail.
  const attributes = { sameSite: 'Lax', secure: needsSecure(config), maxAge } as const
  reply.header('set-cookie', writeCookie(prefixOf(config) + name, value, attributes))
}
