import Type from 'typebox'

const word = Type.Optional(Type.String({ maxLength: 100 }))
const form_token = Type.Optional(Type.String({ maxLength: 200, description: 'of our own form' }))
// The API validates the values, and the form shows its error.
const field = Type.Optional(Type.String())

export const OnboardingRoute = {
  summary: 'What somebody new says of themselves',
  querystring: Type.Object({ done: word }),
}
export const CompleteRoute = {
  summary: 'Say something about yourself',
  body: Type.Object({
    name: field,
    last_name: field,
    is_business: field,
    biz_name: field,
    biz_country: field,
    biz_state: field,
    biz_postal_code: field,
    biz_position: field,
    team_size_range: field,
    acquisition_source: field,
    form_token,
  }),
}
export const StepRoute = {
  summary: 'Finish or skip a step',
  body: Type.Object({ step: Type.String({ maxLength: 100 }), outcome: field, form_token }),
}
