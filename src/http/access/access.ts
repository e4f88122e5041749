/** Who may call a route. One constant per kind of caller, as plain data. */
export interface Access {
  /** The shared secret of a back end, in X-Bridge-Secret. `optional`: a wrong one is refused all the same. */
  bridge: 'none' | 'optional' | 'required'
  /** `none`: no session is looked at. `optional`: a full one is resolved when it is sent. `any`: full or partial. `full`: a partial one is answered TWO_FACTOR_REQUIRED. */
  session: 'none' | 'optional' | 'any' | 'full'
  /** The `user_type`s that may call it, read from the database on every call; absent: every one. */
  roles?: readonly string[]
  /** True: a session of an application is refused, whatever the role of its user. */
  notForApplications?: true
  /** True: a request that brings a `token` in its body acts by that, and no session is looked at. */
  unlessToken?: true
  /** True: only a request with `link=true` in its query needs the session; no other is looked at for one. */
  onlyToLink?: true
  /** How the API page puts it. */
  description: string
}

export const anyone: Access = { bridge: 'none', session: 'none', description: 'anyone' }
export const visitor: Access = {
  bridge: 'none',
  session: 'optional',
  description: 'anyone; a full session is respected',
}
export const signedIn: Access = { bridge: 'none', session: 'full', description: 'a full session' }
export const admins: Access = {
  bridge: 'none',
  session: 'full',
  roles: ['admin', 'superadmin'],
  notForApplications: true,
  description: 'a full session of an admin or superadmin, not one of an application',
}
export const signedInOrPending: Access = { bridge: 'none', session: 'any', description: 'a full or partial session' }
export const signedInOrToken: Access = {
  bridge: 'none',
  session: 'full',
  unlessToken: true,
  description: 'anyone with a token; without one, a full session',
}
export const signedInToLink: Access = {
  bridge: 'none',
  session: 'full',
  onlyToLink: true,
  description: 'anyone; with link=true, a full session',
}
export const bridge: Access = { bridge: 'required', session: 'none', description: 'a back end with the bridge secret' }
export const bridgeWithSession: Access = {
  bridge: 'required',
  session: 'any',
  description: 'a back end with the bridge secret, for a full or partial session',
}
/** The older clients' reading of a route that back ends call: without a secret it is as open as any. */
export const anyoneOrBridge: Access = {
  bridge: 'optional',
  session: 'none',
  description: 'anyone; back ends add the bridge secret',
}
/** The older clients' reading of the same route: the session alone is enough. */
export const sessionWithOptionalBridge: Access = {
  bridge: 'optional',
  session: 'any',
  description: 'a full or partial session; back ends add the bridge secret',
}
