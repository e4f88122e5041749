import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { AppError, invalidField } from '../../../lib/errors.ts'
import { clientsOf } from '../clients/client.ts'
import type { Client } from '../clients/client-view.ts'
import { matchRedirectUri } from '../clients/redirect-uri.ts'
import { currentDirectory } from '../directory.ts'
import type { StoredParameters } from '../grant-rows.ts'
import { isOidcScope } from '../oidc-scopes.ts'
import { userClientTypes } from '../rows.ts'
import { grantedTo, ownApi } from '../token/scopes.ts'
import { subjectOfHint } from './id-token-hint.ts'
import {
  type AuthorizationError,
  type ReadParameters,
  readParameters,
  responseModeOf,
  type SentParameters,
  sentStateOf,
} from './parameters.ts'
import type { ResponseTarget } from './respond.ts'

/** The fault of a request whose client or address is not proven, so that nobody is sent anywhere. */
export type PageFault = 'client' | 'client_disabled' | 'redirect_uri'

export type ReadAuthorization =
  | { fault: PageFault; client: Client | undefined }
  | { client: Client; target: ResponseTarget; wrong: AuthorizationError; params?: never }
  | { client: Client; target: ResponseTarget; params: StoredParameters; wrong?: never }

/**
 * Reads a request for authorization (RFC 6749, 4.1.1). The client and its address come first, because errors are sent to an
 * address only after it was compared with the registered ones.
 */
export async function readAuthorizationRequest(ctx: Context, sent: SentParameters): Promise<ReadAuthorization> {
  const client = await findClient(ctx, sent.client_id)
  if (!client || !userClientTypes.some((type) => type === client.type)) return { fault: 'client', client }
  if (!client.isLive) return { fault: 'client_disabled', client }
  const { redirect_uri: redirectUri } = sent
  if (redirectUri === undefined || !matchRedirectUri(client.signIn.redirectUris, redirectUri, client.type))
    return { fault: 'redirect_uri', client }
  const target = { redirectUri, mode: responseModeOf(sent), state: sentStateOf(sent) }
  const read = readParameters(sent, { requiresPkce: needsPkce(client) })
  if ('error' in read) return { client, target, wrong: read }
  const params = await completed(ctx, client, { redirectUri, read })
  return 'error' in params ? { client, target, wrong: params } : { client, target, params }
}

export const needsPkce = ({ signIn, authMethod }: Client): boolean => signIn.requirePkce || authMethod === 'none'

async function findClient(ctx: Context, clientId: string | undefined): Promise<Client | undefined> {
  if (clientId === undefined || !/^[A-Za-z0-9._-]{3,64}$/.test(clientId)) return undefined
  return clientsOf(ctx).recall(clientId) ?? (await clientsOf(ctx).read(clientId))
}

interface Read {
  redirectUri: string
  read: ReadParameters
}

/** Looks up what the parameters name. */
async function completed(
  ctx: Context,
  client: Client,
  { redirectUri, read }: Read,
): Promise<StoredParameters | AuthorizationError> {
  const { idTokenHint, resource: named, subject: asked, ...rest } = read
  if (rest.scopes.length === 0) return { error: 'invalid_scope', description: 'scope is required' }
  if (!rest.scopes.every((scope) => client.scopes.includes(scope)))
    return { error: 'invalid_scope', description: 'A scope is unknown, or the client may not ask for it' }
  const hinted = idTokenHint === undefined ? null : await subjectOfHint(ctx, client, idTokenHint)
  if (hinted === undefined) return { error: 'invalid_request', description: 'id_token_hint is not valid' }
  if (hinted !== null && asked !== null && hinted !== asked)
    return { error: 'login_required', description: 'id_token_hint and claims name different users' }
  const resource = await resourceFor(ctx, client, { scopes: rest.scopes, named })
  if (typeof resource === 'object' && resource !== null) return resource
  return { ...rest, redirect_uri: redirectUri, resource, subject: hinted ?? asked }
}

/** The id of the resource. Null: this service. */
async function resourceFor(
  ctx: Context,
  client: Client,
  { scopes, named }: { scopes: readonly string[]; named: string | undefined },
): Promise<string | null | AuthorizationError> {
  const ofResource = scopes.filter((scope) => !isOidcScope(scope))
  if (named === undefined && ofResource.length === 0) return null
  const { resources } = await currentDirectory(ctx)
  await ctx.applicationRoles.whenCurrent(ctx.applicationRoles.latest)
  try {
    const { target } = grantedTo(ctx, resources, client, { scope: ofResource.join(' '), resource: named })
    return target === ownApi ? null : target.id
  } catch (error) {
    if (error instanceof AppError) return { error: error.code, description: error.message }
    throw error
  }
}

/** The parameters as texts. Repeated ones have been rejected, and so have those that contain U+0000. */
export function sentIn({ method, query, body }: Pick<FastifyRequest, 'method' | 'query' | 'body'>): SentParameters {
  const given = Object.entries((method === 'POST' ? body : query) ?? {})
  const broken = given.find(([, value]) => typeof value === 'string' && /[\r\n]/.test(value))
  if (broken) throw invalidField(broken[0].slice(0, 100), 'must not contain line breaks')
  return Object.fromEntries(
    given.flatMap(([name, value]) => (typeof value === 'string' && value !== '' ? [[name, value]] : [])),
  )
}
