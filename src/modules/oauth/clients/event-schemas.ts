import Type from 'typebox'

const ClientId = Type.String({ description: 'the identifier that the client sends' })

export const clientEventData = {
  'client.created': Type.Object({ client_id: ClientId }),
  'client.updated': Type.Object({
    client_id: ClientId,
    changed: Type.Array(Type.String(), { description: 'the changed members, and `secrets`', examples: [['enabled']] }),
  }),
  'client.deleted': Type.Object({ client_id: ClientId }),
} as const
