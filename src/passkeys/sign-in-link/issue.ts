import type { Transaction, UserRow } from '../../context.ts'
import { issueOneTimeToken } from '../../one-time-tokens/one-time-token.ts'

/** The page that the link opens. It belongs to the service, because the next page adds a passkey. */
export const passkeyLinkPath = '/passkey-link'

/** Issues a link with which a user without a passkey signs in to add one. Invalidates older links. */
export async function issuePasskeyLink(
  tx: Transaction,
  { id, email }: Pick<UserRow, 'id' | 'email'>,
  lifetime: number,
): Promise<{ url: string; expiresAt: Date }> {
  const issue = { purpose: 'passkey_link', userId: id, target: email, lifetime } as const
  const { secret, expiresAt } = await issueOneTimeToken(tx, issue)
  return { url: `${tx.config.PUBLIC_URL}${passkeyLinkPath}?token=${secret}`, expiresAt }
}
