/** Addresses of the page for what somebody new says of themselves. */
export const onboardingPath = '/account/onboarding'
export const stepPath = `${onboardingPath}/step`
