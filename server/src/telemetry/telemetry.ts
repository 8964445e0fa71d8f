import type { Pool } from 'pg'

/** The way a process tells those who run it how it goes; each null where nobody asked for it. */
export interface Telemetry {
  readonly meters: Meters | null
  readonly tracer: Tracer | null
}

export const QUIET: Telemetry = { meters: null, tracer: null }

/** Counts what happens, and reads what stands, when somebody asks for it. */
export interface Meters {
  /** A call was answered. */
  answered(call: string, status: number, seconds: number): void
  /** A provider was asked, and it came to this: `ok`, or the kind of failure. */
  asked(provider: string, operation: string, outcome: string, seconds: number): void
  /** A request was not sent since its turn had not come. */
  heldBack(kind: string): void
  /** A provider said that it was asked too fast: nothing of the kind is sent for so long. */
  throttled(kind: string, seconds: number): void
  /** Shows the state of a pool of connections. */
  watchPool(pool: Pool): void
  /** Shows figures that are read when they are asked for; `read` is asked once for all of them. */
  watchState(gauges: Readonly<Record<string, string>>, read: () => Promise<readonly Figure[]>): void
}

/** One figure of a gauge, with its one label where it has one. */
export interface Figure {
  readonly gauge: string
  readonly label?: readonly [name: string, value: string]
  readonly value: number
}

/** Follows one thing from the click to the provider. */
export interface Tracer {
  begin(name: string, from: { readonly kind: SpanKind; readonly parent?: string | null }): Span
  /** Does the work within the span: what begins in it belongs to it. */
  inside<T>(span: Span, work: () => T): T
  /** The header `traceparent` of what is at work now, or null. */
  traceparent(): string | null
  stop(): Promise<void>
}

export type SpanKind = 'call' | 'work' | 'provider'

export interface Span {
  set(name: string, value: string | number): void
  /** @param failure a word or a sentence for what went wrong; null: nothing did */
  end(failure: string | null): void
}

/** Does the work within a span of its own, which fails as the work does. */
export async function traced<T>(
  tracer: Tracer,
  name: string,
  from: { readonly kind: SpanKind; readonly parent?: string | null },
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const span = tracer.begin(name, from)
  try {
    const done = await tracer.inside(span, () => work(span))
    span.end(null)
    return done
  } catch (error) {
    span.end(error instanceof Error ? error.name : 'error')
    throw error
  }
}
