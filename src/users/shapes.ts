import type { Context, UserRow } from '../context.ts'
import { maskEmail } from '../lib/contact.ts'
import { iso } from '../lib/time.ts'
import type { UserBlock } from './block-queries.ts'
import { pictureAddress } from './picture-address.ts'

type ShapeContext = Pick<Context, 'config' | 'modules'>

export function loginUser({ config }: ShapeContext, user: UserRow) {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    last_name: user.last_name,
    user_name: user.user_name,
    user_type: user.user_type,
    picture: pictureAddress(config, user.picture),
    is_verified: user.is_verified,
    two_factor: user.two_factor,
    lang: user.lang ?? config.DEFAULT_LANG,
    metadata: user.metadata,
    tmz: user.tmz,
    dob: user.dob,
    display_name: user.display_name,
    first_time: user.first_time,
    gender: user.gender,
    title: user.title,
    ...(config.CLIENT_COMPAT && { phone: user.phone ?? '', ...camelCaseMembers(user) }),
  }
}

/**
 * Someone else may have seen a partial session's token in a URL, so the response contains only what the second-factor
 * page shows.
 */
export const maskedLoginUser = (ctx: ShapeContext, user: UserRow) => ({
  ...loginUser(ctx, user),
  email: maskEmail(user.email),
  metadata: {},
  tmz: null,
  dob: null,
  gender: null,
  title: null,
  ...(ctx.config.CLIENT_COMPAT && { phone: '' }),
})

export const loginUserWithModules = (ctx: ShapeContext, user: UserRow) => ({
  ...loginUser(ctx, user),
  ...moduleMembers(ctx, user),
})

/** Excludes write-only columns. `block` is null if the user is not blocked, and undefined in responses to the user. */
export const adminUser = (ctx: ShapeContext, user: UserRow, block?: UserBlock | null) => ({
  id: user.id,
  email: user.email,
  name: user.name,
  last_name: user.last_name,
  user_name: user.user_name,
  user_type: user.user_type,
  picture: pictureAddress(ctx.config, user.picture),
  phone: user.phone ?? '',
  is_verified: user.is_verified,
  two_factor: user.two_factor,
  created_at: iso(user.created_at),
  updated_at: iso(user.updated_at),
  first_time: user.first_time,
  title: user.title ?? '',
  ...(block !== undefined && { blocked: block && shownBlock(block) }),
  ...moduleMembers(ctx, user),
})

const shownBlock = ({ reason, since, until }: UserBlock) => ({
  reason,
  since: iso(since),
  until: until && iso(until),
})

export function bridgeUser({ config }: ShapeContext, user: UserRow) {
  return {
    id: user.id,
    name: user.name,
    last_name: user.last_name,
    user_name: user.user_name,
    user_type: user.user_type,
    picture: pictureAddress(config, user.picture),
    phone: user.phone ?? '',
    is_verified: user.is_verified,
    two_factor: user.two_factor,
    email: user.email,
    ...(config.CLIENT_COMPAT && camelCaseMembers(user)),
  }
}

export const tokenUser = (user: UserRow) => ({
  id: user.id,
  email: user.email,
  name: user.name,
  lastName: user.last_name,
  userName: user.user_name,
  userType: user.user_type,
  isVerified: user.is_verified,
})

export const registeredUser = (user: UserRow) => ({
  id: user.id,
  email: user.email,
  name: user.name,
  last_name: user.last_name,
  user_name: user.user_name,
  user_type: user.user_type,
  is_verified: user.is_verified,
})

const camelCaseMembers = (user: UserRow) => ({
  userType: user.user_type,
  userName: user.user_name,
  lastName: user.last_name,
  isVerified: user.is_verified,
  twoFactor: user.two_factor,
})

const moduleMembers = ({ modules }: ShapeContext, user: UserRow): Record<string, unknown> =>
  Object.fromEntries(modules.userColumns().map(({ name, unset }) => [name, user[name] ?? unset]))
