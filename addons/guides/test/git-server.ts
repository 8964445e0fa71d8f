import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deflateSync } from 'node:zlib'

const TYPES = { commit: 1, tree: 2, blob: 3, tag: 4 } as const

interface PackedObject {
  readonly kind: number
  readonly content: Buffer
  /** Bytes between the header and the packed content, such as the base of a delta. */
  readonly before?: Buffer
  /** Size that the pack states; default: the real one. */
  readonly size?: number
}

const objectOf = (type: keyof typeof TYPES, content: Buffer): PackedObject => ({ kind: TYPES[type], content })

/** Returns the name of an object. */
export const nameOf = (type: keyof typeof TYPES, content: Buffer): string =>
  createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex')

/** Returns a pack, also a malicious one. Source: git-scm.com/docs/pack-format. */
export function packOf(objects: readonly PackedObject[], count = objects.length): Buffer {
  const head = Buffer.alloc(12)
  head.write('PACK')
  head.writeUInt32BE(2, 4)
  head.writeUInt32BE(count, 8)
  const parts = objects.flatMap(({ kind, content, before = Buffer.alloc(0), size = content.length }) => {
    const header = [(kind << 4) | (size % 16)]
    for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
      header[header.length - 1]! |= 128
      header.push(rest % 128)
    }
    return [Buffer.from(header), before, deflateSync(content)]
  })
  const body = Buffer.concat([head, ...parts])
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}

interface TreeEntry {
  readonly mode: string
  readonly name: string
  readonly object: string
}

/** Returns the content of a tree, whose entries are not checked. */
export const treeOf = (entries: readonly TreeEntry[]): Buffer =>
  Buffer.concat(
    entries.flatMap(({ mode, name, object }) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(object, 'hex')]),
  )

export interface Repository {
  readonly commit: string
  readonly objects: PackedObject[]
}

/** Returns a repository with one commit. @param extra entries of its top folder that have no object */
export function repositoryOf(files: ReadonlyMap<string, Buffer>, extra: readonly TreeEntry[] = []): Repository {
  const objects: PackedObject[] = []
  const add = (type: keyof typeof TYPES, content: Buffer): string => {
    objects.push(objectOf(type, content))
    return nameOf(type, content)
  }
  const folder = (path: string): string => {
    const names = new Set(
      [...files.keys()].filter((each) => each.startsWith(path)).map((each) => each.slice(path.length).split('/')[0]!),
    )
    const entries = [...names].map((name): TreeEntry => {
      const content = files.get(`${path}${name}`)
      return content === undefined
        ? { mode: '40000', name, object: folder(`${path}${name}/`) }
        : { mode: '100644', name, object: add('blob', content) }
    })
    return add('tree', treeOf([...entries, ...(path === '' ? extra : [])]))
  }
  const commit = add(
    'commit',
    Buffer.from(`tree ${folder('')}\nauthor A <a@b.c> 1 +0000\ncommitter A <a@b.c> 1 +0000\n\nLab\n`),
  )
  return { commit, objects }
}

const packet = (content: Buffer | string): Buffer => {
  const bytes = Buffer.from(content)
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes])
}

/** Returns the reply to `fetch` with a pack. */
function fetchReply(pack: Buffer): Buffer {
  const parts: Buffer[] = [
    packet('shallow-info\n'),
    packet(`shallow ${'0'.repeat(40)}\n`),
    Buffer.from('0001'),
    packet('packfile\n'),
  ]
  for (let at = 0; at < pack.length; at += 60_000)
    parts.push(packet(Buffer.concat([Buffer.from([1]), pack.subarray(at, at + 60_000)])), packet('\u0002Counting\n'))
  return Buffer.concat([...parts, Buffer.from('0000')])
}

export type Answer = (response: ServerResponse, command: string) => void

/** Starts a Git server whose repository `/lab.git` answers as the test says. */
export async function startGitServer() {
  let answer: Answer = (response) => response.writeHead(404).end()
  const requests: string[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString()
      requests.push(body)
      answer(response, /command=([\w-]+)/.exec(body)?.[1] ?? '')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const reply = (response: ServerResponse, content: Buffer) =>
    response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' }).end(content)
  return {
    origin,
    url: `${origin}/lab.git`,
    requests,
    answer: (by: Answer) => void (answer = by),
    reply,
    /** Serves a pack, with this commit as `main` and as the default branch. */
    serve(commit: string, pack: Buffer) {
      const refs = Buffer.concat([
        packet(`${commit} HEAD symref-target:refs/heads/main\n`),
        packet(`${commit} refs/heads/main\n`),
        Buffer.from('0000'),
      ])
      answer = (response, command) => void reply(response, command === 'ls-refs' ? refs : fetchReply(pack))
    },
    async stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
