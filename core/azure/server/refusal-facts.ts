import type { ErrorBody } from './error-body.ts'

/** Values that a sentence of the outcome table can contain. A missing one is unknown for this error response. */
export interface RefusalFacts {
  readonly action: string
  readonly code: string
  readonly message: string
  /** Message of the error's first detail, which is the specific one. */
  readonly detail?: string
  /** Name of the policy that denied the request. */
  readonly policy?: string
  /** Properties that the policy evaluated, or the reason that its author wrote. */
  readonly because?: string
  /** Missing action, such as `Microsoft.Network/networkInterfaces/write`, and the scope in which it is missing. */
  readonly permission?: string
  readonly scope?: string
  readonly denial?: string
  readonly locked?: string
}

/** Returns the facts that Azure states in the texts of its error responses, as quoted in the outcome table. */
export function refusalFacts(action: string, error: ErrorBody): RefusalFacts {
  const { message } = error
  const permission =
    /not have permission to perform action(?:\(s\))? '([^']+)' on the linked scope(?:\(s\))? ?'([^']+)'/.exec(
      message,
    ) ?? /perform action '([^']+)' (?:over|on) scope '([^']+)'/.exec(message)
  const denial = /deny assignment with name '(.+?)' and Id /.exec(message)
  const locked = /scope\(s\) are locked: '([^']+)'/.exec(message)
  return {
    action,
    code: error.details[0] ?? (error.code === '' ? 'unknown' : error.code),
    message: sentence(message),
    ...(error.detailMessage === '' ? {} : { detail: sentence(error.detailMessage) }),
    ...(error.policies.length === 0 ? {} : { policy: error.policies.join(' and ') }),
    ...because(error),
    ...(permission === null ? {} : { permission: permission[1]!, scope: scopeName(permission[2]!) }),
    ...(denial === null ? {} : { denial: denial[1]!.replace(/ \/subscriptions\/\S*\//, ' ') }),
    ...(locked === null ? {} : { locked: scopeName(locked[1]!) }),
  }
}

function because({ message, policyFields }: ErrorBody): Pick<RefusalFacts, 'because'> {
  const reason = /Reasons: '(.+?)'\./.exec(message)?.[1]
  if (reason !== undefined) return { because: `Its reason: ${sentence(reason)}` }
  return policyFields.length === 0 ? {} : { because: `It evaluates ${policyFields.join(', ')}.` }
}

/** Names the smallest scope at which a role can sensibly be granted, without the subscription's ID. */
export function scopeName(scope: string): string {
  const group = /^\/subscriptions\/[^/]+\/resourceGroups\/([^/,]+)/i.exec(scope)?.[1]
  if (group !== undefined) return `the resource group ${group}`
  if (/^\/subscriptions\/[^/]+/i.test(scope)) return 'the subscription'
  return /\/managementGroups\/([^/]+)/i.exec(scope)?.[1]?.replace(/^/, 'the management group ') ?? scope
}

const sentence = (text: string): string =>
  /[.!?…]$/.test(text.trim()) || text === '' ? text.trim() : `${text.trim()}.`
