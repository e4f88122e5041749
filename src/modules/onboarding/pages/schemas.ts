import Type from 'typebox'

const word = Type.Optional(Type.String({ maxLength: 100 }))
const form_token = Type.Optional(Type.String({ maxLength: 200, description: "the service's form token" }))
// The API validates the values, and the form displays the API's error.
const field = Type.Optional(Type.String())

export const OnboardingRoute = {
  summary: 'Onboarding page',
  querystring: Type.Object({ done: word }),
}
export const CompletePageRoute = {
  summary: 'Save an onboarding step',
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
