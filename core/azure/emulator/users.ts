import { iso } from '@trainyard/platform/emulator/clock/clock.ts'
import { DEFAULT_TENANT_ID } from './subscriptions/subscriptions.ts'
import type { DirectoryUser } from './directory.ts'
import { serviceUrl, type GraphAnswer, type GraphCall, type GraphOperation } from './operation.ts'
import { badRequest, nameTaken, notFound } from './refusal.ts'
import { parseAccessPass, parseNewUser, parseUser, refuseWeak } from './user-body.ts'
import { userView } from './user-view.ts'

const USER_PATH = '/users/:id'

export const userOperations: readonly GraphOperation[] = [
  {
    name: 'users.user.CreateUser',
    method: 'POST',
    path: '/users',
    handle({ directory, body, now, visibleAfterSeconds }) {
      const user = parseNewUser(parseUser(body))
      // The directory knows a name before reads show it.
      if (directory.existing(user.upn) !== undefined) throw nameTaken('userPrincipalName')
      const created = directory.add(user, now, visibleAfterSeconds)
      return { ...entity(userView(created, undefined), 201), headers: { location: locationOf(created) } }
    },
  },
  {
    name: 'users.user.ListUser',
    method: 'GET',
    path: '/users',
    handle: (call) => page(call, 'existing'),
  },
  {
    name: 'users.user.GetUser',
    method: 'GET',
    path: USER_PATH,
    handle: (call) => entity(userView(requireVisible(call), call.query.$select), 200),
  },
  {
    name: 'users.user.UpdateUser',
    method: 'PATCH',
    path: USER_PATH,
    handle(call) {
      const user = requireVisible(call)
      const { accountEnabled, passwordProfile, userPrincipalName, mailNickname, displayName, ...nextQuery } = parseUser(
        call.body,
      )
      if ((userPrincipalName ?? mailNickname ?? displayName) !== undefined) {
        throw badRequest('The emulator does not support changes of names.')
      }
      if (passwordProfile?.password !== undefined) refuseWeak(passwordProfile.password)
      call.directory.change(
        user,
        {
          more: nextQuery,
          ...(accountEnabled === undefined ? {} : { enabled: accountEnabled }),
          ...(passwordProfile?.password === undefined ? {} : { password: passwordProfile.password }),
        },
        call.now,
      )
      return { status: 204 }
    },
  },
  {
    name: 'users.user.DeleteUser',
    method: 'DELETE',
    path: USER_PATH,
    handle(call) {
      call.directory.delete(requireVisible(call), call.now)
      return { status: 204 }
    },
  },
  {
    name: 'users.user.revokeSignInSessions',
    method: 'POST',
    path: `${USER_PATH}/revokeSignInSessions`,
    handle(call) {
      call.directory.revokeSessions(requireVisible(call), call.now)
      return { status: 200, body: { '@odata.context': `${serviceUrl}/$metadata#Edm.Boolean`, value: true } }
    },
  },
  {
    name: 'users.authentication.CreateTemporaryAccessPassMethods',
    method: 'POST',
    path: `${USER_PATH}/authentication/temporaryAccessPassMethods`,
    permission: 'UserAuthMethod-TAP.ReadWrite.All',
    handle(call) {
      const user = requireVisible(call)
      const { lifetimeInMinutes, isUsableOnce } = parseAccessPass(call.body)
      const { id, pass } = call.directory.setAccessPass(user, lifetimeInMinutes * 60_000, isUsableOnce, call.now)
      const body = {
        '@odata.context': `${serviceUrl}/$metadata#users('${user.id}')/authentication/temporaryAccessPassMethods/$entity`,
        id,
        isUsable: true,
        methodUsabilityReason: 'EnabledByPolicy',
        temporaryAccessPass: pass,
        createdDateTime: iso(call.now),
        startDateTime: iso(call.now),
        lifetimeInMinutes,
        isUsableOnce,
      }
      return { status: 201, body }
    },
  },
  {
    name: 'directory.deletedItem.ListUsers',
    method: 'GET',
    path: '/directory/deletedItems/microsoft.graph.user',
    handle: (call) => page(call, 'deleted'),
  },
  {
    name: 'directory.GetDeletedItems',
    method: 'GET',
    path: '/directory/deletedItems/:id',
    handle: (call) => entity(userView(requireDeleted(call), call.query.$select), 200),
  },
  {
    name: 'directory.DeleteDeletedItems',
    method: 'DELETE',
    path: '/directory/deletedItems/:id',
    permission: 'User.DeleteRestore.All',
    handle(call) {
      call.directory.purge(requireDeleted(call), call.now)
      return { status: 204 }
    },
  },
  {
    name: 'directory.deletedItem.restore',
    method: 'POST',
    path: '/directory/deletedItems/:id/restore',
    handle(call) {
      const user = requireDeleted(call)
      if (call.directory.existing(user.upn.slice(32)) !== undefined) throw nameTaken('userPrincipalName')
      call.directory.restore(user)
      return entity(userView(call.directory.existing(user.id)!, undefined), 200)
    },
  },
]

/** Returns the Location header of a new user, which is an address of the directory's v2 interface. */
const locationOf = ({ id }: DirectoryUser): string =>
  `https://graph.microsoft.com/v2/${DEFAULT_TENANT_ID}/directoryObjects/${id}/Microsoft.DirectoryServices.User`

function requireVisible({ directory, params, now }: GraphCall): DirectoryUser {
  const found = directory.visible(params.id ?? '', now)
  if (found === undefined) throw notFound(params.id ?? '')
  return found
}

function requireDeleted({ directory, params }: GraphCall): DirectoryUser {
  const found = directory.deleted(params.id ?? '')
  if (found === undefined) throw notFound(params.id ?? '')
  return found
}

const entity = (view: Record<string, unknown>, status: number): GraphAnswer => ({
  status,
  body: { '@odata.context': `${serviceUrl}/$metadata#users/$entity`, ...view },
})

const defaultPageSize = 100

function page(call: GraphCall, state: 'existing' | 'deleted'): GraphAnswer {
  const { directory, query, now, path } = call
  const matches = filterOf(query.$filter)
  const size = Number(query.$top ?? defaultPageSize)
  if (!Number.isInteger(size) || size < 1 || size > 999) throw badRequest("Invalid page size specified: '$top'.")
  const found: DirectoryUser[] = []
  // Fill the page with users that match the filter.
  for (let after = query.$skiptoken ?? ''; found.length <= size;) {
    const candidates = directory.page(state, now, after, 500)
    found.push(...candidates.filter(matches))
    const last = candidates.at(-1)
    if (last === undefined) break
    after = last.id
  }
  const users = found.slice(0, size)
  const nextQuery = found.length > size ? new URLSearchParams({ ...query, $skiptoken: users.at(-1)!.id }) : undefined
  return {
    status: 200,
    body: {
      '@odata.context': `${serviceUrl}/$metadata#users`,
      ...(nextQuery === undefined
        ? {}
        : { '@odata.nextLink': `https://graph.microsoft.com${path}?${nextQuery.toString()}` }),
      value: users.map((user) => userView(user, query.$select)),
    },
  }
}

const filterable = {
  userPrincipalName: (user: DirectoryUser) => user.upn,
  mailNickname: (user: DirectoryUser) => user.mail_nickname,
  id: (user: DirectoryUser) => user.id,
}

/** Supports `userPrincipalName eq 'name'` and `startswith(userPrincipalName, 'begin')`, combined with `or`. */
function filterOf(filter: string | undefined): (user: DirectoryUser) => boolean {
  if (filter === undefined) return () => true
  const clauses = filter.split(/(?<=[')])\s+or\s+/i).map((clause) => clauseOf(clause, filter))
  return (user) => clauses.some((clause) => clause(user))
}

function clauseOf(clause: string, filter: string): (user: DirectoryUser) => boolean {
  const equal = /^\s*(\w+)\s+eq\s+'((?:[^']|'')*)'\s*$/.exec(clause)
  const begins = /^\s*startswith\((\w+),\s*'((?:[^']|'')*)'\)\s*$/i.exec(clause)
  const [, property, text] = equal ?? begins ?? []
  const read = filterable[property as keyof typeof filterable]
  if (read === undefined || text === undefined)
    throw badRequest(`Unsupported or invalid query filter clause: ${filter}`)
  const searchText = text.replaceAll("''", "'").toLowerCase()
  return (user) => {
    const value = read(user).toLowerCase()
    return equal === null ? value.startsWith(searchText) : value === searchText
  }
}
