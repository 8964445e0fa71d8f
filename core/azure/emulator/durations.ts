import { createHash } from 'node:crypto'

/** Median and 90th percentile in seconds, as recorded. Equal numbers mean too few recordings to know the spread. */
const QUANTILES = {
  machineCreateLinux: [77, 148],
  machineCreateWindows: [624, 678],
  machineStart: [10, 62],
  machineStop: [8, 9],
  machineDeallocate: [41, 111],
  machineRestart: [1.4, 42],
  machineDelete: [39, 121],
  machineUpdate: [6, 10],
  extension: [10, 30],
  accountReset: [21, 460],
  disk: [0.3, 0.3],
  gallery: [0.3, 0.5],
  imageVersion: [407, 481],
  imageVersionDelete: [73, 90],
  network: [2, 2],
  groupDelete: [126, 467],
  registration: [60, 60],
  labPlan: [2.6, 2.6],
  lab: [330, 330],
  labPublish: [1200, 1200],
  labDelete: [170, 170],
  labMachine: [137, 137],
  labChild: [1, 1],
  labInvitation: [2, 2],
  /** Time until Azure knows a new user. Recorded: 13 to 252 s. */
  principal: [26, 47],
  /** Until a new role takes effect. Azure's documentation says at most ten minutes. */
  role: [60, 240],
} as const

export type DurationKind = keyof typeof QUANTILES

/** Quantiles of the normal distribution, 90 % and 95 %. */
const P90_DEVIATION = 1.2816
const MAX_DEVIATION = 1.645

/** Returns seconds at a latency factor of 1: log-normally distributed as recorded, and the same for each call. */
export function durationOf(kind: DurationKind, name: string): number {
  const [median, p90] = QUANTILES[kind]
  const spread = Math.log(p90 / median) / P90_DEVIATION
  const seconds =
    median * Math.exp(spread * Math.min(MAX_DEVIATION, Math.max(-MAX_DEVIATION, deviation(`${kind}:${name}`))))
  return Math.round(seconds * 1000) / 1000
}

function deviation(text: string): number {
  const digest = createHash('sha256').update(text.toLowerCase()).digest()
  const uniform = (offset: number): number => (digest.readUInt32BE(offset) + 1) / 2 ** 32
  return Math.sqrt(-2 * Math.log(uniform(0))) * Math.cos(2 * Math.PI * uniform(4))
}
