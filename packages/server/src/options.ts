import type { BrandSource } from './brand.ts'
import type { TrustedProxies } from './end-user.ts'
import type { WardenryError } from './errors.ts'
import type { ServiceClock } from './service-clock.ts'
import type { SessionSource } from './session.ts'

/** The options of `createWardenry`. */
export interface WardenryOptions {
  /** The service's PUBLIC_URL, which users open in the browser, such as `https://id.example.com`. */
  url: string
  /**
   * One of the service's bridge secrets. Keep it out of the repository and out of browser code. The type permits
   * `process.env.BRIDGE_SECRET`, but `createWardenry` throws an error if the value is undefined.
   */
  bridgeSecret: string | undefined
  /** This application's public URL, such as `https://shop.example`. Required for sign-in and sign-out. */
  appUrl?: string | undefined
  /** The URL at which this back end reaches the service if it differs from `url`. */
  internalUrl?: string | undefined
  /**
   * `own` (default): the application has its own session and its own cookie, and can run on any host. `shared`: the
   * application uses the service's cookie. Its host must be the service's host or within the service's
   * `SESSION_COOKIE_DOMAIN`.
   */
  session?: 'own' | 'shared' | undefined
  /** The name of this application's cookie, prefixed with `__Host-` over HTTPS. Default: `wardenry_session`. */
  cookieName?: string | undefined
  /** With `shared`: the service's `SESSION_COOKIE_NAME`. Default: `session_id`. */
  serviceCookieName?: string | undefined
  /** Local paths. Default: `/sign-in`, `/sign-in/callback`, `/sign-out`. */
  paths?: Partial<Paths> | undefined
  /** Other origins whose pages may send requests with this application's cookie. */
  trustedOrigins?: string[] | undefined
  /** Other applications whose sessions are accepted in headers. List mobile apps by URL scheme, such as `shop:`. */
  applications?: string[] | undefined
  /**
   * Addresses and CIDR ranges of the proxies in front of this application, whose `X-Forwarded-For` header is trusted.
   * With `[]`, the connection's address is the visitor's. Required for binding sessions to IP addresses with the
   * service's `SESSION_BINDING`; without it, they are bound to the user agent only.
   */
  trustedProxies?: string[] | undefined
  /**
   * The maximum number of sessions in memory, at about 1.5 kB each. Default: 25,000. If 0, no event stream is opened,
   * and the service validates the session of every request.
   */
  maxSessions?: number | undefined
  /** Called with the error for every 503 response. Default: prints an error at most once a minute. */
  onError?: ((error: WardenryError) => void) | undefined
  fetch?: typeof fetch | undefined
  /** Replaces the session lookup in tests. */
  source?: SessionSource | undefined
}

export interface Paths {
  signIn: string
  callback: string
  signOut: string
  /** The path for users who cancel the sign-in. By default, this package's own page is shown. */
  cancelled?: string | undefined
}

/** Unlike `Required`, also removes `undefined`, which callers may pass. */
type Complete<Options> = { [Name in keyof Options]-?: Exclude<Options[Name], undefined> }

/** The validated options. */
export interface Settings
  extends Complete<
    Omit<WardenryOptions, 'appUrl' | 'bridgeSecret' | 'paths' | 'source' | 'trustedOrigins' | 'trustedProxies'>
  > {
  bridgeSecret: string
  /** Undefined if the visitor's address is not known. */
  trustedProxies: TrustedProxies | undefined
  appUrl: string | undefined
  paths: Paths
  origins: ReadonlySet<string>
  isSecure: boolean
  clock: ServiceClock
  brand: BrandSource
}
