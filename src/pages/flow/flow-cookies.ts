import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { cookieNames, onlyCookie, writeCookie } from '../../http/cookies.ts'
import { needsSecure } from '../../http/session-cookie.ts'
import { decodeFlow, encodeFlow, type Flow, flowLifetime, looksLikeFlowId, maxFlowSize } from './flow.ts'

/** More than these, or more bytes, would fill the header in which browsers send them. */
const maxFlows = 5
const maxTotalSize = 6000

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
  const value = onlyCookie(request.headers.cookie, prefixOf(config) + id)
  return value === undefined ? undefined : decodeFlow(config, id, value, clock.now())
}

export const fitsCookie = ({ config }: Context, flow: Flow): boolean => encodeFlow(config, flow).length <= maxFlowSize

/** The oldest flows of the browser make room for a new one. */
export function keepFlow(ctx: Context, request: FastifyRequest, reply: FastifyReply, flow: Flow): void {
  const value = encodeFlow(ctx.config, flow)
  const others = keptFlows(ctx, request).filter(({ id }) => id !== flow.id)
  let room = maxTotalSize - value.length
  for (const [index, { id, size }] of others.entries()) {
    room -= size
    if (room < 0 || index >= maxFlows - 1) forgetFlow(ctx, reply, id)
  }
  write(ctx, reply, flow.id, value, flowLifetime / 1000)
}

export const forgetFlow = (ctx: Context, reply: FastifyReply, id: string): void => write(ctx, reply, id, '', 0)

export function forgetFlows(ctx: Context, request: FastifyRequest, reply: FastifyReply, except?: string): void {
  for (const { id } of keptFlows(ctx, request)) if (id !== except) forgetFlow(ctx, reply, id)
}

/** Newest first; what cannot be read counts as oldest. */
function keptFlows(ctx: Context, request: FastifyRequest): { id: string; startedAt: number; size: number }[] {
  const prefix = prefixOf(ctx.config)
  return cookieNames(request.headers.cookie, prefix)
    .map((name) => name.slice(prefix.length))
    .filter(looksLikeFlowId)
    .map((id) => {
      const flow = readFlow(ctx, request, id)
      return { id, startedAt: flow?.startedAt ?? 0, size: flow ? encodeFlow(ctx.config, flow).length : maxTotalSize }
    })
    .sort((one, other) => other.startedAt - one.startedAt)
}

// Under https no other host can plant a flow in this browser: the prefix forbids it.
const prefixOf = (config: Context['config']): string => (needsSecure(config) ? '__Host-flow_' : 'flow_')

function write({ config }: Context, reply: FastifyReply, id: string, value: string, maxAge: number): void {
  // Lax: people come back from providers and mail programs, which are other sites.
  const attributes = { sameSite: 'Lax', secure: needsSecure(config), maxAge } as const
  reply.header('set-cookie', writeCookie(prefixOf(config) + id, value, attributes))
}
