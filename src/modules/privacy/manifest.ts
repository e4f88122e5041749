import { defineModule } from '../../hub/define-module.ts'
import { checksums } from './checksums.ts'
import { privacyColumns } from './schemas.ts'

export const privacy = defineModule({
  directory: new URL('./', import.meta.url),
  checksums,
  isEnabled: () => true,
  routes: () => () => {},
  userColumns: { core: privacyColumns },
})
