import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Maximum number of keys in one reply, as of S3. */
const PAGE_SIZE = 1_000

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

/**
 * A service with the part of the S3 API that backups use. Verifies each signature by the documented algorithm:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export async function startS3(secretKey: string) {
  const objects = new Map<string, Buffer>()
  const uploads = new Map<string, { readonly key: string; readonly parts: Map<number, Buffer> }>()
  const server = createServer((request, response) => {
    void (async () => {
      const body = await bodyOf(request)
      const { pathname, searchParams: query } = new URL(request.url!, 'http://localhost')
      const key = decodeURIComponent(pathname.split('/').slice(2).join('/'))
      const send = (status: number, text: Buffer | string = '', headers = {}) =>
        void response.writeHead(status, headers).end(text)
      if (!isSigned(request, body, secretKey)) {
        send(403, '<Error><Code>SignatureDoesNotMatch</Code><Message>The signature is wrong.</Message></Error>')
      } else if (query.has('list-type')) {
        const [prefix, after] = [query.get('prefix')!, query.get('continuation-token') ?? '']
        const keys = [...objects.keys()].filter((each) => each.startsWith(prefix) && each > after).toSorted()
        const page = keys.slice(0, PAGE_SIZE)
        const next = keys.length > PAGE_SIZE ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
        const contents = page.map((each) => `<Contents><Key>${each}</Key></Contents>`)
        send(200, `<ListBucketResult>${contents.join('')}${next}</ListBucketResult>`)
      } else if (request.method === 'GET' && query.has('uploads')) {
        const after = [query.get('key-marker') ?? '', query.get('upload-id-marker') ?? ''].join('\n')
        const ids = [...uploads]
          .map(([id, upload]) => ({ id, key: upload.key, place: `${upload.key}\n${id}` }))
          .filter(({ key, place }) => key.startsWith(query.get('prefix')!) && place > after)
          .toSorted((one, other) => (one.place < other.place ? -1 : 1))
        const page = ids.slice(0, PAGE_SIZE)
        const listed = page.map((each) => `<Upload><Key>${each.key}</Key><UploadId>${each.id}</UploadId></Upload>`)
        const last = page.at(-1)!
        const next =
          ids.length > PAGE_SIZE
            ? `<NextKeyMarker>${last.key}</NextKeyMarker><NextUploadIdMarker>${last.id}</NextUploadIdMarker>`
            : ''
        send(200, `<ListMultipartUploadsResult>${next}${listed.join('')}</ListMultipartUploadsResult>`)
      } else if (request.method === 'POST' && query.has('uploads')) {
        const id = `upload-${uploads.size}-${Date.now()}`
        uploads.set(id, { key, parts: new Map() })
        send(200, `<R><UploadId>${id}</UploadId></R>`)
      } else if (request.method === 'PUT') {
        uploads.get(query.get('uploadId')!)!.parts.set(Number(query.get('partNumber')), body)
        send(200, '', { etag: `"${sha256(body)}"` })
      } else if (request.method === 'POST') {
        const { parts } = uploads.get(query.get('uploadId')!)!
        const tags = [...body.toString().matchAll(/<ETag>"(\w+)"<\/ETag>/g)].map(([, tag]) => tag)
        const pieces = [...parts].toSorted(([one], [other]) => one - other).map(([, piece]) => piece)
        if (tags.join() !== pieces.map(sha256).join()) return send(400, '<Error><Code>InvalidPart</Code></Error>')
        objects.set(key, Buffer.concat(pieces))
        uploads.delete(query.get('uploadId')!)
        send(200, '<CompleteMultipartUploadResult/>')
      } else if (request.method === 'DELETE') {
        if (query.has('uploadId')) uploads.delete(query.get('uploadId')!)
        else objects.delete(key)
        send(204)
      } else {
        const object = objects.get(key)
        if (object === undefined) return send(404, '<Error><Code>NoSuchKey</Code></Error>')
        const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range!)!
        const part = object.subarray(Number(from), Number(to) + 1)
        send(206, part, { 'content-range': `bytes ${from}-${Number(from) + part.length - 1}/${object.length}` })
      }
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    uploads,
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

function isSigned({ headers, method, url }: IncomingMessage, body: Buffer, secretKey: string): boolean {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=[^/]+\/(\d{8}\/([^/]+)\/s3\/aws4_request), ?SignedHeaders=([^,]+), ?Signature=(\w{64})$/
  const [, scope, , signedHeaders, signature] = pattern.exec(headers.authorization ?? '') ?? []
  if (scope === undefined || headers['x-amz-content-sha256'] !== sha256(body)) return false
  const [path = '', query = ''] = url!.split('?')
  const names = signedHeaders!.split(';')
  const canonical = [
    method,
    path,
    query.split('&').toSorted().join('&'),
    ...names.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signedHeaders,
    sha256(body),
  ].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const key = scope
    .split('/')
    .reduce<Buffer | string>((last, part) => createHmac('sha256', last).update(part).digest(), `AWS4${secretKey}`)
  const expected = createHmac('sha256', key).update(text).digest('hex')
  return names.includes('host') && timingSafeEqual(Buffer.from(expected), Buffer.from(signature!))
}
