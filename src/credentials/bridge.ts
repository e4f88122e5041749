import type { FastifyRequest } from 'fastify'
import type { Context, CredentialKind } from '../context.ts'
import type { EndUser } from '../http/access/device.ts'
import { shownName } from '../http/parsing/json-body.ts'
import { toAppError } from '../http/server/error-handler.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { iso } from '../lib/time.ts'
import type { ValidateCredentials } from '../sessions/validate-many.ts'
import { type Presented, type Valid, validateCredential } from './validate.ts'

interface Body extends EndUser {
  credential?: string
  credentials?: string[]
  accept?: CredentialKind[]
  scopes?: string[]
  resource?: string
  tags?: string[]
  end_users?: EndUser[]
}

/** Responds to POST /auth/bridge/validate with `credential` or `credentials`. */
export const validateCredentials =
  (ctx: Context): ValidateCredentials =>
  (request) => {
    const body = request.body as Body
    assertMembers(body, request)
    return body.credentials ? manyOf(ctx, request, body, body.credentials) : oneOf(ctx, request, body)
  }

/** Rejects members that would be ignored. */
function assertMembers(body: Body, { query, raw }: FastifyRequest): void {
  const { credential, credentials, end_users } = body
  const isList = credentials !== undefined
  // A misspelt `scopes` would demand nothing.
  if (raw.unknownMember !== undefined)
    throw invalidField(
      shownName(raw.unknownMember),
      `is not known together with ${isList ? 'credentials' : 'credential'}`,
    )
  if (isList && credential !== undefined) throw invalidField('credential', 'must not be combined with credentials')
  const other = (isList ? foreignInList : foreign).find((name) => name in body || name in (query as object))
  if (other) throw invalidField(other, `must not be combined with ${isList ? 'credentials' : 'credential'}`)
  if (body.accept?.includes('token') && body.resource === undefined) throw new AppError('RESOURCE_REQUIRED')
  if (end_users && end_users.length !== credentials?.length)
    throw invalidField('end_users', 'must have one entry for each of credentials')
}

const foreign = ['session_id', 'session_ids', 'device_id', 'tags', 'end_users']
const foreignInList = ['session_id', 'session_ids', 'device_id', 'ip', 'user_agent', 'compare']

function oneOf(ctx: Context, request: FastifyRequest, body: Body): string | Promise<string> {
  const valid = validateCredential(ctx, request, presentedIn(body, body.credential ?? '', body))
  const respond = ({ prepared, source }: Valid) => `${prepared.text}${endOf(source, iso(ctx.clock.now()))}}`
  return valid instanceof Promise ? valid.then(respond) : respond(valid)
}

function manyOf(ctx: Context, request: FastifyRequest, body: Body, texts: readonly string[]): string | Promise<string> {
  const { tags = [], end_users = [] } = body
  const resultAt = (text: string, index: number): string | Promise<string> => {
    const toResult = (valid: Valid) => resultOf(ctx, valid, tags[index])
    try {
      const valid = validateCredential(ctx, request, presentedIn(body, text, end_users[index] ?? {}))
      return valid instanceof Promise ? valid.then(toResult).catch(rejectionOf) : toResult(valid)
    } catch (error) {
      return rejectionOf(error)
    }
  }
  const respond = (results: string[]) =>
    `{"success":true,"process":"${ctx.node}","time":${performance.now()},"results":[${results.join()}]}`
  const results = texts.map(resultAt)
  return results.every((result) => typeof result === 'string') ? respond(results) : Promise.all(results).then(respond)
}

const presentedIn = (
  { accept, scopes = [], resource, credentials }: Body,
  text: string,
  { ip, user_agent, compare }: EndUser,
): Presented => ({
  text,
  accept,
  scopes,
  resource,
  ip,
  userAgent: user_agent,
  compare,
  young: credentials !== undefined,
})

function resultOf(ctx: Context, { prepared, source, readAt }: Valid, tag: string | undefined): string {
  const now = ctx.clock.now()
  const age = Math.max(0, now - readAt)
  if (tag === prepared.tag)
    return `{"success":true,"unchanged":true,${prepared.times},"timestamp":"${iso(now)}","age":${age}}`
  return `${prepared.text}${endOf(source, iso(now))},"age":${age},"tag":"${prepared.tag}"${prepared.more}}`
}

const endOf = (source: Valid['source'], timestamp: string): string =>
  `"cached":${source !== 'database'},"cacheSource":"${source}","timestamp":"${timestamp}"`

/** One invalid credential must not hide the others. If the service itself fails, the whole request does. */
function rejectionOf(thrown: unknown): string | Promise<never> {
  const error: AppError = toAppError(thrown)
  if (error.status >= 500) return Promise.reject(thrown)
  const { message, code, required } = error
  return JSON.stringify({ success: false, error: message, code, ...(required && { required }) })
}
