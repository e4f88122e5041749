import type { Context, CredentialProvider, CredentialView } from '../../context.ts'
import { findRoleVersion } from '../../roles/application-queries.ts'
import { type AccessToken, isAccessToken, readTokens } from './token/read-tokens.ts'
import { ownApi } from './token/scopes.ts'

/** The kind of credential that this module provides. */
export const tokenCredentials = (ctx: Context): CredentialProvider => ({
  kind: 'token',
  recognizes: (text) => isAccessToken(ctx, text),
  async read(texts, known) {
    const version = await findRoleVersion(ctx.db)
    const tokens = await readTokens(ctx, texts, known)
    return new Map([...tokens].map(([text, token]) => [text, viewOf(ctx, token, version)]))
  },
  // The use of a client is noted when it gets a token.
  noteUse: () => {},
  noteRejection: async () => {},
})

const viewOf = (
  { config }: Context,
  { id, client, grant, target, scopes, issuedAt, expiresAt, owners }: AccessToken,
  version: number,
) =>
  ({
    kind: 'token',
    id,
    user: grant?.user ?? null,
    serviceAccount: client.account,
    key: null,
    client: { id: client.clientId, name: client.name, type: client.type },
    resource:
      target === ownApi
        ? { identifier: config.PUBLIC_URL, aliases: [], applicationId: null }
        : { identifier: target.identifier, aliases: target.aliases, applicationId: target.applicationId },
    scopes,
    issuedAt,
    expiresAt,
    grants: grant?.grants ?? { version, ids: [], until: null },
    ipRanges: [],
    isPaused: false,
    owners,
  }) satisfies CredentialView
