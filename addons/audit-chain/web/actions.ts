import { auditText } from '@trainyard/platform/contract/audit.ts'
import { auditLabels } from 'virtual:audit-labels'

const calls = Object.entries(auditLabels)
const countOf = Map.groupBy(calls, ([, label]) => label)

/** Returns the text of a call, with the call if several have the same text. */
export function actionText(call: string): string {
  const text = auditText(call, auditLabels[call])
  return (countOf.get(text)?.length ?? 1) > 1 ? `${text} (${call})` : text
}

/** Actions of the log, in alphabetical order. */
export const ACTIONS = calls
  .map(([call]) => ({ call, text: actionText(call) }))
  .toSorted((a, b) => a.text.localeCompare(b.text))

const CALL = /^[A-Za-z]+\.[A-Za-z]+$/

/** Returns the call of a typed action: its text or a part that only it has, or a call. Null if there is none. */
export function callOf(typed: string): string | undefined | null {
  const sought = typed.trim().toLowerCase()
  if (sought === '') return undefined
  if (CALL.test(typed.trim())) return typed.trim()
  const exact = ACTIONS.find(({ text }) => text.toLowerCase() === sought)
  const matching = ACTIONS.filter(({ text }) => text.toLowerCase().includes(sought))
  return (exact ?? (matching.length === 1 ? matching[0] : undefined))?.call ?? null
}
