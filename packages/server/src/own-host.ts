import type { Settings } from './options.ts'
import type { Incoming } from './request.ts'
import { redirect } from './responses.ts'
import { localAddress } from './return-path.ts'

/** Marks a redirected URL so that a proxy that changes the host does not cause a redirect loop. */
const mark = 'wardenry_host=1'

/**
 * A redirect to the same path on the host of `appUrl`, or undefined if none is needed. If the sign-in started on
 * another host name, such as `localhost` instead of `127.0.0.1`, the callback would not receive the cookie.
 */
export function toOwnHost(settings: Settings, appUrl: string, request: Incoming): Response | undefined {
  if (settings.session === 'shared' || (request.method ?? 'GET') !== 'GET' || isMarked(request.target)) return undefined
  const host = hostNameOf(request)
  if (host === undefined || host === new URL(appUrl).hostname) return undefined
  const address = localAddress(appUrl, marked(request.target)) ?? appUrl + marked(settings.paths.signIn)
  return redirect(address)
}

export const withoutMark = (target: string): string => (isMarked(target) ? target.slice(0, -mark.length - 1) : target)

const isMarked = (target: string): boolean => target.endsWith(`?${mark}`) || target.endsWith(`&${mark}`)
const marked = (target: string): string => `${target}${target.includes('?') ? '&' : '?'}${mark}`

/** The host name that the browser requested, without the port, because cookies ignore ports. */
function hostNameOf({ header }: Incoming): string | undefined {
  const host = header('x-forwarded-host')?.split(',', 1)[0]?.trim() || header('host')
  return host && URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined
}
