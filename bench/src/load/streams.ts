import { Agent, get } from 'node:http'
import type { Api } from '../api-process.ts'
import { learnersOf, TRAINING } from './mix.ts'

/** Opens up to `count` event streams, two for each session. */
export async function openStreams(
  { url, session, databaseUrl }: Api,
  count: number,
): Promise<{ readonly open: number; close(): void }> {
  const agent = new Agent({ maxSockets: Infinity })
  let open = 0
  const learners = await learnersOf(databaseUrl)
  for (let index = 0; index < count; index += 2) {
    const uid = await session(learners[(index / 2) % learners.length]!)
    const openStream = () =>
      new Promise<void>((resolve) => {
        get(
          `${url}/azure/machines/events?${TRAINING}`,
          { agent, headers: { authorization: `Bearer ${uid}` } },
          (reply) => {
            reply.once('error', () => {})
            reply.resume()
            if (reply.statusCode === 200) open++
            resolve()
          },
        ).once('error', () => resolve())
      })
    await Promise.all([openStream(), openStream()])
  }
  return { open, close: () => agent.destroy() }
}
