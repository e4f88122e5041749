export const errors = {
  TWO_FACTOR_CODE_REQUIRED: [400, 'A verification code is required'],
  TWO_FACTOR_NO_METHOD: [400, 'Set up a two-factor method first'],
} as const

export const twoFactorAuditEvents = ['mfa_success', 'mfa_fail', 'mfa_enrolled', 'mfa_removed'] as const

const words = {
  method: {
    en: { totp: 'authenticator app', passkey: 'passkey', email: 'code by email', sms: 'code by text message' },
    es: {
      totp: 'aplicación de autenticación',
      passkey: 'llave de acceso',
      email: 'código por correo',
      sms: 'código por SMS',
    },
  },
} as const

export const twoFactorMails = {
  two_factor_code: { variables: ['code', 'expires_in'], isResentOften: true },
  two_factor_text: { variables: ['code', 'expires_in', 'host'], isText: true },
  two_factor_enabled: { variables: ['method', 'ip', 'support_url'], words },
  two_factor_disabled: { variables: ['method', 'remaining', 'ip', 'support_url'], words },
} as const

type TwoFactorErrors = typeof errors
type TwoFactorEvents = Record<(typeof twoFactorAuditEvents)[number], true>
type TwoFactorMails = typeof twoFactorMails

declare module '../../lib/errors.ts' {
  interface ModuleErrors extends TwoFactorErrors {}
}

declare module '../../audit/events.ts' {
  interface ModuleAuditEvents extends TwoFactorEvents {}
}

declare module '../../outbox/messages.ts' {
  interface ModuleMessages extends TwoFactorMails {}
}

declare module '../../one-time-tokens/queries.ts' {
  interface ModuleTokenPurposes {
    two_factor: true
    two_factor_grant: true
    two_factor_promotion: true
  }
}
