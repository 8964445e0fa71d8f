import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { can, type MachineActionFacts } from '../contract/machine-words.ts'

export type Selectable = MachineActionFacts & { readonly _id: string }

export type Selected = ReadonlySet<string>

export const NONE_SELECTED: Selected = new Set()

const idsOf = (machines: readonly Selectable[]): Selected => new Set(machines.map((machine) => machine._id))

/** Bulk Select: all machines, or none if all are selected. */
export const toggleAll = (shown: readonly Selectable[], selected: Selected): Selected =>
  shown.length > 0 && shown.every((machine) => selected.has(machine._id)) ? NONE_SELECTED : idsOf(shown)

/** Active Instances: the running machines. */
export const selectRunning = (shown: readonly Selectable[]): Selected =>
  idsOf(shown.filter((machine) => machine.isRunning))

/** Inactive Instances: the stopped machines. */
export const selectStopped = (shown: readonly Selectable[]): Selected =>
  idsOf(shown.filter((machine) => !machine.isRunning))

export function toggleOne(selected: Selected, id: string): Selected {
  const next = new Set(selected)
  if (!next.delete(id)) next.add(id)
  return next
}

/** Returns the alert that the specification defines, or the reason why one machine does not allow the command. */
export function powerOnProblem(selected: readonly Selectable[]): string | null {
  if (selected.length === 0) return ALERTS.nothingSelected
  if (selected.some((machine) => machine.isRunning && machine.status !== 'Stopping')) return ALERTS.someRunning
  return firstReason(selected, can.powerOn)
}

export function powerOffProblem(selected: readonly Selectable[]): string | null {
  if (selected.length === 0) return ALERTS.nothingSelected
  const rests = ({ isRunning, status }: Selectable) => !isRunning && status !== 'Stopping' && status !== 'Failing'
  if (selected.some(rests)) return ALERTS.someNotRunning
  return firstReason(selected, can.powerOff)
}

export function restartProblem(selected: readonly Selectable[]): string | null {
  if (selected.length === 0) return ALERTS.nothingSelected
  if (selected.some(({ isRunning, status }) => !isRunning && status !== 'Stopping')) return ALERTS.someNotRunning
  return firstReason(selected, can.restart)
}

/** Returns the power command that can work for the selection, whose button is filled; null if none can. */
export function leadingCommand(selected: readonly Selectable[]): 'on' | 'off' | null {
  if (powerOnProblem(selected) === null) return 'on'
  return powerOffProblem(selected) === null ? 'off' : null
}

/**
 * Returns why the selection cannot be captured. Only one machine is captured at a time, because each image takes
 * minutes and storage.
 */
export function captureProblem(selected: readonly Selectable[]): string | null {
  const [machine, secondMachine] = selected
  if (machine === undefined) return ALERTS.nothingSelected
  if (secondMachine !== undefined) return 'Select only one instance: an image is created from one machine.'
  const may = can.capture(machine)
  return may === true ? null : may
}

/** Returns true, or why an action of the menu cannot be applied to the selection. */
export const mayApplyToAll = <Row extends Selectable>(
  selected: readonly Row[],
  may: (machine: Row) => true | string,
): true | string => (selected.length === 0 ? ALERTS.nothingSelected : (firstReason(selected, may) ?? true))

function firstReason<Row extends Selectable>(
  machines: readonly Row[],
  may: (machine: Row) => true | string,
): string | null {
  const reasons = machines.map(may).filter((reason) => reason !== true)
  const [first, ...others] = reasons
  if (first === undefined) return null
  return others.length === 0 ? first : `${first} ${others.length} more of the selected instances can’t be used either.`
}

export function selectRange(
  shown: readonly Selectable[],
  selected: Selected,
  from: string | null,
  to: string,
): Selected {
  const places = [from ?? to, to].map((id) => shown.findIndex(({ _id }) => _id === id))
  // The anchor is no longer visible.
  if (places.includes(-1)) return new Set([...selected, to])
  return new Set([...selected, ...idsOf(shown.slice(Math.min(...places), Math.max(...places) + 1))])
}
