import { type Selectable, sql } from 'kysely'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { remote, Transfer } from '../contract/remote.ts'
import { FILE_MESSAGES, FILES_UNFINISHED_MAX, nameOfPath } from '@trainyard/platform/contract/words/file.ts'
import { REMOTE_MESSAGES } from '../contract/remote-words.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { MachineRow } from '@trainyard/machines/tables.gen.ts'
import type { FileTransferTable } from '../tables.gen.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { writeAudit } from '@trainyard/platform/server/core/audit.ts'
import { conflict, notFound, Problem } from '@trainyard/platform/server/core/errors.ts'
import type { ShellTarget } from './shell.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { networkOf } from '@trainyard/machines/server/operation/route.ts'
import { openPassword } from '@trainyard/machines/server/credentials.ts'
import { isPinnedKey } from './host-key.ts'
import { lockUser, selectUnmovedTransfers, deleteTransfers } from './queries.ts'
import { lockMachineToOpen } from './scope.ts'
import { type Holder, isSignedIn } from './ticket.ts'

export type TransferRow = Selectable<FileTransferTable>

export interface GrantedTransfer extends TransferRow {
  readonly machine: Pick<MachineRow, 'id' | 'name' | 'training_id'>
  readonly target: ShellTarget
}

/** @throws Problem conflict if the machine does not allow file transfers */
export async function requireFileTransferAllowed(db: Db, { os, training_id }: MachineRow): Promise<void> {
  if (os !== 'Linux') throw conflict(FILE_MESSAGES.onlyLinux)
  const { name, files_allowed } = await db
    .selectFrom('training')
    .select(['name', 'files_allowed'])
    .where('id', '=', training_id)
    .executeTakeFirstOrThrow()
  if (!files_allowed) throw conflict(FILE_MESSAGES.notAllowed(name))
}

/**
 * @param db compares the machine's key later, outside of a transaction
 * @param tx reads the route; a transaction must not wait for a second connection
 * @throws Problem conflict while the machine has no address
 */
export async function targetOf(
  db: Db,
  machine: Pick<MachineRow, 'id' | 'name' | 'public_ip' | 'admin_username' | 'admin_password'>,
  seal: Pick<Seal, 'open'>,
  tx: Db = db,
): Promise<ShellTarget> {
  if (machine.public_ip === null || machine.admin_password === null)
    throw conflict(REMOTE_MESSAGES.noAddress(machine.name))
  return {
    address: machine.public_ip,
    network: await networkOf(tx, machine.id),
    account: machine.admin_username,
    password: openPassword(seal, machine.admin_password, machine.id),
    isTrustedKey: (offered) => isPinnedKey(db, machine.id, offered),
  }
}

/** Inserts the row that authorises a transfer. The row is valid for this user only, until the transfer ends. */
export async function startTransfer(
  tx: Tx,
  { actor, sessionHash }: Holder,
  { vmName, direction, path, size, replace }: BodyOf<typeof remote.transfer>,
): Promise<TransferRow> {
  if ((direction === 'upload') !== (size !== undefined))
    throw new Problem('invalid', 'size is required for an upload and not allowed for a download.')
  const machine = await lockMachineToOpen(tx, actor, vmName)
  await requireFileTransferAllowed(tx, machine)
  // The user's row is locked, so that concurrent requests are counted one after the other.
  await lockUser(tx, actor.id)
  const { open } = await tx
    .selectFrom('file_transfer')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('user_id', '=', actor.id)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (open >= FILES_UNFINISHED_MAX) throw conflict(FILE_MESSAGES.unfinished)
  return tx
    .insertInto('file_transfer')
    .values({
      user_id: actor.id,
      email: actor.email,
      session_hash: sessionHash,
      machine_id: machine.id,
      organisation_id: machine.organisation_id,
      direction,
      path,
      size: size ?? null,
      replaces: replace ?? false,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Returns a transfer that may continue.
 * @throws Problem notFound if the transfer does not exist or belongs to another user; conflict if it has ended or
 * transfers are not allowed
 */
export async function grantTransfer(
  tx: Tx,
  { db, seal }: { readonly db: Db; readonly seal: Pick<Seal, 'open'> },
  holder: Holder,
  { id, direction }: Pick<TransferRow, 'id' | 'direction'>,
): Promise<GrantedTransfer> {
  const { actor, sessionHash } = holder
  const row = await tx
    .updateTable('file_transfer')
    .set({ session_hash: sessionHash, moved_at: sql<Date>`portal_now()` })
    .where('id', '=', id)
    .where('direction', '=', direction)
    .where('user_id', '=', actor.id)
    .where(isSignedIn(holder))
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) throw notFound('transfer')
  const { name } = await tx
    .selectFrom('machine')
    .select('name')
    .where('id', '=', row.machine_id)
    .executeTakeFirstOrThrow()
  const machine = await lockMachineToOpen(tx, actor, name)
  await requireFileTransferAllowed(tx, machine)
  if (row.ended_at !== null) throw conflict(FILE_MESSAGES.ended)
  return { ...row, machine, target: await targetOf(db, machine, seal, tx) }
}

/** Throws unless the transfer belongs to the user and has not ended. @throws Problem notFound, conflict */
export async function requireOwnTransfer(
  db: Db,
  { id: user }: Actor,
  { id, direction }: Pick<TransferRow, 'id' | 'direction'>,
): Promise<void> {
  const row = await db
    .selectFrom('file_transfer')
    .select('ended_at')
    .where('id', '=', id)
    .where('direction', '=', direction)
    .where('user_id', '=', user)
    .executeTakeFirst()
  if (row === undefined) throw notFound('transfer')
  if (row.ended_at !== null) throw conflict(FILE_MESSAGES.ended)
}

export async function recordTransferProgress(
  db: Db,
  { id }: Pick<TransferRow, 'id'>,
  moved: Partial<Pick<TransferRow, 'done' | 'digest' | 'size' | 'path'>>,
): Promise<void> {
  await db
    .updateTable('file_transfer')
    .set({ ...moved, moved_at: sql<Date>`portal_now()` })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute()
}

/** Ends a transfer. The audit row does not contain the content of the file. */
export async function endTransfer(
  tx: Tx,
  { id }: Pick<TransferRow, 'id'>,
  options: { readonly actor: Actor | null; readonly requestId: string; readonly result: string },
): Promise<void> {
  const { actor, requestId, result } = options
  const row = await tx
    .updateTable('file_transfer')
    .set({ ended_at: sql<Date>`portal_now()`, result })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) return
  const { name } = await tx
    .selectFrom('machine')
    .select('name')
    .where('id', '=', row.machine_id)
    .executeTakeFirstOrThrow()
  const { email, direction, path, size, done } = row
  const request = { machine: name, email, direction, path, size, moved: done, result }
  await writeAudit(tx, { call: 'remote.transferEnd', requestId, actor, request, organisation: row.organisation_id })
}

export async function transfersOf(db: Db, actor: Actor, machine: Pick<MachineRow, 'id'>): Promise<Transfer[]> {
  const rows = await db
    .selectFrom('file_transfer')
    .selectAll()
    .where('user_id', '=', actor.id)
    .where('machine_id', '=', machine.id)
    .where('moved_at', '>', sql<Date>`portal_now() - interval '1 day'`)
    .orderBy('asked_at', 'desc')
    .limit(50)
    .execute()
  return rows.map(viewOf)
}

export const viewOf = ({ id, direction, path, size, done, digest, asked_at, result }: TransferRow): Transfer => ({
  id,
  direction,
  path,
  size,
  done,
  digest: digest?.toString('hex') ?? null,
  askedAt: asked_at.toISOString(),
  result,
})

/** Returns the path of the hidden file that receives an upload until it is complete. */
export const partialUploadPath = ({ id, path }: Pick<TransferRow, 'id' | 'path'>): string =>
  `${path.slice(0, path.length - nameOfPath(path).length)}.trainyard-${id}.part`

/** Ends transfers that made no progress for a day, and deletes transfers after a month. The audit retains them. */
export async function cleanTransfers(tx: Tx): Promise<void> {
  const { rows } = await selectUnmovedTransfers(tx)
  for (const { id } of rows)
    await endTransfer(tx, { id }, { actor: null, requestId: id, result: FILE_MESSAGES.expired })
  await deleteTransfers(tx)
}
