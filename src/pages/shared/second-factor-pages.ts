import type { Context } from '../../context.ts'
import type { PageLanguage } from '../texts/index.ts'
import type { ApiCall } from './call-api.ts'
import type { Api } from './visit.ts'

/** What the pages of the core show of the module that brings the second factor. */
export interface SecondFactorPages {
  /** Its id: what it adds is there while it is installed and enabled. */
  module: string
  /** Undefined where nothing lets people in by itself. */
  signInButton(ctx: Context): SignInButton | undefined
  /** What the caller can prove themselves by, and whether their session asks for that rather than for the password. */
  proofsOf(api: Api): Promise<{ proofs: Proof[]; comeFirst: boolean }>
}

/** A button on the sign-in page. */
export interface SignInButton {
  /** Of the element, as its script knows it. */
  id: string
  label(lang: PageLanguage): string
  /** `next` is where the browser goes once it is signed in, `secondStep` where it goes if that is asked for. */
  script(lang: PageLanguage, addresses: { next: string; secondStep: string }): PageScript
}

/** Something a person can prove themselves by, where a recent proof is asked for. */
export interface Proof {
  id: string
  words(lang: PageLanguage): ProofWords
  /** What is typed. Without it a script asks for the proof. */
  field?: 'password' | 'digits' | 'word'
  /** Sends what is to be typed. */
  send?: ApiCall
  /** `answer` is the path of the API that takes the proof, `next` where the browser goes then. */
  script?(lang: PageLanguage, addresses: { answer: string; next: string }): PageScript
}

export interface ProofWords {
  /** Its name, in a list of ways. */
  name: string
  /** What is to be done. */
  sentence: string
  /** The label of the field. */
  field?: string
  button?: { label: string; needsScript: string }
  sending?: { label: string; sent: string; notSent: string }
}

/** What a button of a page runs: ES modules, and the values that they are told. */
interface PageScript {
  scripts: URL[]
  settings: unknown
}

/** What of the answer a page needs: a message went out, or not so soon after the last one. */
export interface CodeSent {
  verification_sent: boolean
}

export const toldOf = ({ verification_sent: isSent }: CodeSent): 'sent' | 'notSent' => (isSent ? 'sent' : 'notSent')
