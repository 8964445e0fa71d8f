import type { Transfer } from '../../contract/remote.ts'
import { FILE_PIECE_BYTES, TRANSFERS } from '@trainyard/platform/contract/words/file.ts'
import { pauseAfter, retryAfterOf } from '@trainyard/platform/web/api/backoff.ts'
import { API_BASE, errorOf } from '@trainyard/platform/web/api/client.ts'
import { hexOf, sha256 } from '@trainyard/platform/web/api/sha256.ts'
import { readSession } from '@trainyard/platform/web/session/session.ts'

const ANOTHER_FILE = 'This is not the file of the started transfer. Choose that file, or cancel the transfer.'
const LOST = 'The connection to the portal was lost. Resume the transfer when it is back.'
/** Maximum number of retries. Their pauses, half a minute in total, are long enough for a restart of the portal. */
const RETRIES = 5

interface Sending {
  readonly signal: AbortSignal
  readonly onProgress: (done: number) => void
}

export const bytesAt = (id: string): string => `${API_BASE}${TRANSFERS}/${id}`

/** Uploads a file in pieces, of which only one is in memory. Retries from the offset that the portal reports. */
export async function sendFile(
  file: File,
  { id, done, digest }: Transfer,
  { signal, onProgress }: Sending,
): Promise<void> {
  if (done > 0 && !(await hasSameStart(file, done, digest))) throw new Error(ANOTHER_FILE)
  let at = done
  let failures = 0
  for (let ended = false; !ended;) {
    const chunk = await file.slice(at, at + FILE_PIECE_BYTES).arrayBuffer()
    const response = await put(`${bytesAt(id)}/${at}`, chunk, signal).catch((error: unknown) => {
      signal.throwIfAborted()
      if (failures === RETRIES) throw new Error(LOST, { cause: error })
      return null
    })
    if (response === null || response.status >= 500) {
      if (failures === RETRIES) throw new Error(LOST)
      await pause(pauseAfter(failures, response && retryAfterOf(response)), signal)
      failures += 1
      continue
    }
    const reply = (await response.json().catch(() => ({}))) as { done?: number; ended?: boolean }
    if (!response.ok && (reply.done === undefined || reply.done === at)) throw errorOf(response, reply)
    failures = 0
    at = reply.done!
    ended = reply.ended === true
    onProgress(at)
  }
}

async function put(address: string, chunk: ArrayBuffer, signal: AbortSignal): Promise<Response> {
  const headers = new Headers({ 'content-type': 'application/octet-stream' })
  const uid = readSession()?.uid
  if (uid) headers.set('authorization', `Bearer ${uid}`)
  headers.set('content-digest', `sha-256=:${btoa(String.fromCharCode(...(await sha256(chunk))))}:`)
  return fetch(address, { method: 'PUT', headers, body: chunk, credentials: 'same-origin', signal })
}

/**
 * Returns true if the file starts with the bytes that were sent so far. Computes the same chained hash as the portal.
 */
async function hasSameStart(file: File, done: number, digest: string | null): Promise<boolean> {
  if (done > file.size) return false
  let chain: Uint8Array = new Uint8Array()
  for (let at = 0; at < done; at += FILE_PIECE_BYTES) {
    const chunk = await sha256(await file.slice(at, Math.min(done, at + FILE_PIECE_BYTES)).arrayBuffer())
    chain = await sha256(new Uint8Array([...chain, ...chunk]))
  }
  return hexOf(chain) === digest
}

const pause = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })
