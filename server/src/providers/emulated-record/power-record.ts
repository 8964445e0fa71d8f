import { z } from 'zod'
import type { PowerRecord } from '../power-record.ts'

const truth = z.object({
  machines: z.array(
    z.object({
      name: z.string(),
      tags: z.record(z.string(), z.string()),
      billed: z.array(z.object({ from: z.iso.datetime(), to: z.iso.datetime().nullable() })),
    }),
  ),
})

/** The emulator's record of what it billed, as it stands behind the protocols that it speaks. */
export function emulatedRecord(emulatorUrl: string): PowerRecord {
  return {
    async billedBetween(from, to, signal) {
      const reply = await fetch(`${emulatorUrl}/_truth?part=machines`, { signal })
      if (!reply.ok) throw new Error(`The emulator's record answered ${reply.status}.`)
      const { machines } = truth.parse(await reply.json())
      return machines
        .map(({ name, tags, billed }) => ({
          name,
          id: tags['trainyard-machine'] ?? null,
          seconds: billed.reduce((sum, each) => sum + overlap(each, from, to), 0),
        }))
        .filter(({ seconds }) => seconds > 0)
    },
  }
}

function overlap(billed: { readonly from: string; readonly to: string | null }, from: Date, to: Date): number {
  const begins = Math.max(Date.parse(billed.from), from.getTime())
  const ends = Math.min(billed.to === null ? Number.POSITIVE_INFINITY : Date.parse(billed.to), to.getTime())
  return Math.max(0, (ends - begins) / 1000)
}
