import type { Context } from '../../context.ts'
import type { PageLanguage } from '../texts/index.ts'
import type { AccountVisit } from './account-visit.ts'

/** A module's additions to the page on which users manage their passkeys. */
export interface SecurityPart {
  /** Shown below the passkeys. `data` is the template's data. */
  sections(lang: PageLanguage): { template: URL; data: object }
  /** The texts for the results of the part's forms, by code. */
  outcomes(lang: PageLanguage): { done: Record<string, string>; rejections: Record<string, string> }
  /** The page for adding a sign-in method of this kind. */
  addAddress(method: string): string
  /** The page that removes a passkey with the required proof. Undefined if the account requires no proof. */
  removalAddress: ((passkeyId: string) => string) | undefined
}

export type ReadSecurityPart = (ctx: Context, member: AccountVisit) => Promise<SecurityPart>
