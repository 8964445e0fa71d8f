import { serveDescription } from '../../../http/description.ts'
import { publicDescription, type Part } from '../../../http/public-api.ts'
import { serverModule } from '../../../core/module.ts'
import { keyOf } from '../../../core/identity.ts'
import { signIns } from '../user/valid-session.ts'
import { countKeys, findApiKey, revokeKeys, VALID_KEYS } from './api-key.ts'
import { apiKeyHandlers } from './http.ts'
import { answer, answerSql, on } from '../../../core/events.ts'
import { keysCounted, keysRevoked } from '../user/sessions.ts'
import { usersMoved } from '../user/role.ts'

export default serverModule({
  name: 'api-keys',
  calls: (parts) => ({ apiKey: apiKeyHandlers(parts) }),
  routes: (server, { limits, publicUrl }) =>
    serveDescription(server, '/public/openapi.json', limits, () =>
      publicDescription(server.swagger() as unknown as Part, publicUrl),
    ),
  tables: {
    sql: new URL('../../../db/tables/api-keys.sql', import.meta.url),
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
