import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { toAppError } from '../../src/http/server/error-handler.ts'
import { AppError, type ErrorCode } from '../../src/lib/errors.ts'

const withCode = (code: string, more: object = {}): Error =>
  Object.assign(new Error('from elsewhere'), { code, ...more })

test('what the framework, the socket and the database throw has a documented answer each', () => {
  const answers: [unknown, number, string][] = [
    [new AppError('EMAIL_TAKEN'), 400, 'EMAIL_TAKEN'],
    [new fastify.errorCodes.FST_ERR_CTP_BODY_TOO_LARGE(), 413, 'PAYLOAD_TOO_LARGE'],
    [new fastify.errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE('text/plain'), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [new fastify.errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH(), 400, 'VALIDATION_ERROR'],
    [new fastify.errorCodes.FST_ERR_BAD_URL('/%'), 404, 'NOT_FOUND'],
    [new fastify.errorCodes.FST_ERR_MAX_PARAM_LENGTH('/x'), 404, 'NOT_FOUND'],
    [withCode('ECONNRESET', { statusCode: 400 }), 400, 'VALIDATION_ERROR'],
    [withCode('ECONNRESET'), 503, 'UNAVAILABLE'],
    [withCode('57014'), 503, 'UNAVAILABLE'],
    [withCode('23505'), 500, 'INTERNAL_ERROR'],
    [new TypeError('x is not a function'), 500, 'INTERNAL_ERROR'],
    ['a text', 500, 'INTERNAL_ERROR'],
    [undefined, 500, 'INTERNAL_ERROR'],
    [{ code: 'EMAIL_TAKEN', status: 200 }, 500, 'INTERNAL_ERROR'],
  ]
  for (const [thrown, status, code] of answers) {
    const error = toAppError(thrown)
    assert.deepEqual([error.status, error.code], [status, code], String(thrown))
  }
})

test('every code has the status and the sentence that clients know', () => {
  const known: [ErrorCode, number, string][] = [
    ['VALIDATION_ERROR', 400, 'Some fields are not valid'],
    ['EMAIL_TAKEN', 400, 'Email already registered'],
    ['USER_NAME_TAKEN', 400, 'Username already taken'],
    ['PHONE_TAKEN', 400, 'Phone number already in use'],
    ['WEAK_PASSWORD', 400, 'Password must be at least 8 characters'],
    ['INVALID_TOKEN', 400, 'Invalid or expired token'],
    ['INVALID_CREDENTIALS', 401, 'Invalid credentials'],
    ['INVALID_SESSION', 401, 'Invalid session'],
    ['SESSION_EXPIRED', 401, 'Session expired'],
    ['TWO_FACTOR_REQUIRED', 401, 'Two-factor verification required'],
    ['BRIDGE_SECRET_REQUIRED', 401, 'Invalid or missing bridge secret'],
    ['FORBIDDEN', 403, 'Insufficient permissions'],
    ['CSRF_REJECTED', 403, 'Request origin not allowed'],
    ['EMAIL_NOT_VERIFIED', 403, 'Email not verified'],
    ['REGISTRATION_DISABLED', 403, 'Registration is disabled'],
    ['NOT_FOUND', 404, 'Not found'],
    ['RATE_LIMITED', 429, 'Too many attempts. Try again later.'],
    ['ACCOUNT_LOCKED', 429, 'Too many failed attempts. Reset your password to continue.'],
    ['INTERNAL_ERROR', 500, 'Internal server error'],
    ['NOT_CONFIGURED', 503, 'This feature is not configured'],
    ['UNAVAILABLE', 503, 'Service temporarily unavailable'],
  ]
  for (const [code, status, sentence] of known) {
    const error = new AppError(code)
    assert.deepEqual([error.status, error.message], [status, sentence], code)
  }
})

test('an error of our own making never shows what it came from', () => {
  const { message, details } = toAppError(new Error('relation "users" does not exist at /srv/app.ts:1'))
  assert.deepEqual({ message, details }, { message: 'Internal server error', details: undefined })
})
