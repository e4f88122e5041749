import type { PageLanguage } from '../texts/index.ts'
import type { ApiCall } from './api-route.ts'
import type { PageApi } from './visit.ts'

/** The parts of the core pages that the second-factor module provides. */
export interface SecondFactorPages {
  /** The module id. The module must be installed and enabled. */
  module: string
  /** If `comeFirst` is true, `proofs` are listed before the password, which alone may not be sufficient. */
  proofsOf(api: PageApi): Promise<{ proofs: PageProof[]; comeFirst: boolean }>
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
  scripts: (string | URL)[]
  settings: unknown
}

interface CodeSent {
  verification_sent?: boolean
}

export const sendOutcomeOf = ({ verification_sent: isSent }: CodeSent): 'sent' | 'notSent' =>
  isSent ? 'sent' : 'notSent'
