import { createHash } from 'node:crypto'
import type { Transfer } from '../contract/remote.ts'
import { FILE_PIECE_BYTES } from '@trainyard/platform/contract/words/file.ts'

export const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()

export function fileTransfers(connection: { readonly url: string; readonly token: string }) {
  const { url } = connection
  /** The headers are evaluated for each request, because a user who was signed out may have signed in again. */
  const headers = () => ({ authorization: `Bearer ${connection.token}` })
  const json = () => ({ ...headers(), 'content-type': 'application/json' })

  async function begin(options: object): Promise<{ status: number; message: string; transfer: Transfer }> {
    const response = await fetch(`${url}/remote/transfers`, {
      method: 'POST',
      headers: json(),
      body: JSON.stringify(options),
    })
    const body = (await response.json()) as Transfer & { message: string }
    return { status: response.status, message: body.message, transfer: body }
  }

  async function put(id: string, offset: number, bytes: Buffer, digest: Buffer | null = sha256(bytes)) {
    const response = await fetch(`${url}/remote/transfers/${id}/${offset}`, {
      method: 'PUT',
      headers: {
        ...headers(),
        'content-type': 'application/octet-stream',
        ...(digest !== null && { 'content-digest': `sha-256=:${digest.toString('base64')}:` }),
      },
      body: new Uint8Array(bytes),
    })
    const body = (await response.json()) as { done: number; digest: string; ended: boolean; message: string }
    return { status: response.status, ...body }
  }

  /** Sends all pieces from an offset on; returns the first refusal, or the last response. */
  async function putAll(id: string, bytes: Buffer, from = 0, to = bytes.length) {
    let last = await put(id, from, bytes.subarray(from, Math.min(to, from + FILE_PIECE_BYTES)))
    while (last.status === 200 && last.done < to) {
      last = await put(id, last.done, bytes.subarray(last.done, Math.min(to, last.done + FILE_PIECE_BYTES)))
    }
    return last
  }

  const get = (id: string, overrides: Record<string, string> = {}, signal?: AbortSignal) =>
    fetch(`${url}/remote/transfers/${id}`, { headers: { ...headers(), ...overrides }, ...(signal && { signal }) })

  const list = async (vmName: string): Promise<{ allowed: boolean; transfers: Transfer[] }> =>
    (await (await fetch(`${url}/remote/transfers?vmName=${vmName}`, { headers: headers() })).json()) as never

  return { begin, put, putAll, get, list }
}
