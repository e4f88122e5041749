import type { Mutant } from './list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'a module runs no SQL but that which was shipped',
    file: 'src/hub/load-modules.ts',
    from: 'if (found === checksum) return text',
    to: 'if (found) return text',
    test: 'test/hub/load-modules.test.ts',
  },
  {
    rule: 'a manifest names no file of another directory',
    file: 'src/hub/manifest-schemas.ts',
    from: "'^[a-z0-9][a-z0-9._-]{0,80}\\\\.sql$'",
    to: "'sql$'",
    test: 'test/hub/load-modules.test.ts',
  },
  {
    rule: 'an installation is one transaction',
    file: 'src/hub/run.ts',
    from: 'takeSteps({ ...ctx, db: tx }, hub, run)',
    to: 'takeSteps(ctx, hub, run)',
    test: 'test/hub/routes.test.ts',
  },
  {
    rule: 'a lost trigger, index or function of a module is noticed',
    file: 'src/hub/plan.ts',
    from: 'if (isSame && present && intact) return',
    to: 'if (isSame && present) return',
    test: 'test/hub/lost-objects.test.ts',
  },
  {
    rule: 'a dry run writes nothing',
    file: 'src/hub/install.ts',
    from: `  dryRun(ctx, hub, asking, {
    module,
    runtimeScope: request.runtime_scope,
    plan: (found) => planInstall(module, request, found),
  })`,
    to: '  runInstall(ctx, hub, { module, request }, asking).then(({ steps }) => steps)',
    test: 'test/hub/routes.test.ts',
  },
  {
    rule: 'a damaged second factor is not one that was never installed',
    file: 'src/hub/second-factor.ts',
    from: 'if (ctx.modules.isDamaged(module.id)) return damaged',
    to: 'if (ctx.modules.isDamaged(module.id)) return noSecondFactor',
    test: 'test/hub/damaged-second-factor.test.ts',
  },
  {
    rule: 'a damaged second factor is demanded all the same',
    file: 'src/hub/second-factor.ts',
    from: '  isRequiredOf,\n  lacksConfirmation,\n})',
    to: '  isRequiredOf,\n})',
    test: 'test/hub/damaged-second-factor.test.ts',
  },
  {
    rule: 'what one runtime scope has installed is missed in every other',
    file: 'src/hub/queries.ts',
    from: ".where('component_id', '=', 'core')\n    .execute()\n  return new Set",
    to: ".where('component_id', '=', 'core')\n    .where('runtime_scope', '=', 'service-core')\n    .execute()\n  return new Set",
    test: 'test/hub/damaged-second-factor.test.ts',
  },
]
