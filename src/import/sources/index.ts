import { auth0 } from './auth0.ts'
import { betterAuth } from './better-auth.ts'
import { clerk } from './clerk.ts'
import { cognito } from './cognito.ts'
import { csv } from './csv.ts'
import { firebase } from './firebase.ts'
import { jsonl } from './jsonl.ts'
import { keycloak } from './keycloak.ts'
import { laravel } from './laravel.ts'
import type { UserSource } from './source.ts'
import { supabase } from './supabase.ts'
import { wardenry } from './wardenry.ts'
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
