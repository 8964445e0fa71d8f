import type { Transfer } from '@trainyard/contract/calls/remote.ts'
import { FILE_PIECE_BYTES, TRANSFERS } from '@trainyard/contract/words/file.ts'
import { API_BASE, errorOf } from '#src/api/client.ts'
import { readSession } from '#src/session/session.ts'

const ANOTHER_FILE = 'This is another file than the one that was begun. Choose that one, or give the transfer up.'
const LOST = 'The connection to the portal was lost. Resume when it is back.'
/** Pauses after a cut, in milliseconds: a portal that restarts is back by then. */
const PAUSES = [1_000, 2_000, 4_000, 8_000, 15_000]

interface Sending {
  readonly signal: AbortSignal
  readonly moved: (done: number) => void
}

/** Returns the address of a transfer's bytes. */
export const bytesAt = (id: string): string => `${API_BASE}${TRANSFERS}/${id}`

/**
 * Sends what is missing of an upload, a piece at a time: no more of the file is in memory than one. A cut is waited
 * out, and the portal says where to go on.
 */
export async function sendFile(file: File, { id, done, digest }: Transfer, { signal, moved }: Sending): Promise<void> {
  if (done > 0 && !(await beginsAlike(file, done, digest))) throw new Error(ANOTHER_FILE)
  let at = done
  let failures = 0
  for (let ended = false; !ended;) {
    const piece = await file.slice(at, at + FILE_PIECE_BYTES).arrayBuffer()
    const response = await put(`${bytesAt(id)}/${at}`, piece, signal).catch((error: unknown) => {
      signal.throwIfAborted()
      if (failures === PAUSES.length) throw new Error(LOST, { cause: error })
      return null
    })
    if (response === null || response.status >= 500) {
      if (failures === PAUSES.length) throw new Error(LOST)
      await pause(PAUSES[failures]!, signal)
      failures += 1
      continue
    }
    const reply = (await response.json().catch(() => ({}))) as { done?: number; ended?: boolean }
    if (!response.ok && (reply.done === undefined || reply.done === at)) throw errorOf(response, reply)
    failures = 0
    at = reply.done!
    ended = reply.ended === true
    moved(at)
  }
}

async function put(address: string, piece: ArrayBuffer, signal: AbortSignal): Promise<Response> {
  const headers = new Headers({ 'content-type': 'application/octet-stream' })
  const uid = readSession()?.uid
  if (uid) headers.set('authorization', `Bearer ${uid}`)
  const hash = await sha256(piece)
  if (hash !== null) headers.set('content-digest', `sha-256=:${btoa(String.fromCharCode(...hash))}:`)
  return fetch(address, { method: 'PUT', headers, body: piece, credentials: 'same-origin', signal })
}

/** Browsers work hashes out over TLS and on this computer alone; elsewhere the size has to do. */
const sha256 = async (bytes: BufferSource): Promise<Uint8Array | null> =>
  crypto.subtle === undefined ? null : new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))

/** Works out, as the portal did, the hash of the pieces that were sent. */
async function beginsAlike(file: File, done: number, digest: string | null): Promise<boolean> {
  if (done > file.size) return false
  let chain: Uint8Array = new Uint8Array()
  for (let at = 0; at < done; at += FILE_PIECE_BYTES) {
    const piece = await sha256(await file.slice(at, Math.min(done, at + FILE_PIECE_BYTES)).arrayBuffer())
    if (piece === null) return true
    chain = (await sha256(new Uint8Array([...chain, ...piece])))!
  }
  return Array.from(chain, (byte) => byte.toString(16).padStart(2, '0')).join('') === digest
}

const pause = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })
