import type { FastifyRequest } from 'fastify'
import type { Context, CredentialKind } from '../context.ts'
import type { EndUser } from '../http/access/device.ts'
import { shownName } from '../http/parsing/json-body.ts'
import { toAppError } from '../http/server/error-handler.ts'
import { type AppError, invalidField } from '../lib/errors.ts'
import { iso } from '../lib/time.ts'
import type { ValidateCredentials } from '../sessions/validate-many.ts'
import { type Presented, type Valid, validateCredential } from './validate.ts'

interface Body extends EndUser {
  credential?: string
  credentials?: string[]
  accept?: CredentialKind[]
  scopes?: string[]
  tags?: string[]
  end_users?: EndUser[]
}

/** Responds to POST /auth/bridge/validate with `credential` or `credentials`. */
export const validateCredentials =
  (ctx: Context): ValidateCredentials =>
  async (request) => {
    const body = request.body as Body
    assertMembers(body, request)
    return body.credentials ? manyOf(ctx, request, body, body.credentials) : oneOf(ctx, request, body)
  }

/** Rejects members that would be ignored. */
function assertMembers({ credential, credentials, ...others }: Body, { query, raw }: FastifyRequest): void {
  const isList = credentials !== undefined
  // A misspelt `scopes` would demand nothing.
  if (raw.unknownMember !== undefined)
    throw invalidField(
      shownName(raw.unknownMember),
      `is not known together with ${isList ? 'credentials' : 'credential'}`,
    )
  if (isList && credential !== undefined) throw invalidField('credential', 'must not be combined with credentials')
  const all = { ...(query as object), ...others }
  const foreign = ['session_id', 'session_ids', 'device_id', ...(isList ? ['ip', 'user_agent', 'compare'] : [])]
  const [other] = [...foreign, ...(isList ? [] : ['tags', 'end_users'])].filter((name) => name in all)
  if (other) throw invalidField(other, `must not be combined with ${isList ? 'credentials' : 'credential'}`)
  if (others.end_users && others.end_users.length !== credentials?.length)
    throw invalidField('end_users', 'must have one entry for each of credentials')
}

async function oneOf(ctx: Context, request: FastifyRequest, body: Body): Promise<string> {
  const { prepared, source } = await validateCredential(ctx, request, presentedIn(body, body.credential ?? '', body))
  return `${prepared.text}${endOf(source, iso(ctx.clock.now()))}}`
}

async function manyOf(ctx: Context, request: FastifyRequest, body: Body, texts: readonly string[]): Promise<string> {
  const { tags = [], end_users = [] } = body
  const results = await Promise.all(
    texts.map((text, index) =>
      validateCredential(ctx, request, presentedIn(body, text, end_users[index] ?? {})).then(
        (valid) => resultOf(ctx, valid, tags[index]),
        rejectionOf,
      ),
    ),
  )
  return `{"success":true,"process":"${ctx.node}","time":${performance.now()},"results":[${results.join()}]}`
}

const presentedIn = (
  { accept, scopes = [], credentials }: Body,
  text: string,
  { ip, user_agent, compare }: EndUser,
): Presented => ({
  text,
  accept,
  scopes,
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
function rejectionOf(thrown: unknown): string {
  const error: AppError = toAppError(thrown)
  if (error.status >= 500) throw thrown
  const { message, code, required } = error
  return JSON.stringify({ success: false, error: message, code, ...(required && { required }) })
}
