import { auth0 } from './auth0.ts'
import { betterAuth } from './better-auth.ts'
import { clerk } from './clerk.ts'
import { cognito } from './cognito.ts'
import { firebase } from './firebase.ts'
import { keycloak } from './keycloak.ts'
import { laravel } from './laravel.ts'
import { csv, jsonl, wardenry } from './own-formats.ts'
import type { UserSource } from './source.ts'
import { supabase } from './supabase.ts'
import { wordpress } from './wordpress.ts'

export const sources: readonly UserSource[] = [
  wardenry,
  csv,
  jsonl,
  auth0,
  firebase,
  supabase,
  cognito,
  keycloak,
  clerk,
  betterAuth,
  wordpress,
  laravel,
]
