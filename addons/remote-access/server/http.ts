import { REMOTE_MESSAGES, REMOTE_TICKET_SECONDS, SSH_SOCKET } from '../contract/remote-words.ts'
import { WATCHING } from '../contract/watching.ts'
import { FILE_MESSAGES } from '@trainyard/platform/contract/words/file.ts'
import { conflict, notFound, Problem, signedOut } from '@trainyard/platform/server/core/errors.ts'
import { type HandlersOf, prepared } from '@trainyard/platform/server/core/handler.ts'
import type { FilesConnector } from './machine-files.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { openingsByGroup } from './openings.ts'
import { trainingInScope } from '@trainyard/trainings/server/scope.ts'
import { readFolder, removePart } from './files.ts'
import { lockMachineToOpen, lockMachineToWatch, machineToList } from './scope.ts'
import { issueTicket } from './ticket.ts'
import { startTransfer, endTransfer, grantTransfer, partialUploadPath, transfersOf, viewOf } from './transfer.ts'
import { publicKeyLine } from './host-key.ts'
import { refuseWithoutSsh } from './open.ts'
import { recordOpening } from './opening-time.ts'
import { ownScreen } from './own-screen.ts'

export interface RemoteDependencies {
  /** Address of the remote-access page without a fragment: a page of the portal, or the page of a separate gateway. */
  readonly page: string
  readonly seal: Pick<Seal, 'open'>
  readonly connector: FilesConnector
}

export const remoteHandlers = ({ page, seal, connector }: RemoteDependencies): HandlersOf<'remote'> => ({
  async ticket(tx, { actor, sessionHash, body }) {
    if (sessionHash === null) throw signedOut()
    const machine = await lockMachineToOpen(tx, actor, body.vmName)
    const password = await issueTicket(tx, { actor, sessionHash }, machine)
    const username = machine.name
    // The ticket is in the fragment, which is not sent to servers and appears in no log and no Referer header.
    const url = `${page}#/?${new URLSearchParams({ username, password }).toString()}`
    return { url, username, password, expiresIn: REMOTE_TICKET_SECONDS }
  },

  async connect(tx, { actor, apiKey, body }) {
    if (apiKey === null) throw new Problem('invalid', REMOTE_MESSAGES.keysOnly)
    const machine = await lockMachineToOpen(tx, actor, body.vmName)
    await refuseWithoutSsh(tx, machine)
    if (machine.host_key === null) throw conflict(REMOTE_MESSAGES.keyUnknown(machine.name))
    return {
      ticket: await issueTicket(tx, { actor, sessionHash: apiKey.hash }, machine),
      path: `/api${SSH_SOCKET}`,
      account: machine.admin_username,
      hostKey: publicKeyLine(machine.host_key),
      expiresIn: REMOTE_TICKET_SECONDS,
    }
  },

  async usable(tx, { actor, sessionHash, body }) {
    if (sessionHash === null) throw signedOut()
    await recordOpening(tx, { actor, sessionHash }, body)
    return { message: 'Opening time stored.' }
  },

  folder: (db, context) => readFolder(db, context, { connector, seal }),

  async transfers(db, { actor, query }) {
    const machine = await machineToList(db, actor, query.vmName)
    const { files_allowed: allowed } = await db
      .selectFrom('training')
      .select('files_allowed')
      .where('id', '=', machine.training_id)
      .executeTakeFirstOrThrow()
    return { allowed: allowed && machine.os === 'Linux', transfers: await transfersOf(db, actor, machine) }
  },

  async transfer(tx, { actor, sessionHash, body }) {
    if (sessionHash === null) throw signedOut()
    return viewOf(await startTransfer(tx, { actor, sessionHash }, body))
  },

  giveUp: prepared({
    async prepare(db, { actor, sessionHash, query: { id } }) {
      if (sessionHash === null) throw signedOut()
      const request = { id, direction: 'upload' } as const
      const granted = await db
        .transaction()
        .execute((tx) => grantTransfer(tx, { db, seal }, { actor, sessionHash }, request))
        // A download has no partial file. If the machine is unreachable, its partial file cannot be deleted.
        .catch((error: unknown) => {
          if (!(error instanceof Problem)) throw error
          return null
        })
      if (granted !== null) await removePart(connector, granted.target, partialUploadPath(granted))
    },
    async change(tx, { actor, requestId, query: { id } }) {
      const own = await tx
        .selectFrom('file_transfer')
        .select('id')
        .where('id', '=', id)
        .where('user_id', '=', actor.id)
        .executeTakeFirst()
      if (own === undefined) throw notFound('transfer')
      await endTransfer(tx, own, { actor, requestId, result: FILE_MESSAGES.cancelled })
      return { message: FILE_MESSAGES.cancelled }
    },
  }),

  async filesAllowed(db, { actor, query }) {
    const { id } = await trainingInScope(db, actor, query)
    const { files_allowed: allowed } = await db
      .selectFrom('training')
      .select('files_allowed')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return { allowed }
  },

  async allowFiles(tx, { actor, body, auditChange }) {
    const { id } = await trainingInScope(tx, actor, body)
    const { before } = await tx
      .updateTable('training')
      .from('training as was')
      .set({ files_allowed: body.allowed })
      .whereRef('was.id', '=', 'training.id')
      .where('training.id', '=', id)
      .returning('was.files_allowed as before')
      .executeTakeFirstOrThrow()
    auditChange({ allowed: before }, { allowed: body.allowed })
    return {
      message: body.allowed
        ? 'Files can now be transferred in the browser.'
        : 'Files can no longer be transferred in the browser.',
    }
  },

  openings: async (db) => ({ measured: await openingsByGroup(db) }),

  async watch(tx, { actor, sessionHash, body }) {
    if (sessionHash === null) throw signedOut()
    const machine = await lockMachineToWatch(tx, actor, body.vmName)
    if ((await ownScreen(tx, machine.id)) === null) throw conflict(WATCHING.notConnected(machine.email))
    const password = await issueTicket(tx, { actor, sessionHash }, machine, { toWatch: true })
    // Only screens on the portal's own page can be watched, even if a separate gateway is configured.
    const url = `/remote/#/?${new URLSearchParams({ watch: machine.name, password }).toString()}`
    return { url, username: machine.name, password, expiresIn: REMOTE_TICKET_SECONDS }
  },

  async ending(db, { sessionHash, query }) {
    if (sessionHash === null) throw signedOut()
    // The session is found by its ID, not by the machine's scope, so that the call also works for a machine that is no
    // longer in scope.
    const last = await db
      .selectFrom('remote_session')
      .innerJoin('machine', 'machine.id', 'remote_session.machine_id')
      .select('remote_session.ended')
      .where('session_hash', '=', sessionHash)
      .where('machine.name', '=', query.vmName)
      .where('kind', '=', 'desktop')
      .orderBy('opened_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    return { sentence: last?.ended ?? null }
  },
})
