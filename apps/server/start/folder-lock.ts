import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { realpathSync } from 'node:fs'
import { DataInUse } from '@trainyard/platform/server/db/embedded/start-embedded.ts'

/**
 * Locks a folder by an abstract Unix socket, which the system removes when its process ends. Linux only.
 * @throws DataInUse
 */
export async function lockFolder(dataDir: string): Promise<{ unlock(): void }> {
  if (process.platform !== 'linux') return { unlock: () => undefined }
  const path = `\0trainyard-${createHash('sha256').update(realpathSync(dataDir)).digest('hex')}`
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.end(String(process.pid))
  })
  server.listen(path)
  try {
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new DataInUse(
      `${dataDir} is in use by process ${await holderAt(path)}: Trainyard is already running there. ` +
        'Stop it first, or use another data folder: TRAINYARD_DATA=FOLDER.',
      'portal',
      { cause: error },
    )
  }
  server.unref()
  return { unlock: () => void server.close() }
}

async function holderAt(path: string): Promise<string> {
  let received = ''
  for await (const chunk of connect(path)) received += String(chunk)
  return received
}
