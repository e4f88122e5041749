import type { ApiCall } from '../../../pages/shared/call-api.ts'

/** Asks for the code of a second factor, to be used for one action. */
export const sendCode = ({ id, method }: { id: string; method: string }, action: string): ApiCall => ({
  method: 'POST',
  path: `/auth/two_factor/${method}/start`,
  body: { method_id: id, action },
})
