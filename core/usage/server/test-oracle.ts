/** Model of a machine that is independent of the portal's code. Instants are whole seconds, amounts are paise. */
export interface OracleMachine {
  readonly training: string
  readonly price: bigint
  allotted: number | null
  wanted: 'running' | 'stopped' | 'gone'
  state: 'none' | 'running' | 'halted' | 'stopped' | 'gone'
  readonly billed: { readonly from: number; to: number | null }[]
}

export const consumed = ({ billed }: OracleMachine, now: number): bigint =>
  billed.reduce((sum, { from, to }) => sum + BigInt((to ?? now) - from), 0n)

/** Returns the owed amount, rounded half up once. */
export const owed = (machine: OracleMachine, now: number): bigint => {
  const hourly = consumed(machine, now) * machine.price
  const [whole, rest] = [hourly / 3600n, hourly % 3600n]
  return rest * 2n >= 3600n ? whole + 1n : whole
}

export const isBilled = ({ state }: OracleMachine): boolean => state === 'running' || state === 'halted'

function bill(machine: OracleMachine, now: number): void {
  machine.billed.push({ from: now, to: null })
}

function endBill(machine: OracleMachine, now: number): void {
  const last = machine.billed.at(-1)
  if (last !== undefined && last.to === null) last.to = now
}

/** A deletion ends the billing only when the portal settles. */
export function changeAtProvider(
  machine: OracleMachine,
  action: 'vanish' | 'shutdown' | 'start' | 'deallocate',
  now: number,
): void {
  switch (action) {
    case 'start':
      if (!isBilled(machine)) bill(machine, now)
      machine.state = 'running'
      machine.wanted = 'running'
      return
    case 'deallocate':
      endBill(machine, now)
      machine.state = 'stopped'
      machine.wanted = 'stopped'
      return
    case 'shutdown':
      machine.state = 'halted'
      machine.wanted = 'stopped'
      return
    case 'vanish':
      machine.state = 'none'
      machine.wanted = 'gone'
  }
}

export function settle(machine: OracleMachine, now: number): void {
  const usedUp = machine.allotted !== null && consumed(machine, now) >= BigInt(machine.allotted) * 60n
  if (usedUp && machine.wanted === 'running' && isBilled(machine)) machine.wanted = 'stopped'
  if (machine.wanted === 'running' && !isBilled(machine)) {
    bill(machine, now)
    machine.state = 'running'
  }
  if (machine.wanted === 'stopped' && (isBilled(machine) || machine.state === 'none')) {
    // A machine that was never created is created first and billed for zero seconds.
    if (machine.state === 'none') bill(machine, now)
    endBill(machine, now)
    machine.state = 'stopped'
  }
  if (machine.wanted === 'gone') {
    endBill(machine, now)
    machine.state = 'gone'
  }
}
