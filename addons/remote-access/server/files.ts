import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { remote } from '../contract/remote.ts'
import { FILE_MESSAGES, FOLDER_ENTRIES_MAX } from '@trainyard/platform/contract/words/file.ts'
import { REMOTE_MESSAGES } from '../contract/remote-words.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { CallContext } from '@trainyard/platform/server/core/handler.ts'
import { conflict, Problem } from '@trainyard/platform/server/core/errors.ts'
import { type FilesConnector, MachineFileError, type FileConnection } from './machine-files.ts'
import type { ShellTarget } from './shell.ts'
import { ShellError } from '@trainyard/machines/server/ssh/shell-error.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { machineToList } from './scope.ts'
import { requireFileTransferAllowed, targetOf } from './transfer.ts'

const LIST_MS = 20_000

/** Returns the error for the user. Text from the machine is never shown. */
export function problemWith(error: unknown, machine: string, path: string): unknown {
  if (error instanceof ShellError) {
    const sentence = {
      unreachable: REMOTE_MESSAGES.unreachable,
      noGateway: REMOTE_MESSAGES.noGateway,
      loginRefused: REMOTE_MESSAGES.loginRefused,
      otherKey: REMOTE_MESSAGES.keyChanged,
    }
    return conflict(sentence[error.kind](machine))
  }
  if (!(error instanceof MachineFileError)) return error
  // After `unavailable`, the page retries automatically and continues after the last complete chunk.
  const code = { absent: 'notFound', denied: 'conflict', failed: 'conflict', lost: 'unavailable' } as const
  return new Problem(code[error.kind], FILE_MESSAGES[error.kind](path))
}

export async function readFolder(
  db: Db,
  { actor, query: { vmName, path = '.' }, outside }: CallContext<typeof remote.folder>,
  { connector, seal }: { readonly connector: FilesConnector; readonly seal: Pick<Seal, 'open'> },
): Promise<ReplyOf<typeof remote.folder>> {
  const machine = await machineToList(db, actor, vmName)
  await requireFileTransferAllowed(db, machine)
  const target = await targetOf(db, machine, seal)
  return outside(() => listFolder(connector, target, path)).catch((error: unknown) => {
    throw problemWith(error, machine.name, path)
  })
}

async function listFolder(
  connector: FilesConnector,
  target: ShellTarget,
  path: string,
): Promise<ReplyOf<typeof remote.folder>> {
  const connection = await connector.open(target, AbortSignal.timeout(LIST_MS))
  try {
    const resolvedPath = await connection.resolvePath(path)
    if ((await connection.facts(resolvedPath)).kind !== 'folder') throw conflict(FILE_MESSAGES.noFolder(path))
    const { entries, more } = await connection.list(resolvedPath, FOLDER_ENTRIES_MAX)
    const listed = entries
      .map(({ changedAt, ...entry }) => ({ ...entry, changedAt: changedAt.toISOString() }))
      .toSorted((a, b) => Number(b.kind === 'folder') - Number(a.kind === 'folder') || (a.name < b.name ? -1 : 1))
    return { path: resolvedPath, entries: listed, more }
  } finally {
    connection.close()
  }
}

/** Deletes the partial file of an upload. Ignores failures, because a remaining partial file does no harm. */
export async function removePart(
  connector: FilesConnector,
  target: Parameters<FilesConnector['open']>[0],
  part: string,
): Promise<void> {
  let connection: FileConnection | null = null
  try {
    connection = await connector.open(target, AbortSignal.timeout(LIST_MS))
    await connection.remove(part)
  } catch (error) {
    if (!(error instanceof MachineFileError || error instanceof ShellError)) throw error
  } finally {
    connection?.close()
  }
}
