import type { ApiCall } from '../../shared/call-api.ts'

/** Asks for the code of a second factor, to be used for one action. */
export const sendCode = ({ id, method }: { id: string; method: string }, action: string): ApiCall => ({
  method: 'POST',
  path: `/auth/two_factor/${method}/start`,
  body: { method_id: id, action },
})

/** What of the answer a page needs: a message went out, or not so soon after the last one. */
export interface CodeSent {
  verification_sent: boolean
}

export const toldOf = ({ verification_sent: isSent }: CodeSent): 'sent' | 'notSent' => (isSent ? 'sent' : 'notSent')
