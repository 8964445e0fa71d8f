import type { Gauges } from '@trainyard/platform/server/run/telemetry/meters.ts'
import { countMachinesByState } from './queries.ts'

export const MACHINE_GAUGES: Gauges = {
  descriptions: { 'machines/state': 'Machines that are not terminated, by observed state.' },
  async read(db) {
    const { rows } = await countMachinesByState(db)
    return rows.map(({ observed, count }) => ({ gauge: 'machines', label: ['state', observed], value: count }))
  },
}
