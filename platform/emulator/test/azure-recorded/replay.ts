import { randomUUID } from 'node:crypto'
import { host } from '@trainyard/azure/emulator/arm/poll-addresses.ts'
import { prepareState } from './state.ts'
import { compareReply } from './compare.ts'
import { nameOf, send, Stage } from './stage.ts'
import { bodyOf, inSubscription } from './adapt.ts'
import type { TestEmulator, Reply } from '../test-emulator.ts'
import { callOf } from '../recorded-call.ts'
import type { Recording } from '../recordings.ts'

export interface Comparison {
  readonly recording: Recording
  readonly differences: readonly string[]
}

/** Sends a recorded conversation to the emulator and compares each reply with the recorded one. */
export async function replay(emulator: TestEmulator, conversation: readonly Recording[]): Promise<Comparison[]> {
  const subscription = randomUUID()
  const stage = new Stage(emulator, regionIn(conversation))
  /** Recorded poll addresses, each with the corresponding address of the emulator. */
  const links = new Map<string, string>()
  /** Recorded directory IDs, each with the corresponding ID of the emulator. */
  const ids = new Map<string, string>()
  const compared: Comparison[] = []
  for (const original of conversation) {
    const recording = inVerifiedDomain(inSubscription(original, subscription))
    const { kind, isPoll } = callOf(recording.method, recording.path)
    const recordedRequest = { method: recording.method, path: recording.path, body: bodyOf(recording, kind) }
    const first = compared.length === 0
    const request = first ? await prepareState(stage, recording, recordedRequest) : recordedRequest
    if (first) await endAsRecorded(emulator, conversation, nameOf(request.path.split('?')[0] ?? ''))
    if (!isUnderWay(recording) && !first) await stage.settle()
    const path = isPoll ? links.get(recording.path) : replaceIds(ids, request.path)
    if (path === undefined) {
      compared.push({ recording: original, differences: ['no poll address'] })
      continue
    }
    const reply = await send(emulator, request.method, path, request.body, await caller(stage, recording))
    link(links, recording, reply)
    ids.set(idOf(recording.body), idOf(reply.body))
    compared.push({ recording: original, differences: compareReply(recording, reply) })
  }
  await emulator.control('DELETE', '/_faults')
  return compared
}

/**
 * Returns true if the recorded resource or operation was still in progress, so that the emulator must not complete it
 * first.
 */
function isUnderWay({ status, body }: Recording): boolean {
  const { status: operationStatus, properties } = (body ?? {}) as {
    status?: string
    properties?: { provisioningState?: string }
  }
  return status === 202 || operationStatus === 'InProgress' || properties?.provisioningState?.endsWith('ing') === true
}

/** Makes operations that failed at Azure fail in the emulator with the same error. */
async function endAsRecorded(emulator: TestEmulator, conversation: readonly Recording[], name: string): Promise<void> {
  for (const { body } of conversation) {
    const { status, error } = (body ?? {}) as { status?: string; error?: { code: string; message: string } }
    if (status !== 'Failed') continue
    const errorOverrides = { code: error?.code, message: error?.message.slice(0, 500) }
    await emulator.control('POST', '/_faults', { kind: 'finishFailed', name, times: 1, ...errorOverrides })
    return
  }
}

function link(links: Map<string, string>, recording: Recording, reply: Reply): void {
  for (const header of ['azure-asyncoperation', 'location']) {
    const [recordedUrl, emulatedUrl] = [recording.headers[header], reply.headers.get(header)]
    if (recordedUrl !== undefined && emulatedUrl !== null)
      links.set(recordedUrl.replace(host, ''), emulatedUrl.replace(host, ''))
  }
}

function regionIn(conversation: readonly Recording[]): string {
  return /"location":\s*"([^"]+)"/.exec(JSON.stringify(conversation))?.[1] ?? 'westus2'
}

/** A recorded 403 is replayed by a user without any role. */
async function caller(stage: Stage, { status }: Recording): Promise<string> {
  if (status !== 403) return 'of-a-test'
  const name = `${randomUUID()}@lab.example`
  await stage.createUser(name)
  return `user:${name}`
}

/** Moves the recorded users to a domain that the emulator has verified. */
function inVerifiedDomain(recording: Recording): Recording {
  if (!recording.path.startsWith('/v1.0/')) return recording
  return JSON.parse(JSON.stringify(recording).replaceAll(/(@|%40)example\.com/g, '$1lab.example')) as Recording
}

const idOf = (body: unknown): string => (body as { id?: string } | null | undefined)?.id ?? ''

const replaceIds = (ids: ReadonlyMap<string, string>, path: string): string =>
  path.startsWith('/v1.0/') ? path.replace(/[^/?]+/g, (part) => ids.get(part) ?? part) : path
