import { namesInDirectory, selectUnprovenAddress } from './server/queries.ts'
import { isAddressUnproven, knownAs } from '@trainyard/users/server/address.ts'
import { sql } from 'kysely'
import { answer, on, answerSql } from '@trainyard/platform/server/core/events.ts'
import { organisationsRemoved } from '@trainyard/organisations/server/remove.ts'
import { rosterLists } from '@trainyard/rosters/server/http.ts'
import { groupLists } from './server/roster-lists.ts'
import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { scimHandlers } from './server/http.ts'
import { serveScim } from './server/serve.ts'
import { adminsAdded, leftBehind, roleGiven, usersMoved } from '@trainyard/users/server/role.ts'
import { endKeptLevels, warnOfTokens } from './server/group-levels.ts'

export default serverModule({
  name: 'scim',
  requires: ['rosters', 'sso'],
  answers: [
    answer(leftBehind, warnOfTokens),
    answer(rosterLists, async () => [groupLists]),
    answer(
      isAddressUnproven,
      async (db, { user, email }) => (await selectUnprovenAddress(db, user, email)).rows.length > 0,
    ),
  ],
  calls: (parts) => ({ scim: scimHandlers(parts) }),
  sqlAnswers: [answerSql(knownAs, ({ users }) => namesInDirectory(users))],
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    personal: {
      scim_group: withoutOwner('display_name external_id role'),
      scim_group_member: {
        owner: {
          condition: ({ users }) => sql`value in (
            select id::text from scim_user where user_id = any(${users}::uuid[]))`,
        },
        title: 'Groups of the organisation’s directory',
        erase: 'delete',
        mentions: 'display',
        other: 'value',
      },
      scim_token: withoutOwner('prefix name used_address', 'created_by', 'token_hash'),
      scim_user: {
        owner: { user: 'user_id' },
        title: 'Record of the organisation’s directory',
        erase: 'delete',
        ifMentioned: 'delete',
        mentions: 'user_name external_id emails data',
      },
    },
  },
  routes: serveScim,
  listens: [
    on(organisationsRemoved, async (tx, organisations) => {
      for (const table of ['scim_token', 'scim_group', 'scim_user'] as const)
        await tx.deleteFrom(table).where('organisation_id', 'in', organisations).execute()
    }),
    on(roleGiven, async (tx, given) => {
      // From now on no group of the directory may take the access level away.
      const users = given.filter(({ isChosen }) => isChosen).map(({ user }) => user)
      if (users.length > 0)
        await tx.updateTable('scim_user').set({ role_given: false }).where('user_id', 'in', users).execute()
    }),
    on(adminsAdded, async (tx, organisations) => {
      for (const id of organisations) await endKeptLevels(tx, { id })
    }),
    // A user who moves to another organisation is no longer controlled by the directory of the first one.
    on(usersMoved, async (tx, moved) => {
      const users = moved.filter(({ leavesOrganisation }) => leavesOrganisation).map(({ user }) => user)
      if (users.length > 0)
        await tx.updateTable('scim_user').set({ user_id: null }).where('user_id', 'in', users).execute()
    }),
  ],
})
