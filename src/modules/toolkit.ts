import { sql } from 'kysely'
import Type from 'typebox'
import { recordAudit } from '../audit/record.ts'
import * as settingKinds from '../config/kinds.ts'
import * as urlKinds from '../config/url-kinds.ts'
import { transact } from '../db/transact.ts'
import { anyone, signedIn, staffWith } from '../http/access/access.ts'
import { deviceOf } from '../http/access/device.ts'
import { describe, Id, success, Timestamp } from '../http/responses/schemas.ts'
import { defineModule } from '../hub/define-module.ts'
import { moduleCommand } from '../hub/module-command.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { lockCaller } from '../sessions/authenticate.ts'
import { accountPages } from '../ui/account/account-visit.ts'
import { renderAccountLayout } from '../ui/account/layout.ts'
import { adminPages } from '../ui/console/admin-visit.ts'
import { renderAdminLayout } from '../ui/console/layout.ts'
import { call } from '../ui/shared/api-route.ts'
import { postedByAnyone, readByAnyone } from '../ui/shared/declare-pages.ts'
import { problemText } from '../ui/shared/problem-text.ts'
import { moduleTexts } from '../ui/texts/index.ts'

/**
 * The toolkit is passed to external modules because a copy that they import would have its own classes and module-level
 * state.
 */
export const toolkit = {
  defineModule,
  Type,
  sql,
  settingKinds: { ...settingKinds, ...urlKinds },
  schemas: { describe, success, Id, Timestamp },
  access: { anyone, signedIn, staffWith },
  moduleCommand,
  pages: {
    call,
    accountPages,
    readByAnyone,
    postedByAnyone,
    renderAccountLayout,
    adminPages,
    renderAdminLayout,
    moduleTexts,
    problemText,
  },
  AppError,
  invalidField,
  transact,
  lockCaller,
  recordAudit,
  deviceOf,
  newId,
} as const

export type Toolkit = typeof toolkit
