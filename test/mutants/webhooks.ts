import type { Mutant } from './list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'a webhook with a private address is refused',
    file: 'src/webhooks/read-input.ts',
    from: 'if (isPrivate) throw invalidField',
    to: 'if (isPrivate && !host) throw invalidField',
    test: 'test/webhooks/manage.test.ts',
  },
  {
    rule: 'a host name with a private address receives no event',
    file: 'src/webhooks/send-event.ts',
    from: 'config.EVENT_ALLOW_PRIVATE_HOSTS ? [origin] : []',
    to: 'config ? [origin] : []',
    test: 'test/webhooks/manage.test.ts',
  },
  {
    rule: 'events of a user are delivered in order',
    file: 'src/webhooks/delivery-queries.ts',
    from: 'AND earlier.position < d.position AND',
    to: 'AND earlier.position < d.position AND false AND',
    test: 'test/webhooks/deliver.test.ts',
  },
  {
    rule: 'after a rotation both secrets of a webhook sign',
    file: 'src/webhooks/send-event.ts',
    from: '[webhook.secret, webhook.former_secret]',
    to: '[webhook.secret]',
    test: 'test/webhooks/deliver.test.ts',
  },
  {
    rule: 'a change of a webhook requires recent authentication',
    file: 'src/admin/as-staff.ts',
    from: '  if (session) assertRecentProof(ctx, session)\n',
    to: '',
    test: 'test/webhooks/manage.test.ts',
  },
  {
    rule: 'header values of a webhook stay with its host',
    file: 'src/webhooks/change-webhook.ts',
    from: '    if (url !== undefined && headers === undefined) assertHeadersStay(tx, webhook, url)\n',
    to: '',
    test: 'test/webhooks/manage.test.ts',
  },
  {
    rule: 'a webhook cannot replace the headers of the signature',
    file: 'src/webhooks/read-input.ts',
    from: 'if (reserved.test(name)) throw',
    to: 'if (reserved.test(value)) throw',
    test: 'test/webhooks/manage.test.ts',
  },
  {
    rule: 'a header of a webhook cannot contain a line break',
    file: 'src/webhooks/read-input.ts',
    from: '/^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$/.test(value)',
    to: '/[\\x21-\\x7e]/.test(value)',
    test: 'test/webhooks/manage.test.ts',
  },
  {
    rule: 'a test event reaches one webhook only',
    file: 'src/webhooks/delivery-queries.ts',
    from: "THEN e.data->>'webhook_id' = w.id::text",
    to: "THEN e.data->>'webhook_id' <> ''",
    test: 'test/webhooks/deliver.test.ts',
  },
  {
    rule: '410 disables a webhook',
    file: 'src/webhooks/record-outcome.ts',
    from: 'outcome.status === 410',
    to: 'outcome.status === 409',
    test: 'test/webhooks/failures.test.ts',
  },
]
