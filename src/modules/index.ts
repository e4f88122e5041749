import { declareModules } from '../hub/declare-modules.ts'
import { apiKeys } from './api-keys/manifest.ts'
import { blog } from './blog/manifest.ts'
import { oauth } from './oauth/manifest.ts'
import { onboarding } from './onboarding/manifest.ts'
import { postTypes } from './post-types/manifest.ts'
import { privacy } from './privacy/manifest.ts'
import { twoFactor } from './two-factor/manifest.ts'

/** The modules in this release. Each module is listed after the modules it depends on. */
export const shippedModules = declareModules([twoFactor, apiKeys, oauth, privacy, onboarding, blog, postTypes])
