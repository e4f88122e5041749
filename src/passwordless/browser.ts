import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { deviceOf } from '../http/access/device.ts'
import { onlyCookie } from '../http/cookies/cookies.ts'
import { readConfirmedBrowserCookie } from '../sessions/confirmed-browser.ts'
import { type DeviceOwner, isRemembered } from '../sessions/known-device.ts'

export const fromBrowser = ({ config, clock }: Context, request: FastifyRequest) => ({
  device: deviceOf(request),
  confirmation: readConfirmedBrowserCookie(request, config),
  replaces: onlyCookie(request.headers.cookie, config.SESSION_COOKIE_NAME),
  isKnown: (owner: DeviceOwner) => isRemembered(request, config, owner, clock.now()),
})
