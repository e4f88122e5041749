import Type from 'typebox'
import { done, field, form_token } from '../../../ui/console/schemas.ts'

export const SecurityPageRoute = {
  summary: 'Page for locks and rejected requests',
  querystring: Type.Object({ done }),
}

export const UnlockFormRoute = {
  summary: 'Lift a lock',
  body: Type.Object({ form_token, user_id: Type.String(), from: field }),
}
