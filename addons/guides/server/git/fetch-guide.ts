import { type guardedFetch, GuardedFetchError } from '@trainyard/platform/server/providers/guarded-fetch.ts'
import { errorAt, UnreadableGuide } from '../format/finding.ts'
import { GUIDE_LIMITS } from '../format/schema.ts'
import type { GuideFiles } from '../format/zip.ts'
import { type GitObject, nameOf, readPack } from './pack.ts'

export interface GitPlace {
  /** Address of the repository, by which Git clones it. */
  readonly url: string
  /** Branch, tag or commit; null: the default branch. */
  readonly ref: string | null
  /** Folder of the guide in the repository; empty: the whole repository. */
  readonly folder: string
}

export interface FetchedGuide {
  readonly commit: string
  readonly files: GuideFiles
}

const TIMEOUT_MS = 30_000
const PACK_BYTES_MAX = 20 * 1024 * 1024
const REFS_BYTES_MAX = 1024 * 1024
/** Packets of a reply. Those of a real pack have several kilobytes each. */
const PACKETS_MAX = 100_000
const FOLDERS_MAX = 500
/** Entries that are read of all folders, because a small pack can list the same folder or file millions of times. */
const ENTRIES_MAX = 10_000

/** The repository cannot be used, with a sentence for the author. */
export class GitError extends Error {
  override readonly name = 'GitError'
}

/**
 * Fetches one commit without its history, and returns the files of a folder.
 * @throws GitError, GuardedFetchError, BadPack, UnreadableGuide
 */
export async function fetchGuide(
  { url, ref, folder }: GitPlace,
  send: ReturnType<typeof guardedFetch>,
): Promise<FetchedGuide> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const repository = url.replace(/\/+$/, '')

  async function ask(command: string, args: readonly string[], maxBytes: number): Promise<Packet[]> {
    const body = `${packetOf(`command=${command}\n`)}0001${args.map((arg) => packetOf(`${arg}\n`)).join('')}0000`
    const reply = await send(`${repository}/git-upload-pack`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-git-upload-pack-request',
        accept: 'application/x-git-upload-pack-result',
        'git-protocol': 'version=2',
        'user-agent': 'git/2 (Trainyard)',
      },
      body,
      signal,
      maxBytes,
    }).catch((error: unknown) => {
      if (!(error instanceof GuardedFetchError && error.kind === 'too-long')) throw error
      throw new GitError(`${error.message} Keep guides in a repository of their own.`)
    })
    if (reply.status !== 200 || !reply.headers.get('content-type')?.startsWith('application/x-git-upload-pack-result'))
      throw new GitError(
        reply.status < 400
          ? 'There is no Git repository at this address. It often ends with .git.'
          : `The Git server answers ${reply.status}. The portal can read only public repositories.`,
      )
    return packetsOf(Buffer.from(await reply.arrayBuffer()))
  }

  const wanted = ref !== null && COMMIT.test(ref) ? ref : await findRef(ref, ask)
  const reply = await ask('fetch', ['no-progress', 'ofs-delta', 'deepen 1', `want ${wanted}`, 'done'], PACK_BYTES_MAX)
  const objects = readPack(packIn(reply))
  const { commit, tree } = commitIn(objects, wanted)
  return { commit, files: filesIn(objects, tree, folder) }
}

const COMMIT = /^[0-9a-f]{40}$/

/** Returns the object that a branch or tag names. */
async function findRef(
  ref: string | null,
  ask: (command: string, args: readonly string[], maxBytes: number) => Promise<Packet[]>,
): Promise<string> {
  const names = ref === null ? ['HEAD'] : [`refs/heads/${ref}`, `refs/tags/${ref}`]
  const packets = await ask(
    'ls-refs',
    names.map((name) => `ref-prefix ${name}`),
    REFS_BYTES_MAX,
  )
  const found = new Map<string, string>()
  for (const packet of packets) {
    const [, object, name] = /^([0-9a-f]{40}) (\S+)/.exec(packet?.toString('utf8') ?? '') ?? []
    if (object !== undefined) found.set(name!, object)
  }
  const wanted = names.flatMap((name) => found.get(name) ?? [])[0]
  if (wanted === undefined)
    throw new GitError(ref === null ? 'The repository is empty.' : `The repository has no branch or tag ${ref}.`)
  return wanted
}

/** Content of a packet; null between sections and at the end. */
type Packet = Buffer | null

// Sources: git-scm.com/docs/protocol-v2 and git-scm.com/docs/protocol-common.
const packetOf = (text: string): string => (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text

const broken = () => new GitError('The Git server sent something else than Git data.')

function packetsOf(reply: Buffer): Packet[] {
  const packets: Packet[] = []
  for (let at = 0; at < reply.length;) {
    if (packets.length >= PACKETS_MAX) throw broken()
    const digits = reply.toString('latin1', at, at + 4)
    if (!/^[0-9a-f]{4}$/.test(digits)) throw broken()
    const length = Number.parseInt(digits, 16)
    if (length < 4) packets.push(null)
    else if (at + length > reply.length) throw broken()
    else packets.push(reply.subarray(at + 4, at + length))
    at += Math.max(4, length)
  }
  const [first] = packets
  if (first?.toString('latin1', 0, 4) === 'ERR ')
    throw new GitError(`The Git server refuses: ${first.toString('utf8', 4, 204).trim()}`)
  return packets
}

/** Returns the pack in the reply, without the messages between its parts. */
function packIn(packets: readonly Packet[]): Buffer {
  const start = packets.findIndex((packet) => packet?.toString('latin1') === 'packfile\n')
  if (start < 0) throw broken()
  const parts: Buffer[] = []
  for (const packet of packets.slice(start + 1)) {
    if (packet === null) break
    if (packet[0] === 3) throw new GitError(`The Git server refuses: ${packet.toString('utf8', 1, 201).trim()}`)
    if (packet[0] === 1) parts.push(packet.subarray(1))
  }
  return Buffer.concat(parts)
}

type Objects = ReadonlyMap<string, GitObject>

function objectIn(objects: Objects, name: string, type: GitObject['type']): GitObject {
  const found = objects.get(name)
  if (found?.type !== type) throw broken()
  return found
}

/** Returns the commit that an object is, or that a tag names, and its tree. */
function commitIn(objects: Objects, wanted: string): { commit: string; tree: string } {
  let object = objects.get(wanted)
  for (let tags = 0; object?.type === 'tag' && tags < 5; tags += 1)
    object = objects.get(/^object ([0-9a-f]{40})\n/.exec(object.content.toString('latin1', 0, 60))?.[1] ?? '')
  const tree = /^tree ([0-9a-f]{40})\n/.exec(object?.content.toString('latin1', 0, 60) ?? '')?.[1]
  if (object?.type !== 'commit' || tree === undefined) throw broken()
  return { commit: nameOf(object), tree }
}

function* entriesOf({ content }: GitObject): Iterable<{ mode: string; name: string; object: string }> {
  for (let at = 0; at < content.length;) {
    const end = content.indexOf(0, at)
    const [, mode, name] = /^(\d{5,6}) ([^/]+)$/s.exec(end < 0 ? '' : content.toString('utf8', at, end)) ?? []
    if (mode === undefined || end + 21 > content.length) throw broken()
    yield { mode, name: name!, object: content.toString('hex', end + 1, end + 21) }
    at = end + 21
  }
}

const FOLDER = '40000'

function filesIn(objects: Objects, root: string, folder: string): GuideFiles {
  let entries = 0
  function* entriesIn(tree: string) {
    for (const entry of entriesOf(objectIn(objects, tree, 'tree'))) {
      entries += 1
      if (entries > ENTRIES_MAX) throw new GitError(`The repository has more than ${ENTRIES_MAX} files and folders.`)
      yield entry
    }
  }
  let top = root
  for (const part of folder.split('/').filter(Boolean)) {
    const entry = [...entriesIn(top)].find(({ name, mode }) => name === part && mode === FOLDER)
    if (entry === undefined) throw new GitError(`The repository has no folder ${folder}.`)
    top = entry.object
  }
  const files = new Map<string, Buffer>()
  let folders = 0
  let bytes = 0
  const refuse = (path: string, sentence: string): never => {
    throw new UnreadableGuide([errorAt(path, '', sentence)])
  }
  const add = (tree: string, at: string) => {
    folders += 1
    if (folders > FOLDERS_MAX) refuse('', `The folder contains more than ${FOLDERS_MAX} folders.`)
    const names = new Set<string>()
    for (const { mode, name, object } of entriesIn(tree)) {
      const path = `${at}${name}`
      if (names.has(name)) refuse(path, 'The repository contains this twice.')
      names.add(name)
      if (name === '.' || name === '..' || name.toLowerCase() === '.git') refuse(path, 'The path is not allowed.')
      if (mode === FOLDER) add(object, `${path}/`)
      else if (mode === '120000') refuse(path, 'The repository contains a link. Replace it by a file.')
      else if (mode === '160000') refuse(path, 'Submodules are not fetched. Copy their files.')
      else {
        const { content } = objectIn(objects, object, 'blob')
        bytes += content.length
        if (files.size >= GUIDE_LIMITS.files) refuse('', `The folder has more than ${GUIDE_LIMITS.files} files.`)
        if (bytes > GUIDE_LIMITS.bytes) refuse('', 'The files of the folder are larger than 20 MB.')
        if (content.toString('latin1', 0, 40).startsWith('version https://git-lfs'))
          refuse(path, 'Files of Git LFS are not fetched.')
        files.set(path, content)
      }
    }
  }
  add(top, '')
  return files
}
