import Type from 'typebox'
import { Id, NullableString, onlyForClients, Timestamp, withModuleColumns } from '../http/responses/schemas.ts'

const compatMembers = {
  userType: Type.Optional(Type.String(onlyForClients)),
  userName: Type.Optional(Type.String(onlyForClients)),
  lastName: Type.Optional(Type.String(onlyForClients)),
  isVerified: Type.Optional(Type.Boolean(onlyForClients)),
  twoFactor: Type.Optional(Type.Boolean(onlyForClients)),
}

const Metadata = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

const loginMembers = {
  id: Id,
  email: Type.String(),
  name: Type.String(),
  last_name: Type.String(),
  user_name: Type.String(),
  user_type: Type.String(),
  picture: Type.String({ description: 'URL, or empty' }),
  is_verified: Type.Boolean(),
  two_factor: Type.Boolean(),
  lang: Type.String(),
  metadata: Metadata,
  tmz: NullableString,
  dob: NullableString,
  display_name: NullableString,
  first_time: Type.Boolean(),
  gender: NullableString,
  title: NullableString,
  phone: Type.Optional(Type.String(onlyForClients)),
  ...compatMembers,
}

export const LoginUser = Type.Object(loginMembers, { title: 'User', ...withModuleColumns })

/** Includes the readable columns of installed modules. */
export const LoginUserWithModules = Type.Object(loginMembers, {
  title: 'User',
  additionalProperties: true,
  ...withModuleColumns,
})

/** Some clients read only the top level, and others only `user`. */
export const UserAtTopAndBelow = Type.Object(
  { ...loginMembers, user: LoginUserWithModules },
  { additionalProperties: true, description: "the user's members, both at the top level and in `user`" },
)

const Block = Type.Object({
  reason: Type.String({ description: 'shown only to administrators' }),
  since: Timestamp,
  until: Type.Union([Type.Null(), Timestamp], { description: 'null if the block has no end' }),
})

export const AdminUser = Type.Object(
  {
    id: Id,
    email: Type.String(),
    name: Type.String(),
    last_name: Type.String(),
    user_name: Type.String(),
    user_type: Type.String(),
    picture: Type.String({ description: 'URL, or empty' }),
    phone: Type.String(),
    is_verified: Type.Boolean(),
    two_factor: Type.Boolean(),
    created_at: Timestamp,
    updated_at: Timestamp,
    first_time: Type.Boolean(),
    title: Type.String(),
    deleted_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'present only in a search for deleted users' }),
    ),
    roles: Type.Optional(
      Type.Array(Type.String(), {
        description: 'the application roles that the user was given, such as billing:accountant; only in exports',
      }),
    ),
    blocked: Type.Optional(
      Type.Union([Type.Null(), Block], {
        description: 'null if the user is not blocked; absent from responses to the user',
      }),
    ),
  },
  { title: 'AdminUser', additionalProperties: true, ...withModuleColumns },
)

export const BridgeUser = Type.Object(
  {
    id: Id,
    name: Type.String(),
    last_name: Type.String(),
    user_name: Type.String(),
    user_type: Type.String(),
    picture: Type.String(),
    phone: Type.String(),
    is_verified: Type.Boolean(),
    two_factor: Type.Boolean(),
    email: Type.String(),
    ...compatMembers,
  },
  { title: 'BridgeUser' },
)

export const TokenUser = Type.Object(
  {
    id: Id,
    email: Type.String(),
    name: Type.String(),
    lastName: Type.String(),
    userName: Type.String(),
    userType: Type.String(),
    isVerified: Type.Boolean(),
  },
  { title: 'TokenUser' },
)

export const RegisteredUser = Type.Object({
  id: Id,
  email: Type.String(),
  name: Type.String(),
  last_name: Type.String(),
  user_name: Type.String(),
  user_type: Type.String(),
  is_verified: Type.Boolean(),
  requiresVerification: Type.Optional(Type.Boolean()),
})
