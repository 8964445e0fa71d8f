import { randomUUID } from 'node:crypto'
import { host } from '#src/azure/arm/poll-addresses.ts'
import { setScene } from '#test/azure-recorded/scene.ts'
import { differences } from '#test/azure-recorded/shape.ts'
import { nameOf, send, Stage } from '#test/azure-recorded/stage.ts'
import { bodyOf, inSubscription } from '#test/azure-recorded/translate.ts'
import type { FarEnd, Reply } from '#test/far-end.ts'
import { callOf } from '#test/recorded-call.ts'
import type { Recording } from '#test/recordings.ts'

export interface Compared {
  readonly recording: Recording
  readonly differences: readonly string[]
}

/** Asks the emulator what a recorded conversation asked of Azure, and holds each answer against the recorded one. */
export async function replay(farEnd: FarEnd, conversation: readonly Recording[]): Promise<Compared[]> {
  const subscription = randomUUID()
  const stage = new Stage(farEnd, regionIn(conversation))
  /** Where Azure said to look, and where the emulator did. */
  const links = new Map<string, string>()
  /** Ids that the directory gave, and those that it gave here. */
  const ids = new Map<string, string>()
  const compared: Compared[] = []
  for (const original of conversation) {
    const recording = inVerifiedDomain(inSubscription(original, subscription))
    const { kind, isPoll } = callOf(recording.method, recording.path)
    const asked = { method: recording.method, path: recording.path, body: bodyOf(recording, kind) }
    const first = compared.length === 0
    const request = first ? await setScene(stage, recording, asked) : asked
    if (first) await endAsRecorded(farEnd, conversation, nameOf(request.path.split('?')[0] ?? ''))
    if (!isUnderWay(recording) && !first) await stage.settle()
    const path = isPoll ? links.get(recording.path) : named(ids, request.path)
    if (path === undefined) {
      compared.push({ recording: original, differences: ['nothing to look at'] })
      continue
    }
    const reply = await send(farEnd, request.method, path, request.body, await caller(stage, recording))
    link(links, recording, reply)
    ids.set(idOf(recording.body), idOf(reply.body))
    compared.push({ recording: original, differences: differences(recording, reply) })
  }
  await farEnd.control('DELETE', '/_faults')
  return compared
}

/** A thing that was still on its way is looked at at once, one at rest when all has come to rest. */
function isUnderWay({ status, body }: Recording): boolean {
  const { status: doing, properties } = (body ?? {}) as { status?: string; properties?: { provisioningState?: string } }
  return status === 202 || doing === 'InProgress' || properties?.provisioningState?.endsWith('ing') === true
}

/** Makes the operations that failed at Azure fail here, in the same words. */
async function endAsRecorded(farEnd: FarEnd, conversation: readonly Recording[], name: string): Promise<void> {
  for (const { body } of conversation) {
    const { status, error } = (body ?? {}) as { status?: string; error?: { code: string; message: string } }
    if (status !== 'Failed') continue
    const words = { code: error?.code, message: error?.message.slice(0, 500) }
    await farEnd.control('POST', '/_faults', { kind: 'finishFailed', name, times: 1, ...words })
    return
  }
}

function link(links: Map<string, string>, recording: Recording, reply: Reply): void {
  for (const header of ['azure-asyncoperation', 'location']) {
    const [theirs, ours] = [recording.headers[header], reply.headers.get(header)]
    if (theirs !== undefined && ours !== null) links.set(theirs.replace(host, ''), ours.replace(host, ''))
  }
}

function regionIn(conversation: readonly Recording[]): string {
  return /"location":\s*"([^"]+)"/.exec(JSON.stringify(conversation))?.[1] ?? 'westus2'
}

/** Somebody without any role asks what was refused for want of one. */
async function caller(stage: Stage, { status }: Recording): Promise<string> {
  if (status !== 403) return 'of-a-test'
  const name = `${randomUUID()}@lab.example`
  await stage.user(name)
  return `user:${name}`
}

/** The recordings' people are at a domain that nobody has. */
function inVerifiedDomain(recording: Recording): Recording {
  if (!recording.path.startsWith('/v1.0/')) return recording
  return JSON.parse(JSON.stringify(recording).replaceAll(/(@|%40)example\.com/g, '$1lab.example')) as Recording
}

const idOf = (body: unknown): string => (body as { id?: string } | null | undefined)?.id ?? ''

const named = (ids: ReadonlyMap<string, string>, path: string): string =>
  path.startsWith('/v1.0/') ? path.replace(/[^/?]+/g, (part) => ids.get(part) ?? part) : path
