import { z } from 'zod'
import type { ImageReference } from '@trainyard/templates/contract/provider.ts'
import type { Capture, Deletion, ImageSpec } from '@trainyard/templates/server/cloud.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { type LxdClient, readAs } from './client.ts'
import { instanceName, readInstance } from './instances.ts'
import { isAbsence, says } from './refusals.ts'

const alias = z.object({ target: z.string() })
const operations = z.record(z.string(), z.array(z.object({ description: z.string(), status_code: z.number() })))

/**
 * Returns the source of an instance: `https://server/alias` of an image server, a fingerprint of at least 12 digits, or
 * an alias.
 */
export function sourceOf({ id }: ImageReference) {
  const remote = /^(https:\/\/[^/]+)\/(.+)$/.exec(id)
  if (remote !== null) return { type: 'image', server: remote[1], protocol: 'simplestreams', alias: remote[2] }
  return /^[0-9a-f]{12,64}$/.test(id) ? { type: 'image', fingerprint: id } : { type: 'image', alias: id }
}

/** The alias identifies the image: LXD knows its fingerprint only at the end, and each repeat has another one. */
const aliasOf = (id: string): string => `trainyard-${id}`

/** Publishes the stopped machine as an image, and waits for it. */
export async function capture(client: LxdClient, { id, name }: ImageSpec, signal: AbortSignal): Promise<Capture> {
  const action = `copy the machine ${name}`
  const own = aliasOf(id)
  if ((await client.find(action, `images/aliases/${own}`, {}, signal)) !== null) return { id: own, state: 'ready' }
  // A publication does not name its machine. A second one of the same machine would only take time and disk space.
  if (await isPublishing(client, signal)) return { id: own, state: 'working', progress: 1 }
  const { machine } = await readInstance(client, name, signal)
  if (machine.status !== 'Stopped')
    throw new CloudError('conflict', `The machine ${name} must be stopped before it is copied.`)
  const body = {
    source: { type: 'instance', name: instanceName(name) },
    aliases: [{ name: own }],
    properties: { 'trainyard.image': id, description: `Image of ${name}` },
    compression_algorithm: 'none',
  }
  try {
    await client.send(action, 'images', { method: 'POST', body }, signal)
  } catch (error) {
    if (!says(error, 'already exists')) throw error
  }
  return { id: own, state: 'ready' }
}

/** Deletes a captured image. Machines that were created from it stay. */
export async function discard(client: LxdClient, { id }: ImageSpec, signal: AbortSignal): Promise<Deletion> {
  const action = 'delete the image'
  const { at } = await client.send('read the server', '', {}, signal)
  if (await isPublishing(client, signal)) return { at, remaining: 'something' }
  const found = await client.find(action, `images/aliases/${aliasOf(id)}`, {}, signal)
  if (found === null) return { at, remaining: 'nothing' }
  const { target } = readAs(alias, found.metadata, action)
  try {
    await client.send(action, `images/${target}`, { method: 'DELETE' }, signal)
  } catch (error) {
    if (!isAbsence(error)) throw error
  }
  return { at, remaining: 'nothing' }
}

async function isPublishing(client: LxdClient, signal: AbortSignal): Promise<boolean> {
  const action = 'list the operations'
  const { metadata } = await client.send(action, 'operations', { query: { recursion: '1' } }, signal)
  const all = Object.values(readAs(operations, metadata ?? {}, action)).flat()
  // LXD 5.0 describes a publication as a download.
  return all.some(
    ({ description, status_code: status }) =>
      status === 103 && /^(Downloading|Publishing|Creating) image/i.test(description),
  )
}
