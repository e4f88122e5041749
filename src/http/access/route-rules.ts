import type { FastifyRequest, RouteOptions } from 'fastify'
import type { ModuleGate } from '../../context.ts'
import type { BridgeRight } from '../../db/rows/applications.ts'
import type { LimitClass } from '../limits/rate-limits.ts'
import { isPrivileged, type RouteAccess } from './access.ts'

export interface RouteRule extends Omit<Required<RouteConfig>, 'module' | 'strictBody'> {
  strictBody: readonly string[] | undefined
  module: ModuleGate | undefined
  name: string
  /** The right that the secret of an application must have. Naming the end user is part of signing users in. */
  right: BridgeRight
}

export interface RouteConfig {
  access: RouteAccess
  limit: LimitClass
  /** Replaces `limit` if the response is a page and the request changes nothing. */
  limitForPages?: LimitClass
  limitFor?: (request: FastifyRequest) => LimitClass | undefined
  /** Additional keys to count by, because all of a back end's users share its IP address. */
  endUserKeys?: (request: FastifyRequest) => string[] | undefined
  /** Whether the request is exempt from counting. Allowed only for limits that are counted in this process. */
  isFree?: (request: FastifyRequest) => boolean
  /** Back ends may describe the end user in X-End-User-IP and X-End-User-Agent. */
  forEndUsers?: boolean
  /** Accepts form posts so that pages work without JavaScript. `only`: accepts nothing else. */
  form?: boolean | 'only'
  /** The name of the part of the multipart/form-data body that contains the file. The handler reads the body. */
  upload?: string
  /** Accepts bodies of up to 2 MiB with strings of up to 1,048,576 characters. */
  largeBody?: boolean
  sessionInBody?: boolean
  /**
   * Rejects unknown query parameters even with CLIENT_COMPAT, because ignoring a misspelt filter would export all rows.
   */
  strictQuery?: boolean
  /** Rejects unknown members of the body, except these, which have no effect. */
  strictBody?: readonly string[]
  /** If false, a request does not restart the session's idle timeout. */
  countsAsUse?: boolean
  /** The response clears the session cookie, even if the request is rejected. Cross-site requests are exempt. */
  clearsCookie?: boolean
  /** The handler responds with `sendPrepared`. */
  prepared?: boolean
  /** `oauth`: errors have the form of RFC 6749, 5.2. */
  errors?: 'own' | 'oauth'
  /** The route uses no addresses of applications, so it responds at once even if the database does not. */
  ignoresApplications?: boolean
  /** The origin, media type and query are those of the gateway's visitor. Pages cannot read the response. */
  forGateways?: boolean
  /** Pages of any origin can read the response. Browsers send no cookies with such requests. */
  anyOrigin?: boolean
  module?: string | ModuleGate
  hidden?: boolean
  /** Whether a superadmin acting as the user may call the route. The default is `refused`. */
  whileImpersonating?: 'allowed' | 'refused'
}

declare module 'fastify' {
  interface FastifyContextConfig extends Partial<RouteConfig> {}
}

/** Throws at startup if a route lacks an access rule, a limit or a schema. */
export function routeRuleOf(route: RouteOptions): RouteRule {
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
    strictQuery = false,
    strictBody,
    countsAsUse = true,
    clearsCookie = false,
    prepared = false,
    errors = 'own',
    ignoresApplications = false,
    forGateways = false,
    anyOrigin = false,
    module,
    hidden = false,
    whileImpersonating = 'refused',
  } = route.config ?? {}
  const name = `${route.method} ${route.url}`
  if (!access) throw new Error(`${name} does not say who may call it: give config.access`)
  if (!limit) throw new Error(`${name} has no limit: give config.limit`)
  if (!route.schema) throw new Error(`${name} has no schema`)
  if (!hidden && !route.schema.response) throw new Error(`${name} does not describe its reply: give schema.response`)
  const limits = { limit, limitForPages: limitForPages ?? limit, limitFor, endUserKeys }
  const gate = typeof module === 'string' ? { id: module, component: 'core' } : module
  const rule = {
    name,
    access,
    right: access.right ?? 'sessions',
    ...limits,
    isFree,
    forEndUsers,
    form,
    upload,
    largeBody,
    sessionInBody,
    strictQuery,
    strictBody,
    countsAsUse,
    clearsCookie,
    prepared,
    errors,
    ignoresApplications,
    forGateways,
    anyOrigin,
    module: gate,
    hidden,
    whileImpersonating,
  }
  assertConsistent(rule)
  return rule
}

function assertConsistent({ name, access, whileImpersonating, anyOrigin }: RouteRule): void {
  if (access.bridge !== 'none' && !access.right)
    throw new Error(`${name} does not say which right a bridge secret needs: give config.access.right`)
  if (name.includes(' /auth/admin/') && !access.permission)
    throw new Error(`${name} does not say which permission it needs: give config.access.permission`)
  if (whileImpersonating === 'allowed' && (isPrivileged(access) || access.notForApplications))
    throw new Error(`${name} is for certain roles, so impersonated sessions cannot call it`)
  if (anyOrigin && (access.bridge !== 'none' || access.session !== 'none'))
    throw new Error(`${name} is not for anyone, so pages of other origins cannot read it`)
}

const nothing = (): undefined => undefined
const never = (): boolean => false
