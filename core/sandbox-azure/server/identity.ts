import { Client } from '@microsoft/microsoft-graph-client'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import type { AccessPass, DirectoryUser, Identity, KnownUser, DirectoryUserState } from './identity-provider.ts'
import { asCloudError, isNotFound, isNameTaken } from './errors.ts'
import { type GraphSettings, graphWire } from './wire.ts'

const TIMEOUT_MS = 30_000

export function graphIdentity(settings: GraphSettings): Identity {
  const graph = Client.initWithMiddleware({ middleware: graphWire(settings) })
  const at = (path: string, signal: AbortSignal) =>
    graph.api(path).options({ signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) })

  async function findByName(name: string, signal: AbortSignal): Promise<Found | null> {
    const reply = await call('find a user', () =>
      at('/users', signal)
        .filter(`userPrincipalName eq '${escapeFilterText(name)}'`)
        .select(SELECTED)
        .get(),
    )
    const [user] = listIn(reply)
    return user === undefined ? null : foundIn(user)
  }

  async function findById(path: string, signal: AbortSignal): Promise<Found | null> {
    const reply = await callOrNull('read a user', () => at(path, signal).select(SELECTED).get())
    return reply === null ? null : foundIn(reply.body)
  }

  return {
    async createUser(user, signal) {
      const existing = await findByName(user.signInName, signal)
      if (existing !== null) return ownUser(existing, user)
      try {
        const created = await call(`create the user ${user.signInName}`, () => at('/users', signal).post(bodyOf(user)))
        return { objectId: foundIn(created).id }
      } catch (problem) {
        if (!isNameTaken(problem)) throw problem
        // The directory reserves the name before queries show the user. The name may belong to our user (if the reply
        // to its creation was lost) or to another user.
        const taken = await findByName(user.signInName, signal)
        if (taken !== null) return ownUser(taken, user)
        throw new CloudError('conflict', `Entra does not show the new user ${user.signInName} yet.`, 5)
      }
    },

    getUser: (user, signal) => findUser(user, { findById, findByName }, signal),

    async blockUser(objectId, signal) {
      const path = userPath(objectId)
      const blocked = await callOrNull('block a user', () => at(path, signal).patch({ accountEnabled: false }))
      if (blocked === null) return
      await callOrNull("revoke a user's sessions", () => at(`${path}/revokeSignInSessions`, signal).post({}))
    },

    async createAccessPass(objectId, signal) {
      const reply = await callOrNull('issue a Temporary Access Pass', () =>
        at(`${userPath(objectId)}/authentication/temporaryAccessPassMethods`, signal).post({
          isUsableOnce: true,
          lifetimeInMinutes: ACCESS_PASS_MINUTES,
        }),
      )
      return reply === null ? null : accessPassIn(reply.body)
    },

    async deleteUser(objectId, signal) {
      await callOrNull('delete a user', () => at(userPath(objectId), signal).delete())
      await callOrNull('permanently delete a user', () => at(deletedPath(objectId), signal).delete())
    },
  }
}

async function findUser(
  { id, signInName, objectId }: KnownUser,
  graph: {
    findById(path: string, signal: AbortSignal): Promise<Found | null>
    findByName(name: string, signal: AbortSignal): Promise<Found | null>
  },
  signal: AbortSignal,
): Promise<DirectoryUserState> {
  if (objectId !== null) {
    const known = await graph.findById(userPath(objectId), signal)
    if (known !== null) return { state: 'existing', objectId: known.id, enabled: known.enabled }
    const deleted = await graph.findById(deletedPath(objectId), signal)
    if (deleted !== null) return { state: 'deleted', objectId: deleted.id }
  }
  // A creation with a lost reply may have created a user whose ID the portal does not know.
  const named = await graph.findByName(signInName, signal)
  return named !== null && named.mark === id
    ? { state: 'existing', objectId: named.id, enabled: named.enabled }
    : { state: 'absent' }
}

const userPath = (objectId: string) => `/users/${checkedId(objectId)}`
const deletedPath = (objectId: string) => `/directory/deletedItems/${checkedId(objectId)}`

/** Returns the ID if it is a UUID, as Graph defines it. Any other text could change the path of the request. */
function checkedId(objectId: string): string {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(objectId)) return objectId
  throw new CloudError('refused', `${JSON.stringify(objectId)} is not an id of an Entra user. No request was sent.`)
}

/** Escapes a text for a filter's quotes. Graph's client puts filters into the URL unescaped. */
const escapeFilterText = (name: string): string => encodeURIComponent(name.replaceAll("'", "''"))

/**
 * Shortest lifetime that every policy of a directory allows by default. Source:
 * https://learn.microsoft.com/entra/identity/authentication/howto-authentication-temporary-access-pass
 */
const ACCESS_PASS_MINUTES = 60

function accessPassIn(reply: unknown): AccessPass {
  const {
    temporaryAccessPass: pass,
    startDateTime,
    lifetimeInMinutes,
  } = (reply ?? {}) as { temporaryAccessPass?: unknown; startDateTime?: unknown; lifetimeInMinutes?: unknown }
  const start = typeof startDateTime === 'string' ? Date.parse(startDateTime) : Number.NaN
  if (typeof pass !== 'string' || typeof lifetimeInMinutes !== 'number' || Number.isNaN(start)) {
    throw new CloudError('unreachable', "Entra's Temporary Access Pass could not be read.")
  }
  return { pass, endsAt: new Date(start + lifetimeInMinutes * 60_000) }
}

const SELECTED = ['id', 'accountEnabled', 'mailNickname', 'userPrincipalName']

function bodyOf(user: DirectoryUser) {
  return {
    accountEnabled: true,
    displayName: user.displayName,
    // Property that marks our users. Every user must have this property, and no other client sets it to such a value.
    mailNickname: user.id,
    userPrincipalName: user.signInName,
    otherMails: [user.personalEmail],
    passwordProfile: { password: user.firstPassword, forceChangePasswordNextSignIn: true },
  }
}

interface Found {
  readonly id: string
  readonly enabled: boolean
  readonly mark: string
}

function ownUser(found: Found, { id, signInName }: DirectoryUser): { objectId: string } {
  if (found.mark === id) return { objectId: found.id }
  throw new CloudError(
    'refused',
    `Entra already has a user ${signInName} that this portal did not create. Choose another name.`,
  )
}

function foundIn(reply: unknown): Found {
  const user = reply as { id?: unknown; accountEnabled?: unknown; mailNickname?: unknown } | null
  if (typeof user?.id !== 'string') throw unreadable()
  return {
    id: user.id,
    // A response without the flag counts as an enabled user.
    enabled: user.accountEnabled !== false,
    mark: typeof user.mailNickname === 'string' ? user.mailNickname : '',
  }
}

function listIn(reply: unknown): unknown[] {
  const value = (reply as { value?: unknown } | null)?.value
  if (!Array.isArray(value)) throw unreadable()
  return value
}

const unreadable = () => new CloudError('unreachable', "Entra's description of a user could not be read.")

async function call(action: string, send: () => Promise<unknown>): Promise<unknown> {
  try {
    return await send()
  } catch (problem) {
    throw asCloudError(problem, action)
  }
}

async function callOrNull(action: string, send: () => Promise<unknown>): Promise<{ readonly body: unknown } | null> {
  try {
    return { body: await call(action, send) }
  } catch (problem) {
    if (isNotFound(problem)) return null
    throw problem
  }
}
