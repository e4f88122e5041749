import { defineModule } from '../../hub/define-module.ts'
import { checksums } from './checksums.ts'
import { businessColumns } from './schemas.ts'

export const onboarding = defineModule({
  directory: new URL('./', import.meta.url),
  checksums,
  isEnabled: () => true,
  routes: () => () => {},
  userColumns: { core: businessColumns },
})
