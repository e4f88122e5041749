export const onboardingPath = '/account/onboarding'
export const stepPath = `${onboardingPath}/step`
