import type { Pool } from 'pg'

/** Metrics and tracing of a process; null for each that is not configured. */
export interface Telemetry {
  readonly meters: Meters | null
  readonly tracer: Tracer | null
}

export const NO_TELEMETRY: Telemetry = { meters: null, tracer: null }

export interface Meters {
  countCall(call: string, status: number, seconds: number): void
  /** Counts an operation of a provider. `outcome` is `ok` or the kind of failure. */
  countProviderCall(provider: string, operation: string, outcome: string, seconds: number): void
  /** Counts a call that admission control refused. The labels are the call's class and the reason. */
  countShed(callClass: string, reason: string): void
  /** Exposes the calls that run and wait behind each gate, and the gate's limit. */
  watchAdmission(read: () => Readonly<Record<string, AdmissionState>>): void
  countDeferred(kind: string): void
  countThrottled(kind: string, seconds: number): void
  watchPool(pool: Pool): void
  /** Exposes gauges that are read when metrics are scraped. One call of `read` returns all gauges. */
  watchState(gauges: Readonly<Record<string, string>>, read: () => Promise<readonly GaugeValue[]>): void
}

interface AdmissionState {
  readonly running: number
  readonly waiting: number
  readonly limit: number
}

export interface GaugeValue {
  readonly gauge: string
  readonly label?: readonly [name: string, value: string]
  readonly value: number
}

export interface Tracer {
  startSpan(name: string, from: { readonly kind: SpanKind; readonly parent?: string | null }): Span
  runInSpan<T>(span: Span, callback: () => T): T
  traceparent(): string | null
  stop(): Promise<void>
}

export type SpanKind = 'call' | 'work' | 'provider'

export interface Span {
  set(name: string, value: string | number): void
  /** @param failure short reason; null on success */
  end(failure: string | null): void
}

export async function traced<T>(
  tracer: Tracer,
  name: string,
  from: { readonly kind: SpanKind; readonly parent?: string | null },
  callback: (span: Span) => Promise<T>,
): Promise<T> {
  const span = tracer.startSpan(name, from)
  try {
    const result = await tracer.runInSpan(span, () => callback(span))
    span.end(null)
    return result
  } catch (error) {
    span.end(error instanceof Error ? error.name : 'error')
    throw error
  }
}
