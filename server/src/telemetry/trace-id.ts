const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/

export interface TraceParent {
  readonly traceId: string
  readonly spanId: string
}

/** Source: https://www.w3.org/TR/trace-context/#traceparent-header */
export function parseTraceparent(header: unknown): TraceParent | null {
  const found = typeof header === 'string' ? TRACEPARENT.exec(header) : null
  if (found === null) return null
  const [, traceId = '', spanId = ''] = found
  return /^0+$/.test(traceId) || /^0+$/.test(spanId) ? null : { traceId, spanId }
}

/** Returns the trace of a request: the one that the browser started, or one derived from the request ID. */
export function traceOf(header: unknown, requestId: string): TraceParent {
  const hex = requestId.replaceAll('-', '')
  return parseTraceparent(header) ?? { traceId: hex, spanId: hex.slice(0, 16) }
}

export const traceparentOf = ({ traceId, spanId }: TraceParent): string => `00-${traceId}-${spanId}-01`
