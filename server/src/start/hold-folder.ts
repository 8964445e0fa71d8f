import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { realpathSync } from 'node:fs'
import { DataInUse } from '../db/embedded/start-embedded.ts'

/**
 * Holds a data folder that has no database of its own, whose lock would do it, until it is let go or this process ends: by
 * a socket with a name and no file, which the system removes with its process. Only Linux has those.
 * @throws DataInUse
 */
export async function holdFolder(dataDir: string): Promise<{ letGo(): void }> {
  if (process.platform !== 'linux') return { letGo: () => undefined }
  const path = `\0trainyard-${createHash('sha256').update(realpathSync(dataDir)).digest('hex')}`
  const server = createServer((asking) => {
    asking.on('error', () => undefined)
    asking.end(String(process.pid))
  })
  server.listen(path)
  try {
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new DataInUse(
      `${dataDir} is in use by process ${await holderAt(path)}, a Trainyard that runs already. ` +
        'Stop it first, or start with other data: TRAINYARD_DATA=FOLDER.',
      'portal',
      { cause: error },
    )
  }
  server.unref()
  return { letGo: () => void server.close() }
}

async function holderAt(path: string): Promise<string> {
  let told = ''
  for await (const chunk of connect(path)) told += String(chunk)
  return told
}
