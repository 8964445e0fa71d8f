import { z } from 'zod'
import type { MachineMetrics, ProcessorMinute } from '@trainyard/templates/server/machine-metrics.ts'
import { type LxdClient, readAs } from './client.ts'
import { TAGS } from './instances.ts'

const used = z.array(
  z.object({
    config: z.record(z.string(), z.string()),
    // Null while a member of the cluster is offline.
    state: z.object({ status: z.string(), cpu: z.object({ usage: z.number() }) }).nullable(),
  }),
)

const MINUTE_MS = 60_000
const minuteOf = (at: number): number => Math.floor(at / MINUTE_MS) * MINUTE_MS

interface Sample {
  /** Time in ms by the clock of this process, because replies tell whole seconds. */
  readonly at: number
  /** Processor time since the start of the machine, in ns. */
  readonly nanoseconds: number
}

/**
 * Returns the usage of machines from the difference of two reads. LXD counts processor time and stores no history, so
 * the first read after a start of this process or of a machine tells nothing.
 */
export function lxdMetrics(client: LxdClient, clock: () => number = Date.now): MachineMetrics {
  const samples = new Map<string, Sample>()
  return {
    async processorUsage(machines, _location, { from }, signal) {
      const action = 'read the processor usage of the machines'
      await client.checkProject(signal)
      const at = clock()
      const { metadata } = await client.send(action, 'instances', { query: { recursion: '2' } }, signal)
      const wanted = new Set(machines.map(({ id }) => id))
      const usage = new Map<string, readonly ProcessorMinute[]>()
      for (const { config, state } of readAs(used, metadata, action)) {
        const id = config[TAGS.machine]
        if (id === undefined || !wanted.has(id) || state?.status !== 'Running') continue
        const now: Sample = { at, nanoseconds: state.cpu.usage }
        const last = samples.get(id)
        if (last === undefined || last.nanoseconds > now.nanoseconds) samples.set(id, now)
        else if (minuteOf(last.at) < minuteOf(at)) {
          samples.set(id, now)
          usage.set(id, minutesBetween(last, now, coresOf(config), from.getTime()))
        }
      }
      for (const id of samples.keys()) if (!wanted.has(id)) samples.delete(id)
      return usage
    },
  }
}

const coresOf = (config: Readonly<Record<string, string>>): number => Math.max(1, Number(config['limits.cpu']) || 1)

/** Minutes before the first sample were not measured. */
function minutesBetween(last: Sample, now: Sample, cores: number, from: number): ProcessorMinute[] {
  const percent = ((now.nanoseconds - last.nanoseconds) / 1e6 / (now.at - last.at) / cores) * 100
  const minutes: ProcessorMinute[] = []
  for (let at = minuteOf(from); at < minuteOf(now.at); at += MINUTE_MS)
    minutes.push({ at: new Date(at), percent: at < minuteOf(last.at) ? null : percent })
  return minutes
}
