import type { ApiCall } from '../../../ui/shared/call-api.ts'

export const sendCode = ({ id, method }: { id: string; method: string }, action: string): ApiCall => ({
  method: 'POST',
  path: `/auth/two_factor/${method}/start`,
  body: { method_id: id, action },
})
