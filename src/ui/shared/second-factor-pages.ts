import type { Context } from '../../context.ts'
import type { PageLanguage } from '../texts/index.ts'
import type { ApiCall } from './api-route.ts'
import type { PageApi } from './visit.ts'

/** The parts of the core pages that the second-factor module provides. */
export interface SecondFactorPages {
  /** The module id. The module must be installed and enabled. */
  module: string
  /** Undefined if no method allows a direct sign-in. */
  signInButton(ctx: Context): SignInButton | undefined
  /** If `comeFirst` is true, `proofs` are listed before the password, which alone may not be sufficient. */
  proofsOf(api: PageApi): Promise<{ proofs: PageProof[]; comeFirst: boolean }>
}

export interface SignInButton {
  /** The id of the element used by the script. */
  id: string
  label(lang: PageLanguage): string
  /** `next` is the destination after sign-in. `secondStep` is the destination if a second step is required. */
  script(lang: PageLanguage, addresses: { next: string; secondStep: string }): PageScript
}

export interface PageProof {
  id: string
  words(lang: PageLanguage): ProofWords
  /** The kind of input. Undefined if a script obtains the response. */
  field?: 'password' | 'digits' | 'word'
  send?: ApiCall<CodeSent>
  /** `answer` is the API path that accepts the response. `next` is the path of the next page. */
  script?(lang: PageLanguage, addresses: { answer: string; next: string }): PageScript
}

export interface ProofWords {
  name: string
  sentence: string
  field?: string
  button?: { label: string; needsScript: string }
  sending?: { label: string; sent: string; notSent: string }
}

interface PageScript {
  scripts: URL[]
  settings: unknown
}

interface CodeSent {
  verification_sent?: boolean
}

export const sendOutcomeOf = ({ verification_sent: isSent }: CodeSent): 'sent' | 'notSent' =>
  isSent ? 'sent' : 'notSent'
