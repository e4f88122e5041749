import { auditedContact, recordAudit } from '../audit/record.ts'
import type { Context, RequestDevice } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { callHook } from './call-hook.ts'

/** Someone who is about to create an account. */
export interface Candidate {
  method: 'password' | 'passkey' | 'social' | 'login_link'
  email: string
  /** Whether the candidate has proven that the email address is theirs. */
  email_verified: boolean
  provider: string | undefined
  name: string | undefined
  last_name: string | undefined
  user_name: string | undefined
  phone: string | null | undefined
  lang: string | null | undefined
  device: RequestDevice
}

const maxMessage = 200

/** Throws unless the hook has allowed the candidate. A user must not be created before it was called. */
export type RegistrationCheck = (candidate: Candidate) => void

/** Asks the hook. Must not be called in a transaction, because the hook may take seconds to respond. */
export async function checkRegistration(ctx: Context, candidate: Candidate): Promise<RegistrationCheck> {
  await assertMayRegister(ctx, candidate)
  return checkFor(ctx, candidate.email)
}

const checkFor =
  ({ config }: Context, allowed: string | undefined): RegistrationCheck =>
  (candidate) => {
    if (config.REGISTRATION_HOOK_URL && candidate.email !== allowed) throw new CheckRequired(candidate)
  }

async function assertMayRegister(ctx: Context, candidate: Candidate): Promise<void> {
  const { REGISTRATION_HOOK_URL: url, REGISTRATION_HOOK_SECRET: secret, REGISTRATION_HOOK_TIMEOUT } = ctx.config
  if (!url || !secret) return
  const { device, ...data } = candidate
  const hook = {
    type: 'registration.check',
    url,
    secret,
    timeoutMs: REGISTRATION_HOOK_TIMEOUT,
    decision: 'allow',
    count: ctx.metrics.registrationHook,
  } as const
  const response = await callHook(ctx, hook, { ...data, ip: device.address, user_agent: device.userAgent })
  if (response?.decision) return
  if (!response && ctx.config.REGISTRATION_HOOK_FALLBACK === 'allow') return
  const reason = response ? 'hook_refused' : 'hook_failed'
  const details = { by: data.method, reason, address: auditedContact(ctx, data.email) }
  await recordAudit(ctx, { event: 'register', outcome: 'failure', device, details })
  if (!response) throw new AppError('UNAVAILABLE')
  const sentence = messageIn(response.message)
  throw new AppError('REGISTRATION_REFUSED', sentence === undefined ? {} : { sentence })
}

/** Returns undefined if the response contains no message. */
const messageIn = (message: unknown): string | undefined =>
  (typeof message === 'string' &&
    message
      .replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')
      .trim()
      .slice(0, maxMessage)) ||
  undefined

class CheckRequired extends Error {
  readonly candidate: Candidate

  constructor(candidate: Candidate) {
    super('the registration hook must be called first')
    this.candidate = candidate
  }
}

/**
 * For sign-ins that are recognized as registrations only during a transaction. The hook must not be called in a
 * transaction, so the check aborts the first run, the hook is called, and, if it allows the candidate, `work` runs again.
 */
export async function checkingRegistration<Result>(
  ctx: Context,
  work: (check: RegistrationCheck) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(checkFor(ctx, undefined))
  } catch (error) {
    if (!(error instanceof CheckRequired)) throw error
    return work(await checkRegistration(ctx, error.candidate))
  }
}
