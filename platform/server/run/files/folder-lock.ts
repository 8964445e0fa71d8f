import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { connect, createServer } from 'node:net'

/** Kind of process that holds a data folder: a portal holds it while it runs, a command until its work is done. */
export type Holder = 'portal' | 'command'

export class DataInUse extends Error {
  override readonly name = 'DataInUse'
  readonly by: Holder

  constructor(dataDir: string, by: Holder, pid: string | null) {
    const holder = `${dataDir} is in use by ${pid === null ? 'another process' : `process ${pid}`}`
    super(
      by === 'portal'
        ? `${holder}: Trainyard is already running there. Stop it first, or use another data folder: TRAINYARD_DATA=FOLDER.`
        : `${holder}, a command. Try again when it has ended.`,
    )
    this.by = by
  }
}

export interface FolderLock {
  unlock(): void
}

/** Milliseconds to wait for the name of the holder, which a suspended process does not tell. */
const NAME_MS = 2_000

/**
 * Locks a folder by an abstract Unix socket, which the system removes when its process ends. Linux only.
 * @throws DataInUse
 */
export async function lockFolder(dataDir: string, as: Holder): Promise<FolderLock> {
  if (process.platform !== 'linux') return { unlock: () => undefined }
  const path = `\0trainyard-${createHash('sha256').update(realpathSync(dataDir)).digest('hex')}`
  for (;;) {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.end(`${as} ${process.pid}`)
    })
    try {
      await once(server.listen(path), 'listening')
      server.unref()
      return { unlock: () => void server.close() }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      const holder = await holderAt(path)
      if (holder !== null) throw new DataInUse(dataDir, holder.by, holder.pid)
    }
  }
}

/** Returns null if the holder has ended. */
async function holderAt(path: string): Promise<{ readonly by: Holder; readonly pid: string | null } | null> {
  let received = ''
  try {
    const signal = AbortSignal.timeout(NAME_MS)
    for await (const chunk of connect({ path, signal })) received += String(chunk)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') return null
  }
  const [by, pid = null] = received.split(' ')
  return { by: by === 'command' ? 'command' : 'portal', pid }
}
