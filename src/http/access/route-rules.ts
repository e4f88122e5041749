import type { FastifyRequest, RouteOptions } from 'fastify'
import type { ModuleGate } from '../../context.ts'
import type { LimitClass } from '../limits/rate-limits.ts'
import type { Access } from './access.ts'

/** What a route must say about itself beside its schema. */
export interface RouteRule extends Omit<Required<RouteConfig>, 'module'> {
  /** The component it belongs to; undefined for what is always there. */
  module: ModuleGate | undefined
  /** Method and path as declared, for the audit. */
  name: string
}

export interface RouteConfig {
  access: Access
  limit: LimitClass
  /** The class to count under instead when the answer will be a page that changes nothing. */
  limitForPages?: LimitClass
  /** The class to count under instead, when a request asks for something else than the route's usual work. */
  limitFor?: (request: FastifyRequest) => LimitClass | undefined
  /**
   * What a call with the bridge secret is counted under, beside the secret's name: all people behind one back end come
   * from one address. Undefined counts it under that address like any other.
   */
  endUserKeys?: (request: FastifyRequest) => string[] | undefined
  /** Whether a request costs no more than its count would: it is answered without. Only for classes counted in this process. */
  isFree?: (request: FastifyRequest) => boolean
  /** Back ends call it for their customers, and may name them in X-End-User-IP and X-End-User-Agent. */
  forEndUsers?: boolean
  /** Also takes a form post: confirm pages work without JavaScript. */
  form?: boolean
  /** Takes multipart/form-data with a file as the part of this name, which its handler reads itself. */
  upload?: string
  /** Takes bodies of up to 2 MiB, and texts in them of up to 1 MiB: for what people write. */
  largeBody?: boolean
  /** The session may also be named in the body, as session_id. */
  sessionInBody?: boolean
  /** False: the call does not move the idle end of its session. */
  countsAsUse?: boolean
  /** Its replies clear the session cookie, also when they refuse; only for a page of another site they do not. */
  clearsCookie?: boolean
  /** Its replies are texts made beforehand, sent by `sendPrepared`. */
  prepared?: boolean
  /**
   * Asked by a gateway about a visitor, whose headers it passes on: origin, media type and query are not the caller's own.
   * No page is granted to read the reply.
   */
  forGateways?: boolean
  /** The module it belongs to, or a component of it other than `core`: without that, it answers that it is not there. */
  module?: string | ModuleGate
  /** Not part of the API description: pages, files. */
  hidden?: boolean
}

declare module 'fastify' {
  interface FastifyContextConfig extends Partial<RouteConfig> {}
}

/** Ends the start for a route that does not say who may call it, how often, and what goes in and out. */
export function ruleOf(route: RouteOptions): RouteRule {
  const {
    access,
    limit,
    limitForPages,
    limitFor = nothing,
    endUserKeys = nothing,
    isFree = never,
    forEndUsers = false,
    form = false,
    upload = '',
    largeBody = false,
    sessionInBody = false,
    countsAsUse = true,
    clearsCookie = false,
    prepared = false,
    forGateways = false,
    module,
    hidden = false,
  } = route.config ?? {}
  const name = `${route.method} ${route.url}`
  if (!access) throw new Error(`${name} does not say who may call it: give config.access`)
  if (!limit) throw new Error(`${name} has no limit: give config.limit`)
  if (!route.schema) throw new Error(`${name} has no schema`)
  if (!hidden && !route.schema.response) throw new Error(`${name} does not describe its reply: give schema.response`)
  const limits = { limit, limitForPages: limitForPages ?? limit, limitFor, endUserKeys }
  const gate = typeof module === 'string' ? { id: module, component: 'core' } : module
  return {
    name,
    access,
    ...limits,
    isFree,
    forEndUsers,
    form,
    upload,
    largeBody,
    sessionInBody,
    countsAsUse,
    clearsCookie,
    prepared,
    forGateways,
    module: gate,
    hidden,
  }
}

const nothing = (): undefined => undefined
const never = (): boolean => false
