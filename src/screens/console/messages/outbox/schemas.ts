import Type from 'typebox'
import { done, field, form_token } from '../../../../ui/console/schemas.ts'

export const OutboxPageRoute = {
  summary: 'Page for messages and their delivery',
  querystring: Type.Object({
    state: Type.Optional(Type.String({ maxLength: 20 })),
    message: Type.Optional(Type.String({ maxLength: 64 })),
    page: Type.Optional(Type.String({ maxLength: 7 })),
    done,
    count: Type.Optional(Type.String({ maxLength: 10 })),
  }),
}

/** If `id` is empty, the request applies to all failed messages. */
export const RetryFormRoute = { body: Type.Object({ form_token, id: field }) }
