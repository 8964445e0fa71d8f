import { serveDescription } from '@trainyard/platform/server/http/description.ts'
import { publicDescription, type Part } from './server/public-api.ts'
import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { keyOf } from '@trainyard/platform/server/core/identity.ts'
import { signIns } from '@trainyard/users/server/valid-session.ts'
import { countKeys, findApiKey, revokeKeys, VALID_KEYS } from './server/api-key.ts'
import { apiKeyHandlers } from './server/http.ts'
import { answer, answerSql, on } from '@trainyard/platform/server/core/events.ts'
import { keysCounted, keysRevoked } from '@trainyard/users/server/sessions.ts'
import { usersMoved } from '@trainyard/users/server/role.ts'

export default serverModule({
  name: 'api-keys',
  calls: (parts) => ({ apiKey: apiKeyHandlers(parts) }),
  routes: (server, { limits, publicUrl }) =>
    serveDescription(server, '/public/openapi.json', limits, () =>
      publicDescription(server.swagger() as unknown as Part, publicUrl),
    ),
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    personal: {
      api_key: {
        owner: { user: 'user_id' },
        title: 'API keys',
        erase: 'delete',
        mentions: 'name',
        details: 'networks used_address',
        secrets: 'token_hash',
        other: 'prefix kind role scopes',
      },
    },
  },
  answers: [answer(keyOf, findApiKey), answer(keysRevoked, revokeKeys), answer(keysCounted, countKeys)],
  sqlAnswers: [answerSql(signIns, () => VALID_KEYS)],
  listens: [
    // If the user returns later, the old keys must not become valid again.
    on(usersMoved, async (tx, moved) => {
      const users = moved.map(({ user }) => user)
      await tx.deleteFrom('api_key').where('user_id', 'in', users).execute()
    }),
  ],
})
