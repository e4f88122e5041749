import { call } from '../../../ui/shared/api-route.ts'
import { StartFactorRoute } from '../schemas.ts'

export const sendCode = ({ id, method }: { id: string; method: string }, action: string) =>
  call(StartFactorRoute, { params: { method }, body: { method_id: id, action } })
