import Type from 'typebox'

/** The result of the last action, as a code. */
export const done = Type.Optional(Type.String({ maxLength: 40 }))
export const form_token = Type.Optional(Type.String({ maxLength: 200, description: "the service's form token" }))

/** The API validates the values, and the page shows the API's error. */
export const field = Type.Optional(Type.String())

export const ConsoleRoute = {
  summary: 'Overview for administrators',
  querystring: Type.Object({ done, range: Type.Optional(Type.String({ maxLength: 3 })) }),
}
