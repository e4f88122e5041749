export const onboardingErrors = { ONBOARDING_COMPLETED: [409, 'Onboarding is already complete'] } as const

declare module '../../lib/errors.ts' {
  interface ModuleErrors {
    ONBOARDING_COMPLETED: true
  }
}

declare module '../../audit/events.ts' {
  interface ModuleAuditEvents {
    onboarding_completed: true
  }
}
