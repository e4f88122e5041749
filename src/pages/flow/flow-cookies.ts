import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { onlyCookie, writeCookie } from '../../http/cookies/cookies.ts'
import { needsSecure } from '../../http/cookies/session-cookie.ts'
import { decodeFlow, encodeFlow, type Flow, flowLifetime, looksLikeFlowId, maxFlowSize } from './flow.ts'

/**
 * Fixed names: tabs that open at the same moment know nothing of each other, and a name for each would fill the header in
 * which browsers send cookies, 8 kB at many proxies. All of these together take 7 kB.
 */
const shortNames = ['1', '2', '3', '4', '5']
const longName = 'long'
const maxShortSize = 650

export const newFlowId = (): string => randomBytes(9).toString('base64url')

/** The id that an address names, whether or not this browser keeps the flow. */
export function flowIdOf({ query }: FastifyRequest): string | undefined {
  const { flow } = (query ?? {}) as { flow?: unknown }
  return looksLikeFlowId(flow) ? flow : undefined
}

/** The flow that an address names, if it began in this browser. */
export function flowOf(ctx: Context, request: FastifyRequest): Flow | undefined {
  const id = flowIdOf(request)
  return id === undefined ? undefined : readFlow(ctx, request, id)
}

function readFlow({ config, clock }: Context, request: FastifyRequest, id: string): Flow | undefined {
  const cookie = flowCookies(config, request).find((one) => one.id === id)
  return cookie && decodeFlow(config, id, cookie.value, clock.now())
}

export const fitsCookie = ({ config }: Context, flow: Flow): boolean => encodeFlow(config, flow).length <= maxFlowSize

/** The oldest flow makes room for a new one. */
export function keepFlow(ctx: Context, request: FastifyRequest, reply: FastifyReply, flow: Flow): void {
  const value = encodeFlow(ctx.config, flow)
  const names = value.length <= maxShortSize ? shortNames : [longName]
  const cookies = flowCookies(ctx.config, request)
  const name =
    cookies.find((one) => one.id === flow.id && names.includes(one.name))?.name ?? roomIn(ctx, names, cookies)
  for (const one of cookies) if (one.id === flow.id && one.name !== name) clear(ctx, reply, one.name)
  write(ctx, reply, name, `${flow.id}.${value}`, flowLifetime / 1000)
}

/** Tabs that open together all see the same empty names: they take turns. */
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
  /** As `encodeFlow` made it. */
  value: string
}

const flowCookies = (config: Context['config'], request: FastifyRequest): FlowCookie[] =>
  [...shortNames, longName].flatMap((name) => {
    const [id, ...rest] = onlyCookie(request.headers.cookie, prefixOf(config) + name)?.split('.') ?? []
    return looksLikeFlowId(id) ? [{ name, id, value: rest.join('.') }] : []
  })

// Under https no other host can plant a flow in this browser: the prefix forbids it.
const prefixOf = (config: Context['config']): string => (needsSecure(config) ? '__Host-flow_' : 'flow_')

const clear = (ctx: Context, reply: FastifyReply, name: string): void => write(ctx, reply, name, '', 0)

function write({ config }: Context, reply: FastifyReply, name: string, value: string, maxAge: number): void {
  // Lax: people come back from providers and mail programs, which are other sites.
  const attributes = { sameSite: 'Lax', secure: needsSecure(config), maxAge } as const
  reply.header('set-cookie', writeCookie(prefixOf(config) + name, value, attributes))
}
