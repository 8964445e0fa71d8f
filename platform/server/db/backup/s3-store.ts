import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { SignatureV4 } from '@smithy/signature-v4'
import { NoBackup } from './no-backup.ts'
import { isAutomatic } from './retention.ts'
import type { BackupStore } from './store.ts'

export interface Bucket {
  /** Address of the bucket, with a prefix of the names if it has a longer path: https://HOST/BUCKET/PREFIX. */
  readonly url: string
  readonly region: string
  readonly keyId: string
  readonly secretKey: string
}

/** Bytes of an upload's parts. S3 accepts 10,000 parts of 5 MiB or more, so that a backup can have 160 GB. */
const PART_BYTES = 1 << 24
/** Time for one part. */
const TIMEOUT_MS = 300_000

type Query = Readonly<Record<string, string>>

interface Call {
  readonly method: string
  readonly path: string
  readonly query?: Query
  readonly body?: Buffer | string
  readonly headers?: Readonly<Record<string, string>>
}

/** Backups in a bucket of any service with the API of S3. Addresses name the bucket in their path. */
export function s3Store({ url, region, keyId, secretKey }: Bucket, send: typeof fetch): BackupStore {
  const { origin, host, pathname } = new URL(url)
  const [bucket = '', ...rest] = pathname.split('/').filter((each) => each !== '')
  const prefix = rest.map((each) => `${decodeURIComponent(each)}/`).join('')
  const place = url.replace(/\/+$/, '')
  const signer = new SignatureV4({
    service: 's3',
    region,
    credentials: { accessKeyId: keyId, secretAccessKey: secretKey },
    sha256: Sha256,
    // S3 signs the path as it is sent.
    uriEscapePath: false,
  })
  const pathOf = (name: string) => `/${bucket}/${[...prefix.split('/').slice(0, -1), name].map(escaped).join('/')}`

  async function call({ method, path, query = {}, body = '', headers = {} }: Call): Promise<Response> {
    const signed = await signer.sign({
      method,
      protocol: origin.split('//')[0]!,
      hostname: host,
      path,
      query,
      headers: { ...headers, host, 'x-amz-content-sha256': createHash('sha256').update(body).digest('hex') },
      body,
    })
    const { host: _, ...sent } = signed.headers
    const parameters = Object.entries(query).map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    const address = `${origin}${path}${parameters.length === 0 ? '' : `?${parameters.join('&')}`}`
    const attempt = () =>
      send(address, {
        method,
        headers: sent,
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body.length > 0 && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
      })
    const reply = await repeated(attempt).catch((error: unknown) => {
      throw new NoBackup(`${place} does not answer: ${causeOf(error)}.`, { cause: error })
    })
    if (reply.ok) return reply
    const text = await reply.text()
    throw new NoBackup(
      `${place} refuses ${method}: ${reply.status} ${contentOf(text, 'Code')} ${contentOf(text, 'Message')}`.trim(),
    )
  }

  /**
   * Returns the elements of all pages of a listing.
   * @param next names of the parameters that request a page, and of the elements of the page before it with their values
   */
  async function listed(query: Query, element: string, next: Query): Promise<readonly string[]> {
    const found: string[] = []
    for (let page: Query = {}; ;) {
      const reply = await call({ method: 'GET', path: `/${bucket}`, query: { ...query, prefix, ...page } })
      const text = await reply.text()
      found.push(...contentsOf(text, element))
      page = Object.fromEntries(Object.entries(next).map(([name, of]) => [name, contentOf(text, of)]))
      if (Object.values(page).includes('')) return found
    }
  }

  const list = async (): Promise<readonly string[]> => {
    const keys = await listed({ 'list-type': '2' }, 'Key', { 'continuation-token': 'NextContinuationToken' })
    return keys.map((key) => key.slice(prefix.length)).filter((name) => name !== '' && !name.includes('/'))
  }

  return {
    place,
    list,

    async write(name, content) {
      if ((await list()).includes(name)) throw new NoBackup(`${place}/${name} already exists.`)
      const path = pathOf(name)
      const started = await (await call({ method: 'POST', path, query: { uploads: '' } })).text()
      const uploadId = contentOf(started, 'UploadId')
      try {
        const tags: string[] = []
        for await (const body of partsOf(content)) {
          const query = { partNumber: String(tags.length + 1), uploadId }
          const reply = await call({ method: 'PUT', path, query, body })
          tags.push(reply.headers.get('etag') ?? '')
        }
        const list = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`)
        const body = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`
        const completed = await (await call({ method: 'POST', path, query: { uploadId }, body })).text()
        // S3 can answer 200 and report an error in the body.
        if (completed.includes('<Error>')) throw new NoBackup(`${place} refuses: ${contentOf(completed, 'Message')}`)
      } catch (error) {
        await call({ method: 'DELETE', path, query: { uploadId } }).catch(() => undefined)
        throw error
      }
    },

    async read(name, partBytes = PART_BYTES) {
      const path = pathOf(name)
      const range = async (from: number) => {
        const headers = { range: `bytes=${from}-${from + partBytes - 1}` }
        const reply = await call({ method: 'GET', path, headers })
        const total = Number(/\/(\d+)$/.exec(reply.headers.get('content-range') ?? '')?.[1])
        return { bytes: Buffer.from(await reply.arrayBuffer()), total }
      }
      const first = await range(0)
      return Readable.from(
        (async function* () {
          yield first.bytes
          for (let at = first.bytes.length; at < first.total;) {
            const { bytes } = await range(at)
            yield bytes
            at += bytes.length
          }
        })(),
      )
    },

    async remove(name) {
      await call({ method: 'DELETE', path: pathOf(name) })
    },

    async removeUnfinished() {
      const next = { 'key-marker': 'NextKeyMarker', 'upload-id-marker': 'NextUploadIdMarker' }
      for (const upload of await listed({ uploads: '' }, 'Upload', next)) {
        const name = contentOf(upload, 'Key').slice(prefix.length)
        // Other programs may use the bucket.
        if (isAutomatic(name))
          await call({ method: 'DELETE', path: pathOf(name), query: { uploadId: contentOf(upload, 'UploadId') } })
      }
    },
  }
}

/** Pauses before a call is repeated, in ms. */
const PAUSES = [1_000, 5_000]

/** Sends a call again that failed for a reason of the moment: a large backup has thousands. */
async function repeated(attempt: () => Promise<Response>): Promise<Response> {
  for (const pause of PAUSES) {
    const reply = await attempt().catch(() => null)
    if (reply !== null && reply.status < 500 && reply.status !== 429) return reply
    await reply?.body?.cancel()
    await wait(pause)
  }
  return attempt()
}

/** Joins the pieces into parts of equal size; the last can be shorter. */
async function* partsOf(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of content) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes < PART_BYTES) continue
    let joined = Buffer.concat(pieces)
    for (; joined.length >= PART_BYTES; joined = joined.subarray(PART_BYTES)) yield joined.subarray(0, PART_BYTES)
    pieces = [joined]
    bytes = joined.length
  }
  if (bytes > 0) yield Buffer.concat(pieces)
}

/** Percent-encoding of RFC 3986, which the signature requires. */
const escaped = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)

function contentsOf(xml: string, element: string): string[] {
  return [...xml.matchAll(new RegExp(`<${element}>([^]*?)</${element}>`, 'g'))].map(([, content]) =>
    content!.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  )
}

const contentOf = (xml: string, element: string): string => contentsOf(xml, element)[0] ?? ''

const causeOf = (error: unknown): string => {
  const { message, cause } = error as Error
  return cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code || message : message
}

/** SHA-256, and HMAC with a secret, in the shape that the signer expects. */
class Sha256 {
  readonly #hash: Hash | Hmac

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash =
      secret === undefined
        ? createHash('sha256')
        : createHmac('sha256', typeof secret === 'string' ? secret : bytesOf(secret))
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(typeof data === 'string' ? data : bytesOf(data))
  }

  digest = async (): Promise<Uint8Array> => this.#hash.digest()
  reset = (): void => {
    throw new Error('The signer does not reset a hash.')
  }
}

const bytesOf = (data: ArrayBuffer | ArrayBufferView): Uint8Array =>
  ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data)
