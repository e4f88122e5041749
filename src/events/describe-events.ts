import { eventSchema } from './schemas.ts'
import { eventTypes, schemaVersion } from './types.ts'

/** The `webhooks` of the OpenAPI document: one request for each event type of the core and of all modules. */
export const describeEvents = (): Record<string, object> =>
  Object.fromEntries(
    [...eventTypes()].map(([type, data]) => [
      type,
      {
        post: {
          operationId: `receive${type.replace(/(^|[._])(.)/g, (_whole, _separator, letter: string) => letter.toUpperCase())}`,
          summary: `The event \`${type}\``,
          tags: ['Events'],
          security: [],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: eventSchema(type, schemaVersion, data) } },
          },
          responses: { '2XX': { description: 'The event was accepted.' } },
        },
      },
    ]),
  )
